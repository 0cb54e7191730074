"""Ending a game early: permission, and answers."""

from __future__ import annotations

import pytest

from bot.interactions.ending_early import EndingEarly
from bot.model.errors import NotSeated, StaleButton
from bot.model.table_record import Status
from bot.tables.sessions import Session
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.seating import ADA, CLEO


@pytest.fixture
async def table() -> tuple[Room, Session, EndingEarly]:
    room, session = await Room.game()
    return room, session, EndingEarly(room.tables, room.sessions, room.voting)


async def test_a_moderator_who_confirms_it_ends_other_people_s_game(
    table: tuple[Room, Session, EndingEarly],
) -> None:
    room, session, ending = table
    game = session.record.game
    asked = asked_by(CLEO, manage_channels=True)
    await ending.end(asked, session.record)
    assert [way for way, _ in given(asked)] == ["show"]
    assert (await room.store.table(game)).status is Status.PLAYING

    await ending.stop(asked_by(CLEO, manage_channels=True, pressed=True), game, 1)
    assert (await room.store.table(game)).status is Status.CANCELLED


async def test_nobody_else_stops_it_not_even_with_a_moderator_s_button(
    table: tuple[Room, Session, EndingEarly],
) -> None:
    room, session, ending = table
    game = session.record.game
    with pytest.raises(NotSeated):
        await ending.stop(asked_by(CLEO, manage_messages=True, pressed=True), game, 1)
    with pytest.raises(StaleButton):
        await ending.stop(asked_by(CLEO, manage_channels=True, pressed=True), game, 0)
    assert (await room.store.table(game)).status is Status.PLAYING


async def test_a_game_that_ends_while_the_moderator_confirms_is_not_called_off(
    table: tuple[Room, Session, EndingEarly],
) -> None:
    room, session, ending = table
    game = session.record.game
    room.store.change("UPDATE games SET status = 'over' WHERE id = $1", game)
    with pytest.raises(StaleButton):
        await ending.stop(asked_by(CLEO, manage_channels=True, pressed=True), game, 1)
    assert (await room.store.table(game)).status is Status.OVER


async def test_the_others_are_not_asked_where_they_cannot_see_it(
    table: tuple[Room, Session, EndingEarly],
) -> None:
    room, session, ending = table
    answer = asked_by(ADA, guild=None, channel=DM)
    await ending.end(answer, session.record)
    [(way, said)] = given(answer)
    assert (way, "<#20>" in said) == ("reply", True)
    assert (await room.store.table(session.record.game)).status is Status.PLAYING
