"""The standings follow by themselves."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.background.standings_follower import StandingsFollower
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import StoreUnavailable
from bot.standings.projection import Projection
from bot.tables.sessions import Sessions
from engine import Resign
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, play_out, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE


def projection() -> Any:
    return stand_in(Projection)


def follower_of(standings: Any, tasks: KeyedTasks) -> StandingsFollower:
    people = AsyncMock()
    people.forget_more.return_value = None
    return StandingsFollower(standings, people, stand_in(Sessions), tasks)


async def finished(tasks: KeyedTasks) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(tasks):  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0)


async def test_they_catch_up_at_the_start_and_after_a_game_and_not_after_a_move() -> None:
    tasks, standings = KeyedTasks(), projection()
    follower = follower_of(standings, tasks)
    follower.start()
    await finished(tasks)
    standings.flush.assert_awaited_once_with()
    standings.recount.assert_awaited_once_with()

    standings.flush.reset_mock()
    sessions, _, session, _ = await sit_down(MemoryStore())
    sessions.subscribe_to_ends(follower.game_ended)
    await sessions.call_off(session.record.game)
    assert len(tasks) == 0

    sessions, _, session, _ = await sit_down(MemoryStore())
    sessions.subscribe_to_ends(follower.game_ended)
    await play_out(sessions, session)
    await finished(tasks)
    standings.flush.assert_awaited_once_with()
    standings.recount.assert_awaited_once_with()


async def test_a_game_that_ends_while_they_catch_up_counts_too() -> None:
    tasks, standings = KeyedTasks(), projection()
    follower = follower_of(standings, tasks)
    follower.start()
    await finished(tasks)
    standings.flush.reset_mock()
    goes_on = asyncio.Event()
    standings.flush.side_effect = goes_on.wait

    for _ in range(2):
        sessions, _, session, _ = await sit_down(MemoryStore())
        sessions.subscribe_to_ends(follower.game_ended)
        await sessions.move(session.record.game, ADA.user, Resign)
        await asyncio.sleep(0)
    goes_on.set()
    await finished(tasks)

    assert standings.flush.await_count == 2


def test_while_the_store_fails_they_are_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    standings = projection()
    standings.flush.side_effect = [StoreUnavailable, StoreUnavailable, None]

    async def start() -> None:
        tasks = KeyedTasks(passing=(StoreUnavailable,))
        follower_of(standings, tasks).start()
        await asyncio.sleep(10)
        await tasks.close()

    run_leaping(start())
    assert standings.flush.await_count == 3
    assert [record.getMessage() for record in caplog.records] == [
        "standings: StoreUnavailable, tried again in 1 s",
        "standings: StoreUnavailable, tried again in 2 s",
    ]


async def test_at_the_start_they_finish_forgetting_who_was_being_forgotten() -> None:
    tasks, people, sessions = KeyedTasks(), AsyncMock(), stand_in(Sessions)
    people.forget_more.side_effect = [("g1", "g2"), (), None]
    StandingsFollower(projection(), people, sessions, tasks).start()
    await finished(tasks)
    assert [call.args for call in sessions.forget.call_args_list] == [("g1",), ("g2",)]
    people.scrub.assert_awaited_once_with()
