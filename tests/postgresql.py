"""A PostgreSQL server of the tests' own: one for all workers of a run, in a folder of its own.

It is started by the first test that needs it, and ended by the last worker that has used it. It listens on
a socket in its folder and nowhere else. Where the tests are root's it runs as another user: it refuses to be
root's. Each worker has one database, which is emptied before each test: 7 ms, where a database made from a
template takes 35 ms and truncating the tables 25 ms. Nothing waits for a disk: what survives a crash of the
machine is the server's own matter.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.model.database_address import PostgresAddress
from bot.store.postgresql.database import Database

LACKING = "PostgreSQL is not installed (Debian's package postgresql)"

_UNPRIVILEGED = ("postgres", "nobody")
"""Users as whom it may run where the tests are root's."""

_ALONE = ("-c", "listen_addresses=", "-c", "log_min_messages=fatal")

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
    """Where the server's programs are."""
    there = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep) if each]
    for folder in (*there, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class Server:
    """A server that runs, as one worker of the tests sees it."""

    def __init__(self, folder: Path, worker: str = "", *, is_safe: bool = False) -> None:
        """`is_safe` is one that keeps what it has on the disk, as those for earnest do."""
        self.folder = folder
        self._settings = () if is_safe else _IN_HASTE
        self._worker = worker

    def address(self, database: str) -> PostgresAddress:
        """The address of one of its databases."""
        return PostgresAddress(f"postgresql://bot@/{database}?host={self.folder}")

    async def emptied(self) -> PostgresAddress:
        """The worker's own database, with all tables and nothing in them: one test at a time has it."""
        name = f"tests_{self._worker}"
        address = self.address(name)
        try:
            connection = await asyncpg.connect(address.url)
        except asyncpg.InvalidCatalogNameError:
            await self.create(name)
            await (await Database.open(address)).close()
            return address
        try:
            await connection.execute(_EMPTY)
        finally:
            await connection.close()
        return address

    async def create(self, name: str) -> PostgresAddress:
        """A database of that name without any table, in place of one that there is."""
        connection = await asyncpg.connect(self.address("postgres").url)
        try:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()
        return self.address(name)

    @classmethod
    def make(cls, *, is_safe: bool = False) -> Server:
        """Make one in a new folder, and start it."""
        folder = Path(tempfile.mkdtemp(prefix="postgresql-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
        user = _unprivileged()
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        server = cls(folder, is_safe=is_safe)
        options = ("-U", "bot", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        server._run("initdb", *options, "--no-instructions")
        server.start()
        return server

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = " ".join(("-k", str(self.folder), *_ALONE, *self._settings))
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def end(self, mode: str = "immediate") -> None:
        """End it: `immediate` as if its machine were switched off, `fast` in good order."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def remove(self) -> None:
        """End it, and leave nothing behind."""
        self.end()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *options: str) -> None:
        """Run it as that user. What it says goes to a file: a pipe would stay open as long as the server."""
        found, user = programs(), _unprivileged()
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
    """The server of all workers who meet in that folder: the first starts it, and the last ends it."""
    note = meeting / "postgresql.txt"
    with _alone(meeting):
        folder, users = note.read_text().split("\n") if note.exists() else (Server.make().folder, 0)
        note.write_text(f"{folder}\n{int(users) + 1}")
    server = Server(Path(folder), worker)
    try:
        yield server
    finally:
        with _alone(meeting):
            users = int(note.read_text().split("\n")[1]) - 1
            note.write_text(f"{folder}\n{users}")
            if not users:
                note.unlink()
                server.remove()


def require() -> None:
    """Skip the test where there is no PostgreSQL, unless it has to be there."""
    if programs() is None:
        if os.environ.get("REQUIRE_POSTGRESQL"):
            pytest.fail(LACKING)
        pytest.skip(LACKING)


@contextmanager
def _alone(meeting: Path) -> Iterator[None]:
    with (meeting / "postgresql.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _unprivileged() -> pwd.struct_passwd | None:
    """As whom it runs; `None` for whom the tests run as."""
    if os.geteuid() != 0:
        return None
    known = {each.pw_name: each for each in pwd.getpwall()}
    return next(known[name] for name in _UNPRIVILEGED if name in known)
