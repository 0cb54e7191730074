"""Deals between two experts: what each hand that they kept pegged.

    python -m benchmarks.strength pegging --games 30000 --seed 11 --write

With `--write` the pegging in the computer's tables for two players is fitted to them, and the players learn
again to discard, now that they know what each hand pegs. It comes after `engine.computer.build`, whose
players peg by habit and do not think of it when they discard, and takes half an hour on one core.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import Figure
from benchmarks.strength.players import SEED
from engine import TWO_HANDED, Cards, Chance, Game, HandShown, Pegged, Reason, Seat, Source, Stage
from engine.computer import SKILLS, Level, choose_with
from engine.computer.making.correction import corrected
from engine.computer.making.discarding import learn
from engine.computer.making.expected import expected
from engine.computer.numbers import Floats, Ints
from engine.computer.ranks import counts_of, holdings, rank_of
from engine.computer.tables import FILE, UNITS, course_of, discarding_of, family_of

STANDARD = "2.standard"
"""The family that the experts play in."""
LIKE_IT = ("2.at_call", "2.last_too")
"""Families whose hands differ from those of that one by what they differ by habit."""

_IN_PLAY = frozenset({Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING})


def run(deals: int, seed: int, *, write: bool) -> list[Figure]:
    """Play that many deals, and fit the tables to them if `write`."""
    played = expert_deals(deals, seed)
    family = family_of(TWO_HANDED)
    pegging, keeps = course_of(family).pegging, discarding_of(family).keeps
    better = corrected(keeps, expected(keeps), played)
    if write:
        fit(Path(str(files("engine.computer").joinpath(FILE))), better)
    changed = float(np.sqrt(((better - pegging) ** 2).mean()))
    return [
        Figure("deals", str(len(played))),
        Figure("the tables' pegging changes by (rms)", f"{changed:.2f}"),
    ]


def fit(path: Path, better: Floats) -> None:
    """Write the tables with that pegging ([role, hand] in points), and the discards that follow from it."""
    with np.load(path) as loaded:
        stored = {name: loaded[name] for name in loaded.files}
    before = stored[f"{STANDARD}/pegging"].astype(np.float64)
    for family in (STANDARD, *LIKE_IT):
        name = f"{family}/pegging"
        fitted = better * UNITS["pegging"] + stored[name] - before
        stored[name] = np.rint(np.clip(fitted, -128, 127)).astype(np.int8)
    of_two = family_of(TWO_HANDED)
    learned = learn(of_two, stored[f"{STANDARD}/pegging"] / UNITS["pegging"]).discards
    for name in ("keeps", "throws", "beside"):
        stored[f"{of_two.discards}/{name}"] = getattr(learned, name).astype(np.float32)
    np.savez_compressed(path, allow_pickle=False, **stored)


def expert_deals(number: int, seed: int) -> Ints:
    """[deal, (the dealer's hand, the other's, the points by which the dealer pegged more)]."""
    random, rows = Random(seed), []
    for _ in range(number):
        game = _dealt(random)
        while game.table.stage in _IN_PLAY:
            _move(game)
        rows.append(_row(game))
    return np.array(rows, dtype=np.intp)


def _dealt(random: Random) -> Game:
    game = Game.new(TWO_HANDED, chance=Chance(random), dealer=Seat(0))
    game.play("0 deals")
    return game


def _move(game: Game) -> None:
    game.apply(choose_with(game.view(game.table.waiting_for[0]), SKILLS[Level.EXPERT], seed=SEED))


def _number_of(hand: Cards) -> int:
    """The number of its ranks in `holdings(4)`."""
    return int(holdings(4).find(counts_of([rank_of(each) for each in hand])[None, :])[0])


def _row(game: Game) -> tuple[int, int, int]:
    pegged, hands = [0, 0], [0, 0]
    is_shown = False
    for event in game.log:
        match event:
            case HandShown(seat, Source.HAND, those):
                is_shown = True
                hands[seat] = _number_of(those)
            case Pegged(seat, points, scores) if not is_shown:
                is_heels = any(each.reason is Reason.HEELS for each in scores)
                pegged[seat] += 0 if is_heels else points
            case _:
                pass
    return hands[0], hands[1], pegged[0] - pegged[1]
