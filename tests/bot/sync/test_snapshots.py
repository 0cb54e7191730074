"""Snapshots of past deals: the session's cached tables equal those of the log."""

from __future__ import annotations

import pytest

from bot.model.table_record import Agreement
from bot.sync.snapshots import snapshot_of
from bot.tables.sessions import Session
from engine import DealEnded, Game
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
