"""The answer to `/crib-stats leaderboard`: the ranking of a server's players, page by page.

`standings.leaderboards` selects and orders the players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.features.stats.custom_ids import PageId
from bot.features.stats.player_stats import best_hand, placement, some_games, won_share
from bot.language.languages import gettext_noop
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, Part, button, container, layout, row, rule, subtext, text
from bot.render.messages.players import ask_in_a_server, shown_name, start_one
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice
from bot.standings.leaderboards import Board, Leaderboard, Row, Span, Tally
from bot.standings.ratings import PROVISIONAL, Kind

TITLES: Final = {
    Board.RATING: gettext_noop("Rating, 2 players"),
    Board.MORE: gettext_noop("Rating, 3 or 4 players"),
    Board.WINS: gettext_noop("Wins"),
    Board.RATE: gettext_noop("Win rate"),
    Board.HAND: gettext_noop("Best hand"),
}
"""The name of each board, in a title and as an option of the command."""


def leaderboard_drawing(
    found: Leaderboard, at: PageId, asker: str, voice: Voice, *, private: bool
) -> Drawing:
    """A page of the board, with the asker's own row; `private` if nobody else sees it."""
    at = replace(at, page=found.page)
    rows = found.rows
    lines = [_line(each, found, voice) for each in rows]
    own = _own(found, rows, asker, voice, private=private)
    return layout(
        container(
            text(
                f"## {voice.gettext('Leaderboard')}",
                f"**{voice.gettext(TITLES[found.board])}**",
                subtext(_span(found, voice)),
            ),
            text(*(lines or (_nobody(found, voice), start_one(voice)))),
            rule() if own else None,
            text(own),
            text(*map(subtext, _footnotes(found, _HERE, voice))),
            row(*_buttons(at, found, voice)),
            colour=GOLD,
        )
    )


def own_places_drawing(found: Sequence[tuple[str, Leaderboard]], voice: Voice) -> Drawing:
    """A person's places on one board in several servers, by the server's name; shows nobody else."""
    board = found[0][1]
    footnotes = (*_footnotes(board, _IN_EACH, voice), ask_in_a_server(voice))
    return layout(
        container(
            text(
                f"## {voice.gettext('Your leaderboards')}",
                f"**{voice.gettext(TITLES[board.board])}**",
                subtext(_since(board, voice)),
            ),
            text(*(_own_place(name, each, voice) for name, each in found)),
            text(*map(subtext, footnotes)),
            colour=GOLD,
        )
    )


def _own_place(name: str, found: Leaderboard, voice: Voice) -> str:
    server, own, row = escaped(plain(name, voice.gettext("A server"))), found.own, found.own_row
    assert own is not None, "they have played there"
    figure = _figure(own, found.board, voice)
    if row is None or row.place is None:
        if own.hidden:
            figure = voice.gettext("Hidden, only you see this: {figure}", figure=figure)
        return voice.gettext("**{server}** · {figure}", server=server, figure=figure)
    return voice.ngettext(
        "**{server}** · {place} of {number} player · {figure}",
        "**{server}** · {place} of {number} players · {figure}",
        found.ranked,
        server=server,
        place=voice.number(row.place),
        figure=figure,
    )


def _span(found: Leaderboard, voice: Voice) -> str:
    span = _since(found, voice)
    people = found.people
    return f"{span} · {voice.ngettext('{number} player', '{number} players', people)}" if people else span


def _since(found: Leaderboard, voice: Voice) -> str:
    if found.span is Span.EVER:
        return voice.gettext("All time")
    # At noon UTC it is the same day in nearly every reader's time zone.
    noon = found.month + timedelta(hours=12)
    return voice.gettext("Since {date}", date=f"<t:{noon.timestamp():.0f}:D>")


def _line(row: Row, found: Leaderboard, voice: Voice) -> str:
    mark = "▸ " if found.own and row.tally.user == found.own.user else ""
    name = shown_name(row.tally.name, voice)
    place = "–" if row.place is None else voice.number(row.place)
    return f"{mark}**{place}** {name} · {_figure(row.tally, found.board, voice)}"


def _figure(tally: Tally, board: Board, voice: Voice) -> str:
    match board:
        case Board.RATING | Board.MORE:
            if tally.rating.is_provisional:
                return placement(tally.rating.games, voice)
            return f"**{voice.number(tally.rating.shown)}** · {some_games(tally.games, voice)}"
        case Board.WINS:
            return _of_games(voice.number(tally.wins), tally.games, voice)
        case Board.RATE:
            return _of_games(won_share(tally.wins, tally.games, voice), tally.games, voice)
        case Board.HAND:
            return best_hand(tally.best, voice) if tally.best else voice.gettext("no hand counted")


def _of_games(figure: str, games: int, voice: Voice) -> str:
    return voice.ngettext(
        "**{figure}** of {number} game", "**{figure}** of {number} games", games, figure=figure
    )


def _nobody(found: Leaderboard, voice: Voice) -> str:
    """The reason why the board is empty, in terms of the games that count on it."""
    enough = found.span.enough
    match found.board, found.span:
        case Board.RATE, Span.MONTH:
            return voice.ngettext(
                "Nobody has finished {number} game with people this month.",
                "Nobody has finished {number} games with people this month.",
                enough,
            )
        case Board.RATE, Span.EVER:
            return voice.ngettext(
                "Nobody has finished {number} game with people yet.",
                "Nobody has finished {number} games with people yet.",
                enough,
            )
        case Board.RATING, Span.MONTH:
            return voice.gettext("No rated games of 2 players this month.")
        case Board.RATING, Span.EVER:
            return voice.gettext("No rated games of 2 players yet.")
        case Board.MORE, Span.MONTH:
            return voice.gettext("No rated games of 3 or 4 players this month.")
        case Board.MORE, Span.EVER:
            return voice.gettext("No rated games of 3 or 4 players yet.")
        case _, Span.MONTH:
            return voice.gettext("No finished games between people this month.")
        case _:
            return voice.gettext("No finished games between people yet.")


def _own(found: Leaderboard, rows: tuple[Row, ...], asker: str, voice: Voice, *, private: bool) -> str:
    """The asker's row unless it is on the page, or the reason for none; a hidden one only if `private`."""
    own, place = found.own, found.own_row
    name = voice.gettext("You") if private else shown_name(asker, voice)
    if place is not None:
        return "" if place.tally.user in {each.tally.user for each in rows} else _line(place, found, voice)
    if own is None:
        return f"▸ {voice.gettext(_NONE[found.board.kind, found.span], player=name)}"
    figure = _figure(own, found.board, voice)
    if own.hidden:
        return f"▸ {voice.gettext('Hidden, only you see this: {figure}', figure=figure)}" if private else ""
    if found.board is Board.RATE and own.games < found.span.enough:
        enough = voice.ngettext(
            "{player}: {games} of at least {number}",
            "{player}: {games} of at least {number}",
            found.span.enough,
            player=name,
            games=some_games(own.games, voice),
        )
        return f"▸ {enough}"
    return f"▸ {name} · {figure}"


_NONE: Final = {
    (Kind.TWO, Span.EVER): gettext_noop("{player}: no finished games of 2 players yet"),
    (Kind.TWO, Span.MONTH): gettext_noop("{player}: no finished games of 2 players this month"),
    (Kind.MORE, Span.EVER): gettext_noop("{player}: no finished games of 3 or 4 players yet"),
    (Kind.MORE, Span.MONTH): gettext_noop("{player}: no finished games of 3 or 4 players this month"),
    (None, Span.EVER): gettext_noop("{player}: no finished games with people yet"),
    (None, Span.MONTH): gettext_noop("{player}: no finished games with people this month"),
}
"""The reason why a person has no figure, by the games that count on the board."""

_HERE: Final = {
    Kind.TWO: gettext_noop("Rated games of 2 people in this server"),
    Kind.MORE: gettext_noop("Rated games of 3 or 4 people in this server"),
    None: gettext_noop("All finished games between people in this server, rated or not, 2 to 4 players"),
}
"""The games that count on a board."""
_IN_EACH: Final = {
    Kind.TWO: gettext_noop("Rated games of 2 people in each server"),
    Kind.MORE: gettext_noop("Rated games of 3 or 4 people in each server"),
    None: gettext_noop("All finished games between people in each server, rated or not, 2 to 4 players"),
}


def _footnotes(found: Leaderboard, games: Mapping[Kind | None, str], voice: Voice) -> Iterator[str]:
    """The games of which the board speaks, and the number that it takes to be on it."""
    yield voice.gettext(games[found.board.kind])
    if found.board.kind is not None:
        yield voice.ngettext("{number} game makes a rating", "{number} games make a rating", PROVISIONAL)
        if found.span is Span.MONTH:
            yield voice.gettext("Players of this month, by current rating")
    elif found.board is Board.HAND:
        yield voice.gettext("Hands, without cribs")
    elif found.board is Board.RATE:
        yield voice.ngettext("From {number} game on", "From {number} games on", found.span.enough)


def _buttons(at: PageId, found: Leaderboard, voice: Voice) -> list[Part | None]:
    other = Span.EVER if at.span is Span.MONTH else Span.MONTH
    title = voice.gettext("This month") if other is Span.MONTH else voice.gettext("All time")
    return [
        button(replace(at, page=at.page - 1), voice.gettext("Previous")) if at.page > 0 else None,
        button(replace(at, page=at.page + 1), voice.gettext("Next")) if at.page + 1 < found.pages else None,
        button(replace(at, page=0, span=other), title),
    ]
