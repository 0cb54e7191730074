"""The first card of the play, as a player who looks ahead leads it from each hand."""

from __future__ import annotations

import numpy as np

from engine.cards import PACK, Card, Cards
from engine.computer.habits import habit_for
from engine.computer.making.discarding import Learned
from engine.computer.memory import Memory
from engine.computer.numbers import Floats
from engine.computer.outcomes import ByPoints
from engine.computer.plays import Plays, Terms
from engine.computer.ranks import RANKS, holdings
from engine.computer.search import Search
from engine.computer.tables import DEALER
from engine.computer.worlds import Guess, worlds_for
from engine.rules import Rules
from engine.seats import Seat, Side

WORLDS = 200
"""Worlds looked over for each hand."""
_FAR = 10_000
"""More points than any side needs."""
_PONE = Seat(1)


def leads(rules: Rules, learned: Learned, random: np.random.Generator) -> Floats:
    """[hand of four ranks, rank]: the points that a lead pegs above the opponent's; -inf if not held.

    For a game for two. The pone has given what it most often gives with that hand, and sees no starter.
    """
    four = holdings(4)
    pairs = _usual_pairs(learned)
    terms = Terms.of(rules, (_FAR, _FAR))
    habit = habit_for(rules)
    guess = Guess(terms.table, habit, 0.0)
    keeps = {1 - _PONE: learned.discards.keeps[DEALER]}
    worth = ByPoints(Side(1), 2, 0.0)
    result = np.full((len(four), RANKS), -np.inf)
    for number in range(len(four)):
        hand = _cards_of([*four.ranks[number].tolist()])
        seen = _cards_of([*four.ranks[number].tolist(), *pairs[number]])
        memory = Memory(_PONE, hand, (), (4, 4), (), seen)
        worlds = worlds_for(guess, memory, keeps, WORLDS, random)
        plays = Plays(terms, worlds.held, turn=_PONE)
        for rank, value in Search(_PONE, habit, worlds.weights, worth).values(plays).items():
            result[number, rank] = value
    return result


def _usual_pairs(learned: Learned) -> list[list[int]]:
    """By hand of four ranks: the two that the pone most often gives with it."""
    pairs = holdings(2)
    times = np.zeros((len(holdings(4)), len(pairs)))
    used = learned.used[1] * learned.dealt.ways[:, None]
    np.add.at(times, (learned.dealt.kept, learned.dealt.given), used)
    return [[int(rank) for rank in pairs.ranks[each]] for each in times.argmax(axis=1)]


def _cards_of(ranks: list[int]) -> Cards:
    """Cards of these ranks, no two the same."""
    left = sorted(PACK)
    result: list[Card] = []
    for rank in ranks:
        found = next(each for each in left if each.rank.value - 1 == rank)
        left.remove(found)
        result.append(found)
    return tuple(result)
