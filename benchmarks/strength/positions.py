"""The chance to win that the coach says in the play, beside whole deals played from the same cards.

A position is a score, a seat's hand and discard, and a starter. The opponent's six cards are dealt at random
and discarded by the expert at that score; the deal is played by two experts, and its end is worth the chance
to win before the next deal. What the coach says at the seat's first card has the same average, if it is
right: a forecast that is true on average for all leads is off only by the error of simulation.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from benchmarks.strength.players import SEED
from engine import TWO_HANDED, Card, Cards, Chance, Discard, Game, Pegged, PlayCard, Seat, Stage
from engine.coach import advice, win_chances
from engine.computer import SKILLS, Level, choose_with

_T = TypeVar("_T")
_ME = Seat(0)
_OTHER = Seat(1)
_PLACE = 20
"""The place at which the pack is cut: the starter lies there."""


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
    """What was said at the first card, and what came of it."""

    said: tuple[float, ...]
    came: tuple[float, ...]

    @property
    def difference(self) -> float:
        """How much too high the forecast is, in chance to win."""
        return statistics.mean(self.said) - statistics.mean(self.came)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        each = [said - came for said, came in zip(self.said, self.came, strict=True)]
        return statistics.stdev(each) / math.sqrt(len(each))


class _Known(Chance):
    """Deals the position's cards to the first seat, and anything to the second."""

    def __init__(self, position: Position, random: Random) -> None:
        super().__init__(random)
        self._position = position

    def shuffled(self, pack: Cards, label: str) -> Cards:  # noqa: ARG002 -- every pack is alike
        """The pack, from the top."""
        here = self._position
        mine = [*here.kept, *here.given]
        others = [each for each in pack if each not in mine and each != here.starter]
        others = self._random.sample(others, len(others))
        theirs, rest = others[:6], others[6:]
        rest.insert(_PLACE, here.starter)
        first, second = (theirs, mine) if here.dealer else (mine, theirs)
        dealt = [card for pair in zip(first, second, strict=True) for card in pair]
        return (*dealt, *rest)

    def pick(self, choices: Sequence[_T], label: str) -> _T:  # noqa: ARG002 -- as above
        """The place of the starter."""
        return next(each for each in choices if each == _PLACE)


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
    chance = _Known(position, random)
    dealer = _ME if position.dealer else _OTHER
    begun = Game.new(TWO_HANDED, chance=chance, dealer=dealer)
    scores = [Pegged(seat, points, ()) for seat, points in ((_ME, position.own), (_OTHER, position.other))]
    game = Game.replay((*begun.log, *scores), chance=chance)
    game.play(f"{dealer} deals")
    return game


def _chance(game: Game) -> float:
    """The chance of the first seat now that the deal is over."""
    return win_chances(game.log).by_deal[-1][game.rules.side_of(_ME)]
