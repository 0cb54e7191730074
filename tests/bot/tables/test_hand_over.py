"""Absent players, and those who must agree to a substitute."""

from __future__ import annotations

import pytest

from bot.model.errors import NobodyAway, NotSeated, StaleButton
from bot.model.table_record import Agreement
from bot.tables.hand_over import absence_from
from bot.tables.sessions import Session, Sessions
from engine import Discard, NoComputerFamily, Resign, Seat, StandIn
from engine.computer import Level
from tests.bot.seating import ADA, BEN, CLEO, DAN, sit_down
from tests.bot.store.memory import MemoryStore


@pytest.fixture
async def table() -> tuple[Sessions, Session]:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(players=3))
    return sessions, session


async def stay_away(sessions: Sessions, session: Session, *seats: int) -> None:
    for seat in map(Seat, seats):
        for _ in range(3):
            view = session.game.view(seat)
            gift = (*view.hand, *view.discarded)[:1]
            await sessions.move_for(session.record.game, StandIn(Discard(seat, gift)))


async def test_everybody_who_is_not_away_has_to_agree(table: tuple[Sessions, Session]) -> None:
    sessions, session = table
    with pytest.raises(NobodyAway):
        absence_from(session, ADA.user)

    await stay_away(sessions, session, 1)

    absence = absence_from(session, ADA.user)
    absence.refuse_the_absent()
    assert (absence.asker, absence.absent, absence.present) == (0, (1,), {0, 2})
    with pytest.raises(NotSeated):
        absence_from(session, DAN.user)


async def test_who_is_away_does_not_decide(table: tuple[Sessions, Session]) -> None:
    sessions, session = table
    await stay_away(sessions, session, 1, 2)
    with pytest.raises(NobodyAway):
        absence_from(session, BEN.user).refuse_the_absent()


async def test_a_seat_with_a_substitute_is_nobodys_absence(table: tuple[Sessions, Session]) -> None:
    sessions, session = table
    await stay_away(sessions, session, 1, 2)
    session = await sessions.set_substitute(session.record.game, (Seat(1), Seat(2)), Level.STEADY)
    assert session.record.computers == {1, 2}
    with pytest.raises(NobodyAway):
        absence_from(session, CLEO.user)


async def test_nobody_is_away_from_a_game_that_is_over(table: tuple[Sessions, Session]) -> None:
    sessions, session = table
    await stay_away(sessions, session, 1)
    await sessions.move(session.record.game, ADA.user, Resign)
    with pytest.raises(StaleButton):
        absence_from(session, ADA.user)


async def test_no_computer_is_asked_for_that_does_not_play_by_the_rules() -> None:
    sessions, _, session, _ = await sit_down(
        MemoryStore(), Agreement.of(players=3, crib_from_pack=0, dealt=4)
    )
    await stay_away(sessions, session, 1)
    with pytest.raises(NoComputerFamily):
        absence_from(session, ADA.user)
