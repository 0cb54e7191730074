"""`python -m programs.breaks reach` and `python -m programs.breaks run`; see the package."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from engine.output import escape_what_cannot_be_written
from programs.breaks.places import sampled
from programs.breaks.reach import Reach, measure
from programs.breaks.trials import Among, Outcome, again, run

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Run what the command line asks for."""
    escape_what_cannot_be_written()
    parser = argparse.ArgumentParser(prog="python -m programs.breaks")
    parser.add_argument("command", choices=("reach", "list", "run"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--number", type=int, default=200, help="breaks to try, 0 for all (default: %(default)s)"
    )
    parser.add_argument("--workers", default="2", help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "breaks", help="for results")
    parser.add_argument("--kept", type=Path, help="trials of another version, to be tried again on this one")
    parser.add_argument("--seen", action="store_true", help="of --kept, only breaks that a test saw")
    parser.add_argument("--inside", nargs="+", default=("engine", "bot"), help="files and folders to break")
    parser.add_argument("--only", nargs="+", default=(), help="ask only tests whose path begins so")
    parser.add_argument("--without", nargs="+", default=(), help="leave out tests whose path begins so")
    parser.add_argument("--enough", type=int, default=3, help="failed tests at which to stop (%(default)s)")
    parser.add_argument("--reach", type=Path, help="what an earlier `reach` has kept (default: in --folder)")
    parser.add_argument("--cheap", action="store_true", help="without deep tests")
    parser.add_argument("tests", nargs="*", help="reach: the tests to run (default: all)")
    wanted = parser.parse_intermixed_args()
    reached = wanted.reach or wanted.folder / "reach"
    if wanted.command == "reach":
        measure(ROOT, reached, workers=wanted.workers, tests=wanted.tests)
        return
    if wanted.kept:
        breaks, gone = again(ROOT, wanted.kept, seen=wanted.seen)
        print(f"{len(gone)} gone: {', '.join(each.name for each in gone)}")
    else:
        breaks = dict.fromkeys(sampled(ROOT, wanted.inside, seed=wanted.seed, number=wanted.number), ())
    if wanted.command == "list":
        for each in breaks:
            print(f"{each.name}  {each.becomes}")
        return
    among = Among(wanted.cheap, tuple(wanted.only), tuple(wanted.without), wanted.enough)
    results = wanted.folder / "trials.jsonl"
    count: Counter[Outcome] = Counter()
    workers = int(wanted.workers)
    for trial in run(ROOT, breaks, Reach(reached), results, workers=workers, among=among):
        count[trial.outcome] += 1
        seen = ", ".join(trial.seen_by)
        print(f"{trial.outcome.value:9}  {trial.broken.name}  {trial.broken.becomes!r}  {seen}", flush=True)
    print(", ".join(f"{number} {outcome.value}" for outcome, number in count.items()))


if __name__ == "__main__":
    main()
