"""Duplicate matches: every sequence of deals is played twice, with the seats changed over.

Each pair of games has a seed, from which the deals follow whatever is played; the first deal goes to the
seats in turn. What a side wins of a pair is 0, 1/2 or 1, and the interval comes from how much pairs differ.
With three or four players all seats but the first are of the second kind, then the other way about in the
second game (partners: both seats of a side).
"""

from __future__ import annotations

import math
import multiprocessing
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from benchmarks.strength.players import Player, player
from engine import PRESETS, Cards, Chance, Game, Rules, Seat

Z = 1.96
"""Standard errors to either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played."""

    preset: str = "standard"
    seats: int = 2
    partners: bool | None = None
    target: int | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        changes = {"partners": self.partners, "target": self.target}
        given = {name: each for name, each in changes.items() if each is not None}
        return PRESETS[self.preset](self.seats, **given)


class Deals(Chance):
    """The same cards whatever is played: they follow from the seed and the number of the deal."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self._seed = seed
        self._number = 0

    def shuffled(self, pack: Cards) -> Cards:
        """The next deal's pack."""
        self._number += 1
        self._random = Random(f"{self._seed}/{self._number}")
        return super().shuffled(pack)


def play(rules: Rules, players: Sequence[Player], seed: int, dealer: int) -> Game:
    """One game to its end."""
    game = Game.new(rules, chance=Deals(seed), dealer=Seat(dealer))
    while game.table.result is None:
        seat = game.table.waiting_for[0]
        game.apply(players[seat](game.view(seat)))
    return game


@dataclass(frozen=True, slots=True)
class Score:
    """What came of a match, for the first of the two."""

    shares: tuple[float, ...]
    """Of each pair, the share of what equals would win that the first of them won: 1/2 is even."""

    @property
    def percent(self) -> float:
        """How many games of a hundred it won."""
        return 100 * statistics.mean(self.shares)

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval, in games of a hundred."""
        return 100 * Z * statistics.stdev(self.shares) / math.sqrt(len(self.shares))

    def __str__(self) -> str:
        return f"{self.percent:.1f} ± {self.error:.1f} % of {2 * len(self.shares):,} games"


def match(table: Table, first: str, second: str, *, pairs: int, jobs: int, begin: int = 0) -> Score:
    """Play so many pairs of games. `jobs` is how many processes share the work."""
    seeds = range(begin, begin + pairs)
    task = partial(_pair, table, first, second)
    if jobs == 1:
        return Score(tuple(map(task, seeds)))
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return Score(tuple(pool.imap(task, seeds, chunksize=8)))


def _pair(table: Table, first: str, second: str, seed: int) -> float:
    rules = table.rules
    ours, theirs = _player(first), _player(second)
    won = 0
    for side in range(2):
        is_ours = [_is_ours(rules, seat, side) for seat in range(rules.seats)]
        seats = [ours if each else theirs for each in is_ours]
        result = play(rules, seats, seed, dealer=seed % rules.seats).table.result
        assert result is not None, "a game is played to its end"
        won += is_ours[result.winner]
    return won / 2


def _is_ours(rules: Rules, seat: int, side: int) -> bool:
    if rules.sides == 2:
        return rules.side_of(Seat(seat)) == side
    return (seat == 0) != bool(side)


_PLAYERS: dict[str, Player] = {}


def _player(name: str) -> Player:
    return _PLAYERS.setdefault(name, player(name))
