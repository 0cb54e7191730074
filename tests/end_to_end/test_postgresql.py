"""The bot on a PostgreSQL database: a game in which bot and server go down, and what it says at a start."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.moving import move
from sandbox.server import Sandbox
from tests import postgresql
from tests.end_to_end import altered
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.tables import Table
from tests.end_to_end.test_start_up import assert_one_sentence, start_in_vain
from tests.postgresql import Server


@pytest.fixture
def own_server(unused_tcp_port: int) -> Iterator[Server]:
    """A server that a test may end, on a port, with a password."""
    postgresql.require()
    server = Server.make(port=unused_tcp_port)
    yield server
    server.remove()


@pytest.mark.sample
async def test_a_game_goes_on_though_the_bot_is_killed_and_the_server_starts_again(
    sandbox: Sandbox, own_server: Server, tmp_path: Path
) -> None:
    address = await own_server.create("games")
    bot = BotProcess(sandbox, tmp_path / "none.sqlite3", {"WRITE_BEHIND": "1"}, address=address)
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with bot:
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61, survives_failures=True)
        await table.play(lambda: len(table.deals) == 2)
        await bot.restart(signal.SIGKILL)
        await table.play(lambda: len(table.deals) == 3)
        await asyncio.to_thread(own_server.end, "fast")
        await asyncio.to_thread(own_server.start)
        await table.play()
        second = await start_in_vain(tmp_path, DISCORD_TOKEN="no-token", DATABASE=address.url)
        assert_one_sentence(second, says=f"Another bot runs on the database {address}", token="", status=75)
        assert await bot.stop() == 0
    assert not bot.database.exists()
    await move(address, bot.database)
    archive = Archive(bot.database)
    assert archive.is_synced(table.game)
    assert_told_once_and_truly(table, archive)
    assert "Traceback" not in "".join(bot.log)


async def test_a_server_that_cannot_be_reached_is_told_in_a_sentence_without_the_password(
    tmp_path: Path,
) -> None:
    address = "postgresql://crib:s3cr3t@127.0.0.1:1/games"
    ending = await start_in_vain(
        tmp_path, altered_by=altered.impatient, DISCORD_TOKEN="no-token", DATABASE=address, LOG_LEVEL="DEBUG"
    )
    assert_one_sentence(ending, says="the server cannot be reached", token="s3cr3t", status=75)
    assert "tried again in" in ending[1]
