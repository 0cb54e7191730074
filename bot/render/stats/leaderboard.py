"""The answer to `/crib leaderboard`: a server's players in order, page by page.

Who is listed, and in which order, is decided by `standings.leaderboards`.
"""

from __future__ import annotations

from dataclasses import replace

from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, Part, button, container, layout, row, rule, subtext, text
from bot.render.stats.player_stats import best_hand, of_games, percent, shown
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice
from bot.render.text.words import number, plural, some
from bot.standings.leaderboards import Board, Leaderboard, Row, Span, Tally, is_eligible
from bot.standings.page_ids import PageId
from bot.standings.ratings import PROVISIONAL

TITLES = {
    Board.RATING: "rating, two players",
    Board.MORE: "rating, three and four players",
    Board.WINS: "wins",
    Board.RATE: "win rate",
    Board.HAND: "best hand",
}
"""The name of each board, in a title and as an option of the command."""


def leaderboard_drawing(
    found: Leaderboard, at: PageId, asker: str, voice: Voice, *, private: bool
) -> Drawing:
    """A page of the board, with the asker's own row; `private` if nobody else sees it."""
    page = min(at.page, found.pages - 1)
    at = replace(at, page=page)
    rows = found.page(page)
    own = _own(found, rows, asker, voice, private=private)
    return layout(
        container(
            text(f"## Leaderboard: {TITLES[found.board]}", _span(found)),
            text(*(_line(each, found, voice) for each in rows) if rows else (_nobody(found),)),
            rule() if own else None,
            text(own),
            text(subtext(_footnote(found))),
            row(*_buttons(at, found)),
            colour=GOLD,
        )
    )


def _span(found: Leaderboard) -> str:
    span = "all games" if found.span is Span.EVER else f"{found.month:%B %Y}, by UTC"
    people = f"{len(found.rows)} {plural(len(found.rows), 'player')}"
    return f"{span} · {people}" if found.rows else span


def _line(row: Row, found: Leaderboard, voice: Voice) -> str:
    mark = "▸ " if found.own and row.tally.user == found.own.user else ""
    name = escaped(plain(row.tally.name))
    return f"{mark}**{row.place}** {name} · {_figure(row.tally, found.board, voice)}"


def _figure(tally: Tally, board: Board, voice: Voice) -> str:
    match board:
        case Board.RATING | Board.MORE:
            return f"**{shown(tally.rating)}** · {of_games(tally.games)}"
        case Board.WINS:
            return f"**{tally.wins}** of {of_games(tally.games)}"
        case Board.RATE:
            return f"**{percent(tally.wins, tally.games)}** · {tally.wins} of {tally.games}"
        case Board.HAND:
            return best_hand(tally.best, voice) if tally.best else "no hand counted"


def _nobody(found: Leaderboard) -> str:
    when = "this month" if found.span is Span.MONTH else "yet"
    match found.board:
        case Board.RATE:
            return f"Nobody has finished {number(found.span.enough)} games {when}."
        case Board.MORE:
            return f"No finished games of three or four {when}. `/crib new` sets up a table."
        case Board.RATING | Board.WINS | Board.HAND:
            return f"No finished games {when}. `/crib new` sets up a table."


def _own(found: Leaderboard, rows: tuple[Row, ...], asker: str, voice: Voice, *, private: bool) -> str:
    """The asker's row if it is not on the page, or why there is none; a hidden one only if `private`."""
    own, place = found.own, found.own_row
    name = escaped(plain(asker))
    if place is not None:
        return "" if place in rows else _line(place, found, voice)
    if own is None:
        when = "this month" if found.span is Span.MONTH else "here yet"
        return f"▸ {name} has no finished games {when}."
    if own.hidden:
        figure = _figure(own, found.board, voice)
        return f"▸ You are hidden, and only you see this: {figure}" if private else ""
    if found.board is Board.RATE and not is_eligible(own, found.board, found.span):
        return f"▸ {name} has {of_games(own.games)} of the {number(found.span.enough)} that it takes."
    return f"▸ {name} · {_figure(own, found.board, voice)}"


def _footnote(found: Leaderboard) -> str:
    match found.board:
        case Board.RATING | Board.MORE:
            month = "Who played this month, with the present rating. " if found.span is Span.MONTH else ""
            return f"{month}? is provisional: fewer than {some(PROVISIONAL, 'game')}."
        case Board.RATE:
            return f"Players with at least {some(found.span.enough, 'game')}."
        case Board.WINS | Board.HAND:
            return ""


def _buttons(at: PageId, found: Leaderboard) -> list[Part | None]:
    other = Span.EVER if at.span is Span.MONTH else Span.MONTH
    return [
        button(replace(at, page=at.page - 1), "Back") if at.page > 0 else None,
        button(replace(at, page=at.page + 1), "More") if at.page + 1 < found.pages else None,
        button(replace(at, page=0, span=other), "This month" if other is Span.MONTH else "All games"),
    ]
