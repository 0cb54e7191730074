"""The PostgreSQL driver beyond the contract: lost connections, other programs, its lock, a pooler."""

from __future__ import annotations

import asyncio
import fcntl
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.model.database_address import PostgresAddress, database_address
from bot.model.errors import (
    ChannelTaken,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnusable,
    StaleGame,
    StoreUnavailable,
)
from bot.model.posts import SETTLED, Post, PostKind
from bot.model.table_record import Agreement, TableRecord
from bot.store import Store
from bot.store.connection import Connection
from bot.store.drivers.postgresql import PostgresDatabase, only_bot_on, schema
from bot.store.drivers.postgresql.database import connected, until_lost
from tests import postgresql
from tests.bot.store.opened import NEXT, have_next, open_store
from tests.bot.store.tables import ANNA, BERT, EVERYTHING, table, turns
from tests.patience import PATIENCE
from tests.pgbouncer import pooled
from tests.postgresql import Server

_WRITERS = 8
_DEATHS = 3

IN_FORCE = {
    "application_name": "fifteen-two",
    "synchronous_commit": "on",
    "lock_timeout": f"{PATIENCE / 60:.0f}min",
    "idle_in_transaction_session_timeout": "30s",
    "jit": "off",
}
"""Settings of each connection: commits wait for the disk."""

IGNORED = ", ".join(IN_FORCE)


@pytest.fixture
async def store(postgres_server: Server) -> AsyncIterator[Store]:
    store = await open_store(await postgres_server.emptied())
    yield store
    await store.close()


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A server that a test may end."""
    postgresql.require()
    server = Server.make()
    yield server
    server.remove()


def address_of(store: Store) -> PostgresAddress:
    """The address of its database."""
    assert isinstance(store.database, PostgresDatabase)
    return store.database.address


async def end_connections(address: PostgresAddress) -> None:
    """Let the server end all connections to that database, as when it starts again."""
    async with connected(address) as connection:
        await connection.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid != pg_backend_pid()
            """
        )


async def test_a_connection_that_was_lost_is_made_again(store: Store) -> None:
    await store.open_table(table())
    for _ in range(2):
        await end_connections(address_of(store))
        assert (await store.table("k3f9a")).game == "k3f9a"
        await end_connections(address_of(store))
        await store.prefer(7, language="fr")


DRAWN = (
    (PostKind.TABLE, 1, SETTLED),
    (PostKind.TABLE, 2, "as it was"),
    (PostKind.NUDGE, 2, SETTLED),
)
"""Messages of a game: their kinds, deals and what is drawn."""


async def test_a_copy_is_told_from_the_database_of_the_last_start(
    store: Store, postgres_server: Server
) -> None:
    await store.open_table(table(occupants=(ANNA, BERT)))
    version = (await store.begin("k3f9a", next(turns(1, Agreement())))).version
    for kind, deal, drawn in DRAWN:
        post = Post(game="k3f9a", kind=kind, deal=deal, channel=20, message=10 + deal, drawn=drawn)
        await store.keep_post(post)
    await store.mark_synced("k3f9a", version)
    assert not await store.unsynced()
    assert [await store.is_another(), await store.is_another()] == [False, False]
    assert not await store.unsynced()
    identity, address = await store.identity(), address_of(store)
    await end_connections(address)
    assert await store.identity() == identity
    await store.close()
    copy = await postgres_server.create("copy", of=address)
    restored = await open_store(copy)
    assert await restored.is_another()
    assert not await restored.is_another()
    assert [record.game for record in await restored.unsynced()] == ["k3f9a"]
    assert {post.drawn for post in await restored.posts("k3f9a") if post.deal == 1} == {SETTLED}
    assert {post.drawn for post in await restored.posts("k3f9a") if post.deal == 2} == {""}
    assert await restored.identity() != identity
    await restored.close()


async def test_a_connection_to_another_database_is_told_of_as_it_joins(
    store: Store, postgres_server: Server
) -> None:
    told: list[str] = []
    await store.close()
    address, copy = address_of(store), await postgres_server.create("copy", of=address_of(store))
    database = await PostgresDatabase.open(address, PATIENCE)
    database.when_another(lambda: told.append("another"))
    identity = await database.identity()
    await end_connections(address)
    await database.read_one(number_of_games)
    assert (await database.identity(), told) == (identity, [])

    names = [urlsplit(each.url).path.strip("/") for each in (address, copy)]
    await end_connections(address)
    async with connected(postgres_server.address("postgres")) as connection:
        for before, after in ((names[0], "aside"), (names[1], names[0])):
            await connection.execute(f"ALTER DATABASE {before} RENAME TO {after}")
    try:
        await database.read_one(number_of_games)
        assert told == ["another"]
        assert await database.identity() != identity
        await database.close()
    finally:
        async with connected(postgres_server.address("postgres")) as connection:
            for before, after in ((names[0], names[1]), ("aside", names[0])):
                await connection.execute(f"ALTER DATABASE {before} RENAME TO {after}")


async def number_of_games(connection: Connection) -> int:
    """A work of one statement."""
    return int(await connection.fetchval("SELECT count(*) FROM games"))


async def test_a_server_that_does_not_say_who_it_is_is_played_on(
    store: Store, postgres_server: Server
) -> None:
    await store.close()
    copy = await postgres_server.create("copy", of=address_of(store))
    async with connected(copy) as owner:
        await owner.execute("DROP ROLE IF EXISTS guest")
        await owner.execute("CREATE ROLE guest LOGIN")
        await owner.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
        await owner.execute("REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM public")
    try:
        guest = await open_store(PostgresAddress(copy.url.replace("//bot@", "//guest@")))
        assert [await guest.is_another(), await guest.is_another()] == [False, False]
        assert await guest.identity() == ""
        await guest.close()
    finally:
        async with connected(copy) as owner:
            await owner.execute("DROP OWNED BY guest")
            await owner.execute("DROP ROLE guest")


async def test_a_transaction_whose_connection_is_lost_in_the_middle_is_run_again(
    store: Store,
) -> None:
    runs = []

    async def work(connection: Connection) -> int:
        runs.append(await connection.fetchval("SELECT pg_backend_pid()"))
        await connection.execute('INSERT INTO hidden ("user") VALUES (5)')
        if len(runs) == 1:
            await end_connections(address_of(store))
        return int(await connection.fetchval("SELECT count(*) FROM hidden"))

    assert await store.database.write(work) == 1
    assert len(set(runs)) == 2


@pytest.mark.parametrize("is_done", [True, False])
async def test_a_commit_whose_answer_is_lost_is_neither_done_twice_nor_said_to_have_failed(
    store: Store, monkeypatch: pytest.MonkeyPatch, is_done: bool
) -> None:
    first, *_ = turns(1, EVERYTHING)
    await store.open_table(table(agreement=EVERYTHING))
    commit = asyncpg.transaction.Transaction.commit
    lost: list[object] = []

    async def losing(self: asyncpg.transaction.Transaction) -> None:
        if lost or self._readonly:
            await commit(self)
            return
        lost.append(self)
        if is_done:
            await commit(self)
        await end_connections(address_of(store))
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    monkeypatch.setattr(asyncpg.transaction.Transaction, "commit", losing)
    record = await store.begin("k3f9a", first)
    assert lost
    assert record.version == len(first)
    assert await store.log("k3f9a") == first


@pytest.mark.deep
async def test_a_commit_lost_with_the_server_is_not_taken_for_another_one(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that has crashed gives the ids of unfinished transactions out again."""
    first, *_ = turns(1, EVERYTHING)
    address = await own_server.create("lost")
    async with connected(address) as other:
        await other.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        await other.execute("SELECT pg_reload_conf()")
    store = await open_store(address)
    await store.open_table(table(agreement=EVERYTHING))
    commit = asyncpg.transaction.Transaction.commit
    lost: list[object] = []

    async def dying(self: asyncpg.transaction.Transaction) -> None:
        if lost or self._readonly:
            await commit(self)
            return
        lost.append(self)
        await asyncio.to_thread(own_server.end)
        await asyncio.to_thread(own_server.start)
        async with connected(address) as other:
            for user in range(100, 120):
                await other.execute(f'INSERT INTO hidden ("user") VALUES ({user})')
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    monkeypatch.setattr(asyncpg.transaction.Transaction, "commit", dying)
    record = await store.begin("k3f9a", first)
    assert lost
    assert record.version == len(first)
    assert await store.log("k3f9a") == first
    await store.close()


@pytest.mark.deep
async def test_what_is_acknowledged_while_the_server_dies_again_and_again_is_stored_once(
    own_server: Server,
) -> None:
    address = await own_server.create("ledger")
    database = await PostgresDatabase.open(address)
    await database.write(lambda connection: connection.execute("CREATE TABLE ledger (entry text)"))
    acknowledged: set[str] = set()
    is_over, wanted, enough = False, 0, asyncio.Event()

    async def write(writer: int) -> None:
        number = 0
        while not is_over:
            number += 1
            entry = f"{writer}.{number}"
            insertion = f"INSERT INTO ledger VALUES ('{entry}')"
            with suppress(StoreUnavailable):
                await database.write(lambda connection, insertion=insertion: connection.execute(insertion))
                acknowledged.add(entry)
                if len(acknowledged) >= wanted:
                    enough.set()

    writers = [asyncio.create_task(write(number)) for number in range(_WRITERS)]
    for _ in range(_DEATHS):
        wanted = len(acknowledged) + 5 * _WRITERS
        enough.clear()
        async with asyncio.timeout(PATIENCE):
            await enough.wait()
        await asyncio.to_thread(own_server.end)
        await asyncio.to_thread(own_server.start)
    is_over = True
    await asyncio.gather(*writers)
    rows = await database.read(lambda connection: connection.fetch("SELECT entry FROM ledger"))
    await database.close()
    stored = Counter(row["entry"] for row in rows)
    assert acknowledged - stored.keys() == set(), "acknowledged and lost"
    assert {entry for entry, times in stored.items() if times > 1} == set(), "done twice"


async def test_tokens_of_ended_processes_are_pruned(postgres_server: Server) -> None:
    address = await postgres_server.emptied()
    async with connected(address) as connection:
        await connection.execute(
            "INSERT INTO commits (writer, number, at) VALUES (1, 7, now() - interval '2 days'), (2, 7, now())"
        )
        await (await PostgresDatabase.open(address)).close()
        assert [row["writer"] for row in await connection.fetch("SELECT writer FROM commits")] == [2]


@pytest.mark.parametrize("kind", ["read", "write"])
async def test_a_call_that_is_cancelled_leaves_no_transaction_behind(
    store: Store, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As many are when the bot stops: asyncpg would say it of each, as an error."""

    async def looks(connection: Connection) -> None:
        await connection.fetchval("SELECT 1")

    for moment in range(30):
        call = asyncio.create_task(getattr(store.database, kind)(looks))
        for _ in range(moment):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
    await store.prefer(7, language="fr")
    assert (await store.preferences(7)).language == "fr"
    assert caplog.records == []


async def test_a_server_that_is_gone_makes_the_store_unavailable_and_one_that_is_back_is_found(
    postgres_server: Server, tmp_path: Path
) -> None:
    address, socket = await postgres_server.emptied(), ".s.PGSQL.5432"
    (tmp_path / socket).symlink_to(postgres_server.folder / socket)
    own_way = PostgresAddress(address.url.replace(str(postgres_server.folder), str(tmp_path)))
    patient, hasty = await open_store(own_way), await open_store(own_way, patience=0.0)
    await patient.open_table(table())
    await patient.keep_post(Post(game="k3f9a", kind=PostKind.LOBBY, deal=0, channel=20, message=9))
    (tmp_path / socket).unlink()
    await end_connections(address)
    for call in (hasty.table("k3f9a"), hasty.posts("k3f9a")):
        with pytest.raises(StoreUnavailable):
            await call
    waiting = asyncio.create_task(patient.posts("k3f9a"))
    await asyncio.sleep(0)
    (tmp_path / socket).symlink_to(postgres_server.folder / socket)
    assert [each.message for each in await waiting] == [9], "it waited"
    for store in (patient, hasty):
        await store.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.table("k3f9a")


async def test_a_second_bot_is_refused_or_waits_for_the_first_to_go(postgres_server: Server) -> None:
    address = await postgres_server.emptied()
    order: list[str] = []

    async def second() -> None:
        async with only_bot_on(address, PATIENCE):
            order.append("second")

    async with only_bot_on(address, 0.0), connected(address) as other:
        with pytest.raises(DatabaseInUse, match="Another bot runs on the database postgresql://bot@/tests_"):
            async with only_bot_on(address, 0.0):
                pass
        waiting = asyncio.create_task(second())
        tried = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'
        """
        async with asyncio.timeout(PATIENCE):
            while await other.fetchval(tried) < 2:
                pass
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_a_lock_that_was_lost_to_another_bot_ends_this_one(postgres_server: Server) -> None:
    address = await postgres_server.emptied()
    async with connected(address) as other:
        await other.execute("SET lock_timeout = 0")

        async def run() -> None:
            async with only_bot_on(address, 0.0):
                holder = await other.fetchval(
                    """
                    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE locktype = 'advisory' AND granted AND datname = current_database()
                    """
                )
                await other.execute(
                    f"SELECT pg_terminate_backend({holder}); SELECT pg_advisory_lock({0x31352D33})"
                )
                async with asyncio.timeout(PATIENCE):
                    await asyncio.Event().wait()

        with pytest.raises(DatabaseInUse):
            await run()


async def test_a_connection_that_is_lost_without_a_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def execute(_: str) -> None:
        raise ConnectionResetError

    silent = SimpleNamespace(add_termination_listener=lambda _: None, execute=execute)
    monkeypatch.setattr("bot.store.drivers.postgresql.database.ALIVE", 0.0)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ConnectionResetError):
            await until_lost(silent)


async def test_a_newer_and_a_foreign_database_are_left_alone(postgres_server: Server) -> None:
    address = await postgres_server.create("diary")
    async with connected(address) as connection:
        await connection.execute("CREATE TABLE diary (day date)")
    with pytest.raises(DatabaseUnusable, match="it belongs to another program"):
        await open_store(address)
    async with connected(address) as connection:
        await connection.execute("DROP TABLE diary")
    await (await open_store(address)).close()
    async with connected(address) as connection:
        await connection.execute("UPDATE fifteen_two SET migration = 1000")
    with pytest.raises(DatabaseTooNew, match=f"version 1000, this one knows {schema.newest()}"):
        await open_store(address)


async def test_bots_that_start_at_once_make_the_tables_once_and_upgrade_them_once(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = await postgres_server.create("at_once")
    for known in (NEXT - 1, NEXT):
        for database in await asyncio.gather(*(PostgresDatabase.open(address, PATIENCE) for _ in range(3))):
            await database.close()
        async with connected(address) as connection:
            assert await connection.fetchval("SELECT migration FROM fifteen_two") == known
        have_next(monkeypatch)


async def test_a_process_that_starts_during_another_one_s_upgrade_waits_for_it(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr("bot.store.drivers.postgresql.database.PATIENCE", 0.01)
    address = await postgres_server.create("upgraded")
    async with connected(address) as first:
        await first.execute(f"SELECT pg_advisory_lock({0x31352D32})")
        second = asyncio.create_task(PostgresDatabase.open(address, 0.0))
        async with asyncio.timeout(PATIENCE):
            while not (second.done() or any("this one waits" in each for each in caplog.messages)):  # noqa: ASYNC110 -- a line of the log has no event
                await asyncio.sleep(0)
    await (await second).close()


def test_an_address_never_shows_its_password() -> None:
    address = database_address("postgresql://crib:s3%2Fcr%20t@db.example:5433/games?sslmode=require")
    assert isinstance(address, PostgresAddress)
    assert str(address) == "postgresql://crib@db.example:5433/games"
    assert "s3" not in f"{address!r} {DatabaseUnusable(address, 'x')} {DatabaseInUse(address)}"
    assert address.passwords == {"s3%2Fcr%20t", "s3/cr t"}
    address = database_address(
        "postgresql:///games?host=/run/postgresql&password=s3&sslpassword=s4&port=5433"
    )
    assert isinstance(address, PostgresAddress)
    assert str(address) == "postgresql:///games?host=/run/postgresql&port=5433"
    assert address.passwords == {"s3", "s4"}


@pytest.mark.parametrize("text", ["mysql://host/games", "postgresql://host", "postgresql://host/a/b"])
def test_an_address_of_no_database_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no database"):
        database_address(text)


@pytest.mark.parametrize("port", ["port", "70000"])
async def test_an_address_without_a_port_that_there_is_is_unusable(port: str) -> None:
    address = database_address(f"postgresql://crib:s3cr3t@127.0.0.1:{port}/games")
    assert isinstance(address, PostgresAddress)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(DatabaseUnusable, match="this is no address of a database"):
            async with only_bot_on(address):
                pass
        with pytest.raises(DatabaseUnusable, match="this is no address of a database"):
            await PostgresDatabase.open(address)


async def test_of_two_at_once_one_is_done_and_the_other_is_stale(store: Store) -> None:
    # as another process has it
    other = await open_store(address_of(store))
    first, second, *_ = turns(1, EVERYTHING)
    for number in range(10):
        game = f"game{number}"
        opened = [
            each.open_table(table(f"{game}{name}", channel=90 + number))
            for name, each in (("a", store), ("b", other))
        ]
        found = await asyncio.gather(*opened, return_exceptions=True)
        assert sum(isinstance(each, ChannelTaken) for each in found) == 1
        game = next(each.game for each in found if isinstance(each, TableRecord))
        await store.agree(game, EVERYTHING)
        ended = await asyncio.gather(store.begin(game, first), other.cancel(game), return_exceptions=True)
        assert sum(isinstance(each, StaleGame) for each in ended) == 1
        if isinstance(ended[1], StaleGame):
            moves = [each.append(game, len(first), second, over=False) for each in (store, other, other)]
            moved = await asyncio.gather(*moves, return_exceptions=True)
            assert sum(isinstance(each, StaleGame) for each in moved) == 2
            assert await store.log(game) == (*first, *second)
    await other.close()


async def test_an_error_names_no_value_of_the_row(store: Store) -> None:
    await store.open_table(table())
    statement = "UPDATE seats SET computer = NULL, \"user\" = NULL, name = '5H-6H'"
    with pytest.raises(asyncpg.CheckViolationError) as violation:
        await store.database.write(lambda connection: connection.execute(statement))
    assert "5H-6H" not in "".join(traceback.format_exception(violation.value)).replace(statement, "")


@pytest.mark.deep
def test_a_server_ends_with_the_last_process_that_holds_it() -> None:
    postgresql.require()
    server = Server.make()
    code = "import signal; signal.pause()"
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", code], pass_fds=[server.hold]) as other:
        server.leave()
        with (server.folder / "held").open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as who ends it would
        number = int((server.folder / "data" / "postmaster.pid").read_text().split("\n")[0])
        program = Path(f"/proc/{number}/cmdline")
        assert "postgres" in program.read_text()
        other.kill()
    until = time.monotonic() + PATIENCE
    # the program is empty when it has ended, and nobody has asked for its status
    while server.folder.exists() or (program.exists() and "postgres" in program.read_text()):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert Server.join(server.folder, "") is None


# -- a pooler --------------------------------------------------------------------------------------------


async def settings(connection: Connection) -> dict[str, str]:
    """The values of those settings."""
    return {name: await connection.fetchval(f"SHOW {name}") for name in IN_FORCE}


async def test_without_a_pooler_the_settings_are_in_force(store: Store) -> None:
    assert await store.database.read_one(settings) == IN_FORCE


@pytest.mark.parametrize("more", [{}, {"ignore_startup_parameters": IGNORED}], ids=["refused", "ignored"])
async def test_in_session_mode_the_bot_plays_with_its_settings(
    postgres_server: Server, more: dict[str, str]
) -> None:
    with pooled(postgres_server, await postgres_server.emptied(), "session", **more) as address:
        async with only_bot_on(address):
            store = await open_store(address)
            await store.open_table(table(agreement=EVERYTHING))
            first, *_ = turns(1, EVERYTHING)
            await store.begin("k3f9a", first)
            assert await store.log("k3f9a") == first
            assert await store.database.read_one(settings) == IN_FORCE
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
