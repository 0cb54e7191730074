"""The result of a game: who won, by how much and how, what the win counts for, and what can be done next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord, computer_name
from bot.render.drawing import Drawing
from bot.render.layouts import GOLD, address, button, container, layout, row, rule, subtext, text
from bot.render.messages.board import board
from bot.render.text.match_score import match_score
from bot.render.text.names import Names, escaped, plain
from bot.render.text.voice import Voice
from bot.render.text.words import some, together
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
    voice: Voice,  # noqa: ARG001 -- the table, show and result of a game have the same signature
) -> Drawing:
    """The result of a finished game, the `events` of whose last deal these are.

    Raises ValueError if the game is not over.
    """
    names = Names(record.names, table.rules)
    result = table.result
    if result is None:
        raise ValueError("the game is not over")
    return layout(
        container(
            text(*_won(result, table, events, names)),
            text(board(table, names)),
            rule(),
            text(*_worth(record, table, result, names)),
            row(
                button(
                    address(record.game, table.deal_number, Verb.REMATCH),
                    "Rematch",
                    style=ButtonStyle.success,
                ),
                button(address(record.game, table.deal_number, Verb.REVIEW), "Review"),
            ),
            colour=GOLD,
        )
    )


def _won(result: Result, table: TableView, events: Sequence[PublicEvent], names: Names) -> Iterator[str]:
    winners = names.side(result.winner)
    win = "win" if len(table.rules.seats_of(result.winner)) > 1 else "wins"
    yield f"## 🏆 {winners} {win}"
    scores = sorted(enumerate(result.scores), key=lambda each: (each[0] != result.winner, -each[1]))
    yield f"### {' · '.join(together(names.side(Side(side)), score) for side, score in scores)}"
    if result.ending is Ending.RESIGNED:
        who = next((names[event.seat] for event in events if isinstance(event, Resigned)), "The other side")
        yield f"{who} resigned in deal {table.deal_number}." if table.deal_number else f"{who} resigned."
    elif result.ending is Ending.CLAIMED:
        claim = next(event for event in reversed(events) if isinstance(event, GameClaimed))
        away = names.side(claim.absent)
        yield f"{names[claim.seat]} claimed the game in deal {table.deal_number}: {away} stayed away."
    else:
        yield f"Pegged out {_where(result, events)} deal {table.deal_number}."


def _where(result: Result, events: Sequence[PublicEvent]) -> str:
    """The moment at which the winning points were pegged."""
    last = next((event for event in reversed(events) if isinstance(event, Pegged)), None)
    reasons = {score.reason for score in last.scores} if last else set()
    if Reason.HEELS in reasons:
        return "on his heels in"
    if Reason.MUGGINS in reasons:
        return "by muggins in"
    if result.stage is not Stage.SHOWING:
        return "in the play of"
    counted = next((event for event in reversed(events) if isinstance(event, HandCounted)), None)
    return "on the crib of" if counted and counted.source is Source.CRIB else "at the show of"


def _worth(record: TableRecord, table: TableView, result: Result, names: Names) -> Iterator[str]:
    """Skunks, the games that the win counts for, and the score of the match."""
    yield from (
        _beaten(names.side(Side(side)), skunk, several=len(table.rules.seats_of(Side(side))) > 1)
        for side, skunk in enumerate(result.skunks)
        if skunk is not Skunk.NONE
    )
    if result.games > 1:
        yield f"The win counts for {some(result.games, 'game')}."
    if record.won_before or record.rematch_of:
        yield match_score(record, table, names)
    yield from map(subtext, _computers(record))
    yield subtext(_next_deal(table.rules, result, names))


def _computers(record: TableRecord) -> Iterator[str]:
    """Which players were replaced by a computer, and that games with a computer are counted separately."""
    for seat in sorted(record.computers):
        each = record.occupants[seat]
        if each.level is not None and each.user is not None:
            whom = escaped(plain(each.name, "somebody"))
            yield f"{computer_name(each.level)} played for {whom} to the end."
    if record.computers:
        yield "Games with a computer are kept apart from those between people in `/crib-stats player`."


def _beaten(loser: str, skunk: Skunk, *, several: bool) -> str:
    verb = "are" if several else "is"
    match skunk:
        case Skunk.LURCH:
            return f"**{loser} {verb} left in the lurch.**"
        case Skunk.DOUBLE:
            return f"**{loser} {verb} double-skunked.**"
        case Skunk.SKUNK | Skunk.NONE:
            return f"**{loser} {verb} skunked.**"


def _next_deal(rules: Rules, result: Result, names: Names) -> str:
    if rules.next_deal is NextDeal.LOSER and rules.sides == 2:
        loser = names.side(Side(1 - result.winner))
        if rules.partners:
            return f"In a rematch the losers deal first: one of {loser}."
        return f"In a rematch the loser deals first: {loser}."
    return "In a rematch the deal passes on to the left."
