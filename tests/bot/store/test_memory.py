"""The store in memory: a broken or failing call changes nothing."""

from __future__ import annotations

import pytest

from bot.model.errors import IdTaken, StoreUnavailable
from bot.store.connection import Connection
from tests.bot.store.memory import MemoryStore
from tests.bot.store.tables import table


async def test_a_broken_store_refuses_every_call_and_changes_nothing() -> None:
    store = MemoryStore()
    await store.open_table(table("k3f9a"))
    store.broken = True
    for call in (
        store.table("k3f9a"),
        store.cancel("k3f9a"),
        store.mark_synced("k3f9a", 0),
        store.preferences(7),
    ):
        with pytest.raises(StoreUnavailable):
            await call
    store.broken = False
    assert await store.table("k3f9a") == table("k3f9a")


async def test_a_work_that_fails_half_way_is_undone() -> None:
    store = MemoryStore()

    async def work(connection: Connection) -> None:
        await connection.execute('INSERT INTO hidden ("user") VALUES ($1)', 7)
        raise IdTaken("k3f9a")

    with pytest.raises(IdTaken):
        await store.database.write(work)
    assert not store.has("hidden")
