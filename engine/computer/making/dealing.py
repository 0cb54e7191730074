"""Deals played by habit, 100,000 at once, and every point in the order in which it is pegged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.computer.habits import habit_for
from engine.computer.making.discarding import Learned
from engine.computer.numbers import Ints, Ranks
from engine.computer.plays import Plays, Terms, play_by_habit
from engine.computer.ranks import RANKS, counts_by_rank, holdings
from engine.computer.scorer import NO_CARD, Scorer
from engine.computer.tables import DEALER, OTHER
from engine.rules import Rules

NEVER = 10_000
"""More points than any game needs."""
_JACK = 10


@dataclass(frozen=True, slots=True)
class Played:
    """Many deals played to their end; the dealer is always seat 0."""

    steps: NDArray[np.int16]
    """[step, deal, side]: the points that each side has pegged by then, from heels to the crib."""
    pegs: Ranks
    """[deal, side]: the points that each side pegged in the play."""
    hands: Ranks
    """[deal, seat]: the points of each hand."""
    crib: Ranks
    """[deal]: the points of the crib."""
    kept: Ints
    """[deal, seat]: the number of the four ranks that it kept (`holdings(4)`)."""


def play_deals(rules: Rules, learned: Learned, number: int, random: np.random.Generator) -> Played:
    """Deals, discards as learned, plays by habit, and counts."""
    packs = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (number, 1)), axis=1)
    seats, dealt = rules.seats, rules.dealt
    kept, given = [], []
    for seat in range(seats):
        hand = np.sort(packs[:, seat * dealt : (seat + 1) * dealt], axis=1)
        keeps, gives = _discard(hand, learned, DEALER if seat == 0 else OTHER)
        kept.append(keeps)
        given.append(gives)
    used = seats * dealt
    crib = np.concatenate([*given, packs[:, used : used + rules.crib_from_pack]], axis=1)
    crib = np.pad(crib, ((0, 0), (0, 4 - crib.shape[1])), constant_values=NO_CARD)
    starter = packs[:, used + rules.crib_from_pack]
    hands = np.stack(kept, axis=1)
    scorer = Scorer(rules)
    steps = [np.zeros((number, rules.sides), dtype=np.int16)]
    steps[0][:, 0] = rules.his_heels * (starter >> 2 == _JACK)
    ranks = np.right_shift(hands, 2, dtype=np.uint8)
    played = _play(rules, ranks)
    pegs = played[-1].astype(np.uint8)
    steps += [each + steps[0] for each in played]
    worth = np.stack([scorer.points(hands[:, seat], starter) for seat in range(seats)], axis=1)
    of_crib = scorer.points(crib, starter, crib=True)
    for seat in (*range(1, seats), 0):
        steps.append(steps[-1].copy())
        steps[-1][:, seat % rules.sides] += worth[:, seat]
    steps.append(steps[-1].copy())
    steps[-1][:, 0] += of_crib
    numbers = np.stack([holdings(4).find(counts_by_rank(ranks[:, seat])) for seat in range(seats)], axis=1)
    return Played(np.stack(steps), pegs, worth, of_crib, numbers)


def _discard(hand: Ranks, learned: Learned, role: int) -> tuple[Ranks, Ranks]:
    """The cards that each sorted hand keeps, and those it discards, as learned for its ranks."""
    counts = counts_by_rank(np.right_shift(hand, 2, dtype=np.uint8))
    powers = 5 ** np.arange(RANKS, dtype=np.int64)
    codes = learned.dealt.counts @ powers
    order = np.argsort(codes)
    which = order[np.searchsorted(codes[order], counts @ powers)]
    choice = learned.best[role][which]
    size = hand.shape[1]
    places = np.array(learned.dealt.places)
    others = np.array([[place for place in range(size) if place not in gone] for gone in places.tolist()])
    return np.take_along_axis(hand, others[choice], axis=1), np.take_along_axis(hand, places[choice], axis=1)


def _play(rules: Rules, hands: Ranks) -> list[NDArray[np.int16]]:
    """The points by side after every step of the play."""
    terms = Terms.of(rules, (NEVER,) * rules.sides)
    plays = Plays(terms, hands, turn=1)
    return [plays.pegged.astype(np.int16) for _ in play_by_habit(plays, habit_for(rules))]
