"""The tests that run each line, from one run of the suite under coverage.

A plugin of pytest starts coverage in each worker and gives it the name of the running test as context, so
that what a background task of the bot runs counts for the test beside which it runs. Coverage knows nothing
of a bot that a test starts as a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from coverage import Coverage, CoverageData

_DATA = "BREAKS_COVERAGE"
"""The environment variable with the path of coverage's data."""


def measure(root: Path, to: Path, *, workers: str, tests: Sequence[str] = ()) -> None:
    """Run tests, by default all, once and keep which of them run which lines. Takes half an hour or more."""
    to.mkdir(parents=True, exist_ok=True)
    for old in to.glob("coverage*"):
        old.unlink()
    options = ["-n", workers, "--dist", "loadfile", "-o", "timeout=1800", "-o", "faulthandler_timeout=2000"]
    options += ["-k", "not may_not_be_written"]  # coverage writes its data as somebody who may not, either
    options += ["-p", __name__, f"--junit-xml={to / 'times.xml'}", *tests]
    run = [sys.executable, "-m", "pytest", "-q", *options]
    subprocess.run(run, cwd=root, check=False, env={**os.environ, _DATA: str(to / "coverage")})
    whole = CoverageData(str(to / "coverage"))
    for part in to.glob("coverage.*"):
        read = CoverageData(str(part))
        read.read()
        whole.update(read, map_path=lambda path: Path(path).relative_to(root).as_posix())
    (to / "seconds.json").write_text(json.dumps(_seconds(to / "times.xml")))


class _Contexts:
    """In a worker: coverage, told which test runs."""

    def __init__(self, data: str) -> None:
        self._coverage = Coverage(
            data_file=data, data_suffix=True, config_file=False, source=["engine", "bot"]
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """The context of a test, its fixtures and what runs beside it: its node id."""
        self._coverage.switch_context(item.nodeid)
        result = yield
        self._coverage.switch_context("")
        return result

    def pytest_sessionfinish(self) -> None:
        """Write what was run."""
        self._coverage.stop()
        self._coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Measure in each process that runs tests."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses"):
        config.pluginmanager.register(_Contexts(os.environ[_DATA]))


def _seconds(times: Path) -> dict[str, float]:
    """By node id."""
    return {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(case.get("time", 0))
        for case in ET.parse(times).iter("testcase")
    }


class Reach:
    """What `measure` has kept, of this checkout or of another."""

    def __init__(self, kept: Path) -> None:
        self._seconds: dict[str, float] = json.loads((kept / "seconds.json").read_text())
        data = CoverageData(str(kept / "coverage"))
        data.read()
        self._lines = cache(data.contexts_by_lineno)

    def of(self, path: str, first: int, last: int) -> list[str]:
        """The tests that run any line from `first` to `last`.

        Goldens and tests that are named like the file or its folder come first, then the quickest.
        A module's constants are run by its import, which belongs to no test: for them, and for lines that no
        test runs, the tests that run any line of the module.
        """
        lines = self._lines(path)
        tests = {test for line in range(first, last + 1) for test in lines.get(line, ()) if test}
        if not tests:
            tests = {test for each in lines.values() for test in each if test}
        *_, folder, name = path.removesuffix(".py").split("/")
        near = re.compile(rf"[/_]({folder}|{name})\b(?!/)|test_goldens")
        return sorted(tests, key=lambda test: (not near.search(test), self._seconds.get(test, 1e9), test))
