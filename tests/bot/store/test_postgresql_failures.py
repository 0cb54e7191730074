"""What becomes of a call when the PostgreSQL server falls silent, takes no writes, or lets nobody in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.model.database_address import PostgresAddress
from bot.model.errors import DatabaseUnusable, OutcomeUnknown, StoreUnavailable
from bot.store.connection import Connection, Work
from bot.store.drivers.postgresql import PostgresDatabase, only_bot_on
from bot.store.drivers.postgresql.failures import KINDS, Kind, kind_of
from bot.store.drivers.postgresql.inspection import inspected
from tests.patience import PATIENCE
from tests.postgresql import Server

_SOCKET = ".s.PGSQL.5432"

_DIES = "SELECT 'and here the network dies'"


class Network:
    """Stands between the bot and the server. A connection may fall silent, though neither end closes it."""

    def __init__(self, server: Path) -> None:
        """`server` is the socket of the server."""
        self._server = server
        self.loses_answer_to: bytes = b""
        """With the next request that has this in it, a connection falls silent; the server gets it."""
        self.loses_request: bytes = b""
        """The same for a request that the server does not get."""
        self._open: list[asyncio.StreamWriter] = []

    async def serve(self, bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        """Pass on what comes from either end."""
        server, to_server = await asyncio.open_unix_connection(self._server)
        self._open += [to_bot, to_server]
        answering = asyncio.create_task(_pass_on(server, to_bot))
        while sent := await bot.read(1 << 16):
            if self.loses_answer_to and self.loses_answer_to in sent:
                self.loses_answer_to = b""
                answering.cancel()
            elif self.loses_request and self.loses_request in sent:
                self.loses_request = b""
                return
            to_server.write(sent)
        if not answering.cancelled():
            to_server.close()

    def close(self) -> None:
        """Close all connections."""
        for each in self._open:
            each.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while some := await source.read(1 << 16):
        target.write(some)
    target.close()


@pytest.fixture
async def network(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Network]:
    """The network to the worker's own database; what is silent for half a second is lost."""
    monkeypatch.setattr("bot.store.drivers.postgresql.database.LONGEST_IN_PLAY", 0.5)
    network = Network(postgres_server.folder / _SOCKET)
    listening = await asyncio.start_unix_server(network.serve, tmp_path / _SOCKET)
    yield network
    listening.close()
    network.close()


@asynccontextmanager
async def opened(
    server: Server, folder: Path, *, patience: float = PATIENCE
) -> AsyncIterator[PostgresDatabase]:
    """The worker's own database, by way of the network in that folder."""
    url = (await server.emptied()).url.replace(str(server.folder), str(folder))
    database = await PostgresDatabase.open(PostgresAddress(url), patience)
    yield database
    await database.close()


def hides(user: int, runs: list[int], and_then: str = "SELECT 1") -> Work[None]:
    """A write that counts its runs."""

    async def work(connection: Connection) -> None:
        runs.append(user)
        await connection.execute('INSERT INTO hidden ("user") VALUES ($1)', user)
        await connection.execute(and_then)

    return work


async def hidden(connection: Connection) -> set[int]:
    return {row["user"] for row in await connection.fetch('SELECT "user" FROM hidden')}


async def test_a_commit_whose_answer_never_comes_is_done_once_and_said_to_be_done(
    postgres_server: Server, network: Network, tmp_path: Path
) -> None:
    runs: list[int] = []
    async with opened(postgres_server, tmp_path) as database:
        network.loses_answer_to = b"COMMIT;"
        async with asyncio.timeout(PATIENCE / 8):
            await database.write(hides(1, runs))
            assert await database.read(hidden) == {1}
    assert runs == [1]


async def test_a_transaction_whose_network_dies_is_run_again_though_its_locks_remain(
    postgres_server: Server, network: Network, tmp_path: Path
) -> None:
    runs: list[int] = []
    async with opened(postgres_server, tmp_path) as database:
        await database.write(hides(1, runs))
        network.loses_request = _DIES.encode()
        async with asyncio.timeout(PATIENCE / 2):
            await database.write(lambda connection: connection.execute(_DIES))
            await database.write(hides(2, runs))
            assert await database.read(hidden) == {1, 2}
    assert runs == [1, 2]


async def test_an_outcome_that_the_server_does_not_tell_is_unknown_and_hinders_no_other_write(
    postgres_server: Server, network: Network, tmp_path: Path
) -> None:
    runs: list[int] = []
    async with opened(postgres_server, tmp_path, patience=1.0) as database:
        network.loses_request = b"COMMIT;"
        with pytest.raises(OutcomeUnknown):
            await database.write(hides(1, runs))
        await database.write(hides(2, runs))
        assert await database.read(hidden) == {2}
    assert runs == [1, 2]


# -- a server that takes no writes, or lets nobody in ----------------------------------------------------


@asynccontextmanager
async def administered(address: PostgresAddress) -> AsyncIterator[Any]:
    """A connection that may change everything."""
    connection = await asyncpg.connect(address.url, server_settings={"default_transaction_read_only": "off"})
    yield connection
    await connection.close()


async def test_a_connection_that_takes_no_writes_any_more_is_replaced(postgres_server: Server) -> None:
    database = await PostgresDatabase.open(await postgres_server.emptied(), PATIENCE)
    await database.read_one(lambda connection: connection.execute("SET default_transaction_read_only = on"))
    await database.write(hides(1, []))
    assert await database.read(hidden) == {1}
    await database.close()


async def test_a_server_that_takes_no_writes_is_an_outage_that_may_pass(postgres_server: Server) -> None:
    address = await postgres_server.create("standby")
    database = await PostgresDatabase.open(address, 1.0)
    runs: list[int] = []
    async with administered(address) as owner:
        name = await owner.fetchval("SELECT current_database()")
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with pytest.raises(StoreUnavailable, match="the server takes no writes"):
            await database.write(hides(1, runs))
        for start in (PostgresDatabase.open(address), _locked(address)):
            with pytest.raises(DatabaseUnusable, match="the server takes no writes") as refusal:
                await start
            assert refusal.value.may_pass
        assert await inspected(address, _nothing_wrong) == (), "a standby can be checked"
        await owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await database.write(hides(2, runs))
    assert runs == [2]
    await database.close()


async def _locked(address: PostgresAddress) -> None:
    async with only_bot_on(address):
        pass


async def _nothing_wrong(_: Connection) -> tuple[str, ...]:
    return ()


async def test_a_server_that_lets_the_bot_in_no_more_is_an_outage_and_said_once(
    postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    address = await postgres_server.emptied()
    url = address.url.replace("bot@", "lodger@")
    async with administered(address) as owner:
        await owner.execute("DROP ROLE IF EXISTS lodger")
        await owner.execute("CREATE ROLE lodger SUPERUSER LOGIN")
        database = await PostgresDatabase.open(PostgresAddress(url), PATIENCE)
        for _ in range(2):
            assert await database.read(hidden) == set()
            caplog.clear()
            await owner.execute("ALTER ROLE lodger NOLOGIN")
            await owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'lodger'"
            )
            for _ in range(3):
                with pytest.raises(StoreUnavailable, match="not permitted to log in"):
                    await database.read(hidden)
            assert [each.levelname for each in caplog.records] == ["ERROR"]
            with pytest.raises(DatabaseUnusable, match="not permitted to log in") as refusal:
                await PostgresDatabase.open(PostgresAddress(url))
            assert not refusal.value.may_pass
            await owner.execute("ALTER ROLE lodger LOGIN")
        await database.close()
        await owner.execute("DROP ROLE lodger")


# -- every error -----------------------------------------------------------------------------------------


def _below(base: type[Exception]) -> Iterator[type[Exception]]:
    for each in base.__subclasses__():
        yield each
        yield from _below(each)


def test_every_error_of_asyncpg_is_decided() -> None:
    found = {*_below(asyncpg.PostgresError), asyncpg.InterfaceError, asyncpg.InternalClientError}
    found |= {*_below(asyncpg.InterfaceError), *_below(asyncpg.InternalClientError)}
    assert asyncpg.PostgresError not in KINDS, "it would decide for all"
    assert not [each for each in found if not any(base in KINDS for base in each.__mro__)]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ConnectionResetError(), Kind.LOST),
        (TimeoutError(), Kind.LOST),
        (asyncpg.AdminShutdownError(""), Kind.LOST),
        (asyncpg.ReadOnlySQLTransactionError(""), Kind.LOST),
        (asyncpg.TargetServerAttributeNotMatched(""), Kind.LOST),
        (asyncpg.DeadlockDetectedError(""), Kind.CONFLICT),
        (asyncpg.DiskFullError(""), Kind.REFUSED),
        (asyncpg.LockNotAvailableError(""), Kind.REFUSED),
        (asyncpg.InvalidPasswordError(""), Kind.DENIED),
        (asyncpg.InvalidCatalogNameError(""), Kind.DENIED),
        (asyncpg.UndefinedTableError(""), Kind.FAULT),
        (asyncpg.ClientConfigurationError(""), Kind.FAULT),
        (KeyError(), Kind.FAULT),
    ],
)
def test_an_error_means_what_its_nearest_base_in_the_table_does(error: Exception, kind: Kind) -> None:
    assert kind_of(error) is kind
