"""The PostgreSQL driver by way of PgBouncer: settings are in force, and all modes but one are refused."""

from __future__ import annotations

import pytest

from bot.model.errors import DatabaseUnusable
from bot.store.connection import Connection
from bot.store.drivers.postgresql import PostgresDatabase, only_bot_on
from bot.store.drivers.postgresql.database import connected
from bot.store.store import SqlStore
from tests.bot.store.opened import open_store
from tests.bot.store.tables import EVERYTHING, table, turns
from tests.patience import PATIENCE
from tests.pgbouncer import pooled
from tests.postgresql import Server

IN_FORCE = {
    "application_name": "fifteen-two",
    "synchronous_commit": "on",
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "30s",
    "jit": "off",
}

IGNORED = ", ".join(IN_FORCE)


async def settings(connection: Connection) -> dict[str, str]:
    """The values of those settings."""
    return {name: await connection.fetchval(f"SHOW {name}") for name in IN_FORCE}


async def test_without_a_pooler_the_settings_are_in_force_too(postgres_server: Server) -> None:
    store = await open_store(await postgres_server.emptied(), patience=30.0)
    assert await store._database.read_one(settings) == IN_FORCE
    await store.close()


@pytest.mark.parametrize("more", [{}, {"ignore_startup_parameters": IGNORED}], ids=["refused", "ignored"])
async def test_in_session_mode_the_bot_plays_with_its_settings(
    postgres_server: Server, more: dict[str, str]
) -> None:
    with pooled(postgres_server, await postgres_server.emptied(), "session", **more) as address:
        async with only_bot_on(address):
            database = await PostgresDatabase.open(address, patience=30.0)
            store = SqlStore(database, lambda: 0)
            await store.open_table(table(agreement=EVERYTHING))
            first, *_ = turns(1, EVERYTHING)
            await store.begin("k3f9a", first)
            assert await store.log("k3f9a") == first
            assert await database.read_one(settings) == IN_FORCE
            async with connected(address) as alone:
                assert await settings(alone) == IN_FORCE | {"lock_timeout": "800ms"}
            await store.close()


@pytest.mark.parametrize("mode", ["transaction", "statement"])
@pytest.mark.parametrize("round_robin", ["0", "1"])
async def test_a_pooler_in_another_mode_is_refused_in_a_sentence(
    postgres_server: Server, mode: str, round_robin: str
) -> None:
    database = await postgres_server.emptied()
    ignoring = {"ignore_startup_parameters": IGNORED, "server_round_robin": round_robin}
    with pooled(postgres_server, database, mode, **ignoring) as address:
        for _ in range(3):
            with pytest.raises(
                DatabaseUnusable, match=r"a pooler in session mode|in statement pooling mode"
            ) as refusal:
                async with only_bot_on(address, PATIENCE):
                    pass
            assert "\n" not in str(refusal.value)
