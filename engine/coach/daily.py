"""The daily hand: six cards from a seed, a close decision about them, and the value of each discard.

    for hand in proved_hands(seed): ...     # `None` for each step, then a hand whose best discard is known
    hand = clear_hand(seed)                 # at once: by reckoning alone
    grade_of(Reckoned.of(hand).cost_of(given))      # the grade of a discard

A hand is interesting if the choice is close and the count alone does not tell it. So six cards, dealer or not
and a score are drawn from the seed until

- the two discards (of different ranks) that win most often are also the two that are worth most points, less
  than one point apart,
- neither keeps as many points before the cut as another discard keeps,
- and the game is open: the best of them wins at least every fourth and at most three of four such games.

The expert's figures cannot tell two discards so close apart. The best three are therefore simulated, and a
hand whose best remains in doubt is passed over. A hand that is needed at once has its two best at least a
point apart instead.

It is the standard game for two, to 121. The cost of a discard is the difference between its chance to win and
the best one's: as simulated (`Evidence`), or by the expert's own figures at that score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import combinations
from random import Random
from typing import Final

from engine.cards import PACK, Card, Cards
from engine.coach.advice import throws_at
from engine.coach.simulation import Simulation, simulated
from engine.computer.chances import ScoreState
from engine.computer.throws import Throw
from engine.computer.version import PLAYER
from engine.counting import fifteens, pairs, runs
from engine.presets import TWO_HANDED

CLOSE: Final = 1.0
"""Limit (points) of the difference between the two best discards."""

PLAIN: Final = 0.5
"""Least difference (points) of the two best discards of a hand for practice."""

CANDIDATES: Final = 3
"""Number of discards that are simulated."""

BUDGET: Final = 60_000
"""Limit of simulated deals for one day: about a minute of one thread. It is no time, so that every machine
finds the same hand."""

_DEALT: Final = 6
_FARTHEST: Final = 116
"""Limit of the scores: five points or fewer from home, the decision is about the play alone."""
_OPEN: Final = (0.25, 0.75)
"""Range of the chance to win with the best discard: in a game all but decided, no discard matters."""
_KEPT_FLUSH: Final = 4

COST_UNIT: Final = 10_000
"""The unit of costs is a won game divided by this: 100 units are one percent."""


class Grade(Enum):
    """The grade of a discard by its cost in chance to win, best first."""

    TWENTY_NINE = "twenty-nine"
    """The best within 0.05 %, a rounding error: the perfect hand."""
    DOUBLE_RUN = "double run"
    """Less than 1 %, about half a point in the middle of a game."""
    FIFTEEN_TWO = "fifteen two"
    """Less than 3 %, about a point and a half."""
    HIS_NOBS = "his nobs"
    """Less than 6 %, about three points."""
    NINETEEN = "nineteen"
    """6 % or more: no hand counts nineteen, so players say "nineteen" for nothing at all."""


GRADE_LIMITS: Final = (
    (6, Grade.TWENTY_NINE),
    (100, Grade.DOUBLE_RUN),
    (300, Grade.FIFTEEN_TWO),
    (600, Grade.HIS_NOBS),
)
"""The cost (in units of 1/`COST_UNIT`) below which a discard has that grade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The figures of the simulation by which a hand was graded."""

    chances: tuple[tuple[Cards, float], ...] = field(repr=False)
    """Every discard and its chance to win, best first."""
    simulated: int
    """Number of discards that were played out."""
    margin: float
    """The difference in chance to win between the first and the second."""
    error: float
    """The standard error of the margin."""
    deals: int
    player: str
    """Version of the computer player that simulated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyHand:
    """Six cards and a choice. The cards are secret until the day has come, and do not print."""

    dealt: Cards = field(repr=False)
    """The six cards, in the order of the pack."""
    starter: Card = field(repr=False)
    """The card turned after the choice."""
    dealer: bool
    """True if the crib is the chooser's own."""
    own: int
    """The score of the player who chooses."""
    other: int
    """The opponent's score."""
    evidence: Evidence | None = None
    """`None` if the hand was not simulated."""

    @property
    def is_possible(self) -> bool:
        """True for seven different cards and a game that nobody has won: a stored hand may be damaged."""
        scores = range(TWO_HANDED.target)
        cards = {*self.dealt, self.starter}
        whole = len(self.dealt) == _DEALT and len(cards) == _DEALT + 1
        return whole and {self.own, self.other} <= {*scores} and self._has_every_discard

    @property
    def _has_every_discard(self) -> bool:
        if self.evidence is None:
            return True
        graded = [frozenset(given) for given, _ in self.evidence.chances]
        pairs_of = {frozenset(each) for each in combinations(self.dealt, 2)}
        return len(graded) == len(pairs_of) and {*graded} == pairs_of

    @property
    def score(self) -> ScoreState:
        """The holes that both need."""
        return ScoreState(TWO_HANDED.target - self.own, TWO_HANDED.target - self.other, self.dealer)

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Every way to discard by the expert's figures, best first. Takes about 1 ms."""
        return throws_at(self.dealt, TWO_HANDED, dealer=self.dealer, own=self.own, other=self.other)


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A daily hand with the value of each of its fifteen discards."""

    hand: DailyHand
    throws: tuple[Throw, ...] = field(repr=False)
    """The discards, best first."""

    @classmethod
    def of(cls, hand: DailyHand) -> Reckoned:
        """The hand with the chances that it was graded by; without evidence, the expert's."""
        if hand.evidence is None:
            return cls(hand, hand.throws)
        by_cards = {frozenset(each.given): each for each in hand.throws}
        graded = ((by_cards[frozenset(given)], chance) for given, chance in hand.evidence.chances)
        return cls(hand, tuple(replace(throw, winning=chance) for throw, chance in graded))

    def throw_of(self, given: Cards) -> Throw:
        """The discard of these two cards, in any order. Raises `ValueError` for any other cards."""
        if not self.has(given):
            raise ValueError("no such discard")
        return next(each for each in self.throws if {*each.given} == {*given})

    def has(self, given: Cards) -> bool:
        """True if these are two different cards of this hand."""
        return len(given) == 2 and len({*given}) == 2 and {*given} <= {*self.hand.dealt}

    def cost_of(self, given: Cards) -> int:
        """The cost of this discard in chance to win (units of 1/`COST_UNIT`); 0 for the best.

        Raises `ValueError`.
        """
        return _cost(self.throws[0], self.throw_of(given))


def grade_of(cost: int) -> Grade:
    """The grade of a discard by its cost (units of 1/`COST_UNIT`)."""
    return next((grade for limit, grade in GRADE_LIMITS if cost < limit), Grade.NINETEEN)


def close_hands(seed: bytes) -> Iterator[DailyHand]:
    """The close hands that follow from these bytes, without end: the same with every version of Python.

    Each takes 60 ms on average.
    """
    return (hand for hand in _drawn(seed) if is_interesting(hand.throws))


def clear_hand(seed: bytes) -> DailyHand:
    """The hand that follows from these bytes for a day without a simulated one."""
    return next(hand for hand in _drawn(seed) if is_interesting(hand.throws, is_clear=True))


def practice_hand(seed: bytes) -> DailyHand:
    """The hand for practice that follows from these bytes: the best discard is sure, the game open.

    Its two best discards (of different ranks) lie at least `PLAIN` apart, and the first wins most often, too.
    Takes about 5 ms.
    """
    return next(hand for hand in _drawn(seed) if _is_plain(hand.throws))


def proved_hands(seed: bytes) -> Iterator[DailyHand | None]:
    """`None` after each step of the search, then the first close hand whose best discard is known.

    The same for the same bytes. It ends without a hand if none is found within `BUDGET` deals.
    """
    spent = 0
    for number, hand in enumerate(close_hands(seed)):
        if spent >= BUDGET:
            return
        candidates = tuple(_of_different_ranks(hand.throws)[:CANDIDATES])
        simulation = None
        for simulation in simulated(candidates, hand.score, seed + number.to_bytes(4, "big")):  # noqa: B007
            yield None
        assert simulation is not None, "it has a step at least"
        spent += simulation.deals
        if simulation.is_clear:
            yield replace(hand, evidence=_evidence(hand.throws, simulation))
            return


def _evidence(throws: tuple[Throw, ...], simulation: Simulation) -> Evidence:
    """The chance with each discard, simulated for the candidates.

    Any other stands below one of them, by the expert's difference: the one of its ranks, or the last.
    """
    known = dict(zip(simulation.candidates, simulation.chances, strict=True))
    last = min(known.values())
    reckoned = min(each.winning or 0.0 for each in throws if each.given in known)
    by_ranks = {_ranks(each): each for each in throws if each.given in known}

    def chance(throw: Throw) -> float:
        if throw.given in known:
            return known[throw.given]
        alike = by_ranks.get(_ranks(throw))
        if alike is not None:
            return known[alike.given] - ((alike.winning or 0.0) - (throw.winning or 0.0))
        return max(last - (reckoned - (throw.winning or 0.0)), 0.0)

    chances = sorted(((each.given, chance(each)) for each in throws), key=lambda each: -each[1])
    return Evidence(
        chances=tuple(chances),
        simulated=len(known),
        margin=simulation.margin,
        error=simulation.error,
        deals=simulation.deals,
        player=PLAYER,
    )


def _drawn(seed: bytes) -> Iterator[DailyHand]:
    # Python guarantees only the sequence of `random()` across versions.
    random = Random(seed)
    while True:
        order = sorted(PACK, key=lambda _: random.random())
        yield DailyHand(
            dealt=tuple(sorted(order[:_DEALT])),
            starter=order[_DEALT],
            dealer=random.random() < 0.5,
            own=int(random.random() * _FARTHEST),
            other=int(random.random() * _FARTHEST),
        )


def is_interesting(throws: tuple[Throw, ...], *, is_clear: bool = False) -> bool:
    """True if the choice is close and matters, and the count of the kept cards does not decide it.

    `throws` are best first. With `is_clear` the best is at least `CLOSE` above the second instead.
    """
    first, second, *others = _of_different_ranks(throws)
    least, most_likely = _OPEN
    if first.winning is None or not least <= first.winning <= most_likely:
        return False
    rest = max((each.points for each in others), default=0.0)
    apart = first.points - second.points
    if min(first.points, second.points) < rest or (apart < CLOSE if is_clear else abs(apart) >= CLOSE):
        return False
    most = max(kept_points(each.kept) for each in throws)
    return kept_points(first.kept) < most and kept_points(second.kept) < most


def _is_plain(throws: tuple[Throw, ...]) -> bool:
    first, *others = _of_different_ranks(throws)
    least, most_likely = _OPEN
    is_open = first.winning is not None and least <= first.winning <= most_likely
    return is_open and all(first.points - each.points >= PLAIN for each in others)


def _of_different_ranks(throws: tuple[Throw, ...]) -> list[Throw]:
    """The best discard for each pair of ranks: a choice between two nines is none."""
    best: dict[tuple[int, ...], Throw] = {}
    for each in throws:
        best.setdefault(_ranks(each), each)
    return list(best.values())


def _ranks(throw: Throw) -> tuple[int, ...]:
    return tuple(sorted(card.rank for card in throw.given))


def kept_points(kept: Cards) -> int:
    """The points of four cards before the cut: fifteens, pairs, runs and a flush."""
    flush = _KEPT_FLUSH if len({each.suit for each in kept}) == 1 else 0
    return flush + sum(each.points for counted in (fifteens, pairs, runs) for each in counted(kept))


def _cost(best: Throw, made: Throw) -> int:
    return round(((best.winning or 0.0) - (made.winning or 0.0)) * COST_UNIT)
