"""The command line's results, and its sentences about failures."""

from __future__ import annotations

import asyncio
import logging
import signal
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot import __main__ as module
from bot.model.database_address import PostgresAddress
from bot.model.errors import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnusable,
    LeaseLost,
    LibraryLacking,
    SettingsError,
    ShardsDiffer,
    StoreUnavailable,
)
from bot.model.version import VERSION
from bot.store.opening import open_database


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a bot that logs nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "t")
    monkeypatch.setenv("DATABASE", str(tmp_path / "games.sqlite3"))
    monkeypatch.setattr(module, "configure", lambda _: None)
    return tmp_path


def make(path: Path) -> None:
    """An empty database at `path`."""

    async def made() -> None:
        await (await open_database(path)).store.close()

    asyncio.run(made())


def asked(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["bot", *words])
    return module.main()


def test_a_backup_is_made_and_where_it_is_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "games.sqlite3")
    copy = folder / "copy.sqlite3"
    assert asked(monkeypatch, "backup", str(copy)) == 0
    assert str(copy) in capsys.readouterr().out
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_what_is_damaged_is_listed_with_exit_status_1(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder / "games.sqlite3")
    assert asked(monkeypatch, "check") == 0
    assert capsys.readouterr().out == "Nothing is damaged.\n"
    with sqlite3.connect(folder / "games.sqlite3") as connection:
        connection.execute("INSERT INTO posts VALUES ('nine', 'lobby', 0, -1, 1, 1, '')")
    connection.close()
    assert asked(monkeypatch, "check") == 1
    assert capsys.readouterr().out == "posts: a row belongs to nothing in games\n"


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
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
) -> None:
    monkeypatch.setenv("DATABASE", "elsewhere")
    assert asked(monkeypatch, *command) == 78
    assert "there is no such file" in capsys.readouterr().err
    assert not any(folder.iterdir())


def test_the_version_is_said_without_any_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    with pytest.raises(SystemExit) as ended:
        asked(monkeypatch, "--version")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Fifteen Two {VERSION}\n"


@pytest.mark.parametrize("words", [("rebuild",), ("check",), ("backup", "copy"), ("move", "games", "other")])
def test_an_owners_command_needs_no_token(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("DATABASE", str(folder / "games"))
    make(folder / "games")
    monkeypatch.delenv("DISCORD_TOKEN")
    assert asked(monkeypatch, *words) == 0
    monkeypatch.setenv("DISCORD_TOKEN", "DISCORD_TOKEN=t")
    assert asked(monkeypatch, "check") == 0, "nor a good one"


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
        (DatabaseUnusable(Path("games"), "it belongs to another program"), 78, "set DATABASE to another"),
        (DatabaseTooNew(40, 30), 78, "bring the bot up to date"),
        (DatabaseDamaged(Path("games")), 78, "put a backup in its place"),
        (LibraryLacking("asyncpg", "postgresql"), 78, "python -m pip install '.[postgresql]'"),
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
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    end: tuple[Exception, int, str],
) -> None:
    error, status, said = end

    async def fails(_: Any, *, copies: bool) -> str:
        raise error

    monkeypatch.setattr(module, "_run_alone", fails)
    assert asked(monkeypatch) == status
    [record] = [each for each in caplog.records if each.levelno > logging.INFO]
    assert record is caplog.records[-1]
    assert record.levelno == logging.ERROR
    assert said in record.getMessage()
    assert (record.exc_info is not None) == (status == 1)


def test_a_clean_end_is_one_line_of_the_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def ends(_: Any, *, copies: bool) -> str:
        return "replaced by a successor"

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(module, "_run_alone", ends)
    assert asked(monkeypatch) == 0
    first, last = caplog.messages
    assert first.startswith(f"Fifteen Two {VERSION} starts, on Python 3.")
    assert last == "ended: replaced by a successor"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_a_hang_up_ends_it_unless_nohup_lets_it_be_ignored() -> None:
    before = signal.getsignal(signal.SIGHUP)
    try:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        assert signal.SIGHUP in module._stops()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert module._stops() == (signal.SIGTERM, signal.SIGINT)
    finally:
        signal.signal(signal.SIGHUP, before)
