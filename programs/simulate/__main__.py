"""See `programs.simulate`."""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path

from bot.sync.discord_internals import leave_components_unread
from engine.output import escape_what_cannot_be_written
from programs.simulate.faults import Ill
from programs.simulate.simulation import Plan, Report, simulate


def main() -> int:
    """Simulate, and print what was found; the exit status is 1 if anything was."""
    escape_what_cannot_be_written()
    asked = _arguments()
    leave_components_unread()
    kinds = frozenset(Ill[each.upper()] for each in asked.only.split(",")) if asked.only else None
    if asked.seed is not None:
        plan = Plan(asked.seed, games=asked.at_once, length=asked.length, kinds=kinds)
        report = simulate(plan, asked.transcript)
        _print([report])
        return 1 if report.found else 0
    seeds = itertools.count(asked.first)
    plans = [
        Plan(next(seeds), games=asked.at_once, length=asked.length, kinds=kinds)
        for _ in range(-(-asked.games // asked.at_once))
    ]
    began = time.monotonic()
    reports = []
    # Each seed is played by a fork of this process, which has imported everything and played nothing.
    context = multiprocessing.get_context("fork")
    with context.Pool(asked.side_by_side, maxtasksperchild=1) as pool:
        for report in pool.imap_unordered(simulate, plans):
            reports.append(report)
            for each in report.found:
                print(f"FOUND {each}", flush=True)
    _print(reports)
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if any(each.found for each in reports) else 0


def _print(reports: list[Report]) -> None:
    faults: Counter[str] = Counter()
    checked: Counter[str] = Counter()
    for report in reports:
        faults += report.faults
        checked += report.checked
    found = [each for report in reports for each in report.found]
    if len(reports) == 1:
        print("\n".join(found))
        print(f"digest {reports[0].digest}")
    print(
        f"{len(reports)} seeds, {sum(each.games for each in reports)} games, "
        f"{sum(each.presses for each in reports)} presses, "
        f"{sum(each.requests for each in reports)} requests, "
        f"{sum(each.seconds for each in reports):.0f} simulated seconds"
    )
    for name, number in faults.most_common():
        print(f"{number:7} {name}")
    print("sentences held against the log: " + ", ".join(f"{name} {n}" for name, n in checked.most_common()))
    print("nothing was found" if not found else f"{len(found)} findings")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play whole games from a seed while everything fails.")
    parser.add_argument("--seed", type=int, help="this seed alone, here")
    parser.add_argument("--first", type=int, default=1, help="the first of many seeds")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=3, help="games of one seed")
    parser.add_argument("--length", type=int, default=61)
    parser.add_argument("--only", default="", help="kinds of faults, e.g. older,crashed")
    parser.add_argument("--side-by-side", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--transcript", type=Path, help="with --seed: a file for all traffic")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
