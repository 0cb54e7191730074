"""The command line's results with a PostgreSQL database, and its sentences about failures."""

from __future__ import annotations

import asyncio
import os
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot import __main__ as module
from bot.model.database_address import PostgresAddress
from bot.store.drivers.postgresql.database import connected
from tests.bot.standings.games import ADA, BEN, SHORT, Club, played
from tests.postgresql import Server, programs

ROOT = Path(__file__).parents[2]

PRIVATE = "5H-6H-7H"
"""A text that no sentence may contain."""

Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def address(postgres_server: Server) -> PostgresAddress:
    """A database with a finished game."""
    address = asyncio.run(postgres_server.emptied())
    asyncio.run(_played_in(address))
    return address


@pytest.fixture
def asked(
    address: PostgresAddress,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Asked:
    """Runs a command of a bot on that database; returns status, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "t")
    monkeypatch.setenv("DATABASE", address.url)
    monkeypatch.setattr(module, "configure", lambda _: None)

    def ask(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["bot", *map(str, words)])
        status = module.main()
        said = capsys.readouterr()
        return status, said.out, said.err

    return ask


async def _played_in(address: Path | PostgresAddress) -> None:
    club = await Club.open(address)
    await club.finished((ADA, BEN), played(0, SHORT), SHORT)
    await club.won(ADA, BEN)
    await club.projection.rebuild()
    await club.close()


async def _execute(address: PostgresAddress, *statements: str) -> list[str]:
    async with connected(address) as connection:
        return [await connection.execute(each) for each in statements]


def test_the_standings_are_computed_again(asked: Asked, address: PostgresAddress) -> None:
    assert asked("rebuild") == (0, "The standings are computed again, and are as they were.\n", "")
    asyncio.run(_execute(address, "DELETE FROM tallies"))
    assert asked("rebuild") == (0, "The standings are computed again, and were different before.\n", "")
    assert asked("rebuild")[1] == "The standings are computed again, and are as they were.\n"


def test_what_is_damaged_is_listed_with_exit_status_1(asked: Asked, address: PostgresAddress) -> None:
    assert asked("check") == (0, "Nothing is damaged.\n", "")
    changes = {
        f"UPDATE events SET body = '\"{PRIVATE}\"' WHERE game = 'g1' AND version = 9": "event 9 of its log",
        "UPDATE events SET at = at + 1, version = 99 WHERE game = 'g2' AND version = 2": "g2",
        f'UPDATE careers SET career = \'"{PRIVATE}"\' WHERE "user" = {ADA.user}': "careers: career cannot",
        f"UPDATE ratings SET mu = 'NaN' WHERE \"user\" = {BEN.user}": "ratings: nobody can have come to",
    }
    assert all(each != "UPDATE 0" for each in asyncio.run(_execute(address, *changes)))
    status, said, errors = asked("check")
    assert (status, errors) == (1, "")
    for sign in changes.values():
        assert sign in said
    assert PRIVATE not in said
    assert asked("check")[1] == said, "nothing was changed"


def test_a_backup_is_made_by_the_command_that_is_named(
    asked: Asked, address: PostgresAddress, postgres_server: Server, tmp_path: Path
) -> None:
    status, out, errors = asked("backup", "a copy.dump")
    assert (status, out, errors.count("\n")) == (78, "", 1)
    assert list(tmp_path.iterdir()) == []
    advice = errors.partition("SQLite files; ")[2].partition(" copies it, also while the bot runs")[0]
    command = shlex.split(advice)
    found = programs()
    if found is None or not (found / command[0]).exists():
        pytest.skip("pg_dump is not installed (Debian's package postgresql-client)")
    subprocess.run([found / command[0], *command[1:]], check=True, cwd=tmp_path)
    other = asyncio.run(postgres_server.create("restored"))
    restoring = ["--no-owner", f"--dbname={other}", "a copy.dump"]
    subprocess.run([found / "pg_restore", *restoring], check=True, cwd=tmp_path)
    assert asyncio.run(_contents(other)) == asyncio.run(_contents(address))


async def _contents(address: PostgresAddress) -> dict[str, list[str]]:
    async with connected(address) as connection:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {
            name: sorted(repr(row) for row in await connection.fetch(f"SELECT * FROM {name}"))
            for (name,) in tables
        }


def test_a_target_that_is_not_empty_is_refused_in_a_sentence(
    asked: Asked, address: PostgresAddress, tmp_path: Path
) -> None:
    there = tmp_path / "games.sqlite3"
    assert asked("move", address.url, there)[0] == 0
    refused = f"The database {address} was not copied to {there}: there is a file already.\n"
    assert asked("move", address.url, there) == (78, "", refused)
    refused = f"The database {there} was not copied to {address}: it is not empty: there are rows in games.\n"
    assert asked("move", there, address.url) == (78, "", refused)


@pytest.mark.parametrize(
    ("change", "table"),
    [
        ("UPDATE events SET body = ? WHERE version = 5", "events"),
        ("UPDATE events SET body = CAST(x'ff' || ? AS TEXT) WHERE version = 5", "events"),
        ("UPDATE seats SET game = ? WHERE game = 'g1'", "seats"),
        ("UPDATE games SET pace = ?", "games"),
    ],
)
def test_a_file_with_a_damaged_value_is_not_moved_and_the_value_not_told(
    asked: Asked, postgres_server: Server, tmp_path: Path, change: str, table: str
) -> None:
    there = tmp_path / "games.sqlite3"
    asyncio.run(_played_in(there))
    with closing(sqlite3.connect(there)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(change, (PRIVATE,)).rowcount > 0
    target = asyncio.run(postgres_server.create("target"))
    status, out, errors = asked("move", there, target.url)
    assert (status, out, errors.count("\n")) == (78, "", 1)
    assert f"was not copied to {target}: a row of {table} is damaged" in errors
    assert PRIVATE not in errors
    assert asyncio.run(_contents(target))["games"] == []


def test_an_address_of_no_database_is_not_repeated_with_its_password(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        asked("move", "mysql://crib:s3cr3t@host/games", "there.sqlite3")
    assert ended.value.code != 0
    said = capsys.readouterr().err
    assert "FROM: must be the path of a file, or an address as postgresql://" in said
    assert "s3cr3t" not in said


_WITHOUT_ASYNCPG = """
import sys
sys.modules["asyncpg"] = None
from bot.__main__ import main
for words in (), ("check",), ("rebuild",), ("move", "postgresql:///b", "a.sqlite3"), ("backup", "c.dump"):
    sys.argv = ["bot", *words]
    assert main() == 78
"""


def test_without_asyncpg_it_is_said_how_to_install_it(tmp_path: Path) -> None:
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "no-token"}
    ran = subprocess.run(
        [sys.executable, "-c", _WITHOUT_ASYNCPG],
        cwd=tmp_path,
        env={**variables, "DATABASE": "postgresql://crib:s3cr3t@host/games"},
        check=True,
        capture_output=True,
        text=True,
    )
    *lines, backup = [line for line in ran.stderr.splitlines() if " INFO " not in line]
    assert len(lines) == 4
    assert all(
        "DATABASE needs asyncpg, which is not installed: in the bot's folder" in each for each in lines
    )
    assert "pg_dump" in backup
    assert "s3cr3t" not in ran.stderr
    assert ran.stdout == ""
    assert [each.name for each in tmp_path.iterdir()] == []
