"""The points that each hand of four ranks pegs, against hands that good players keep; all play by habit."""

from __future__ import annotations

import numpy as np

from engine.computer.habits import habit_for
from engine.computer.making.dealing import NEVER
from engine.computer.numbers import Floats, Ints, Ranks
from engine.computer.plays import Plays, Terms, play_by_habit
from engine.computer.ranks import RANKS, holdings
from engine.computer.tables import DEALER, OTHER, Discards
from engine.rules import Rules

_AT_ONCE = 200
"""Hands played at once, so that the arrays stay small."""


def pegging(rules: Rules, discards: Discards, number: int, random: np.random.Generator) -> Floats:
    """[role, hand]: points pegged above the others' average, against the usual difference in that seat.

    Each hand is played `number` times. The others' hands are drawn one by one, as if they shared no cards.
    """
    return np.stack([_of_role(rules, discards, role, number, random) for role in (DEALER, OTHER)])


def _of_role(rules: Rules, discards: Discards, role: int, number: int, random: np.random.Generator) -> Floats:
    four = holdings(4)
    seats = np.zeros(number, dtype=np.intp) if role == DEALER else 1 + np.arange(number) % (rules.seats - 1)
    gained = np.empty(len(four))
    for hands in np.array_split(np.arange(len(four)), -(-len(four) // _AT_ONCE)):
        rows = np.concatenate([_drawn(rules, discards, int(hand), seats, random) for hand in hands])
        margins = _margins(rules, rows, np.tile(seats, len(hands)))
        gained[hands] = margins.reshape(len(hands), number).mean(axis=1)
    weights = discards.keeps[role] * four.ways(np.full(RANKS, 4))
    return np.asarray(gained - np.average(gained, weights=weights))


def _drawn(rules: Rules, discards: Discards, hand: int, seats: Ints, random: np.random.Generator) -> Ranks:
    """[row, seat]: the hand at the seat of each row, and hands drawn for the others."""
    four = holdings(4)
    left = four.ways(np.full(RANKS, 4) - four.counts[hand])
    rows = np.empty((len(seats), rules.seats, 4), dtype=np.uint8)
    for seat in range(rules.seats):
        weights = discards.keeps[DEALER if seat == 0 else OTHER] * left
        drawn = random.choice(len(four), size=len(seats), p=weights / weights.sum())
        rows[:, seat] = four.ranks[np.where(seats == seat, hand, drawn)]
    return rows


def _margins(rules: Rules, hands: Ranks, seats: Ints) -> Floats:
    """By row: the points of that seat's side above the other sides' average."""
    plays = Plays(Terms.of(rules, (NEVER,) * rules.sides), hands, turn=1)
    for _ in play_by_habit(plays, habit_for(rules)):
        pass
    own = plays.pegged[np.arange(len(hands)), plays.terms.side_of[seats]]
    others = (plays.pegged.sum(axis=1) - own) / (rules.sides - 1)
    return np.asarray(own - others)
