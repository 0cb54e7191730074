"""PgBouncer, a pooler of connections, before a PostgreSQL server of the tests' own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.model.database_address import PostgresAddress
from tests.patience import PATIENCE
from tests.postgresql import Server, unprivileged

LACKING = "PgBouncer is not installed (Debian's package pgbouncer)"

_PORT = 6432
"""Its number is in the name of a socket in the folder; nothing listens on a network."""


@contextmanager
def pooled(
    server: Server, database: PostgresAddress, mode: str, **settings: str
) -> Iterator[PostgresAddress]:
    """The address of the server's database by way of a pooler in that mode.

    Skips the test where none is installed. `settings` are further lines of its configuration.
    """
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if program is None:
        pytest.skip(LACKING)
    folder = Path(tempfile.mkdtemp(prefix="pgbouncer-"))
    lines = {
        "listen_port": str(_PORT),
        "unix_socket_dir": str(folder),
        "auth_type": "trust",
        "auth_file": str(folder / "users"),
        "pool_mode": mode,
        "default_pool_size": "20",
        **settings,
    }
    (folder / "users").write_text('"bot" ""\n')
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        f"[databases]\n* = host={server.folder} port=5432\n[pgbouncer]\n"
        + "".join(f"{name} = {value}\n" for name, value in lines.items())
    )
    user = unprivileged()
    as_whom: dict[str, Any] = {}
    if user is not None:
        as_whom = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        for each in (folder, *folder.iterdir()):
            shutil.chown(each, user.pw_uid, user.pw_gid)
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen([program, configuration], stdout=said, stderr=said, **as_whom)
        try:
            _await_socket(folder / f".s.PGSQL.{_PORT}", process)
            name = database.url.partition("@/")[2].partition("?")[0]
            yield PostgresAddress(f"postgresql://bot@/{name}?host={folder}&port={_PORT}")
        finally:
            process.kill()
            process.wait()
            shutil.rmtree(folder)


def _await_socket(path: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, f"it ended: {path.with_name('said').read_text()}"
        assert time.monotonic() < until, f"nothing listens on {path}"
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                return
        except OSError:
            time.sleep(0.01)
