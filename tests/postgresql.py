"""A PostgreSQL server of the tests' own: one for all workers of a run, in a folder of its own.

It is started by the first test that needs it. Each worker that uses it holds a lock, and a guard of its own
(`tests/postgresql_guard.py`) ends it when nobody holds it any more, however they ended. It listens on a
socket in its folder and nowhere else, unless it is given a port. Where the tests are root's it runs as
another user: it refuses to be root's. Each worker has one database, which is emptied before each test: 7 ms,
where a database made from a template takes 35 ms and truncating the tables 25 ms. Nothing waits for a disk:
what survives a crash of the machine is the server's own matter.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import asyncpg
import pytest

from bot.model.database_address import PostgresAddress
from bot.store.drivers.postgresql import PostgresDatabase

LACKING = "PostgreSQL is not installed (Debian's package postgresql)"

_UNPRIVILEGED = ("postgres", "nobody")
"""Users as whom it may run where the tests are root's."""

_GUARD = Path(__file__).with_name("postgresql_guard.py")

_PASSWORD = "s3cr3t/of=the+tests"
"""Asked of those who come by the port."""

_PATIENCE = 30.0
"""Seconds within which a server is gone, on a busy machine too."""

_IN_HASTE = (
    *("-c", "fsync=off", "-c", "full_page_writes=off"),
    *("-c", "shared_buffers=16MB", "-c", "max_connections=200", "-c", "autovacuum=off"),
)

_EMPTY = """
    SET session_replication_role = replica;
    DO $$
    DECLARE each record;
    BEGIN
        FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename != 'fifteen_two'
        LOOP EXECUTE 'DELETE FROM ' || each.tablename; END LOOP;
        FOR each IN SELECT sequencename FROM pg_sequences
            WHERE schemaname = 'public' AND last_value IS NOT NULL
        LOOP EXECUTE 'ALTER SEQUENCE ' || each.sequencename || ' RESTART'; END LOOP;
    END $$;
    INSERT INTO projection (one, through, figures) VALUES (1, 0, 0);
"""


def programs() -> Path | None:
    """Folder of the server's programs; None if it is not installed."""
    debian = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    found = shutil.which("postgres", path=os.pathsep.join((os.environ.get("PATH", ""), *debian)))
    return None if found is None else Path(found).resolve().parent


class Server:
    """A server that runs, as one worker of the tests sees it."""

    def __init__(
        self, folder: Path, hold: int, worker: str = "", *, is_safe: bool = False, port: int | None = None
    ) -> None:
        """`hold` is the file with the lock that keeps it running; `make` and `join` take one."""
        self.folder = folder
        self.hold = hold
        """The open file that holds it."""
        self._worker = worker
        self._settings = () if is_safe else _IN_HASTE
        self._port = port

    def address(self, database: str) -> PostgresAddress:
        """The address of one of its databases."""
        if self._port is None:
            return PostgresAddress(f"postgresql://bot@/{database}?host={self.folder}&port=5432")
        return PostgresAddress(f"postgresql://bot:{quote(_PASSWORD, '')}@127.0.0.1:{self._port}/{database}")

    async def emptied(self) -> PostgresAddress:
        """The worker's own database, with all tables and nothing in them: one test at a time has it."""
        address = self.address(self._own("tests"))
        try:
            connection = await asyncpg.connect(address.url)
        except asyncpg.InvalidCatalogNameError:
            await self.create("tests")
            await (await PostgresDatabase.open(address)).close()
            return address
        try:
            await connection.execute(_EMPTY)
        finally:
            await connection.close()
        return address

    async def create(self, name: str, of: PostgresAddress | None = None) -> PostgresAddress:
        """The worker's database of that name, without any table, in place of one that there is.

        Or a copy `of` another database to which nobody is connected.
        """
        template = "" if of is None else f" TEMPLATE {urlsplit(of.url).path.strip('/')}"
        name = self._own(name)
        connection = await asyncpg.connect(self.address("postgres").url)
        try:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            await connection.execute(f"CREATE DATABASE {name}{template}")
        finally:
            await connection.close()
        return self.address(name)

    def _own(self, name: str) -> str:
        """The name with the worker's: tests of one module may run on two workers at once."""
        return f"{name}_{self._worker}"

    @classmethod
    def make(
        cls,
        worker: str = "",
        *,
        is_safe: bool = False,
        port: int | None = None,
        primary: Server | None = None,
    ) -> Server:
        """Make one in a new folder, and start it.

        `is_safe` is one that keeps what it has on the disk, as those for earnest do. With a `port` it listens
        there on this machine. With a `primary` it is a standby of that server, which listens on a socket.
        """
        folder = Path(tempfile.mkdtemp(prefix="postgresql-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
        (folder / "held").touch()
        hold = _held(folder)
        assert hold is not None
        subprocess.run([sys.executable, "-I", "-S", _GUARD, folder], check=True, stdin=subprocess.DEVNULL)
        password = folder / "password"
        password.write_text(_PASSWORD)
        user = unprivileged()
        if user is not None:
            for each in (folder, password):
                os.chown(each, user.pw_uid, user.pw_gid)
        server = cls(folder, hold, worker, is_safe=is_safe, port=port)
        if primary is None:
            access = ("--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={password}")
            server._run("initdb", "-U", "bot", *access, "--no-sync", "--encoding=UTF8", "--locale=C")
        else:
            where = ("-h", str(primary.folder), "-U", "bot")
            server._run("pg_basebackup", *where, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
        server.start()
        return server

    @classmethod
    def join(cls, folder: Path, worker: str) -> Server | None:
        """One that another worker has made; `None` if it has ended, or ends."""
        hold = _held(folder)
        return None if hold is None else cls(folder, hold, worker)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = "" if self._port is None else "127.0.0.1"
        options = (
            *("-k", str(self.folder), "-p", str(self._port or 5432), "-c", f"listen_addresses={where}"),
            *("-c", "log_min_messages=fatal"),
            *self._settings,
        )
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", " ".join(options))

    def end(self, mode: str = "immediate") -> None:
        """End it: `immediate` as if its machine were switched off, `fast` in good order."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def promote(self) -> None:
        """Let a standby take writes, and wait until it does."""
        self._run("pg_ctl", "promote", "-w")

    def leave(self) -> None:
        """Be done with it: when everybody is, it ends and leaves nothing behind."""
        os.close(self.hold)

    def remove(self) -> None:
        """Be done with one that nobody else uses, and wait until it is gone."""
        self.leave()
        until = time.monotonic() + _PATIENCE
        while self.folder.exists():
            assert time.monotonic() < until, f"{self.folder} is still there"
            time.sleep(0.01)

    def _run(self, program: str, *options: str) -> None:
        """Run it as that user. What it says goes to a file: a pipe would stay open as long as the server."""
        found, user = programs(), unprivileged()
        assert found is not None, LACKING
        as_whom: dict[str, Any] = (
            {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        )
        with (self.folder / "said").open("w+") as said:
            ended = subprocess.run(
                [found / program, "-D", self.folder / "data", *options],
                cwd=self.folder,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                **as_whom,
            )
            said.seek(0)
            assert ended.returncode == 0, said.read()


@contextmanager
def shared_server(meeting: Path, worker: str) -> Iterator[Server]:
    """The server of all workers who meet in that folder: the first starts it, and it ends with the last."""
    note = meeting / "postgresql.txt"
    with (meeting / "postgresql.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        server = Server.join(Path(note.read_text()), worker) if note.exists() else None
        if server is None:
            server = Server.make(worker)
            note.write_text(str(server.folder))
    try:
        yield server
    finally:
        server.leave()


def require() -> None:
    """Skip the test where there is no PostgreSQL, unless it has to be there."""
    if programs() is None:
        if os.environ.get("REQUIRE_POSTGRESQL"):
            pytest.fail(LACKING)
        pytest.skip(LACKING)


def _held(folder: Path) -> int | None:
    """Hold the server there together with others, until the file is closed; `None` if the guard ends it."""
    try:
        file = os.open(folder / "held", os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if os.fstat(file).st_nlink:
            return file
    except BlockingIOError:
        pass
    os.close(file)
    return None


def unprivileged() -> pwd.struct_passwd | None:
    """As whom it runs; `None` for whom the tests run as."""
    if os.geteuid() != 0:
        return None
    known = {each.pw_name: each for each in pwd.getpwall()}
    return next(known[name] for name in _UNPRIVILEGED if name in known)
