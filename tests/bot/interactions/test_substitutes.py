"""Requests for a substitute: at the table, or anywhere if nobody else must agree."""

from __future__ import annotations

import pytest

from bot.interactions.substitutes import Substitutes
from bot.model.table_record import Agreement
from bot.tables.sessions import Session
from engine import Discard, Seat, StandIn
from engine.computer import Level
from tests.bot.interactions.asking import CHANNEL, DM, Room, asked_by, given
from tests.bot.seating import ADA


async def without_the_last(players: int) -> tuple[Room, Session, Substitutes]:
    """A game of which the last player has stayed away."""
    room, session = await Room.game(Agreement.of(players=players))
    seat = Seat(players - 1)
    for _ in range(3):
        view = session.game.view(seat)
        gift = (*view.hand, *view.discarded)[: view.table.rules.discarded]
        await room.sessions.move_for(session.record.game, StandIn(Discard(seat, gift)))
    return room, session, Substitutes(room.tables, room.sessions, room.voting)


async def test_in_a_direct_message_others_are_not_asked_and_it_is_said_where_they_can_be() -> None:
    room, session, substitutes = await without_the_last(3)
    answer = asked_by(ADA, guild=None, channel=DM)
    await substitutes.propose(answer, session.record.game, Level.STEADY)
    assert [way for way, _ in given(answer)] == ["reply"]
    assert f"<#{CHANNEL}>" in given(answer)[0][1]
    ballot = await room.voting.on_substitute(session.record.game, ADA.user)
    assert ballot.agreed == frozenset(), "nothing was agreed to"


@pytest.mark.parametrize("channel", [CHANNEL, DM])
async def test_who_is_left_alone_agrees_anywhere_and_the_computer_plays_on(channel: int) -> None:
    room, session, substitutes = await without_the_last(2)
    answer = asked_by(ADA, channel=channel)
    await substitutes.propose(answer, session.record.game, Level.EXPERT)
    assert (await room.sessions.record(session.record.game)).computers == {1}
    [(way, said)] = given(answer)
    assert (way, "now plays for Ben" in said) == ("post", True)


async def test_at_the_table_the_others_are_asked() -> None:
    room, session, substitutes = await without_the_last(3)
    answer = asked_by(ADA)
    await substitutes.propose(answer, session.record.game, Level.STEADY)
    ballot = await room.voting.on_substitute(session.record.game, ADA.user)
    assert (ballot.agreed, ballot.asked) == ({0}, {0, 1})
    assert [way for way, _ in given(answer)] == ["post"]
