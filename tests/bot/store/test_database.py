"""The connection's thread: what is asked of aiosqlite, and how opening and closing end."""

from __future__ import annotations

import ast
import asyncio
import inspect
import sqlite3
import threading
import tomllib
from pathlib import Path

import aiosqlite
import pytest

from bot.model.errors import DatabaseUnusable
from bot.store import database as database_module
from bot.store.database import Database

ROOT = Path(__file__).parents[3]


def test_one_part_of_aiosqlite_that_is_not_public_is_used() -> None:
    tree = ast.parse((ROOT / "bot/store/database.py").read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "_worker"
    }
    heirs = [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]

    assert used == {"_execute", "close"}
    assert heirs == [], "a subclass could use more of it unseen"


def test_it_runs_a_function_with_its_arguments() -> None:
    parameters = list(inspect.signature(aiosqlite.Connection._execute).parameters)

    assert parameters == ["self", "fn", "args", "kwargs"]


def test_no_other_version_of_aiosqlite_is_allowed_than_was_tried() -> None:
    """Each of 0.20, 0.21 and 0.22 was; a newer one is to be tried before the bound is moved."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert "aiosqlite>=0.20,<0.23" in project["dependencies"]


async def test_a_database_that_cannot_be_opened_leaves_no_thread_that_waits(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary,\n" * 1000)
    with pytest.raises(DatabaseUnusable):
        await Database.open(path)
    await asyncio.get_running_loop().shutdown_default_executor()

    assert threading.enumerate() == [threading.main_thread()]


async def test_a_database_is_closed_that_nobody_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    goes_on, connect = threading.Event(), database_module._connect

    def slow_connect(path: Path, patience: float) -> sqlite3.Connection:
        goes_on.wait(5)
        opened.append(connect(path, patience))
        return opened[0]

    monkeypatch.setattr(database_module, "_connect", slow_connect)
    opening = asyncio.create_task(Database.open(tmp_path / "games.sqlite3"))
    await asyncio.sleep(0.05)
    opening.cancel()
    await asyncio.wait([opening])
    assert opening.cancelled()
    goes_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    await asyncio.sleep(0.05)

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


async def test_cards_are_not_in_the_debug_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    database = await Database.open(tmp_path / "games.sqlite3")
    card = "5H"
    await database.write(lambda connection: connection.execute("SELECT ?", (card,)).fetchall())
    await database.close()

    assert "executing" in caplog.text
    assert card not in caplog.text
