"""`python -m tests.breaks reach` and `python -m tests.breaks run`; see the package."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from tests.breaks.places import sampled
from tests.breaks.reach import Reach, measure
from tests.breaks.trials import Outcome, run

ROOT = Path(__file__).parent.parent.parent


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.breaks")
    parser.add_argument("command", choices=("reach", "list", "run"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=200, help="breaks to try (default: %(default)s)")
    parser.add_argument("--workers", default="2", help="processes (default: %(default)s)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "breaks", help="where results are kept"
    )
    parser.add_argument(
        "--earlier", type=Path, help="trials of another version: what saw a break then is tried first"
    )
    parser.add_argument(
        "--no-processes", action="store_true", help="only tests in whose own process the place is run"
    )
    wanted = parser.parse_args()
    reached = wanted.folder / "reach.json"
    breaks = sampled(ROOT, ("engine", "bot"), seed=wanted.seed, number=wanted.number)
    match wanted.command:
        case "reach":
            measure(ROOT, reached, workers=wanted.workers)
        case "list":
            for each in breaks:
                print(f"{each.name}  {each.becomes}")
        case _:
            results = wanted.folder / f"trials-{wanted.seed}.jsonl"
            count: Counter[Outcome] = Counter()
            trials = run(
                ROOT,
                breaks,
                Reach(reached),
                results,
                workers=int(wanted.workers),
                earlier=wanted.earlier,
                processes=not wanted.no_processes,
            )
            for trial in trials:
                count[trial.outcome] += 1
                print(f"{trial.outcome.value:9}  {trial.broken.name}  {trial.broken.becomes!r}  {trial.by}")
            print(", ".join(f"{number} {outcome.value}" for outcome, number in count.items()))


main()
