"""The chance to win that the coach says in the play, beside whole deals played from the same cards.

A position is a score, a seat's hand and discard, and a starter. The opponent's six cards are dealt at random
and discarded by the expert at that score; the deal is played by two experts, and its end is worth the chance
to win before the next deal. What the coach says at the seat's first card has the same average, if it is
right: a forecast that is true on average for all leads is off only by the error of simulation.

    python -m benchmarks.strength positions --games 1000 --random 100

plays a thousand deals from each of two positions that differ in the crib alone, and fifty from each of a
hundred random ones; a deal takes a seventh of a second. From random positions in mid-game as many deals show
by how many points the search's forecast of the pegging is too high, while it expects a habit.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random

import numpy as np

from benchmarks.figures import Figure
from benchmarks.opponents.known_deals import dealt
from benchmarks.strength.players import SEED
from engine import (
    PACK,
    TWO_HANDED,
    Card,
    Cards,
    Discard,
    Game,
    Pegged,
    PlayCard,
    PlayEnded,
    Seat,
    Stage,
    card,
    cards,
)
from engine.coach import advice, win_chances
from engine.computer import SKILLS, Level, choose_with
from engine.computer.cardplay import Lookout

_ME = Seat(0)
_OTHER = Seat(1)
_MID_GAME = 70
"""The scores below which nobody pegs out in the deal."""
_RANDOM_SHARE = 20
"""One in this many of the deals of a named position are played from a random one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One seat's cards before the play."""

    own: int
    other: int
    dealer: bool
    kept: Cards
    given: Cards
    starter: Card


@dataclass(frozen=True, slots=True)
class Compared:
    """The forecasts at the first card, and their outcomes."""

    said: tuple[float, ...]
    came: tuple[float, ...]

    @property
    def difference(self) -> float:
        """The excess of the forecast, in chance to win."""
        return statistics.mean(self.said) - statistics.mean(self.came)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        each = [said - came for said, came in zip(self.said, self.came, strict=True)]
        return statistics.stdev(each) / math.sqrt(len(each))


NEAR_HOME = {
    f"dealer at 105 to 110, {given} given": Position(
        own=105, other=110, dealer=True, kept=cards(kept), given=cards(given), starter=card("5S")
    )
    for given, kept in (("5D 5C", "2C 4H 7S QD"), ("KD 9S", "6H 7C 8D JD"))
}
"""Two positions with equal scores whose cribs are worth 13.6 and 5.6 points on average."""


def run(deals: int, positions: int, *, seed: int) -> list[Figure]:
    """Play that many deals from each position near home, and some from each of a number of random ones."""
    figures = [_figure(name, compared(here, deals, seed=seed)) for name, here in NEAR_HOME.items()]
    if positions:
        random = Random(seed)
        drawn = [
            compared(_drawn(random), max(deals // _RANDOM_SHARE, 2), seed=seed) for _ in range(positions)
        ]
        off = statistics.mean(each.difference**2 - each.error**2 for each in drawn)
        bias = statistics.mean(each.difference for each in drawn)
        figures += [
            Figure(f"{positions} random positions, too high by", f"{bias:.1%}"),
            Figure("  root mean square, without the error of simulation", f"{math.sqrt(max(off, 0)):.1%}"),
        ]
        figures += [
            Figure(f"the opponent holds {held}: pegging too high by", _with_error(points))
            for held, points in sorted(unforeseen(deals, random).items(), reverse=True)
        ]
    return figures


def unforeseen(deals: int, random: Random) -> dict[int, list[float]]:
    """By the opponent's cards at a choice of mine: the points of the forecast less those that came."""
    found: dict[int, list[float]] = {}
    for _ in range(deals):
        here = replace(_drawn(random), own=random.randrange(_MID_GAME), other=random.randrange(_MID_GAME))
        game, said = _dealt(here, random), list[tuple[int, float, tuple[int, ...]]]()
        while game.table.stage not in {Stage.SHOWING, Stage.DEALING}:
            seat = game.table.waiting_for[0]
            view = game.view(seat)
            if seat == _ME and Discard in view.legal_moves.kinds:
                game.apply(Discard(seat, here.given))
                continue
            if seat == _ME and len(view.legal_moves.playable) > 1:
                lookout = Lookout(
                    view, worlds=300, faith=0.5, by_score=True, random=np.random.default_rng(SEED)
                )
                points = max(each.worth for each in lookout.by_points(win=0.0))
                said.append((game.table.hand_sizes[_OTHER], points, game.table.scores))
            game.apply(choose_with(view, SKILLS[Level.EXPERT], seed=SEED))
        pegged = list(takewhile(lambda each: not isinstance(each, PlayEnded), game.log))
        mine, theirs = (
            sum(each.points for each in pegged if isinstance(each, Pegged) and each.seat == seat)
            for seat in (_ME, _OTHER)
        )
        for held, points, (own, other) in said:
            found.setdefault(held, []).append(points - (mine - own) + (theirs - other))
    return found


def _with_error(each: Sequence[float]) -> str:
    error = statistics.stdev(each) / math.sqrt(len(each))
    return f"{statistics.mean(each):.2f} ± {error:.2f} points"


def _figure(name: str, each: Compared) -> Figure:
    said, came = statistics.mean(each.said), statistics.mean(each.came)
    return Figure(
        name, f"said {said:.1%}, came {came:.1%}; too high by {each.difference:.1%} ± {each.error:.1%}"
    )


def _drawn(random: Random) -> Position:
    """A random position: any score, and the expert's own discard."""
    target = TWO_HANDED.target
    start = Position(
        own=random.randrange(target),
        other=random.randrange(target),
        dealer=random.random() < 0.5,
        kept=(),
        given=(),
        starter=PACK[0],
    )
    *dealt, starter = random.sample(PACK, 7)
    game = _dealt(replace(start, kept=tuple(dealt), starter=starter), random)
    given = choose_with(game.view(_ME), SKILLS[Level.EXPERT], seed=SEED)
    assert isinstance(given, Discard)
    kept = tuple(each for each in dealt if each not in given.cards)
    return replace(start, kept=kept, given=given.cards, starter=starter)


def compared(position: Position, deals: int, *, seed: int = 1) -> Compared:
    """Play that many deals from the position."""
    random = Random(seed)
    said: list[float] = []
    came: list[float] = []
    expert = SKILLS[Level.EXPERT]
    while len(said) < deals:
        game = _dealt(position, random)
        forecast: float | None = None
        while game.table.stage is not Stage.DEALING and not game.is_over:
            seat = game.table.waiting_for[0]
            view = game.view(seat)
            if seat == _ME and Discard in view.legal_moves.kinds:
                game.apply(Discard(seat, position.given))
                continue
            if seat == _ME and forecast is None and PlayCard in view.legal_moves.kinds:
                forecast = advice(view)[0].winning
            game.apply(choose_with(view, expert, seed=SEED))
        if forecast is None:
            continue  # the other side pegged out with its heels or its first card
        said.append(forecast)
        came.append(_chance(game))
    return Compared(tuple(said), tuple(came))


def _dealt(position: Position, random: Random) -> Game:
    """A game in which the first seat was dealt the position's cards, and the second anything."""
    mine = (*position.kept, *position.given)
    theirs = tuple(random.sample([each for each in PACK if each not in mine and each != position.starter], 6))
    return dealt(
        (mine, theirs),
        position.starter,
        dealer=_ME if position.dealer else _OTHER,
        scores=(position.own, position.other),
        random=random,
    )


def _chance(game: Game) -> float:
    """The chance of the first seat now that the deal is over."""
    return win_chances(game.log).by_deal[-1][game.rules.side_of(_ME)]
