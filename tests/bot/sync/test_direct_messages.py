"""Opening direct messages under Discord's limit (40003)."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.sync.direct_messages import DirectMessages, DmAwaited
from tests.bot.leaping_loop import run_leaping
from tests.bot.store.memory import MemoryStore

OPENED, PERIOD = 10, 600.0
"""The limit: the number of openings in a period (s)."""


class Discord:
    """Opens direct messages within the limit."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.refused: list[float] = []
        self._times: list[float] = []

    async def create_dm(self, user: discord.Object) -> Any:
        now = asyncio.get_running_loop().time()
        self._times = [each for each in self._times if each > now - PERIOD]
        if len(self._times) >= OPENED:
            self.refused.append(now)
            response: Any = SimpleNamespace(status=400, reason="")
            raise discord.HTTPException(response, {"code": 40003, "message": ""})
        self._times.append(now)
        self.opened.append(user.id)
        return SimpleNamespace(id=1000 + user.id)


def test_strangers_at_three_hundred_tables_wait_in_one_queue() -> None:
    client: Any = Discord()
    scheduled: list[str] = []
    people = range(600)

    async def play() -> None:
        tasks = KeyedTasks()
        dms = DirectMessages(client, MemoryStore(), tasks, scheduled.append)

        async def sync(user: int) -> None:
            with pytest.raises(DmAwaited) if user >= OPENED else nullcontext():
                await dms.channel(user, f"game {user // 2}")

        await asyncio.gather(*map(sync, people))
        assert client.opened == [*people][:OPENED]
        assert all(dms.is_awaited(user) == (user >= OPENED) for user in people)
        assert len(client.refused) == 1
        await asyncio.sleep(120)
        assert len(client.refused) <= 5, "6,610 of them without a queue"
        for user in people:  # each table is synced again and again meanwhile
            if dms.is_awaited(user):
                with pytest.raises(DmAwaited):
                    await dms.channel(user, f"game {user // 2}")
        await asyncio.sleep(PERIOD)
        assert len(client.opened) > OPENED
        scheduled.clear()
        await asyncio.sleep(600 / OPENED * PERIOD * 3)
        await tasks.close()
        assert not any(map(dms.is_awaited, people))

    run_leaping(play())
    assert sorted(client.opened) == [*people], "everybody once"
    assert {f"game {user // 2}" for user in people[OPENED * 10 :]} <= {*scheduled}
    assert len(client.refused) < len(people)


def test_a_line_of_courtesy_does_not_wait() -> None:
    client: Any = Discord()

    async def play() -> None:
        tasks = KeyedTasks()
        dms = DirectMessages(client, MemoryStore(), tasks, lambda _: None)
        for user in range(OPENED):
            await dms.open(user)
        await dms.say_quietly(99, "Somebody has declined.")
        assert not dms.is_awaited(99)
        assert not len(tasks)

    run_leaping(play())


def test_one_for_whom_discord_always_fails_holds_up_nobody() -> None:
    client: Any = Discord()
    open_one = client.create_dm

    async def open_but_for_the_first_late_one(user: discord.Object) -> Any:
        if user.id == OPENED + 1:
            raise OSError("the connection is gone")
        return await open_one(user)

    client.create_dm = open_but_for_the_first_late_one

    async def play() -> None:
        tasks = KeyedTasks()
        dms = DirectMessages(client, MemoryStore(), tasks, lambda _: None)
        for user in (*range(OPENED + 1), OPENED + 1, OPENED + 2):
            with pytest.raises(DmAwaited) if user >= OPENED else nullcontext():
                await dms.channel(user, "k3f9a")
        await asyncio.sleep(4 * PERIOD)
        await tasks.close()
        assert [user for user in range(OPENED + 3) if dms.is_awaited(user)] == [OPENED + 1]

    run_leaping(play())
