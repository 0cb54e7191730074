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

_HANGS = 180
"""Seconds after which one test hangs."""

_PROCESSES = ("tests/end_to_end", "tests/page", "tests/soak", "tests/look", "tests/benchmarks")
"""Folders of tests that start the bot as a process, which the map does not see into."""

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
    """Every test that was tried passed."""
    UNREACHED = "unreached"
    """No test of the map runs the place, and others were not tried."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One break and what the tests made of it."""

    broken: Break
    outcome: Outcome
    by: str
    """The first test that failed."""


def run(
    root: Path,
    breaks: Sequence[Break],
    reach: Reach,
    to: Path,
    *,
    workers: int,
    earlier: Path | None = None,
    processes: bool = True,
) -> Iterator[Trial]:
    """Try every break that `to` has no line for, and append one JSON line for each.

    `earlier` has the trials of another version of the tests: what saw a break there is tried first. With
    `processes`, a break that no test of the map sees is tried against all that start the bot as a process.
    """
    done = _by_name(to)
    seen_by = {name: _node(line["by"]) for name, line in _by_name(earlier).items()} if earlier else {}
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        copies.put(_copied(root, to.parent / f"copy-{number}"))

    def attempt(broken: Break) -> Trial:
        copy = copies.get()
        try:
            return _attempt(copy, broken, reach, seen_by.get(broken.name, ""), processes=processes)
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


def _attempt(copy: Path, broken: Break, reach: Reach, likely: str, *, processes: bool) -> Trial:
    tests = [test for test in reach.of(broken.path, broken.line, broken.end_line) if _is_there(copy, test)]
    own = [test for test in tests if test.startswith(f"tests/{Path(broken.path).parent.as_posix()}/")]
    groups = [own, [test for test in tests if test not in own]]
    if likely and _is_there(copy, likely):
        groups.insert(0, [likely])
    if processes:
        groups.append([folder for folder in _PROCESSES if (copy / folder).exists()])
    groups = [group for group in groups if group]
    if not groups:
        return Trial(broken, Outcome.UNREACHED, "")
    path = copy / broken.path
    source = path.read_text()
    path.write_text(broken.applied(source))
    try:
        for group in groups:
            if by := _failing(copy, group):
                return Trial(broken, Outcome.SEEN, by)
    finally:
        path.write_text(source)
    return Trial(broken, Outcome.UNSEEN, "")


def _is_there(copy: Path, node: str) -> bool:
    """True if there is a test of this name."""
    path, _, name = node.partition("::")
    file = copy / path
    return file.exists() and (not name or f"def {name.rpartition('::')[2]}(" in file.read_text())


def _failing(copy: Path, tests: Sequence[str]) -> str:
    """The first of these tests that fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header", "-p", "no:cacheprovider"]
    command += ["-o", f"timeout={_HANGS}"]
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


def _copied(root: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, ignore=shutil.ignore_patterns(*_NOT_COPIED), symlinks=True)
    return to
