"""The computer player: a seat's view and a seed in, a move out.

    move = choose(view, Level.EXPERT, seed=7)

The same view, level and seed give the same move. It sees a `PlayerView` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from engine import pegging
from engine.cards import Card, Cards
from engine.computer.cardplay import Lookout, needs_of
from engine.computer.chances import ScoreState
from engine.computer.claims import PLAYS, THROWS, call_of_muggins, chance_of, claim, own_claim
from engine.computer.levels import SKILLS, Level, Skill
from engine.computer.tables import FARTHEST, knows_course
from engine.computer.throws import Throw, thrower_for
from engine.moves import (
    CallMuggins,
    ClaimGame,
    ClaimHeels,
    Discard,
    LetStand,
    OwnMove,
    PlayCard,
)
from engine.scores import total
from engine.views import PlayerView, TableView

_T = TypeVar("_T")

_WIN = 20.0
"""Value (points) of winning to a player who goes by points and not by the chance to win."""


_TIE = 1e-9
"""Difference of worth below which sums of another processor may choose the other."""


def choose(view: PlayerView, level: Level, *, seed: int) -> OwnMove:
    """The move of a computer of this level. Raises `ValueError` when the seat has none."""
    return choose_with(view, SKILLS[level], seed=seed)


def calls_muggins(view: PlayerView, level: Level) -> bool:
    """True if a computer of this level calls muggins now; the game need not wait for it."""
    return call_of_muggins(view, SKILLS[level].attention) is not None


def choose_with(view: PlayerView, skill: Skill, *, seed: int) -> OwnMove:
    """The move of a computer of this skill. Raises `ValueError` when the seat has none."""
    return choices_with(view, skill, seed=seed)[0]


def choices_with(view: PlayerView, skill: Skill, *, seed: int) -> tuple[OwnMove, ...]:
    """The move of a computer of this skill, then those worth as much within 1e-9.

    Raises `ValueError` when the seat has none.
    """
    kinds = view.legal_moves.kinds - {ClaimGame, CallMuggins}
    if ClaimHeels in kinds:
        return (ClaimHeels(view.seat),)
    if (claimed := claim(view, skill.attention, seed=seed)) is not None:
        return (claimed,)
    if not kinds:
        raise ValueError("there is nothing to choose from")
    if Discard in kinds:
        return tuple(Discard(view.seat, given) for given in _given(view, skill, seed))
    if PlayCard in kinds:
        return tuple(_plays(view, skill, seed))
    if LetStand in kinds:
        return (LetStand(view.seat),)
    # Any other move needs no thought; the last of the cuts leaves the place to chance.
    return (next(move for move in reversed(view.legal_moves.moves) if type(move) in kinds),)


def has_chances(table: TableView) -> bool:
    """True if the chance to win is known: two sides, neither farther than `FARTHEST` from home.

    It is unknown where the tables do not know the course of a deal.
    """
    needs = needs_of(table)
    return knows_course(table.rules) and len(needs) == 2 and max(needs) <= FARTHEST


def throws_of(view: PlayerView) -> tuple[Throw, ...]:
    """Every way to discard from the hand in `view` while the crib is incomplete, with its value."""
    table = view.table
    rules = table.rules
    side, dealing = rules.side_of(view.seat), rules.side_of(table.dealer)
    score = None
    if has_chances(table):
        needs = needs_of(table)
        mine, theirs = needs[side], needs[1 - side]
        score = ScoreState(mine, theirs, dealing=side == dealing)
    return thrower_for(rules).throws(
        tuple(sorted((*view.hand, *view.discarded))),
        own_crib=side == dealing,
        dealer=view.seat == table.dealer,
        score=score,
    )


def _given(view: PlayerView, skill: Skill, seed: int) -> Iterator[Cards]:
    """The cards to discard, of equal choices the first; then those worth as much."""
    if skill.ponders < 1:
        random = chance_of(view.table, view.hand, THROWS, seed)
        if random.random() >= skill.ponders:
            number = view.table.rules.discarded
            places = sorted(random.choice(len(view.hand), number, replace=False))
            return iter((tuple(view.hand[place] for place in places),))
    throws = throws_of(view)
    sign = -1.0 if view.table.rules.low_wins else 1.0
    if not skill.weighs_crib:
        best = _best(throws, lambda throw: (sign * throw.average,))
    elif skill.weighs_score and throws[0].winning is not None:
        best = _best(throws, lambda throw: (throw.winning or 0.0, throw.points))
    else:
        best = _best(throws, lambda throw: (sign * throw.points,))
    return (throw.given for throw in best)


def _best(choices: Sequence[_T], worth: Callable[[_T], tuple[float, ...]]) -> tuple[_T, ...]:
    """The choice worth most, of equal ones the first; then those whose first figure ties with its own."""
    best = max(choices, key=worth)
    least = worth(best)[0] - _TIE
    return (best, *(each for each in choices if each is not best and worth(each)[0] >= least))


def _plays(view: PlayerView, skill: Skill, seed: int) -> Iterator[PlayCard]:
    """The card to play, with its points where muggins has them called; then those worth as much."""
    playable = view.legal_moves.playable
    series = tuple(each.card for each in view.table.series)
    rules = view.table.rules
    worth = {each: total(pegging.scores_in_play((*series, each), rules)) for each in playable}
    chosen: Sequence[Card] = playable[:1]
    if len({each.rank for each in playable}) > 1:
        needed = needs_of(view.table)[rules.side_of(view.seat)]
        winning = [each for each in playable if worth[each] >= needed and not rules.low_wins]
        if skill.worlds:
            chosen = winning[:1] or _looked_out(view, skill, seed)
        else:
            random = chance_of(view.table, (*series, *playable), PLAYS, seed) if skill.spots < 1 else None
            chosen = (_at_sight(worth, skill.spots, random, low_wins=rules.low_wins),)
    for card in chosen:
        points = None
        if rules.muggins:
            points = own_claim(view.table, (*series, card), None, skill.attention, seed=seed)
        yield PlayCard(view.seat, card, points)


def _at_sight(
    worth: dict[Card, int], spots: float, random: np.random.Generator | None, *, low_wins: bool
) -> Card:
    """The card of a player who looks no further: one that scores, or one that does not where low wins.

    `worth` has the points of each playable card; it sees those of a card with probability `spots`. `random`
    is needed where that is below 1.
    """
    playable = list(worth)
    scoring = [each for each in playable if worth[each]]
    if random is None:
        good = [each for each in playable if not worth[each]] if low_wins else scoring
        return good[0] if good else playable[-1]
    scoring = [each for each in scoring if random.random() < spots]
    if scoring and not low_wins:
        return scoring[0]
    good = [each for each in playable if each not in scoring] or playable
    return good[random.integers(len(good))]


def _looked_out(view: PlayerView, skill: Skill, seed: int) -> Cards:
    table = view.table
    number = sum(map(len, (*table.past_series, table.series)))
    random = np.random.default_rng([seed, table.deal_number, number])
    by_chance = skill.weighs_score and has_chances(table)
    lookout = Lookout(view, worlds=skill.worlds, faith=skill.faith, by_score=by_chance, random=random)
    worths = lookout.by_chance() if by_chance else lookout.by_points(win=_WIN)
    return tuple(each.card for each in _best(worths, lambda each: (each.worth,)))
