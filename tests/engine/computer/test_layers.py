"""The computer's modules lean on one another one way only, and on nothing that knows hidden cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine.computer
from tests.engine.test_exports import imported

COMPUTER = Path(engine.computer.__file__).parent

ORDER = (
    *("numbers", "ranks", "scorer", "series", "habits", "plays", "tables", "chances"),
    *(
        "crib_values",
        "throws",
        "deals",
        "memory",
        "worlds",
        "suits",
        "discards_by_score",
        "outcomes",
        "search",
    ),
    *("cardplay", "levels", "claims", "player", "plain"),
    "version",
    *(
        "making.discarding",
        "making.dealing",
        "making.pegging",
        "making.traits",
        "making.expected",
        "making.correction",
        "making.course",
        "build",
    ),
)
"""The modules from the ground up: each may use those before it."""

OF_THE_ENGINE = {
    *("cards", "seats", "errors", "rules", "scores", "presets", "counting", "pegging", "moves", "events"),
    *("phases", "views"),
}
"""Modules of the engine that the computer may import; of the phases only those that views show."""

SCRIPT = "build"


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(COMPUTER).with_suffix("").parts)


PATHS = {name_of(path): path for path in COMPUTER.rglob("*.py") if path.name != "__init__.py"}


def test_every_module_has_its_place() -> None:
    assert sorted(ORDER) == sorted(PATHS)


@pytest.mark.parametrize("module", ORDER)
def test_imports_inside_the_computer_go_one_way(module: str) -> None:
    before = set(ORDER[: ORDER.index(module)])
    names = {name for name in imported(PATHS[module]) if name.startswith("engine.")}
    own = {name.removeprefix("engine.computer.") for name in names if name.startswith("engine.computer")}
    others = {name.removeprefix("engine.") for name in names if not name.startswith("engine.computer")}

    assert own <= before
    assert others <= OF_THE_ENGINE


@pytest.mark.parametrize("module", [module for module in ORDER if module != SCRIPT])
def test_a_computer_has_no_clock_no_chance_of_its_own_and_writes_no_file(module: str) -> None:
    forbidden = {
        "time",
        "datetime",
        "os",
        "io",
        "pathlib",
        "random",
        "secrets",
        "logging",
        "socket",
        "asyncio",
    }

    assert not {name.split(".")[0] for name in imported(PATHS[module])} & forbidden
