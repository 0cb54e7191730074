"""The command line's results, and its sentences about failures."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot import __main__ as module
from bot.model.errors import StoreUnavailable
from bot.model.version import VERSION


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a bot that logs nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "t")
    monkeypatch.setenv("DATABASE", str(tmp_path / "games.sqlite3"))
    monkeypatch.setattr(module, "configure", lambda _: None)
    return tmp_path


def asked(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["bot", *words])
    return module.main()


def test_a_backup_is_made_and_where_it_is_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(monkeypatch, "rebuild") == 0
    capsys.readouterr()
    copy = folder / "copy.sqlite3"
    assert asked(monkeypatch, "backup", str(copy)) == 0
    assert str(copy) in capsys.readouterr().out
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_what_is_damaged_is_listed_with_exit_status_1(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(monkeypatch, "rebuild") == 0
    capsys.readouterr()
    assert asked(monkeypatch, "check") == 0
    assert capsys.readouterr().out == "Nothing is damaged.\n"
    with sqlite3.connect(folder / "games.sqlite3") as connection:
        connection.execute("INSERT INTO posts VALUES ('nine', 'lobby', 0, -1, 1, 1, '')")
    connection.close()
    assert asked(monkeypatch, "check") == 1
    assert capsys.readouterr().out == "posts: a row belongs to nothing in games\n"


def test_the_version_is_said_without_any_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    with pytest.raises(SystemExit) as ended:
        asked(monkeypatch, "--version")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Fifteen Two {VERSION}\n"


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(cast(Any, SimpleNamespace(close_code=code)), shard_id=0)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreUnavailable("disk I/O error"), "The database cannot be written (disk I/O error)."),
        (closed(4004), "Discord does not accept DISCORD_TOKEN: copy"),
        (closed(4010), "(close code 4010): start the bot again"),
        (closed(4011), "Discord asks for more shards (close code 4011): start the bot again"),
        (closed(4012), "(close code 4012): install a newer bot"),
        (closed(4013), "(close code 4013): install a newer bot"),
        (closed(4014), "Discord does not allow this bot an intent (close code 4014)"),
        (discord.LoginFailure(), "Discord does not accept DISCORD_TOKEN"),
        (OSError("no route"), "Discord cannot be reached (OSError)"),
    ],
)
def test_why_the_bot_does_not_run_is_said_in_one_sentence(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    said: str,
) -> None:
    async def fails(_: Any) -> None:
        raise error

    monkeypatch.setattr(module, "_run", fails)
    assert asked(monkeypatch) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
