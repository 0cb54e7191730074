"""Direct messages: opening them under Discord's limit (40003), and answers to what people write there."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.sync.direct_messages import DirectMessages, DmAwaited
from bot.sync.greeting import Greeting
from tests.bot.clock import Clock
from tests.bot.leaping_loop import leaping
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync
from tests.bot.sync.places import Wall, refused
from tests.patience import PATIENCE

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
            raise refused(400, 40003)
        self._times.append(now)
        self.opened.append(user.id)
        return SimpleNamespace(id=1000 + user.id)


@leaping
async def test_strangers_at_three_hundred_tables_wait_in_one_queue() -> None:
    client: Any = Discord()
    scheduled: list[str] = []
    people = range(600)
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
    assert sorted(client.opened) == [*people], "everybody once"
    assert {f"game {user // 2}" for user in people[OPENED * 10 :]} <= {*scheduled}
    assert len(client.refused) < len(people)


@leaping
async def test_a_line_of_courtesy_does_not_wait() -> None:
    client: Any = Discord()
    tasks = KeyedTasks()
    dms = DirectMessages(client, MemoryStore(), tasks, lambda _: None)
    for user in range(OPENED):
        await dms.open(user)
    await dms.say_quietly(99, "Somebody has declined.")
    assert not dms.is_awaited(99)
    assert not len(tasks)


@leaping
async def test_one_for_whom_discord_always_fails_holds_up_nobody() -> None:
    client: Any = Discord()
    open_one = client.create_dm

    async def open_but_for_the_first_late_one(user: discord.Object) -> Any:
        if user.id == OPENED + 1:
            raise OSError("the connection is gone")
        return await open_one(user)

    client.create_dm = open_but_for_the_first_late_one
    tasks = KeyedTasks()
    dms = DirectMessages(client, MemoryStore(), tasks, lambda _: None)
    for user in (*range(OPENED + 1), OPENED + 1, OPENED + 2):
        with pytest.raises(DmAwaited) if user >= OPENED else nullcontext():
            await dms.channel(user, "k3f9a")
    await asyncio.sleep(4 * PERIOD)
    await tasks.close()
    assert [user for user in range(OPENED + 3) if dms.is_awaited(user)] == [OPENED + 1]


# -- answers to messages in the bot's DM, and their cooldown ---------------------------------------------


class Greeted:
    """A bot to which people write, and the channels in which it has answered."""

    def __init__(self, *, banned: Collection[int] = ()) -> None:
        self.clock, self.wall, self.tasks = Clock(), Wall(), KeyedTasks()
        self._greeting = Greeting(
            self.wall.client(), MemoryStore(), fake_sync(), self.tasks, banned=banned, clock=self.clock
        )

    async def hears(self, user: int = 7, **changes: Any) -> list[int]:
        """Hear a message in the person's DM, whose channel is 1000 + user; the channels of all answers."""
        payload = {
            "id": str(self.clock.now),
            "type": 0,
            "channel_id": str(1000 + user),
            "content": "hello",
            "author": {"id": str(user), "username": "ada"},
        }
        self._greeting.on_message(payload | changes)
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)
        return [channel for channel, _ in self.wall.posted]


async def test_of_a_flood_one_message_a_minute_is_answered_for_each_person() -> None:
    bot = Greeted()
    for bot.clock.now in (0, 1, 59, 61, 62):
        await bot.hears(7)
    assert await bot.hears(8) == [1007, 1007, 1008]
    [(_, first), *_] = bot.wall.posted
    assert "/crib new" in bot.wall.text(first)


async def test_a_banned_person_gets_no_answer() -> None:
    bot = Greeted(banned={7})
    assert await bot.hears(7) == []
    assert await bot.hears(8) == [1008]


async def test_only_what_a_person_says_in_a_dm_is_answered() -> None:
    bot = Greeted()
    others: dict[str, dict[str, Any]] = {
        "bot": {"author": {"id": "7", "username": "fifteen-two", "bot": True}},
        "webhook": {"webhook_id": "3"},
        "server": {"guild_id": "9"},
        "pin": {"type": discord.MessageType.pins_add.value},
        "call": {"type": discord.MessageType.call.value},
    }
    for name, other in others.items():
        assert await bot.hears(**other) == [], name
    assert await bot.hears(type=discord.MessageType.reply.value) == [1007]
