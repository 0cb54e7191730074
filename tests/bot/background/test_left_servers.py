"""Deletion of a server's data ninety days after it has removed the bot."""

from __future__ import annotations

import asyncio

from bot.background.left_servers import KEPT, PLACES_KEPT, LeftServers
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.table_record import TableRecord
from bot.model.venue import Venue
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import gather, room_of
from tests.bot.store.memory import MemoryStore


async def called_off(store: MemoryStore, sessions: Sessions) -> TableRecord:
    """A table that was called off when its server removed the bot."""
    _, lobbies, _ = room_of(store)
    record = await gather(lobbies)
    await sessions.record(record.game)
    return await sessions.call_off(record.game)


def test_after_ninety_days_and_not_before_every_shard_has_told() -> None:
    async def wait() -> None:
        store, presence, tasks = MemoryStore(), Presence(), KeyedTasks()
        sessions, _, _ = room_of(store)
        record = await called_off(store, sessions)
        await store.note_left_servers(frozenset())
        presence.expect(2)
        presence.listed(0, ())
        LeftServers(store, sessions, presence, tasks, now=lambda: store.now).start()

        store.now += KEPT
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).guild == record.guild
        presence.listed(1, ())
        store.now -= 1
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).guild == record.guild
        store.now += 1
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).guild is None
        assert (await sessions.record(record.game)).guild is None, "what is remembered of it goes too"
        await tasks.close()

    run_leaping(wait())


def test_a_server_that_is_back_is_not_forgotten() -> None:
    async def come_back() -> None:
        store, presence, tasks = MemoryStore(), Presence(), KeyedTasks()
        sessions, _, _ = room_of(store)
        record = await called_off(store, sessions)
        await store.note_left_servers(frozenset())
        presence.listed(0, (record.guild or 0,))
        await store.note_left_servers(frozenset({record.guild or 0}))
        store.now += 2 * KEPT
        LeftServers(store, sessions, presence, tasks, now=lambda: store.now).start()
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).guild == record.guild
        await tasks.close()

    run_leaping(come_back())


def test_a_place_without_the_bot_is_forgotten_thirty_days_after_the_last_play_there() -> None:
    async def wait() -> None:
        store, presence, tasks = MemoryStore(), Presence(), KeyedTasks()
        sessions, lobbies, _ = room_of(store)
        record = await gather(lobbies, venue=Venue.ANYWHERE)
        await sessions.record(record.game)
        await sessions.call_off(record.game)
        presence.listed(0, ())
        LeftServers(store, sessions, presence, tasks, now=lambda: store.now).start()

        store.now += PLACES_KEPT - 1
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).channel == record.channel
        store.now += 1
        await asyncio.sleep(2_000)
        assert (await store.table(record.game)).channel == 0
        assert (await sessions.record(record.game)).channel == 0, "what is remembered of it goes too"
        await tasks.close()

    run_leaping(wait())
