"""The bot on a PostgreSQL database: a game in which bot and server go down, and what it says at a start."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.model.database_address import PostgresAddress
from bot.store.moving import move
from sandbox.server import Sandbox
from tests import postgresql
from tests.end_to_end import altered
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.tables import Table, reply_to
from tests.end_to_end.test_start_up import assert_one_sentence, start_in_vain
from tests.patience import PATIENCE
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


SOCKET = ".s.PGSQL.5432"

DATABASE = "games_"

LOST = "The last moves were lost with my database"


class Switch:
    """An address behind which another server may come."""

    def __init__(self, server: Server) -> None:
        self.server = server
        """The server that new connections come to."""

    async def serve(self, bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        """Pass on what comes from either end; the connection ends where the server does not listen."""
        with closing(to_bot), suppress(OSError):
            server, to_server = await asyncio.open_unix_connection(self.server.folder / SOCKET)
            with closing(to_server):
                await asyncio.wait(
                    [asyncio.create_task(passed_on(*each)) for each in ((bot, to_server), (server, to_bot))],
                    return_when=asyncio.FIRST_COMPLETED,
                )


async def passed_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on all that comes."""
    with suppress(OSError):
        while some := await source.read(1 << 16):
            target.write(some)


@asynccontextmanager
async def asking(server: Server, database: str) -> AsyncIterator[Any]:
    """A connection to that server itself."""
    connection = await asyncpg.connect(server.address(database).url)
    yield connection
    await connection.close()


async def has(server: Server, database: str, condition: str, *values: object) -> None:
    """Wait until the condition is true there."""
    async with asking(server, database) as connection, asyncio.timeout(PATIENCE):
        while not await connection.fetchval(condition, *values):  # noqa: ASYNC110 -- the server tells nobody
            await asyncio.sleep(0.02)


@pytest.fixture
def pair() -> Iterator[tuple[Server, Server]]:
    """A server and its standby, which has what the first one has until `lag`."""
    postgresql.require()
    primary = Server.make()
    standby = Server.make(primary=primary)
    yield primary, standby
    standby.remove()
    primary.remove()


async def lag(primary: Server, standby: Server) -> None:
    """Let the standby have all that the primary has, and nothing of what follows."""
    async with asking(primary, "postgres") as connection:
        written = await connection.fetchval("SELECT pg_current_wal_lsn()::text")
    await has(standby, "postgres", "SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn", written)
    async with asking(standby, "postgres") as connection:
        await connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
        await connection.execute("SELECT pg_reload_conf()")
    await has(standby, "postgres", "SELECT count(*) = 0 FROM pg_stat_wal_receiver")


@pytest.mark.deep
async def test_a_standby_that_lacks_the_last_moves_is_promoted_and_the_table_says_what_was_lost(
    sandbox: Sandbox, pair: tuple[Server, Server], tmp_path: Path
) -> None:
    primary, standby = pair
    address = await primary.create("games")
    assert address == primary.address(DATABASE)
    switch = Switch(primary)
    listening = await asyncio.start_unix_server(switch.serve, tmp_path / SOCKET)
    by_switch = PostgresAddress(address.url.replace(str(primary.folder), str(tmp_path)))
    settings = {"WRITE_BEHIND": "0.2", "DELETIONS": str(tmp_path / "deletions")}
    bot = BotProcess(sandbox, tmp_path / "none.sqlite3", settings, address=by_switch)
    people = [sandbox.people[each] for each in ("Ada", "Ben", "Cleo")]
    async with bot:
        table = await Table.begin(sandbox.channels["cribbage"], people[:2], length=61, survives_failures=True)
        other = await Table.begin(sandbox.channels["second-table"], people[1:], length=61)
        await table.play(lambda: "Starter" in table.newest.text)
        await lag(primary, standby)
        await table.play(lambda: len(table.deals) == 2)
        question = await reply_to(people[2].command(table.channel, "crib-data delete"))
        await people[2].press(question, "Delete my data")
        await people[2].until(lambda: "is deleted" in question.text)
        assert other.is_over

        await asyncio.to_thread(primary.end)
        await asyncio.to_thread(standby.promote)
        switch.server = standby
        await table.until(lambda: any(LOST in each.text for each in table.messages))
        await table.until(lambda: len(table.deals) == 1)
        await table.until(lambda: any("deletion of data of 1 people" in each for each in bot.log))
        await table.play(lambda: len(table.deals) == 2)
        await has(standby, DATABASE, "SELECT count(*) = 0 FROM seats WHERE name = 'Cleo'")
        await other.until(lambda: other.is_over)
        await has(standby, DATABASE, "SELECT count(*) = 0 FROM games WHERE told < version")
        assert await bot.stop() == 0
    listening.close()
    await move(standby.address(DATABASE), bot.database)
    archive = Archive(bot.database)
    assert archive.table(other.game).names == ("Ben", "")
    assert "Traceback" not in "".join(bot.log)
