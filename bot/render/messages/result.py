"""The result of a game: who won, by how much and how, what the win counts for, and what can be done next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.language.languages import later
from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, computer_name
from bot.render.drawing import Drawing, DrawnFile
from bot.render.layouts import GOLD, address, button, container, layout, row, subtext, text
from bot.render.layouts import picture as show_picture
from bot.render.messages.board import board
from bot.render.text.match_score import match_score
from bot.render.text.names import Names, escaped, plain
from bot.render.text.voice import Voice
from bot.render.text.words import together
from engine import (
    Ending,
    GameClaimed,
    HandCounted,
    NextDeal,
    Pegged,
    PublicEvent,
    Reason,
    Resigned,
    Result,
    Rules,
    Side,
    Skunk,
    Source,
    Stage,
    TableView,
)


def result_drawing(
    record: TableRecord,
    table: TableView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    picture: DrawnFile | None = None,
) -> Drawing:
    """The result of a finished game, the `events` of whose last deal these are.

    `picture` is the final board and the game's course; without one the board is text. Raises ValueError if
    the game is not over.
    """
    names = Names(record.names, table.rules)
    result = table.result
    if result is None:
        raise ValueError("the game is not over")
    return layout(
        container(
            show_picture(picture) if picture else None,
            text(*_won(result, table, events, names, voice)),
            text(board(table, names)) if picture is None else None,
            text(*_worth(record, table, result, names, voice)),
            row(
                button(
                    address(record.game, table.deal_number, Verb.REMATCH),
                    voice.say("Rematch"),
                    style=ButtonStyle.success,
                ),
                button(address(record.game, table.deal_number, Verb.REVIEW), voice.say("Review")),
            ),
            colour=GOLD,
        ),
        files=(picture,) if picture else (),
    )


def _won(
    result: Result, table: TableView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> Iterator[str]:
    yield f"## 🏆 {_headline(result, table, names, voice)}"
    scores = sorted(enumerate(result.scores), key=lambda each: (each[0] != result.winner, -each[1]))
    yield f"### {' · '.join(together(names.side(Side(side)), score) for side, score in scores)}"
    yield _ended(result, table, events, names, voice)


def _headline(result: Result, table: TableView, names: Names, voice: Voice) -> str:
    """Who won, by how much, and the worst that it did to anybody."""
    winners, several = names.side(result.winner), len(table.rules.seats_of(result.winner)) > 1
    behind = max(score for side, score in enumerate(result.scores) if side != result.winner)
    by = result.scores[result.winner] - behind
    if result.ending is not Ending.PEGGED_OUT or by <= 0:
        said = "{side} win" if several else "{side} wins"
        return voice.say(said, side=winners)
    worst = max((skunk for skunk in result.skunks), key=_SEVERITY.index)
    said = _WIN[worst] if several else _WINS[worst]
    return voice.say(said, side=winners, points=by)


_SEVERITY = (Skunk.NONE, Skunk.LURCH, Skunk.SKUNK, Skunk.DOUBLE)
_WINS = {
    Skunk.NONE: later("{side} wins by {points}"),
    Skunk.LURCH: later("{side} wins by {points}: a lurch!"),
    Skunk.SKUNK: later("{side} wins by {points}: a skunk!"),
    Skunk.DOUBLE: later("{side} wins by {points}: a double skunk!"),
}
_WIN = {
    Skunk.NONE: later("{side} win by {points}"),
    Skunk.LURCH: later("{side} win by {points}: a lurch!"),
    Skunk.SKUNK: later("{side} win by {points}: a skunk!"),
    Skunk.DOUBLE: later("{side} win by {points}: a double skunk!"),
}
"""For partners."""


def _ended(
    result: Result, table: TableView, events: Sequence[PublicEvent], names: Names, voice: Voice
) -> str:
    """How the game ended."""
    deal = table.deal_number
    if result.ending is Ending.RESIGNED:
        who = next((names[event.seat] for event in events if isinstance(event, Resigned)), "")
        return voice.say("{player} resigned in deal {deal}.", player=who, deal=deal)
    if result.ending is Ending.CLAIMED:
        claim = next(event for event in reversed(events) if isinstance(event, GameClaimed))
        return voice.say(
            "{player} claimed the game in deal {deal}: {absent} stayed away.",
            player=names[claim.seat],
            absent=names.side(claim.absent),
            deal=deal,
        )
    return voice.say(_out(result, events), deal=deal)


def _out(result: Result, events: Sequence[PublicEvent]) -> str:
    """The moment at which the winning points were pegged."""
    last = next((event for event in reversed(events) if isinstance(event, Pegged)), None)
    reasons = {score.reason for score in last.scores} if last else set()
    if Reason.HEELS in reasons:
        return later("Out on his heels, deal {deal}")
    if Reason.MUGGINS in reasons:
        return later("Out by muggins, deal {deal}")
    if result.stage is not Stage.SHOWING:
        return later("Out in the play, deal {deal}")
    counted = next((event for event in reversed(events) if isinstance(event, HandCounted)), None)
    if counted and counted.source is Source.CRIB:
        return later("Out on the crib, deal {deal}")
    return later("Out on the hand, deal {deal}")


def _worth(
    record: TableRecord, table: TableView, result: Result, names: Names, voice: Voice
) -> Iterator[str]:
    """Who else was skunked, the games that the win counts for, the match, and who deals next."""
    if table.rules.sides > 2:
        yield from (
            voice.say(_SKUNKED[skunk], side=names.side(Side(side)))
            for side, skunk in enumerate(result.skunks)
            if skunk is not Skunk.NONE
        )
    if result.games > 1:
        yield voice.some(result.games, "Counts as {number} game.", "Counts as {number} games.")
    if record.won_before or record.rematch_of:
        yield match_score(record, table, names, voice)
    yield from map(subtext, _computers(record, voice))
    yield subtext(_next_deal(table.rules, result, names, voice))


_SKUNKED = {
    Skunk.NONE: "",
    Skunk.LURCH: later("**{side}: in the lurch**"),
    Skunk.SKUNK: later("**{side}: skunked**"),
    Skunk.DOUBLE: later("**{side}: double-skunked**"),
}


def _computers(record: TableRecord, voice: Voice) -> Iterator[str]:
    """Which players were replaced by a computer, and that games with a computer are counted separately."""
    for seat in sorted(record.computers):
        each = record.occupants[seat]
        if each.level is not None and each.user is not None:
            yield voice.say(
                "{computer} finished the game for {player}.",
                computer=computer_name(each.level),
                player=escaped(plain(each.name, voice.say("somebody"))),
            )
    if record.computers:
        yield voice.say("Games with a computer have statistics of their own.")


def _next_deal(rules: Rules, result: Result, names: Names, voice: Voice) -> str:
    if rules.next_deal is NextDeal.LOSER and rules.sides == 2:
        loser = names.side(Side(1 - result.winner))
        if rules.partners:
            return voice.say("Rematch: one of {side} deals first.", side=loser)
        return voice.say("Rematch: {side} deals first.", side=loser)
    return voice.say("Rematch: the deal passes to the left.")
