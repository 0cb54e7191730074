"""Reviews: of which games, by whom, and without a remark of the coach."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.features.coaching.actions import CoachingActions
from bot.model.errors import NotFinished, NotPlayed
from bot.model.table_record import Agreement, Status
from bot.tables.sessions import Session
from bot.tables.worker import Worker
from engine import GameIsOver, Resign
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.seating import ADA, BEN, CLEO, play_out


class Inline(Worker):
    """Thinks where it stands."""

    async def run(self, work: Any, *args: Any) -> Any:  # type: ignore[override]
        return work(*args)


async def played(*, out: bool = True) -> tuple[Room, Session, CoachingActions]:
    room, session = await Room.game(Agreement.of(target=31, hints=True))
    if out:
        await play_out(room.sessions, session)
    return room, session, CoachingActions(room.tables, room.store, Inline())


@pytest.mark.parametrize(("guild", "channel"), [(10, 20), (None, DM)])
async def test_the_last_game_is_the_channel_s_or_by_dm_any(guild: int | None, channel: int) -> None:
    _, _, coaching = await played()
    answer = asked_by(ADA, guild=guild, channel=channel)
    await coaching.last_review(answer)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "You won" in said


async def test_in_another_channel_there_is_no_game_to_look_back_on() -> None:
    _, _, coaching = await played()
    with pytest.raises(NotFinished) as refused:
        await coaching.last_review(asked_by(ADA, channel=21))
    assert refused.value.record is None


async def test_a_game_is_not_looked_back_on_while_it_is_played_nor_by_others() -> None:
    _, session, coaching = await played(out=False)
    with pytest.raises(NotFinished) as refused:
        await coaching.review(asked_by(ADA, pressed=True), session.record.game, None)
    assert refused.value.record == session.record

    _, session, coaching = await played()
    with pytest.raises(NotPlayed):
        await coaching.review(asked_by(CLEO, pressed=True), session.record.game, None)


async def test_a_page_is_turned_in_place_without_thinking_again() -> None:
    room, session, coaching = await played()
    first, second = (asked_by(BEN, pressed=True) for _ in range(2))
    await coaching.review(first, session.record.game, None)
    log = room.store.log = AsyncMock()  # type: ignore[method-assign]
    await coaching.review(second, session.record.game, 1)
    assert [way for way, _ in given(first)] == ["show"]
    assert given(second) == []
    assert room.redrawn
    log.assert_not_awaited()


async def test_a_game_that_ends_while_a_hint_is_asked_for_has_no_hint() -> None:
    room, session, coaching = await played(out=False)
    asked = room.tables.lookup.table

    async def ends_meanwhile(interaction: Any) -> Any:
        record = await asked(interaction)
        await room.sessions.move(record.game, BEN.user, Resign)
        return record

    room.tables.lookup.table = ends_meanwhile  # type: ignore[method-assign]
    with pytest.raises(GameIsOver):
        await coaching.hint(asked_by(ADA))
    assert (await room.store.table(session.record.game)).status is Status.OVER
