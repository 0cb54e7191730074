"""Who may import whom in the whole project; what is not built yet has nothing to break."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FORBIDDEN: list[tuple[str, tuple[str, ...]]] = [
    ("engine", ("bot", "sandbox", "discord", "benchmarks", "tests")),
    ("bot", ("sandbox", "benchmarks", "tests")),
    ("sandbox", ("engine", "bot", "benchmarks", "tests")),
    ("bot/render", ("bot.store", "bot.sessions", "bot.client")),
    ("bot/render", ("engine.state", "engine.secret_events", "engine.referee", "engine.game")),
    (
        "engine/computer",
        (
            "engine.state",
            "engine.legal",
            "engine.referee",
            "engine.game",
            "engine.evolution",
            "engine.rulings",
        ),
    ),
]
"""A folder, and what nothing in it may import."""

STARTS_THE_BOT = Path("sandbox/__main__.py")
"""The one place where the sandbox may know of the bot."""


def files(folder: str) -> Iterator[Path]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.relative_to(ROOT) != STARTS_THE_BOT:
            yield path


def imported(text: str, package: str) -> set[str]:
    """Every module and name that a source imports, in full; relative imports start at `package`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parts, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def offences(text: str, package: str, forbidden: tuple[str, ...]) -> set[str]:
    return {name for name in imported(text, package) if any(is_within(name, each) for each in forbidden)}


@pytest.mark.parametrize(("folder", "forbidden"), FORBIDDEN, ids=str)
def test_nothing_in_the_folder_imports_what_it_may_not(folder: str, forbidden: tuple[str, ...]) -> None:
    for path in files(folder):
        package = ".".join(path.relative_to(ROOT).parent.parts)

        assert offences(path.read_text(), package, forbidden) == set(), path.relative_to(ROOT)


@pytest.mark.parametrize(
    "line",
    [
        "import bot.store",
        "from bot.store import sqlite",
        "from bot import store",
        "from bot.store.sqlite import SqliteStore as Kept",
        "from ..store import sqlite",
        "from .. import store",
        "def later():\n    import bot.store",
    ],
)
def test_a_forbidden_import_would_be_found(line: str) -> None:
    assert offences(line, "bot.render", ("bot.store",))
    assert not offences(line, "bot.render", ("bot.storeroom", "engine"))
