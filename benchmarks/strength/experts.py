"""Deals between two experts, and what each hand that they kept pegged.

    python -m benchmarks.strength pegging --games 9000 --seed 11 --write

With `--write` they correct the pegging in the computer's tables for two players. It comes after
`engine.computer.build`, whose players peg by habit, and takes five minutes on one core.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import Figure
from benchmarks.strength.players import SEED
from engine import TWO_HANDED, Chance, Game, HandShown, Pegged, Reason, Seat, Source, Stage
from engine.computer import SKILLS, Level, choose_with
from engine.computer.making.correction import corrected
from engine.computer.numbers import Ints
from engine.computer.ranks import counts_of, holdings, rank_of
from engine.computer.tables import FILE, UNITS, course_of, discarding_of, family_of

CORRECTED = ("2.standard", "2.at_call", "2.last_too")
"""The families whose players peg as at a standard table for two, or nearly."""

_IN_PLAY = frozenset({Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING})


def run(deals: int, seed: int, *, write: bool) -> list[Figure]:
    """Play that many deals, and correct the tables if `write`."""
    played = expert_deals(deals, seed)
    family = family_of(TWO_HANDED)
    pegging = course_of(family).pegging
    better = corrected(pegging, discarding_of(family).keeps, played)
    if write:
        correct(Path(str(files("engine.computer").joinpath(FILE))), played)
    changed = float(np.sqrt(((better - pegging) ** 2).mean()))
    return [
        Figure("deals", str(len(played))),
        Figure("the tables' pegging changes by (rms)", f"{changed:.2f}"),
    ]


def correct(path: Path, played: Ints) -> None:
    """Write the tables with their pegging corrected by deals as `expert_deals` has them."""
    with np.load(path) as loaded:
        stored = {name: loaded[name] for name in loaded.files}
    keeps = stored["2/keeps"].astype(np.float64)
    for family in CORRECTED:
        own = stored[f"{family}/pegging"].astype(np.float64) / UNITS["pegging"]
        fitted = corrected(own, keeps, played) * UNITS["pegging"]
        stored[f"{family}/pegging"] = np.rint(np.clip(fitted, -128, 127)).astype(np.int8)
    np.savez_compressed(path, allow_pickle=False, **stored)


def expert_deals(number: int, seed: int) -> Ints:
    """[deal, (the dealer's hand, the other's, the points by which the dealer pegged more)]."""
    random, rows = Random(seed), []
    for _ in range(number):
        game = Game.new(TWO_HANDED, chance=Chance(random), dealer=Seat(0))
        game.play("0 deals")
        while game.table.stage in _IN_PLAY:
            seat = game.table.waiting_for[0]
            game.apply(choose_with(game.view(seat), SKILLS[Level.EXPERT], seed=SEED))
        rows.append(_row(game))
    return np.array(rows, dtype=np.intp)


def _row(game: Game) -> tuple[int, int, int]:
    pegged, hands = [0, 0], [0, 0]
    is_shown = False
    for event in game.log:
        match event:
            case HandShown(seat, Source.HAND, those):
                is_shown = True
                hands[seat] = int(holdings(4).find(counts_of([rank_of(each) for each in those])[None, :])[0])
            case Pegged(seat, points, scores) if not is_shown:
                is_heels = any(each.reason is Reason.HEELS for each in scores)
                pegged[seat] += 0 if is_heels else points
            case _:
                pass
    return hands[0], hands[1], pegged[0] - pegged[1]
