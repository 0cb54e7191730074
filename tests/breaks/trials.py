"""Trials of breaks: in a copy of the project, the tests that reach a break run until one of them fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from queue import SimpleQueue

from tests.breaks.places import Break
from tests.breaks.reach import Reach

_LONGEST = 1800.0
"""Seconds for the tests of one break. A break that makes them hang is seen: `make test` would hang too."""

_LATER = ("end_to_end", "page", "soak", "look", "benchmarks")
"""Folders of slow tests, run after the others in this order."""

_NOT_COPIED = (
    ".git",
    ".venv",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "build",
)


class Outcome(Enum):
    """The end of one trial."""

    SEEN = "seen"
    """A test failed, or hung."""
    UNSEEN = "unseen"
    """Every test that reaches the place passed."""
    UNREACHED = "unreached"
    """No test runs the place."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One break and what the tests made of it."""

    broken: Break
    outcome: Outcome
    by: str
    """The first test that failed."""


def run(
    root: Path, breaks: Sequence[Break], reach: Reach, to: Path, *, workers: int, earlier: Path | None = None
) -> Iterator[Trial]:
    """Try every break that `to` has no line for, and append one JSON line for each.

    `earlier` has the trials of another version of the tests: what saw a break there is tried first.
    """
    done = _by_name(to)
    seen_by = {name: _node(line["by"]) for name, line in _by_name(earlier).items()} if earlier else {}
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        copies.put(_copied(root, to.parent / f"copy-{number}"))

    def attempt(broken: Break) -> Trial:
        copy = copies.get()
        try:
            return _attempt(copy, broken, reach, seen_by.get(broken.name, ""))
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool, to.open("a") as lines:
        for trial in pool.map(attempt, [each for each in breaks if each.name not in done]):
            fields = {**asdict(trial.broken), "outcome": trial.outcome.value, "by": trial.by}
            lines.write(json.dumps({"name": trial.broken.name, **fields}) + "\n")
            lines.flush()
            yield trial


def _by_name(trials: Path) -> dict[str, dict[str, str]]:
    lines = trials.read_text().splitlines() if trials.exists() else []
    return {trial["name"]: trial for trial in map(json.loads, lines)}


def _node(by: str) -> str:
    """The file and function of a line of pytest's summary, without parameters; nothing for other lines."""
    words = by.split()
    return words[1].partition("[")[0] if len(words) > 1 and "::" in words[1] else ""


def _attempt(copy: Path, broken: Break, reach: Reach, likely: str) -> Trial:
    tests = reach.of(broken.path, broken.line, broken.end_line)
    if not tests:
        return Trial(broken, Outcome.UNREACHED, "")
    path = copy / broken.path
    source = path.read_text()
    path.write_text(broken.applied(source))
    try:
        groups = _in_groups(broken, [test for test in tests if (copy / test).exists()])
        if likely and _names(copy, likely):
            groups.insert(0, [likely])
        for group in groups:
            if by := _failing(copy, group):
                return Trial(broken, Outcome.SEEN, by)
    finally:
        path.write_text(source)
    return Trial(broken, Outcome.UNSEEN, "")


def _names(copy: Path, node: str) -> bool:
    """True if the test of this name is still there."""
    path, _, name = node.partition("::")
    file = copy / path
    return file.exists() and f"def {name.rpartition('::')[2]}(" in file.read_text()


def _failing(copy: Path, tests: Sequence[str]) -> str:
    """The first of these files' tests that fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timed out"
    if done.returncode == 0:
        return ""
    failed = (line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR")))
    return next(failed, f"pytest ended with {done.returncode}")


def _in_groups(broken: Break, tests: Sequence[str]) -> list[list[str]]:
    """The tests in the order in which they are likely to fail: the place's own first, slow ones last."""
    own = f"tests/{Path(broken.path).parent.as_posix()}"
    groups: dict[int, list[str]] = {}
    for test in tests:
        folder = test.split("/")[1]
        rank = 2 + _LATER.index(folder) if folder in _LATER else 1
        groups.setdefault(0 if test.startswith(own) else rank, []).append(test)
    return [groups[rank] for rank in sorted(groups)]


def _copied(root: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, ignore=shutil.ignore_patterns(*_NOT_COPIED), symlinks=True)
    return to
