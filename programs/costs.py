"""Processor seconds of each test, children included, and the dear ones that are not marked deep.

`python -m programs.costs [PYTEST ARGUMENTS]` runs the tests in one process and writes `build/costs.tsv`, the
dearest first. It fails if a test above half a second is marked neither `deep` nor `sample`. Fixtures that
many tests share (a module's room, a session's server) and the computer's tables, which are loaded once, count
for none of them.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine import Chance, CutForFirstDeal, CutStarter, Deal, Game, Rules, SayGo
from engine.computer import Level, choose

MOST: Final = 0.5
"""Processor seconds of a test that `make test` runs."""

_WRITTEN: Final = Path("build/costs.tsv")
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Costs:
    """A plugin of pytest that measures each test."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.deep: set[str] = set()
        self.samples: set[str] = set()
        self._shared = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure one test, but for the fixtures that it shares."""
        self._shared, began = 0.0, spent()
        result = yield
        self.seconds[item.nodeid] = spent() - began - self._shared
        if item.get_closest_marker("deep"):
            self.deep.add(item.nodeid)
        if item.get_closest_marker("sample"):
            self.samples.add(item.nodeid)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Leave out a shared one."""
        began = spent()
        result = yield
        if fixturedef.scope != "function":
            self._shared += spent() - began
        return result

    @property
    def dear(self) -> list[str]:
        """The tests that cost too much for `make test`, and that it runs although they are no sample."""
        known = self.deep | self.samples
        return [node for node, cost in self.seconds.items() if cost > MOST and node not in known]


def spent() -> float:
    """Processor seconds of this process and all its descendants so far, ended or not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = sum(_ticks_below(os.getpid()))
    return time.process_time() + ended.ru_utime + ended.ru_stime + ticks / _TICKS


def _ticks_below(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            try:
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            yield sum(map(int, fields[11:15]))  # its own, and those of its children that have ended
            yield from _ticks_below(child)


def load_tables() -> None:
    """Let an expert play a deal, so that no test pays for the tables of the computer."""
    game = Game.new(Rules(), chance=Chance(Random(1)), automatic={CutForFirstDeal, Deal, CutStarter, SayGo})
    while game.table.deal_number < 2:
        game.apply(choose(game.view(game.table.waiting_for[0]), Level.EXPERT, seed=1))


def main() -> int:
    """Run the tests of the command line."""
    load_tables()
    costs = Costs()
    status = pytest.main(["-q", "-n", "0", *sys.argv[1:]], plugins=[costs])
    _WRITTEN.parent.mkdir(exist_ok=True)
    dearest = sorted(costs.seconds.items(), key=lambda each: -each[1])
    _WRITTEN.write_text("".join(f"{cost:.2f}\t{node}\n" for node, cost in dearest), encoding="utf-8")
    cheap = sum(cost for node, cost in costs.seconds.items() if node not in costs.deep)
    print(f"{len(dearest)} tests, {sum(costs.seconds.values()):.0f} s; {cheap:.0f} s without the deep ones")
    for node in costs.dear:
        print(f"{costs.seconds[node]:.2f} s and not deep: {node}")
    return int(status) or bool(costs.dear)


if __name__ == "__main__":
    sys.exit(main())
