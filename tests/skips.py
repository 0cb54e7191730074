"""Skipped tests at the end of a run: a line for each reason, which says what to install."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest


def skips_of(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> Iterator[str]:
    """Yields a line for each reason to skip, with the number of its tests."""
    reasons = Counter(
        each.longrepr[2].removeprefix("Skipped: ") for each in reports if isinstance(each.longrepr, tuple)
    )
    for reason, number in sorted(reasons.items()):
        yield f"{number} {'test was' if number == 1 else 'tests were'} skipped: {reason}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write them."""
    for line in skips_of(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line)
