"""Duplicate matches: every sequence of deals is played twice, with the seats exchanged.

Each pair of games has a seed that determines the deals, no matter what is played; the seats deal first in
turn. A side's share of a pair is 0, 1/2 or 1, and the interval follows from the variance of pairs. All sides
except the first have the second kind of player, and in the second game the other way round (partners: all
seats of a side). So equal players have 1/2 with any number of sides, and with a captain, who is the first.
The more sides there are, the less the winner of a pair tells; the points that a side is ahead by tell more.
"""

from __future__ import annotations

import math
import multiprocessing
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeVar

from benchmarks.strength.players import Player, player
from engine import PRESETS, Cards, Chance, Game, Pegged, Rules, Seat, StarterCut

_T = TypeVar("_T")

Z = 1.96
"""Standard errors to either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rules of a match."""

    preset: str = "standard"
    seats: int = 2
    partners: bool | None = None
    target: int | None = None
    players_a_side: int | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        changes = {
            "partners": self.partners,
            "target": self.target,
            "players_a_side": self.players_a_side,
        }
        given = {name: each for name, each in changes.items() if each is not None}
        return PRESETS[self.preset](self.seats, **given)


class Deals(Chance):
    """Deals that depend only on the seed and the number of the deal, not on what is played."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self._seed = seed

    def shuffled(self, pack: Cards, label: str) -> Cards:
        """The pack of that label."""
        return Chance(self._from(label)).shuffled(pack, label)

    def pick(self, choices: Sequence[_T], label: str) -> _T:
        """The choice of that label."""
        return Chance(self._from(label)).pick(choices, label)

    def _from(self, label: str) -> Random:
        return Random(f"{self._seed}/{label}")


def play(rules: Rules, players: Sequence[Player], seed: int, dealer: int) -> Game:
    """One game to its end."""
    game = Game.new(rules, chance=Deals(seed), dealer=Seat(dealer))
    while game.table.result is None:
        seat = game.table.waiting_for[0]
        game.apply(players[seat](game.view(seat)))
    return game


@dataclass(frozen=True, slots=True)
class Score:
    """The result of a match for the first of the two."""

    wins: tuple[tuple[bool, bool], ...]
    """By pair: true if the first one won as the first side, and if it won as all the others."""
    leads: tuple[float, ...] = ()
    """By pair: half the points a deal that the first side gains on the others' average when the first of the
    two plays it in place of the second."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Its share of each pair; 1/2 is even."""
        return tuple(sum(each) / 2 for each in self.wins)

    @property
    def ways(self) -> tuple[float, float]:
        """The percentages of games won as the first side, and as all the others."""
        alone, together = (100 * statistics.mean(way) for way in zip(*self.wins, strict=True))
        return alone, together

    @property
    def percent(self) -> float:
        """The percentage of games won."""
        return 100 * statistics.mean(self.shares)

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval, in percentage points."""
        return 100 * Z * statistics.stdev(self.shares) / math.sqrt(len(self.shares))

    def __str__(self) -> str:
        alone, together = self.ways
        by_way = f"as the first side {alone:.1f} %, as the others {together:.1f} %"
        said = f"{self.percent:.1f} ± {self.error:.1f} % of {2 * len(self.wins):,} games ({by_way})"
        if self.leads:
            error = Z * statistics.stdev(self.leads) / math.sqrt(len(self.leads))
            said += f"; {statistics.mean(self.leads):+.2f} ± {error:.2f} points a deal"
        return said


def match(table: Table, first: str, second: str, *, pairs: int, jobs: int, begin: int = 0) -> Score:
    """Play that number of pairs of games. `jobs` is the number of processes that share the work."""
    seeds = range(begin, begin + pairs)
    task = partial(_pair, table, first, second)
    if jobs == 1:
        return _score(map(task, seeds))
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return _score(pool.imap(task, seeds, chunksize=8))


def _score(pairs: Iterable[tuple[tuple[bool, bool], float]]) -> Score:
    wins, leads = zip(*pairs, strict=True)
    return Score(wins, leads)


def _pair(table: Table, first: str, second: str, seed: int) -> tuple[tuple[bool, bool], float]:
    """True for each way round in which the first one won, and its lead: see `Score`."""
    rules = table.rules
    ours, theirs = _player(first), _player(second)
    sides = [rules.side_of(Seat(seat)) for seat in range(rules.seats)]
    winners, leads = [], []
    for players in ((ours, theirs), (theirs, ours)):
        seats = [players[side != 0] for side in sides]
        game = play(rules, seats, seed, dealer=seed % rules.seats)
        assert game.table.result is not None, "a game is played to its end"
        winners.append(game.table.result.winner)
        leads.append(_lead(game))
    return (winners[0] == 0, winners[1] != 0), (leads[0] - leads[1]) / 2


def _lead(game: Game) -> float:
    """Points a deal by which the first side is ahead of the others' average."""
    rules, deals = game.rules, 0
    points = [0] * rules.sides
    for event in game.log:
        match event:
            case Pegged():
                points[rules.side_of(event.seat)] += event.points
            case StarterCut():
                deals += 1
    return (points[0] - statistics.mean(points[1:])) / deals


_PLAYERS: dict[str, Player] = {}


def _player(name: str) -> Player:
    return _PLAYERS.setdefault(name, player(name))
