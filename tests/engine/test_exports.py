"""The engine exports exactly its `__all__`, and needs only the standard library."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import engine
import engine.coach
import engine.computer
from engine import Move, PublicEvent, errors

ENGINE = Path(engine.__file__).parent
FACES = (engine, engine.computer, engine.coach)

MAY_USE_NUMPY = {"computer", "coach"}


def imported(path: Path) -> set[str]:
    """Every module that the file imports, at any depth; `TYPE_CHECKING` blocks are not run."""
    tree = ast.parse(path.read_text())
    idle = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in idle:
            continue
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
    return found


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_all_is_exactly_what_is_public(face: ModuleType) -> None:
    public = {
        name
        for name, value in vars(face).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }

    assert sorted(public) == sorted(face.__all__)


def test_every_event_of_a_log_but_the_secret_ones_is_offered() -> None:
    events = {kind.__name__ for kind in get_args(PublicEvent)}

    assert events <= set(engine.__all__)


def test_every_move_and_every_error_is_offered() -> None:
    moves = {kind.__name__ for kind in get_args(Move)}
    kinds = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }

    assert moves | kinds <= set(engine.__all__)


def test_the_engine_itself_needs_no_numpy() -> None:
    code = "import sys, engine; print('numpy' in sys.modules, 'engine.computer' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["False", "False"]


def test_what_is_called_like_a_module_is_still_the_function() -> None:
    assert callable(engine.cards)
    assert engine.cards("5H JD") == (engine.card("5H"), engine.card("JD"))
    assert callable(engine.coach.advice)


def test_the_whole_truth_is_not_offered() -> None:
    secret = {"State", "HandDealt", "CribDealt", "Discarded", "LoggedEvent", "public", "evolve", "replay"}

    assert not secret & set(engine.__all__)


@pytest.mark.parametrize("module", ["errors", "cards"])
def test_cards_raise_errors_and_errors_carry_cards_but_only_one_imports_the_other(module: str) -> None:
    other = {"errors": "cards", "cards": "errors"}[module]

    assert (f"engine.{other}" in imported(ENGINE / f"{module}.py")) == (module == "cards")


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_leans_on_the_standard_library_alone(path: Path) -> None:
    allowed = {*sys.stdlib_module_names, "engine"}
    if path.relative_to(ENGINE).parts[0] in MAY_USE_NUMPY:
        allowed.add("numpy")

    assert {name.split(".")[0] for name in imported(path)} <= allowed


COMMANDS = {"replay"}
"""Modules that are run and not imported: they read the file that they are given."""


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(ENGINE.glob("*.py")) if path.stem not in COMMANDS],
    ids=lambda path: path.stem,
)
def test_the_engine_has_no_clock_file_or_network(path: Path) -> None:
    forbidden = {
        "time",
        "datetime",
        "os",
        "io",
        "pathlib",
        "socket",
        "asyncio",
        "logging",
        "sqlite3",
        "urllib",
    }

    assert not {name.split(".")[0] for name in imported(path)} & forbidden
