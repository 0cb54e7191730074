"""Snapshots of a game, and the facts about a finished one."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.model.table_record import Agreement, Occupant, TableRecord, computer_at
from bot.render.text.explaining import heard_so_far
from bot.standings.rated_games import RatedGames
from bot.standings.usual_level import NextLevel
from bot.sync.game_ends import GameEnds
from bot.sync.snapshots import heard_by, snapshot_of
from bot.sync.table_state import TableState
from bot.tables.sessions import Session
from engine import DealEnded, Game, Seat, Side
from engine.coach import WinChances
from engine.computer import Level
from engine.secret_events import public
from tests.bot.render.games import over, record_of
from tests.bot.seating import play_out, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore


@pytest.mark.parametrize(
    "agreement",
    [Agreement(), Agreement.of(players=3, muggins=True, target=61)],
    ids=["two", "three, with muggins"],
)
async def test_a_deal_is_remembered_as_it_ended(agreement: Agreement) -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), agreement)
    await play_out(sessions, session)
    session = await sessions.get(session.record.game)
    log = session.game.log
    ends = [place for place, event in enumerate(log) if isinstance(event, DealEnded)]
    assert len(ends) > 2
    assert session.past_tables == {
        number: Game.replay(log[:end]).table for number, end in enumerate(ends, start=1)
    }

    again = snapshot_of(Session(session.record, Game.replay(log)))
    before = snapshot_of(session)
    for number in range(1, before.latest + 1):
        assert before.deal(number) == again.deal(number)
        assert before.deal(number) is before.deal(number), "made once, for all messages of a sync"


async def test_players_have_heard_what_the_log_of_a_snapshot_says_whichever_is_drawn_first() -> None:
    agreement = Agreement.of(players=3, muggins=True, target=61)
    sessions, _, session, _ = await sit_down(MemoryStore(), agreement)
    random, snapshots = Random(3), []
    seats = [Seat(0), Seat(1), Seat(2)]
    while not session.game.is_over:
        mover = random.choice(session.game.table.waiting_for)
        move = random.choice(session.game.legal_moves(mover).moves)
        user = session.record.occupants[mover].user or 0
        session, _ = await sessions.move(session.record.game, user, lambda _, move=move: move)
        snapshots.append(snapshot_of(session))
        if random.random() < 0.1:  # not each version is drawn
            seat = random.choice(seats)
            assert heard_by(session, seat) == heard_so_far(public(session.game.log), seat)
    for snapshot in reversed(snapshots[::8]):
        for seat in seats:
            assert snapshot.heard(seat) == heard_so_far(snapshot.everything, seat)


# -- to whom the next level is offered -------------------------------------------------------------------

OFFER = NextLevel(Level.BEGINNER, Level.LEARNER, 3)
ADA, BEN = Occupant(1, "Ada"), Occupant(2, "Ben")
LEARNER = computer_at(Level.LEARNER, (ADA,))
STEADY = computer_at(Level.STEADY, (ADA,))


async def offered(record: TableRecord, winner: int = 0) -> tuple[Any, Any]:
    """The offer at the end of the game that the side has won, and what was asked for it."""
    rated: Any = stand_in(RatedGames)
    asked: list[tuple[int, Level]] = []

    async def next_level(user: int, beaten: Level) -> NextLevel:
        asked.append((user, beaten))
        return OFFER

    rated.changes.return_value, rated.next_level.side_effect = (), next_level
    table = over(record.agreement).table
    assert table.result is not None
    table = replace(table, result=replace(table.result, winner=Side(winner)))
    snapshot: Any = SimpleNamespace(record=record, table=table, everything=())
    store: Any = SimpleNamespace(head=AsyncMock(return_value=None))
    ends = GameEnds(stand_in(object), rated, store)
    end = await ends.of(snapshot, TableState(course=WinChances((), ())))
    return end.next_level, asked


def alone(*computers: Occupant, **changes: Any) -> TableRecord:
    return record_of(Agreement.of(players=1 + len(computers)), occupants=(ADA, *computers), **changes)


async def test_it_is_offered_to_who_has_beaten_computers_alone_by_the_strongest_of_them() -> None:
    assert await offered(alone(LEARNER)) == (OFFER, [(1, Level.LEARNER)])
    assert await offered(alone(LEARNER, STEADY)) == (OFFER, [(1, Level.STEADY)])


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
    assert await offered(record, winner) == (None, [])
