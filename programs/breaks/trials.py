"""Trials of breaks: in a copy of the project, the tests that reach a break run until some of them fail."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from enum import Enum
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue

import pytest

from programs.breaks.places import Break, found_again
from programs.breaks.reach import Reach

_LONGEST = 900.0
"""Seconds for the tests of one break; those that it has not reached by then count as passed."""

_HANGS = 120
"""Seconds after which one test hangs, and is seen: `make test` would hang too."""

_FIRST = 60
"""Tests that are collected first. To collect thousands takes longer than to run these."""

_PRELOADED = ["pytest", "hypothesis", "discord", "numpy", "PIL.Image", "aiosqlite", "jsonschema_rs"]
"""Libraries that each trial needs, imported once."""

_NOT_COPIED = (".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "build")


class Outcome(Enum):
    """The end of one trial."""

    SEEN = "seen"
    """A test failed, or hung."""
    UNSEEN = "unseen"
    """Every test that was tried passed."""
    UNREACHED = "unreached"
    """No test of the map runs the place."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One break and what the tests made of it."""

    broken: Break
    outcome: Outcome
    seen_by: tuple[str, ...] = ()
    """The first tests that failed, from the cheapest."""


@dataclass(frozen=True, slots=True)
class Among:
    """Which tests are asked about a break, and when to stop."""

    cheap: bool = False
    """Leave out deep tests."""
    only: tuple[str, ...] = ()
    """Ask only the tests whose path begins with one of these."""
    without: tuple[str, ...] = ()
    """Leave out the tests whose path begins with one of these."""
    enough: int = 3
    """The number of failed tests after which no more are asked."""

    def has(self, test: str) -> bool:
        """True if the test may be asked; whether it is deep is seen when it is collected."""
        return test.startswith(self.only or "") and not (self.without and test.startswith(self.without))


def again(root: Path, trials: Path, *, seen: bool) -> tuple[dict[Break, tuple[str, ...]], list[Break]]:
    """The breaks of earlier trials in the code of now, each with the tests that saw it; and those gone.

    With `seen`, only those that some test saw.
    """
    found, gone = {}, []
    for line in map(json.loads, trials.read_text().splitlines()):
        if seen and not line["seen_by"]:
            continue
        kept = Break(**{name: line[name] for name in Break.__dataclass_fields__})
        here = found_again(root, kept)
        if here is None:
            gone.append(kept)
        else:
            found[here] = tuple(line["seen_by"])
    return found, gone


def run(
    root: Path,
    breaks: Mapping[Break, Sequence[str]],
    reach: Reach,
    to: Path,
    *,
    workers: int,
    among: Among,
) -> Iterator[Trial]:
    """Try every break that `to` has no line for, and append one JSON line for each.

    The tests given with a break are tried first.
    """
    done = {json.loads(line)["name"] for line in to.read_text().splitlines()} if to.exists() else set()
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        copies.put(_copied(root, to.parent / f"copy-{number}"))
    context = get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)

    def attempt(broken: Break) -> Trial:
        copy = copies.get()
        try:
            known = (*breaks[broken], *reach.of(broken.path, broken.line, broken.end_line))
            tests = [each for each in dict.fromkeys(known) if among.has(each) and _is_there(copy, each)]
            if not tests:
                return Trial(broken, Outcome.UNREACHED)
            path = copy / broken.path
            source = path.read_text()
            path.write_text(broken.applied(source))
            try:
                seen_by = _failing(context, copy, tests, among)
            finally:
                path.write_text(source)
            return Trial(broken, Outcome.SEEN if seen_by else Outcome.UNSEEN, tuple(seen_by))
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool, to.open("a") as lines:
        for trial in pool.map(attempt, [each for each in breaks if each.name not in done]):
            fields = {"outcome": trial.outcome.value, "seen_by": trial.seen_by}
            lines.write(json.dumps({"name": trial.broken.name, **asdict(trial.broken), **fields}) + "\n")
            lines.flush()
            yield trial


def _is_there(copy: Path, node: str) -> bool:
    """True if there is a test of this name."""
    path, _, name = node.partition("[")[0].partition("::")
    file = copy / path
    return file.exists() and f"def {name.rpartition('::')[2]}(" in file.read_text()


def _failing(context: object, copy: Path, tests: Sequence[str], among: Among) -> list[str]:
    """The first of these tests that fail."""
    receiving, sending = context.Pipe(duplex=False)  # type: ignore[attr-defined]
    process = context.Process(target=_try, args=(copy, list(tests), among, sending))  # type: ignore[attr-defined]
    process.start()
    sending.close()
    try:
        return receiving.recv() if receiving.poll(_LONGEST) else []
    except EOFError:
        return ["the process ended"]
    finally:
        process.kill()
        process.join()


def _try(copy: Path, tests: list[str], among: Among, sending: Connection) -> None:
    """Run the tests in this process, and send the names of those that fail."""
    os.setsid()
    os.chdir(copy)
    os.environ["PYTHONPATH"] = str(copy)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    sys.path[:] = [str(copy), *(each for each in sys.path if each)]
    failed = _Failed()
    options = ["-q", "-n", "0", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is preloaded
    options += [f"--maxfail={among.enough}", "-o", f"timeout={_HANGS}"]
    options += ["-m", "not deep"] if among.cheap else []
    for some in (tests[:_FIRST], tests[_FIRST:]):
        if some and not failed.nodes:
            # Files, since a test that has meanwhile lost its name would end pytest as a spoiled import does.
            files = dict.fromkeys(test.partition("::")[0] for test in some)
            status = pytest.main([*options, *files], plugins=[failed, _Only(some)])
            if not failed.nodes and status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                failed.nodes.append(f"pytest ended with {status}")
    sending.send(failed.nodes)


class _Only:
    """A plugin of pytest that runs these tests alone, in their order."""

    def __init__(self, order: Sequence[str]) -> None:
        self._order = {node: place for place, node in enumerate(order)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others of their files."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


class _Failed:
    """A plugin of pytest that keeps which tests have failed."""

    def __init__(self) -> None:
        self.nodes: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed and report.nodeid not in self.nodes:
            self.nodes.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that cannot be imported."""
        if report.failed:
            self.nodes.append(report.nodeid)


def _copied(root: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(root, to, ignore=shutil.ignore_patterns(*_NOT_COPIED), symlinks=True)
    return to
