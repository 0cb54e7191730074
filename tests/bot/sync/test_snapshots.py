"""Snapshots of a game: what a session has kept of past deals, and of what players have heard."""

from __future__ import annotations

from random import Random

import pytest

from bot.model.table_record import Agreement
from bot.render.text.explaining import heard_so_far
from bot.sync.snapshots import heard_by, snapshot_of
from bot.tables.sessions import Session
from engine import DealEnded, Game, Seat
from engine.secret_events import public
from tests.bot.seating import play_out, sit_down
from tests.bot.store.memory import MemoryStore


@pytest.mark.parametrize(
    "agreement", [Agreement(), Agreement.of(players=3, muggins=True)], ids=["two", "three, with muggins"]
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
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(players=3, muggins=True))
    random, snapshots = Random(3), []
    seats = [Seat(0), Seat(1), Seat(2)]
    while not session.game.is_over:
        mover = random.choice(session.game.table.waiting_for)
        move = random.choice(session.game.legal_moves(mover).moves)
        user = session.record.occupants[mover].user or 0
        session, _ = await sessions.move(session.record.game, user, lambda _, move=move: move)
        snapshots.append(snapshot_of(session))
        if random.random() < 0.5:  # not each version is drawn
            seat = random.choice(seats)
            assert heard_by(session, seat) == heard_so_far(public(session.game.log), seat)
    for snapshot in reversed(snapshots):
        for seat in seats:
            assert snapshot.heard(seat) == heard_so_far(snapshot.everything, seat)
