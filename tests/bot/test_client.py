"""The client by itself, without a connection."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from pydantic import SecretStr

from bot.client import FifteenTwo
from bot.config.settings import Settings
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.clubs import SqliteClubs
from bot.store.sqlite.database import Database
from bot.store.sqlite.standings import standings_in


async def test_nothing_is_heard_once_the_client_is_closed(tmp_path: Path) -> None:
    heard = []

    async def on_ready() -> None:
        heard.append("ready")

    async with AsyncExitStack() as stack:
        database = await Database.open(tmp_path / "games.sqlite3")
        stack.push_async_callback(database.close)
        store = SqliteStore(database, lambda: 0.0)
        settings = Settings(discord_token=SecretStr("t"))
        client = FifteenTwo(store, standings_in(database), SqliteClubs(database), settings)
        client.event(on_ready)
        async with client:
            client.dispatch("ready")
            await database.read(lambda _: None)
        client.dispatch("ready")  # as discord.py does when the list of servers comes to its end meanwhile
    assert heard == ["ready"]
