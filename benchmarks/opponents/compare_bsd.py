"""`python -m benchmarks.opponents.compare_bsd`: does `BsdPlayer` decide as the real program does?

Plays the real program through a terminal (`apt-get install bsdgames`) and asks `BsdPlayer` for every decision
that could be seen; one that comes again counts once. Says how many were compared, and shows each difference;
any makes the exit status 1. `--record FILE` keeps the decisions, for a test that needs no program.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.opponents.bsd import BsdPlayer
from benchmarks.opponents.bsd_terminal import BsdProgram, Discarded, Played
from engine import card, cards, spell
from engine.output import escape_what_cannot_be_written


@dataclass(slots=True)
class Comparison:
    """Number of decisions compared, and their differences."""

    discards: int = 0
    cards: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.discards} discards and {self.cards} cards compared, {len(self.differences)} differences"
        )


def compare(decisions: Iterable[Discarded | Played]) -> Comparison:
    """Ask `BsdPlayer` for each of the program's decisions."""
    player = BsdPlayer()
    found = Comparison()
    for decision in decisions:
        match decision:
            case Discarded(hand, is_dealer, thrown):
                found.discards += 1
                ours = player.discard(hand, is_dealer=is_dealer)
                if set(ours) != set(thrown):
                    found.differences.append(f"{decision}: ours is {spell(ours)}")
            case Played(held, series, one):
                found.cards += 1
                if (our_card := player.play(held, series)) != one:
                    found.differences.append(f"{decision}: ours is {our_card}")
    return found


def played(deals: int, seed: int) -> list[Discarded | Played]:
    """Its decisions in that many deals, against random cards from `seed`, without repetitions."""
    with BsdProgram(Random(seed)) as program:
        decisions = (decision for deal in program.deals(deals) for decision in deal.decisions())
        return list(dict.fromkeys(decisions))


def record(decisions: Iterable[Discarded | Played], path: Path) -> None:
    """Keep decisions in a file, a line each."""
    lines = [json.dumps(_written(each)) for each in decisions]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def recorded(path: Path) -> list[Discarded | Played]:
    """The decisions that `record` kept."""
    return [_read(each) for each in json.loads(path.read_text())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, compare, and print the outcome."""
    escape_what_cannot_be_written()
    given = _parser().parse_args(arguments)
    before = time.monotonic()
    decisions = played(given.deals, given.seed)
    took = time.monotonic() - before
    found = compare(decisions)
    if given.record:
        record(decisions, given.record)
    for difference in found.differences:
        print(difference)
    print(f"{given.deals} deals in {took:.1f} s: {found}")
    return 1 if found.differences else 0


def _written(decision: Discarded | Played) -> list[str]:
    match decision:
        case Discarded(hand, is_dealer, thrown):
            return ["dealer" if is_dealer else "pone", spell(hand), spell(thrown)]
        case Played(held, series, one):
            return ["play", spell(held), spell(series), str(one)]


def _read(written: list[str]) -> Discarded | Played:
    match written:
        case ["dealer" | "pone" as seat, hand, thrown]:
            return Discarded(cards(hand), seat == "dealer", cards(thrown))
        case ["play", held, series, one]:
            return Played(cards(held), cards(series), card(one))
    raise ValueError(f"no decision: {written}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.opponents.compare_bsd",
        description="Compare our BSD player with the real one.",
    )
    parser.add_argument("--deals", type=int, default=60, metavar="N")
    parser.add_argument("--seed", type=int, default=152, help="of what we play; it deals by the clock")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep its decisions")
    return parser


if __name__ == "__main__":
    sys.exit(main())
