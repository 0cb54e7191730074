"""Ending a game early: permission, and answers."""

from __future__ import annotations

import pytest

from bot.interactions.ending_early import EndingEarly
from bot.model.errors import NotSeated, StaleButton
from bot.model.table_record import Agreement, Status
from bot.tables.sessions import Session
from engine import Resign
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.seating import ADA, BEN, CLEO


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


async def test_a_moderator_is_asked_before_other_people_s_match_ends_between_two_games() -> None:
    room, session = await Room.game(Agreement.of(best_of=3))
    await room.sessions.move(session.record.game, BEN.user, Resign)
    waiting = await room.store.table_in(20)
    assert waiting is not None
    ending = EndingEarly(room.tables, room.sessions, room.voting)

    asked = asked_by(CLEO, manage_channels=True)
    await ending.end(asked, waiting)
    [(way, said)] = given(asked)
    assert way == "show"
    assert said.splitlines()[:3] == [
        "### End other people's match?",
        "Best of three: Ada 1 · Ben 0",
        "-# It ends at once, without a winner, and nobody else is asked.",
    ]
    assert (await room.store.table(waiting.game)).status is Status.GATHERING
    kept = asked_by(CLEO, manage_channels=True, pressed=True)
    kept.interaction.message.flags.ephemeral = True
    await ending.keep_playing(kept, waiting.game, 0)
    assert room.redrawn == "Best of three: Ada 1 · Ben 0\nThe match goes on!"

    await room.tables.cancel(asked_by(CLEO, manage_channels=True, pressed=True), waiting.game)
    assert (await room.store.table(waiting.game)).status is Status.CANCELLED


async def test_who_plays_ends_their_own_match_between_two_games_at_once() -> None:
    room, session = await Room.game(Agreement.of(best_of=3))
    await room.sessions.move(session.record.game, BEN.user, Resign)
    waiting = await room.store.table_in(20)
    assert waiting is not None
    ending = EndingEarly(room.tables, room.sessions, room.voting)
    await ending.end(asked_by(ADA, manage_channels=True), waiting)
    assert (await room.store.table(waiting.game)).status is Status.CANCELLED


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
