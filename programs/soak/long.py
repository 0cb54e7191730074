"""The long soak, `make soak`: hundreds of whole games with injected faults, bounded in time.

Every seed is a run with one bot and a table for each of its games: alternately one kind of fault by itself
and all of them mixed. Every fourth is played where the bot is no member (`programs.soak.anywhere`); with
`--anywhere` all are. It prints a line for every seed, and at the end the figures and the findings.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from engine.output import escape_what_cannot_be_written
from programs.soak.anywhere import Anywhere
from programs.soak.soaking import Games, Outcome, Plan, bathe
from sandbox.faults import MIXED, SINGLY, Rates

_AT_ONCE = 12
"""Games at once under one bot."""
_LONGEST_STOP = 2.0
"""Seconds within which the bot promises to stop, on a machine that is not overloaded."""
_EVERY = 4
"""Number of seeds of which one is played where the bot is no member."""
_SIDE_BY_SIDE = 3
"""Bots at once; most of a run's time is spent waiting for timeouts."""


def main() -> int:
    """Run the soak and print its outcome; the exit status is 1 if anything was found."""
    escape_what_cannot_be_written()
    soak = Soak(_arguments())
    asyncio.run(soak.run())
    soak.sum_up()
    return 1 if soak.outcome.found else 0


class Soak:
    """Parallel runs, one seed after the other, until enough games were played or time is up."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.outcome = Outcome()
        self._asked = asked
        self._seeds = itertools.count(asked.seed)
        self._began = time.monotonic()
        self._begun = 0
        """Games begun, finished or not."""
        self._kinds: Counter[str] = Counter()

    async def run(self) -> None:
        """Keep that number of runs going."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._asked.side_by_side):
                group.create_task(self._bathe_on())

    def sum_up(self) -> None:
        """Print the outcome of all runs."""
        outcome = self.outcome
        print(f"\n{self._line('in all')}")
        print(f"{outcome.presses} presses; the slowest stop took {outcome.slowest_stop:.1f} s")
        print("games by what went wrong: " + ", ".join(f"{kind} {n}" for kind, n in self._kinds.items()))
        for name, number in outcome.faults.most_common():
            print(f"{number:7} {name}")
        print("nothing was found" if not outcome.found else f"{len(outcome.found)} findings, above")

    async def _bathe_on(self) -> None:
        asked = self._asked
        while (left := asked.games - self._begun) > 0 and self._seconds < 60 * asked.minutes:
            seed, games = next(self._seeds), min(asked.at_once, left)
            self._begun += games
            name, rates = kind_of(seed)
            plan = Plan(
                seed=seed, games=games, rates=rates, patience=asked.patience, longest_stop=_LONGEST_STOP
            )
            with tempfile.TemporaryDirectory() as directory:
                is_anywhere = seed % _EVERY == 0 or asked.anywhere
                bath = await bathe(plan, Path(directory), Anywhere if is_anywhere else Games)
                name += ", anywhere" if is_anywhere else ""
                if bath.found and asked.keep:
                    shutil.copytree(directory, asked.keep / str(seed), dirs_exist_ok=True)
            self.outcome.add(bath)
            self._kinds[name] += bath.games
            for each in bath.found:
                print(f"FOUND ({name}) {each}", flush=True)
            print(self._line(f"seed {seed}, {name}"), flush=True)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _line(self, where: str) -> str:
        outcome = self.outcome
        return (
            f"{outcome.games} games, {outcome.moves} moves, {sum(outcome.faults.values())} faults, "
            f"{len(outcome.found)} found, {self._seconds:.0f} s ({where})"
        )


def kind_of(seed: int) -> tuple[str, Rates]:
    """The faults of a seed: every other one has all kinds mixed, the others one kind each in turn."""
    if seed % 2:
        return "mixed", MIXED
    fault = list(SINGLY)[seed // 2 % len(SINGLY)]
    return fault.value, SINGLY[fault]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play whole games while everything goes wrong.")
    parser.add_argument("--games", type=int, default=300, help="whole games to play")
    parser.add_argument("--minutes", type=float, default=40.0, help="begin nothing new after so long")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--at-once", type=int, default=_AT_ONCE, help="games at once under one bot")
    parser.add_argument("--side-by-side", type=int, default=_SIDE_BY_SIDE, help="bots at once")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds until a table stands still")
    parser.add_argument("--anywhere", action="store_true", help="play all of them where the bot is no member")
    parser.add_argument("--keep", type=Path, help="a directory for what is left of seeds with findings")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
