"""The answer to `/crib-stats history`: finished games, the newest first, each with a button to its replay."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle

from bot.features.replay.custom_ids import PastId
from bot.model.custom_ids import ReplayId, ReplayWish
from bot.model.match import contenders, rules_of_game
from bot.model.table_record import MatchGame
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, button, container, layout, row, subtext, text
from bot.render.messages.players import shown_name, start_one
from bot.render.text.match_score import match_score
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.standings.history import CancelledGame, History, PastGame
from engine import Ending, Side

_BY_ROW = 5
"""Buttons in a row: Discord's limit, which fits a phone since the labels are numbers."""

_UNBROKEN_DASH = "\N{WORD JOINER}–\N{WORD JOINER}"
"""Separator of the scores of a game that forbids a line break."""


def history_drawing(
    found: History, at: PastId, name: str | None, voice: Voice, *, own: bool = False
) -> Drawing:
    """The page `at` of the games of a person called `name`, or of the server; `own` if they alone read it."""
    heading = _heading(at.whose, name, voice, own=own, is_cancelled=found.is_cancelled)
    other = button(
        PastId(whose=at.whose, is_cancelled=not found.is_cancelled, owner=at.owner),
        voice.gettext("Finished games") if found.is_cancelled else voice.gettext("Cancelled games"),
    )
    if not found.games:
        none = (
            voice.gettext("No cancelled games.")
            if found.is_cancelled
            else voice.gettext("No finished games yet.")
        )
        return layout(
            container(text(f"## {heading}", none, subtext(start_one(voice))), row(other), colour=BAIZE)
        )
    openers = [
        button(opens, voice.number(place))
        for place, game in enumerate(found.games, 1)
        if voice.additions.offers(opens := ReplayId(game.record.game, _wish(game)))
    ]
    newest, oldest = found.games[0].number, found.games[-1].number
    newer = PastId(whose=at.whose, after=newest, is_cancelled=found.is_cancelled, owner=at.owner)
    older = PastId(whose=at.whose, before=oldest, is_cancelled=found.is_cancelled, owner=at.owner)
    return layout(
        container(
            text(f"## {heading}"),
            text(*(_line(place, game, voice) for place, game in enumerate(found.games, 1))),
            text(
                subtext(
                    voice.gettext("Press a game's number to check its deck: every card that was dealt.")
                    if found.is_cancelled and openers
                    else ""
                    if found.is_cancelled
                    else voice.gettext("Press a game's number to watch it again, step by step.")
                )
            ),
            *(row(*openers[first : first + _BY_ROW]) for first in range(0, len(openers), _BY_ROW)),
            row(
                button(newer, voice.gettext("Newer")) if found.has_newer else None,
                button(older, voice.gettext("Older"), style=ButtonStyle.primary) if found.has_older else None,
                other,
            ),
            colour=BAIZE,
        )
    )


def _wish(game: PastGame | CancelledGame) -> ReplayWish:
    return ReplayWish.OPEN if isinstance(game, PastGame) else ReplayWish.CHECK


def _heading(whose: int | None, name: str | None, voice: Voice, *, own: bool, is_cancelled: bool) -> str:
    if own:
        return voice.gettext("Your cancelled games") if is_cancelled else voice.gettext("Your finished games")
    player = "" if name is None else shown_name(name, voice)
    match bool(player), whose is None, is_cancelled:
        case True, _, False:
            return voice.gettext("Finished games of {player}", player=player)
        case True, _, True:
            return voice.gettext("Cancelled games of {player}", player=player)
        case _, True, False:
            return voice.gettext("Finished games in this server")
        case _, True, True:
            return voice.gettext("Cancelled games in this server")
        case _, _, False:
            return voice.gettext("Finished games")
        case _:
            return voice.gettext("Cancelled games")


def _line(place: int, game: PastGame | CancelledGame, voice: Voice) -> str:
    """As `1. Ada 121, Ben 98 · 9 deals · 21/11/2026`, the winner first and in bold."""
    names = Names.at(game.record, voice)
    length = voice.ngettext("{number} deal", "{number} deals", game.deals)
    if isinstance(game, CancelledGame):
        people = ", ".join(names.side(Side(side)) for side in range(game.record.agreement.rules.sides))
        return f"{voice.number(place)}. {people} · {length} · <t:{game.at}:d>"
    if games := game.match_games:
        return f"{voice.number(place)}. {_match(game, games, names, voice)}"
    sides = sorted(
        (Side(side) for side in range(len(game.scores))),
        key=lambda side: (side != game.winner, -game.scores[side]),
    )
    scores = []
    for side in sides:
        score = f"{names.side(side)}\N{NO-BREAK SPACE}{voice.number(game.scores[side])}"
        scores.append(f"**{score}**" if side == game.winner else score)
    parts = [", ".join(scores)]
    if game.ending is Ending.RESIGNED:
        parts.append(voice.gettext("resigned"))
    elif game.ending is Ending.CLAIMED:
        parts.append(voice.gettext("claimed"))
    parts += [length, f"<t:{game.at}:d>"]
    return f"{voice.number(place)}. {' · '.join(parts)}"


def _match(game: PastGame, games: Sequence[MatchGame], names: Names, voice: Voice) -> str:
    """As `Best of three: Ada 2 · Ben 1 · 121–104, 98–121, 121–90 · 27 deals · 21/11/2026`."""
    whose = contenders(game.record.agreement.rules)
    won = [0] * len(whose)
    for number, each in enumerate(games):
        winners = rules_of_game(game.record, number).seats_of(each.winner)
        for place, seats in enumerate(whose):
            won[place] += each.worth if seats[0] in winners else 0
    return " · ".join(
        (
            f"**{match_score(game.record, won, names, voice)}**",
            ", ".join(_UNBROKEN_DASH.join(map(voice.number, each.scores)) for each in games),
            voice.ngettext("{number} deal", "{number} deals", game.deals),
            f"<t:{game.at}:d>",
        )
    )
