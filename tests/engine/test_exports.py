"""The engine exports exactly its `__all__`, its modules lean one way, and its page shows what happens."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import engine
import engine.coach
import engine.computer
from engine import Move, PublicEvent, errors

ENGINE = Path(engine.__file__).parent
COMPUTER = ENGINE / "computer"
FACES = (engine, engine.computer, engine.coach)

MAY_USE_NUMPY = {"computer", "coach"}

COMMANDS = {"replay"}
"""Modules that are run and not imported: they read the file that they are given."""

OUTSIDE = {
    *("time", "datetime", "os", "io", "pathlib", "socket", "asyncio", "logging", "sqlite3", "urllib"),
}
"""Modules of the standard library that reach a clock, a file or the network."""

OF_THE_ENGINE = {
    *("cards", "seats", "errors", "rules", "scores", "presets", "counting", "pegging", "moves", "events"),
    *("phases", "views"),
}
"""Modules of the engine that the computer may import; of the phases only those that views show."""


@lru_cache(maxsize=128)
def imported(path: Path) -> frozenset[str]:
    """Every module that the file imports, at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports name the whole road"
            assert node.module is not None
            found |= (
                {f"{node.module}.{alias.name}" for alias in node.names}
                if node.module == "engine"
                else {node.module}
            )
    return frozenset(found)


def packages(path: Path) -> set[str]:
    """The packages that the file imports from."""
    return {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_all_is_exactly_what_is_public(face: ModuleType) -> None:
    public = {
        name
        for name, value in vars(face).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }

    assert sorted(public) == sorted(face.__all__)


def test_every_public_event_move_and_error_is_offered_and_not_the_whole_truth() -> None:
    offered = set(engine.__all__)
    kinds = {kind.__name__ for kind in (*get_args(PublicEvent), *get_args(Move))}
    kinds |= {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    secret = {"State", "HandDealt", "CribDealt", "Discarded", "LoggedEvent", "public", "evolve", "replay"}

    assert kinds <= offered
    assert not secret & offered


def test_what_is_called_like_a_module_is_still_the_function() -> None:
    assert callable(engine.cards)
    assert engine.cards("5H JD") == (engine.card("5H"), engine.card("JD"))
    assert callable(engine.coach.advice)


def test_the_engine_itself_needs_no_numpy() -> None:
    code = "import sys, engine; print('numpy' in sys.modules, 'engine.computer' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["False", "False"]


def test_the_engine_leans_on_the_standard_library_alone() -> None:
    for path in ENGINE.rglob("*.py"):
        numpy = {"numpy"} if path.relative_to(ENGINE).parts[0] in MAY_USE_NUMPY else set()

        assert packages(path) <= {*sys.stdlib_module_names, "engine"} | numpy, path


def test_the_engine_has_no_clock_file_or_network() -> None:
    for path in ENGINE.glob("*.py"):
        assert path.stem in COMMANDS or not packages(path) & OUTSIDE, path


def test_the_computer_sees_no_hidden_card_and_has_no_chance_of_its_own() -> None:
    """Only the script that makes its tables reaches outside."""
    for path in COMPUTER.rglob("*.py"):
        names = {name for name in imported(path) if name.startswith("engine.")}
        others = {name for name in names if not name.startswith("engine.computer")}

        assert {name.removeprefix("engine.") for name in others} <= OF_THE_ENGINE, path
        assert path.stem == "build" or not packages(path) & (OUTSIDE | {"random", "secrets"}), path


def test_every_example_of_the_page_is_so() -> None:
    results = doctest.testfile(str(ENGINE / "README.md"), module_relative=False)

    assert results.attempted > 30
    assert results.failed == 0
