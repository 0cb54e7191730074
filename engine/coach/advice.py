"""Every choice of discard or card to play, with its expected value, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card, Cards
from engine.computer.cardplay import Lookout
from engine.computer.chances import ScoreState
from engine.computer.levels import SKILLS, Level
from engine.computer.player import has_chances, throws_of
from engine.computer.tables import FARTHEST, knows_course
from engine.computer.throws import Throw, thrower_for
from engine.errors import NotCoached
from engine.moves import Discard, PlayCard
from engine.rules import MOST_USUAL_SEATS, Rules
from engine.views import PlayerView

_SEED = 15


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card that could be played. It is private and does not print."""

    card: Card = field(repr=False)
    points: float
    """Points pegged by the player's side until the play is over, less those of the others."""
    winning: float | None
    """The chance to win, 0 to 1; `None` where it is not known, as with more than two sides."""
    soon: float = 0.0
    """Those of the points that are pegged before the player's next turn."""


Choice = Throw | CardChoice
"""A player's choice: cards for the crib, or a card to play."""


def best_first(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices sorted by the chance to win where it is known, and by points among equals."""
    return tuple(sorted(choices, key=lambda each: (each.winning or 0.0, each.points), reverse=True))


def throws_for(dealt: Cards, rules: Rules, *, dealer: bool) -> tuple[Throw, ...]:
    """Every way to discard of these cards, far from the end of a game, best first.

    `dealer` is true if the player deals; a partner's crib counts as an opponent's.
    """
    throws = thrower_for(rules).throws(dealt, own_crib=dealer, dealer=dealer, score=None)
    return tuple(sorted(throws, key=lambda each: each.points, reverse=True))


def throws_at(dealt: Cards, rules: Rules, *, dealer: bool, own: int, other: int) -> tuple[Throw, ...]:
    """Every way to discard of these cards for two players at that score, best first. Takes about 1 ms.

    `dealer` is true if the player deals; `own` and `other` are the scores. The chance to win is unknown where
    `player.has_chances` is false.
    """
    mine, theirs = rules.target - own, rules.target - other
    score = None
    if knows_course(rules) and max(mine, theirs) <= FARTHEST:
        score = ScoreState(mine, theirs, dealing=dealer)
    throws = thrower_for(rules).throws(tuple(sorted(dealt)), own_crib=dealer, dealer=dealer, score=score)
    return tuple(each for each in best_first(throws) if isinstance(each, Throw))


def throws_now(view: PlayerView) -> tuple[Throw, ...]:
    """Every way to discard at this table and score, best first."""
    return tuple(each for each in best_first(throws_of(view)) if isinstance(each, Throw))


def cards_now(view: PlayerView) -> tuple[CardChoice, ...]:
    """Every card that can be played, best first."""
    table = view.table
    number = sum(map(len, (*table.past_series, table.series)))
    random = np.random.default_rng([_SEED, table.deal_number, number])
    expert = SKILLS[Level.EXPERT]
    by_chance = has_chances(table)
    lookout = Lookout(view, worlds=expert.worlds, faith=expert.faith, by_score=by_chance, random=random)
    points = {each.card: each.worth for each in lookout.by_points(win=0.0)}
    winning: dict[Card, float] = {}
    if by_chance:
        winning = {each.card: each.worth for each in lookout.by_chance()}
    soon = lookout.before_my_next()
    choices = [CardChoice(card, worth, winning.get(card), soon[card]) for card, worth in points.items()]
    return tuple(each for each in best_first(choices) if isinstance(each, CardChoice))


def require_known(rules: Rules) -> None:
    """Raises `NotCoached` for a game that the coach does not know: its figures would be another game's."""
    if rules.low_wins or rules.captain is not None or rules.seats > MOST_USUAL_SEATS:
        raise NotCoached


def advice(view: PlayerView) -> tuple[Choice, ...]:
    """The choices of the moment, best first; nothing where there is nothing to decide.

    Raises `NotCoached`.
    """
    require_known(view.table.rules)
    kinds = view.legal_moves.kinds
    if Discard in kinds:
        return throws_now(view)
    if PlayCard in kinds:
        return cards_now(view)
    return ()
