"""The best discard of a daily hand by simulation: each candidate is played out on the same deals.

    for simulation in simulated(candidates, score, seed): ...    # one step of `STEP` deals each
    simulation.is_clear                                          # the best is known

In each deal the other player's six cards and the starter are drawn at random, the other discards by the
expert at this score, both play by habit, and the show is counted with the real crib. The outcome is the
chance to win at the scores before the next deal. All candidates meet the same deals (common random numbers),
so the error of their difference is small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.cards import PACK, Cards
from engine.computer.chances import ScoreState
from engine.computer.habits import habit_for
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.plays import Plays, Terms, play_by_habit
from engine.computer.ranks import number_of
from engine.computer.scorer import Scorer
from engine.computer.tables import DEALER, OTHER, family_of
from engine.computer.throws import Throw, chances_of, thrower_for
from engine.presets import TWO_HANDED

CERTAIN: Final = 3.0
"""The least margin, in standard errors, at which the best discard counts as known."""

STEP: Final = 100
"""Deals of one step."""

_LOOKS: Final = (1_000, 2_000, 4_000, 8_000)
"""Numbers of deals at which the margin is judged: each further look would make a false best likelier."""

_NUMBERED: Final = {number_of(each): each for each in PACK}
_JACK: Final = 10


@dataclass(frozen=True, slots=True)
class Simulation:
    """The outcomes of the candidates so far."""

    candidates: tuple[Cards, ...] = field(repr=False)
    """The discards that were played out."""
    outcomes: Floats = field(repr=False)
    """[deal, candidate]: the chance to win after the deal."""

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.outcomes)

    @property
    def chances(self) -> tuple[float, ...]:
        """The chance to win with each candidate."""
        return tuple(self.outcomes.mean(axis=0).tolist())

    @property
    def margin(self) -> float:
        """The difference in chance to win between the best and the second."""
        return float(self._differences[:, 0].mean())

    @property
    def error(self) -> float:
        """The standard error of the margin."""
        return float(_errors(self._differences)[0])

    @property
    def is_clear(self) -> bool:
        """True if the best is at least `CERTAIN` standard errors above each other candidate."""
        margins, errors = self._differences.mean(axis=0), _errors(self._differences)
        return bool(((margins > 0) & (margins >= CERTAIN * errors)).all())

    @property
    def _differences(self) -> Floats:
        """[deal, candidate]: the best less each other one, from the second down."""
        best, *others = np.argsort(-self.outcomes.mean(axis=0), kind="stable")
        return np.asarray(self.outcomes[:, [best]] - self.outcomes[:, others])


def simulated(candidates: tuple[Throw, ...], score: ScoreState, seed: bytes) -> Iterator[Simulation]:
    """Each step's result until the best is clear, or the last look is over; the same for the same seed.

    `candidates` are two or more discards of the same six cards. A step takes about 0.1 s.
    """
    random = np.random.default_rng(np.frombuffer(seed, dtype=np.uint8))
    given, outcomes = tuple(each.given for each in candidates), np.empty((0, len(candidates)))
    while len(outcomes) < _LOOKS[-1]:
        outcomes = np.concatenate([outcomes, _played_out(candidates, score, random)])
        yield (now := Simulation(given, outcomes))
        if now.deals in _LOOKS and now.is_clear:
            return


def _played_out(candidates: tuple[Throw, ...], score: ScoreState, random: np.random.Generator) -> Floats:
    """[deal, candidate]: the chance to win after each of `STEP` random deals."""
    mine = {number_of(each) for each in (*candidates[0].kept, *candidates[0].given)}
    unseen = np.array([each for each in range(len(PACK)) if each not in mine], dtype=np.uint8)
    hidden = random.permuted(np.tile(unseen, (STEP, 1)), axis=1)[:, : len(mine) + 1]
    starter, theirs = hidden[:, -1], np.sort(hidden[:, :-1], axis=1)
    other = ScoreState(score.theirs, score.mine, not score.dealing)
    chosen = [_expert_throw(row, other) for row in theirs.tolist()]
    kept, given = (_numbers([getattr(each, name) for each in chosen]) for name in ("kept", "given"))
    columns = []
    for each in candidates:
        own = np.tile(_numbers([each.kept]), (STEP, 1))
        crib = np.concatenate([np.tile(_numbers([each.given]), (STEP, 1)), given], axis=1)
        hands = np.stack([own, kept] if score.dealing else [kept, own], axis=1)
        needs = np.array([score.mine, score.theirs] if score.dealing else [score.theirs, score.mine])
        dealers = _dealers_chance(hands, crib, starter, needs)
        columns.append(dealers if score.dealing else 1.0 - dealers)
    return np.stack(columns, axis=1)


def _expert_throw(dealt: list[int], score: ScoreState) -> Throw:
    six = tuple(_NUMBERED[each] for each in dealt)
    throws = thrower_for(TWO_HANDED).throws(six, own_crib=score.dealing, dealer=score.dealing, score=score)
    return max(throws, key=lambda each: each.winning or 0.0)


def _dealers_chance(hands: Ranks, crib: Ranks, starter: Ranks, needs: Ints) -> Floats:
    """The dealer's chance to win after the play and the show; `hands` are the dealer's and the other's."""
    scorer, chances = Scorer(TWO_HANDED), chances_of(family_of(TWO_HANDED))
    gained = np.zeros((len(hands), 2), dtype=np.intp)
    won = np.empty(len(hands), dtype=np.intp)
    heels = TWO_HANDED.his_heels * (starter >> 2 == _JACK)
    for points in np.unique(heels).tolist():
        rows = np.flatnonzero(heels == points)
        before = np.array([points, 0])
        plays = _pegged(np.right_shift(hands[rows], 2, dtype=np.uint8), needs - before)
        gained[rows], won[rows] = plays.pegged + before, plays.won
    for seat in (OTHER, DEALER):
        gained[:, seat] += scorer.points(hands[:, seat], starter)
    gained[:, DEALER] += scorer.points(crib, starter, crib=True)
    left = needs - gained
    after = chances.after_crib(left[:, DEALER], left[:, OTHER])
    return np.where(won < 0, after, (won == DEALER).astype(float))


def _pegged(ranks: Ranks, needs: Ints) -> Plays:
    """The plays at their end, or where one side is home."""
    plays = Plays(Terms.of(TWO_HANDED, tuple(needs.tolist())), ranks, turn=OTHER)
    for _ in play_by_habit(plays, habit_for(TWO_HANDED)):
        pass
    return plays


def _errors(differences: Floats) -> Floats:
    return np.asarray(differences.std(axis=0, ddof=1) / np.sqrt(len(differences)))


def _numbers(rows: list[Cards]) -> Ranks:
    return np.array([[number_of(each) for each in row] for row in rows], dtype=np.uint8)
