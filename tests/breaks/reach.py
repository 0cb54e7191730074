"""The test files that run each line, from one run of the suite under coverage.

In the test's own process coverage names the test by itself (`dynamic_context`). A bot that a test starts
inherits pytest's environment, which names the test that runs (`PYTEST_CURRENT_TEST`): that is the context of
its whole process. A process that a fixture of a module started counts for the module's file all the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

_SETTINGS = """
[run]
source = engine, bot
parallel = true
patch = subprocess, fork, _exit
sigterm = true
dynamic_context = test_function
context = ${PYTEST_CURRENT_TEST-}
data_file = {data}
"""


def measure(root: Path, to: Path, *, workers: str) -> None:
    """Run the whole suite once and write which test files run which lines. Takes up to an hour."""
    to.parent.mkdir(parents=True, exist_ok=True)
    data = to.parent / "coverage"
    settings = to.parent / "settings.ini"
    settings.write_text(_SETTINGS.replace("{data}", str(data)))
    options = ["-n", workers, "--dist", "loadfile", "-o", "timeout=1800", "-o", "faulthandler_timeout=2000"]
    options += ["-k", "not may_not_be_written"]  # coverage writes its data as somebody who may not, either
    run = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q", *options]
    subprocess.run(run, cwd=root, check=False)
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={settings}"], cwd=root, check=True
    )
    to.write_text(json.dumps(_by_line(root, data)))


def _by_line(root: Path, data: Path) -> dict[str, dict[int, list[str]]]:
    from coverage import CoverageData

    kept = CoverageData(str(data))
    kept.read()
    found: dict[str, dict[int, list[str]]] = {}
    for file in kept.measured_files():
        lines = {
            line: sorted(
                {name for each in contexts for part in each.split("|") if (name := _test_file(root, part))}
            )
            for line, contexts in kept.contexts_by_lineno(file).items()
        }
        found[Path(file).relative_to(root).as_posix()] = lines
    return found


def _test_file(root: Path, context: str) -> str:
    """The test file that a context names, in either of its two forms; nothing for none."""
    if "::" in context:  # tests/bot/test_x.py::test_y[z] (call), from the environment
        return context.partition("::")[0]
    module = context.split(".")  # tests.bot.test_x.test_y or tests.bot.test_x.Class.test_y, from coverage
    for end in range(len(module), 0, -1):
        path = "/".join(module[:end]) + ".py"
        if module[0] == "tests" and (root / path).is_file():
            return path
    return ""


class Reach:
    """The map that `measure` has written."""

    def __init__(self, path: Path) -> None:
        read = json.loads(path.read_text())
        self._lines: dict[str, dict[int, list[str]]] = defaultdict(dict)
        for file, lines in read.items():
            self._lines[file] = {int(line): tests for line, tests in lines.items()}

    def of(self, path: str, first: int, last: int) -> list[str]:
        """The test files that run any line from `first` to `last`.

        A module's constants are run by its import, which belongs to no test: for them, the files that run
        any line of the module.
        """
        lines = self._lines[path]
        named = {line: lines[line] for line in range(first, last + 1) if line in lines}
        if named and not any(named.values()):
            named = lines
        return sorted({test for tests in named.values() for test in tests})
