"""The facts about a finished game: to whom the next level is offered."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.model.table_record import Agreement, Occupant, TableRecord, computer_at
from bot.standings.rated_games import RatedGames
from bot.standings.usual_level import NextLevel
from bot.sync.game_ends import GameEnds
from bot.sync.table_state import TableState
from engine import Side
from engine.coach import WinChances
from engine.computer import Level
from tests.bot.render.games import over, record_of
from tests.bot.stand_in import stand_in

OFFER = NextLevel(Level.BEGINNER, Level.LEARNER, 3)
ADA, BEN = Occupant(1, "Ada"), Occupant(2, "Ben")
LEARNER = computer_at(Level.LEARNER, (ADA,))
STEADY = computer_at(Level.STEADY, (ADA,))


async def offered(record: TableRecord, winner: int = 0) -> tuple[Any, Any]:
    """The offer at the end of the game that the side has won, and what was asked for it."""
    rated: Any = stand_in(RatedGames)
    rated.changes.return_value, rated.next_level.return_value = (), OFFER
    table = over(record.agreement).table
    assert table.result is not None
    table = replace(table, result=replace(table.result, winner=Side(winner)))
    snapshot: Any = SimpleNamespace(record=record, table=table, everything=())
    store: Any = SimpleNamespace(head=AsyncMock(return_value=None))
    ends = GameEnds(stand_in(object), rated, store)
    end = await ends.of(snapshot, TableState(course=WinChances((), ())))
    asked = rated.next_level.await_args
    return end.next_level, asked and asked.args


def alone(*computers: Occupant, **changes: Any) -> TableRecord:
    return record_of(Agreement.of(players=1 + len(computers)), occupants=(ADA, *computers), **changes)


async def test_it_is_offered_to_who_has_beaten_computers_alone_by_the_strongest_of_them() -> None:
    assert await offered(alone(LEARNER)) == (OFFER, (1, Level.LEARNER))
    assert await offered(alone(LEARNER, STEADY)) == (OFFER, (1, Level.STEADY))


@pytest.mark.parametrize(
    ("record", "winner"),
    [
        (alone(LEARNER), 1),
        (record_of(Agreement()), 0),
        (alone(replace(BEN, level=Level.STEADY)), 0),
        (alone(LEARNER, BEN), 0),
        (replace(alone(LEARNER), agreement=Agreement.of(best_of=3)), 0),
    ],
    ids=["lost", "among people", "a substitute", "another person", "a match that goes on"],
)
async def test_nothing_is_offered_or_asked_otherwise(record: TableRecord, winner: int) -> None:
    assert await offered(record, winner) == (None, None)
