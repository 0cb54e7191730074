"""The tests that run each line, from one run of the suite under coverage.

Coverage names the test function that is running (`dynamic_context`). It knows nothing of a bot that a test
starts as a process of its own. The tests of a line are sorted by the processor time that they took.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData

_SETTINGS = """
[run]
source = engine, bot
parallel = true
dynamic_context = test_function
data_file = {data}
"""


def measure(root: Path, to: Path, *, workers: str, tests: Sequence[str] = ()) -> None:
    """Run tests, by default all, once and write which of them run which lines. Takes half an hour or more."""
    to.parent.mkdir(parents=True, exist_ok=True)
    data = to.parent / "coverage"
    settings = to.parent / "settings.ini"
    settings.write_text(_SETTINGS.replace("{data}", str(data)))
    options = ["-n", workers, "--dist", "loadfile", "-o", "timeout=1800", "-o", "faulthandler_timeout=2000"]
    options += ["-k", "not may_not_be_written"]  # coverage writes its data as somebody who may not, either
    options += [f"--junit-xml={to.parent / 'times.xml'}", *tests]
    run = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q", *options]
    subprocess.run(run, cwd=root, check=False)
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={settings}"], cwd=root, check=True
    )
    to.write_text(json.dumps({"lines": _by_line(root, data), "seconds": _seconds(to.parent / "times.xml")}))


def _by_line(root: Path, data: Path) -> dict[str, dict[int, list[str]]]:
    kept = CoverageData(str(data))
    kept.read()
    found: dict[str, dict[int, list[str]]] = {}
    for file in kept.measured_files():
        found[Path(file).relative_to(root).as_posix()] = {
            line: sorted({node for each in contexts if (node := _node(root, each))})
            for line, contexts in kept.contexts_by_lineno(file).items()
        }
    return found


def _node(root: Path, context: str) -> str:
    """The pytest node of a context: tests.bot.test_x.test_y is tests/bot/test_x.py::test_y."""
    names = context.split(".")
    for end in range(len(names) - 1, 0, -1):
        path = "/".join(names[:end]) + ".py"
        if names[0] == "tests" and (root / path).is_file():
            return "::".join((path, *names[end:]))
    return ""


def _seconds(times: Path) -> dict[str, float]:
    """By test function: the seconds of its longest case."""
    found: dict[str, float] = {}
    for case in ET.parse(times).iter("testcase"):
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name', '').partition('[')[0]}"
        found[name] = max(found.get(name, 0.0), float(case.get("time", 0)))
    return found


class Reach:
    """The map that `measure` has written."""

    def __init__(self, path: Path) -> None:
        read = json.loads(path.read_text())
        self._seconds: dict[str, float] = read["seconds"]
        self._lines: dict[str, dict[int, list[str]]] = defaultdict(dict)
        for file, lines in read["lines"].items():
            self._lines[file] = {int(line): tests for line, tests in lines.items()}

    def of(self, path: str, first: int, last: int) -> list[str]:
        """The tests that run any line from `first` to `last`, the quickest first.

        A module's constants are run by its import, which belongs to no test: for them, the tests that run
        any line of the module.
        """
        lines = self._lines[path]
        named = {line: lines[line] for line in range(first, last + 1) if line in lines}
        if named and not any(named.values()):
            named = lines
        tests = {test for tests in named.values() for test in tests}
        return sorted(tests, key=lambda test: (self._seconds.get(test, 1e9), test))
