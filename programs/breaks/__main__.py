"""`python -m programs.breaks reach` and `python -m programs.breaks run`; see the package."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from programs.breaks.places import sampled
from programs.breaks.reach import Reach, measure
from programs.breaks.trials import Outcome, again, run

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m programs.breaks")
    parser.add_argument("command", choices=("reach", "list", "run"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=200, help="breaks to try (default: %(default)s)")
    parser.add_argument("--workers", default="2", help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "breaks", help="for results")
    parser.add_argument("--kept", type=Path, help="trials of another version, to be tried again on this one")
    parser.add_argument("--cheap", action="store_true", help="without deep tests")
    parser.add_argument("tests", nargs="*", help="reach: the tests to run (default: all)")
    wanted = parser.parse_intermixed_args()
    reached = wanted.folder / "reach"
    if wanted.command == "reach":
        measure(ROOT, reached, workers=wanted.workers, tests=wanted.tests)
        return
    if wanted.kept:
        breaks, gone = again(ROOT, wanted.kept)
        print(f"{len(gone)} gone: {', '.join(each.name for each in gone)}")
    else:
        breaks = dict.fromkeys(sampled(ROOT, ("engine", "bot"), seed=wanted.seed, number=wanted.number), ())
    if wanted.command == "list":
        for each in breaks:
            print(f"{each.name}  {each.becomes}")
        return
    results = wanted.folder / f"trials-{wanted.seed}{'-cheap' if wanted.cheap else ''}.jsonl"
    count: Counter[Outcome] = Counter()
    workers = int(wanted.workers)
    for trial in run(ROOT, breaks, Reach(ROOT, reached), results, workers=workers, cheap=wanted.cheap):
        count[trial.outcome] += 1
        seen = ", ".join(trial.seen_by)
        print(f"{trial.outcome.value:9}  {trial.broken.name}  {trial.broken.becomes!r}  {seen}", flush=True)
    print(", ".join(f"{number} {outcome.value}" for outcome, number in count.items()))


main()
