"""`python -m engine.computer.build` rebuilds the computer's tables.

For every family of rules, players learn to discard (`making.discarding`, exact, without chance), and 60,000
deals from the seed 152 are played by habit; from these follow the points pegged and the chance to win at
every score. The file depends only on the version of numpy. Takes about a quarter of an hour on one core. Then
`python -m benchmarks.strength pegging` corrects the pegging for two players by deals between experts, and the
discards that follow from it.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.computer.making.course import course
from engine.computer.making.dealing import Played, play_deals
from engine.computer.making.discarding import Learned, learn
from engine.computer.making.pegging import pegging
from engine.computer.numbers import Floats
from engine.computer.tables import DEALER, FAMILIES, FILE, OTHER, UNITS, Discards, Family, Manner
from engine.presets import standard
from engine.rules import GoScoring, Rules

SEED = 152
DEALS = 60_000
HANDS = 2_000
"""Times that each hand is played to learn its pegging, a quarter of it with more than two players: the random
error is 0.06 points, and 0.12."""

Stored = dict[str, NDArray[np.generic]]


def main() -> int:
    """Makes the file, and prints its contents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help="deals for each family")
    parser.add_argument("--hands", type=int, default=HANDS, help="times that each hand of four is played")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name(FILE))
    asked = parser.parse_args()
    began = time.monotonic()
    stored: Stored = {}
    for family in FAMILIES:
        stored |= tables_of(family, deals=asked.deals, hands=asked.hands, seed=asked.seed)
        sys.stdout.write(f"{time.monotonic() - began:6.1f} s  {family.name}\n")
    np.savez_compressed(asked.to, allow_pickle=False, **stored)
    sys.stdout.write(f"{asked.to.stat().st_size:,} bytes\n")
    return 0


def tables_of(family: Family, *, deals: int, hands: int, seed: int) -> Stored:
    """All tables of one family, by name; `hands` as `HANDS` has it."""
    rules = rules_of(family)
    learned = learn(family)
    played = play_deals(rules, learned, deals, np.random.default_rng(seed))
    learned_better = replace(learned.discards, bias=_bias(learned, played))
    number = hands if family.seats == 2 else hands // 4
    pegged = pegging(rules, learned.discards, number, np.random.default_rng(seed))
    of_course = course(rules, played, pegged)
    stored: Stored = {}
    for each in fields(Discards):
        stored[f"{family.discards}/{each.name}"] = getattr(learned_better, each.name).astype(np.float32)
    for each in fields(of_course):
        stored[f"{family.name}/{each.name}"] = getattr(of_course, each.name).astype(np.float32)
    stored[f"{family.name}/win"] = np.rint(of_course.win * UNITS["win"]).astype(np.uint16)
    in_units = np.clip(of_course.pegging * UNITS["pegging"], -128, 127)
    stored[f"{family.name}/pegging"] = np.rint(in_units).astype(np.int8)
    return stored


def rules_of(family: Family) -> Rules:
    """Standard rules with the options of that family."""
    changes: dict[str, object] = {}
    match family.manner:
        case Manner.AT_CALL:
            changes["go_scoring"] = GoScoring.AT_CALL
        case Manner.QUIET:
            changes |= {"pairs_in_play": False, "runs_in_play": False, "his_heels": 1, "his_nobs": 0}
        case Manner.LAST_TOO:
            changes["thirty_one_plus_last"] = True
        case Manner.STANDARD:
            pass
    if not family.full_crib:
        changes["crib_from_pack"] = 0
    return standard(family.seats, partners=family.partners, **changes)


def _bias(learned: Learned, played: Played) -> Floats:
    """By role: the crib's average points less the points that the players expected."""
    dealt, real = learned.dealt, float(played.crib.mean())
    every = np.arange(len(dealt.ways))
    result = []
    for role in (DEALER, OTHER):
        best = learned.best[role]
        expected = learned.cribs[role][every, best] @ dealt.ways / dealt.ways.sum()
        result.append(real - expected)
    return np.array(result)


if __name__ == "__main__":
    sys.exit(main())
