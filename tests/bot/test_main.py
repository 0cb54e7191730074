"""The command line's results on both kinds of database, how the bot starts and ends, and its sentences."""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot import __main__ as module
from bot.maintenance import back_up
from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.errors import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseOfDevelopment,
    DatabaseTooNew,
    DatabaseUnusable,
    LeaseLost,
    LibraryLacking,
    NotCopied,
    SettingsError,
    ShardsDiffer,
    StoreUnavailable,
)
from bot.model.version import VERSION
from bot.starting import PATIENCE, Start
from bot.store.drivers.postgresql.database import connected
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import Chance, Discard, Seat
from tests.bot import seating
from tests.bot.seating import cut_for_deal, gather
from tests.bot.standings.games import ADA, BEN, Club
from tests.bot.store.opened import open_store
from tests.postgresql import Server, programs

ROOT = Path(__file__).parents[2]

PRIVATE = "5H-6H-7H"
"""A text that no sentence may contain."""

Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a bot that logs nothing, with an address of a file that there is not yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "t")
    monkeypatch.setenv("DATABASE", str(tmp_path / "games.sqlite3"))
    monkeypatch.setattr(module, "configure", lambda _: None)
    return tmp_path


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    """Runs a command of the bot; returns status, output and errors."""

    def ask(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["bot", *map(str, words)])
        status = module.main()
        said = capsys.readouterr()
        return status, said.out, said.err

    return ask


@pytest.fixture
def address(postgres_server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch) -> PostgresAddress:
    """The bot's database, on PostgreSQL and with a finished game."""
    address = asyncio.run(postgres_server.emptied())
    asyncio.run(_played_in(address))
    monkeypatch.setenv("DATABASE", address.url)
    return address


@pytest.fixture
def file(folder: Path) -> Path:
    """The bot's database, as an empty file."""
    asyncio.run(_made(folder / "games.sqlite3"))
    return folder / "games.sqlite3"


async def _made(path: Path) -> None:
    await (await open_store(path)).close()


async def _played_in(address: DatabaseAddress) -> None:
    club = await Club.open(address)
    await club.won(BEN, ADA)
    await club.won(ADA, BEN)
    await club.projection.rebuild()
    await club.close()


async def _execute(address: PostgresAddress, *statements: str) -> list[str]:
    async with connected(address) as connection:
        return [await connection.execute(each) for each in statements]


async def _contents(address: PostgresAddress) -> dict[str, list[str]]:
    async with connected(address) as connection:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {
            name: sorted(repr(row) for row in await connection.fetch(f"SELECT * FROM {name}"))
            for (name,) in tables
        }


# -- an owner's commands ---------------------------------------------------------------------------------


def test_a_backup_of_a_file_is_made_and_where_it_is_is_said(asked: Asked, file: Path) -> None:
    copy = file.with_name("copy.sqlite3")
    status, out, _ = asked("backup", copy)
    assert status == 0
    assert str(copy) in out
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_is_damaged_in_a_file_is_listed_with_exit_status_1(asked: Asked, file: Path) -> None:
    assert asked("check") == (0, "Nothing is damaged.\n", "")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO posts VALUES ('nine', 'lobby', 0, -1, 1, 1, '')")
    assert asked("check") == (1, "posts: a row belongs to nothing in games\n", "")


@pytest.mark.parametrize(
    "command",
    [
        ("rebuild",),
        ("check",),
        ("backup", "copy"),
        ("move", "elsewhere", "copy"),
        ("forget", "5"),
        ("notice", "Noon."),
    ],
)
def test_an_owners_command_makes_no_new_database_for_a_wrong_path(
    asked: Asked, folder: Path, command: tuple[str, ...]
) -> None:
    status, _, errors = asked(*command)
    assert status == 78
    assert "there is no such file" in errors
    assert not any(folder.iterdir())


def test_the_version_is_said_without_any_setting(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    with pytest.raises(SystemExit) as ended:
        asked("--version")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Fifteen Two {VERSION}\n"


def test_an_owners_command_needs_no_token(asked: Asked, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    for words in (("rebuild",), ("check",), ("backup", "copy"), ("move", file, "other")):
        assert asked(*words)[0] == 0
    monkeypatch.setenv("DISCORD_TOKEN", "DISCORD_TOKEN=t")
    assert asked("check")[0] == 0, "nor a good one"


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
    asked: Asked, address: PostgresAddress, postgres_server: Server, folder: Path
) -> None:
    status, out, errors = asked("backup", "a copy.dump")
    assert (status, out, errors.count("\n")) == (78, "", 1)
    assert list(folder.iterdir()) == []
    advice = errors.partition("SQLite files; ")[2].partition(" copies it, also while the bot runs")[0]
    command = shlex.split(advice)
    found = programs()
    if found is None or not (found / command[0]).exists():
        pytest.skip("pg_dump is not installed (Debian's package postgresql-client)")
    subprocess.run([found / command[0], *command[1:]], check=True, cwd=folder)
    other = asyncio.run(postgres_server.create("restored"))
    restoring = ["--no-owner", f"--dbname={other}", "a copy.dump"]
    subprocess.run([found / "pg_restore", *restoring], check=True, cwd=folder)
    assert asyncio.run(_contents(other)) == asyncio.run(_contents(address))


def test_a_target_that_is_not_empty_is_refused_in_a_sentence_and_left_alone(
    asked: Asked, address: PostgresAddress, folder: Path
) -> None:
    there, before = folder / "games.sqlite3", asyncio.run(_contents(address))
    status, said, _ = asked("move", address.url, there)
    assert status == 0
    assert f"rows were copied to {there}, with 2 logs that are the same in both." in said
    content = there.read_bytes()
    refused = f"The database {address} was not copied to {there}: there is a file already.\n"
    assert asked("move", address.url, there) == (78, "", refused)
    refused = f"The database {there} was not copied to {address}: it is not empty: there are rows in games.\n"
    assert asked("move", there, address.url) == (78, "", refused)
    assert there.read_bytes() == content
    assert asyncio.run(_contents(address)) == before


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
    asked: Asked, postgres_server: Server, folder: Path, change: str, table: str
) -> None:
    there = folder / "games.sqlite3"
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


@pytest.mark.deep
def test_without_asyncpg_it_is_said_how_to_install_it(tmp_path: Path) -> None:
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "no-token"}
    ran = subprocess.run(
        [sys.executable, "-c", _WITHOUT_ASYNCPG],
        cwd=tmp_path,
        env={**variables, "DATABASE_URL": "postgresql://crib:s3cr3t@host/games"},
        check=True,
        capture_output=True,
        text=True,
    )
    *lines, backup = [line for line in ran.stderr.splitlines() if " INFO " not in line]
    named = [*["DATABASE_URL"] * 3, "postgresql:///b"]
    for line, name in zip(lines, named, strict=True):
        assert f"{name} needs asyncpg, which is not installed: in the bot's folder" in line
    assert "pg_dump" in backup
    assert "s3cr3t" not in ran.stderr
    assert ran.stdout == ""
    assert [each.name for each in tmp_path.iterdir()] == []


# -- backups of files ------------------------------------------------------------------------------------


async def test_a_live_database_is_copied_whole_and_its_games_go_on_from_the_copy(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "live.sqlite3")
    sessions = Sessions(store, Chance(Random(1)))
    lobbies = Lobbies(store, sessions, now=time.time)
    record = await gather(lobbies)
    await lobbies.start(record.game, seating.ADA.user)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    gift = session.game.view(Seat(0)).hand[:2]

    said = await asyncio.to_thread(back_up, tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3")
    await sessions.move(record.game, seating.ADA.user, lambda seat: Discard(seat, gift))
    await store.close()

    restored = await open_store(tmp_path / "copy.sqlite3")
    again = Sessions(restored, Chance(Random(1)))
    copy = await again.get(record.game)
    assert "copy.sqlite3" in said
    assert copy.game.log == session.game.log[:-1]
    other = copy.game.view(Seat(1)).hand[:2]
    moved, _ = await again.move(record.game, seating.BEN.user, lambda seat: Discard(seat, other))
    assert moved.game.table.has_discarded == (False, True)
    await restored.close()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("no database", "file is not a database"),
        ("no such file", "unable to open database file"),
        ("no such folder", "unable to open database file"),
        ("taken", "there is a file already, and a backup replaces none"),
    ],
)
def test_what_cannot_be_copied_leaves_nothing_behind(tmp_path: Path, fault: str, reason: str) -> None:
    database, target = tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3"
    if fault == "no database":
        database.write_text("not a database, however long one looks at it" * 40)
    elif fault != "no such file":
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("CREATE TABLE games (number)")
    if fault == "no such folder":
        target = tmp_path / "nowhere" / "copy.sqlite3"
    if fault == "taken":
        target.write_text("precious")
    before = sorted(tmp_path.iterdir())

    with pytest.raises(NotCopied) as refusal:
        back_up(database, target)

    assert str(refusal.value) == f"The database {database} was not copied to {target}: {reason}."

    assert sorted(tmp_path.iterdir()) == before


# -- how it starts ---------------------------------------------------------------------------------------


LATER = DatabaseUnusable(Path("games"), "database is locked", may_pass=True)


def a_start() -> tuple[Start, list[float]]:
    """A start whose time passes only while it sleeps, and for how long (s) it has slept each time."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    return Start(lambda: sum(slept), sleep), slept


def failing(times: int, error: Exception) -> Callable[[], Awaitable[int]]:
    """An attempt that fails so many times, and then returns how often it was made."""
    made = 0

    async def attempt() -> int:
        nonlocal made
        made += 1
        if made <= times:
            raise error
        return made

    return attempt


@pytest.mark.parametrize(
    "error", [LATER, StoreUnavailable("no"), OSError(), aiohttp.ServerDisconnectedError()]
)
async def test_what_is_out_of_reach_is_tried_again_with_growing_pauses(error: Exception) -> None:
    start, slept = a_start()
    assert await start.reach(failing(7, error)) == 8
    assert slept == [1, 2, 4, 8, 16, 30, 30]


async def test_after_five_minutes_in_all_it_gives_up(caplog: pytest.LogCaptureFixture) -> None:
    start, slept = a_start()
    await start.reach(failing(5, LATER))
    with pytest.raises(OSError, match="no route"):
        await start.reach(failing(99, OSError("no route")))
    assert sum(slept) == PATIENCE == 300
    assert caplog.messages[0] == (
        "The database games cannot be used (database is locked): see that its disk works and has room, "
        "and that no other program locks it. "
        "It is tried again in 1 s."
    )


@pytest.mark.parametrize(
    "error",
    [
        DatabaseDamaged(Path("games")),
        DatabaseInUse(Path("games")),
        DatabaseUnusable(Path("games"), "it belongs to another program"),
        LeaseLost(),
        KeyError("a fault"),
    ],
)
async def test_nothing_else_is_tried_again(error: Exception) -> None:
    start, slept = a_start()
    with pytest.raises(type(error)):
        await start.reach(failing(1, error))
    assert slept == []


# -- how the bot ends ------------------------------------------------------------------------------------


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(cast(Any, SimpleNamespace(close_code=code)), shard_id=0)


NO_SERVER = PostgresAddress("postgresql://crib@here/games")


@pytest.mark.parametrize(
    "end",
    [
        (StoreUnavailable("disk I/O error"), 75, "The database cannot be used (disk I/O error)."),
        (LeaseLost(), 75, "The other processes have taken over"),
        (DatabaseInUse(Path("games")), 75, "Another bot runs on the database games"),
        (ShardsDiffer(4, 8), 75, "another process runs with 8"),
        (DatabaseUnusable(NO_SERVER, "the server does not answer", may_pass=True), 75, "does not answer"),
        (DatabaseUnusable(Path("games"), "disk I/O error", may_pass=True), 75, "see that its disk works"),
        (DatabaseUnusable(Path("games"), "it belongs to another program"), 78, "set DATABASE to another"),
        (DatabaseTooNew(40, 30), 78, "bring the bot up to date"),
        (DatabaseOfDevelopment(44, 45), 78, "before 1.0 (version 44, this one reads 45 and later)"),
        (DatabaseDamaged(Path("games")), 78, "bot check says what cannot be read. To go on, put a backup"),
        (LibraryLacking("asyncpg", "DATABASE_URL"), 78, "python -m pip install -r requirements.txt"),
        (SettingsError("SHARDS", "must be written as 0-3/16."), 78, "SHARDS must be"),
        (closed(4004), 78, "Discord does not accept DISCORD_TOKEN: copy"),
        (closed(4010), 75, "(close code 4010): start the bot again"),
        (closed(4011), 75, "Discord asks for more shards (close code 4011): start the bot again"),
        (closed(4012), 78, "(close code 4012): install a newer bot"),
        (closed(4013), 78, "(close code 4013): install a newer bot"),
        (closed(4014), 78, "Discord does not allow this bot an intent (close code 4014)"),
        (discord.LoginFailure(), 78, "Discord does not accept DISCORD_TOKEN"),
        (OSError("no route"), 75, "Discord cannot be reached (OSError)"),
        (aiohttp.ServerDisconnectedError(), 75, "Discord cannot be reached (ServerDisconnectedError)"),
        (KeyError("ada"), 1, "ended by a fault of the program"),
    ],
)
def test_why_the_bot_has_ended_is_one_record_of_its_log_and_a_status(
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    end: tuple[Exception, int, str],
) -> None:
    error, status, said = end

    async def fails(_: Any, *, copies: bool) -> str:
        raise error

    monkeypatch.setattr(module, "run_alone", fails)
    assert asked()[0] == status
    [record] = [each for each in caplog.records if each.levelno > logging.INFO]
    assert record is caplog.records[-1]
    assert record.levelno == logging.ERROR
    assert said in record.getMessage()
    assert (record.exc_info is not None) == (status == 1)


def test_a_clean_end_is_one_line_of_the_log(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def ends(_: Any, *, copies: bool) -> str:
        return "replaced by a successor"

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(module, "run_alone", ends)
    assert asked()[0] == 0
    first, last = caplog.messages
    assert first.startswith(f"Fifteen Two {VERSION} starts, on Python 3.")
    assert last == "ended: replaced by a successor"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_a_file_with_the_token_that_others_can_read_is_said_at_the_start(
    asked: Asked, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def ends(_: Any, *, copies: bool) -> str:
        return "asked to"

    monkeypatch.setattr(module, "run_alone", ends)
    (folder / ".env").write_text("DISCORD_TOKEN=t\n")
    for mode, said in ((0o600, 0), (0o640, 1)):
        (folder / ".env").chmod(mode)
        asked()
        assert len(caplog.messages) == said
    assert caplog.messages == [".env can be read by others than its owner (mode 640): chmod 600 it"]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_a_hang_up_ends_it_unless_nohup_lets_it_be_ignored() -> None:
    before = signal.getsignal(signal.SIGHUP)
    try:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        assert signal.SIGHUP in module.stops()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert module.stops() == (signal.SIGTERM, signal.SIGINT)
    finally:
        signal.signal(signal.SIGHUP, before)
