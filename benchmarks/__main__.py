"""`python -m benchmarks [NAME ...]`: all benchmarks, or those that are named, in one run."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from benchmarks import (
    computer,
    counting,
    crowd,
    deck,
    endurance,
    folding,
    growth,
    limits,
    memory,
    moves,
    pictures,
    presses,
    stores,
)
from benchmarks.figures import Figure, lines
from benchmarks.sizes import SMALL, Sizes
from engine.output import escape_what_cannot_be_written


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark."""

    title: str
    run: Callable[[Sizes], list[Figure]]


BENCHMARKS = {
    "counting": Benchmark(counting.TITLE, counting.run),
    "deck": Benchmark(deck.TITLE, deck.run),
    "folding": Benchmark(folding.TITLE, folding.run),
    "pictures": Benchmark(pictures.TITLE, pictures.run),
    "stores": Benchmark(stores.TITLE, stores.run),
    "moves": Benchmark(moves.TITLE, moves.run),
    "presses": Benchmark(presses.TITLE, presses.run),
    "limits": Benchmark(limits.TITLE, limits.run),
    "computer": Benchmark(computer.TITLE, computer.run),
    "crowd": Benchmark(crowd.TITLE, crowd.run),
    "memory": Benchmark(memory.TITLE, memory.run),
    "endurance": Benchmark(endurance.TITLE, endurance.run),
    "growth": Benchmark(growth.TITLE, growth.run),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks, and print the figures of each as soon as it is done."""
    escape_what_cannot_be_written()
    given = _parser().parse_args(arguments)
    sizes = SMALL if given.small else Sizes()
    chosen = {each.name: value for each in fields(Sizes) if (value := getattr(given, each.name)) is not None}
    sizes = replace(sizes, **chosen)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in given.names or BENCHMARKS:
        benchmark = BENCHMARKS[name]
        print(f"\n{lines(benchmark.title, benchmark.run(sizes))}", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what the bot costs.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--small", action="store_true", help="next to nothing of each, to see that it runs")
    for each in fields(Sizes):
        kind = float if each.type == "float" else int
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=kind, metavar="N")
    return parser


if __name__ == "__main__":
    main()
