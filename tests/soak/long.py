"""The long bath, `make soak`: hundreds of whole games with everything going wrong, bounded in time.

Every seed stands for one bot with a table for each of its games: first each kind of fault by itself, then all
of them mixed, and so on. It prints a line for every ten games, and at the end the figures and what was found.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

from sandbox.faults import MIXED, SINGLY, Rates
from tests.soak.soaking import Outcome, Plan, bathe

_AT_ONCE = 12
"""Games at once under one bot."""


def main() -> int:
    """Soak, and say what came of it; the status is 1 if anything was found."""
    asked = _arguments()
    outcome = Outcome()
    began = time.monotonic()
    seed, printed = asked.seed, 0
    while outcome.games < asked.games and time.monotonic() - began < 60 * asked.minutes:
        at_once = min(asked.at_once, asked.games - outcome.games)
        name, rates = kind_of(seed)
        with tempfile.TemporaryDirectory() as directory:
            plan = Plan(seed=seed, games=at_once, rates=rates, patience=asked.patience, every=8.0)
            bath = asyncio.run(bathe(plan, Path(directory)))
            if bath.found and asked.keep:
                shutil.copytree(directory, asked.keep / str(seed), dirs_exist_ok=True)
        outcome.add(bath)
        for each in bath.found:
            print(f"FOUND ({name}) {each}", flush=True)
        if outcome.games // 10 > printed:
            printed = outcome.games // 10
            print(_line(outcome, time.monotonic() - began, f"seed {seed}, {name}"), flush=True)
        seed += 1
    _sum_up(outcome, time.monotonic() - began)
    return 1 if outcome.found else 0


def kind_of(seed: int) -> tuple[str, Rates]:
    """What goes wrong under a seed: every other one is mixed, the others take the kinds in turn."""
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
    parser.add_argument("--patience", type=float, default=60.0, help="seconds until a table stands still")
    parser.add_argument("--keep", type=Path, help="a directory for what is left of seeds with findings")
    return parser.parse_args()


def _line(outcome: Outcome, seconds: float, where: str) -> str:
    return (
        f"{outcome.games} games, {outcome.moves} moves, {sum(outcome.faults.values())} faults, "
        f"{len(outcome.found)} found, {seconds:.0f} s ({where})"
    )


def _sum_up(outcome: Outcome, seconds: float) -> None:
    print(f"\n{_line(outcome, seconds, 'in all')}")
    print(f"{outcome.presses} presses; the slowest stop took {outcome.slowest_stop:.1f} s")
    for name, number in outcome.faults.most_common():
        print(f"{number:7} {name}")
    print("nothing was found" if not outcome.found else f"{len(outcome.found)} findings, above")


if __name__ == "__main__":
    sys.exit(main())
