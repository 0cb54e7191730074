"""Hands counted a second with the tables, and the time for a decision, both in CPU time of this process."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np

from benchmarks.figures import Figure, median, milliseconds, percentile
from benchmarks.strength.matches import Table, play
from benchmarks.strength.players import Player, player
from engine import TWO_HANDED, Discard, OwnMove, PlayCard, PlayerView
from engine.computer.numbers import Ranks
from engine.computer.scorer import Scorer
from engine.computer.series import table_for

_REPETITIONS = 3


def run(games: int, table: Table) -> list[Figure]:
    """Count every hand there is, then time the decisions of each level in `games` games at that table."""
    levels = ("learner", "beginner", "steady", "expert")
    return [*_scorer(), *(figure for level in levels for figure in _decisions(level, games, table))]


def _scorer() -> list[Figure]:
    hands, starters = every_hand()
    scorer = Scorer(TWO_HANDED)
    rates = []
    for _ in range(_REPETITIONS):
        before = time.process_time()
        points = scorer.points(hands, starters)
        rates.append(len(hands) / (time.process_time() - before))
    mean = float(points.mean())
    return [
        Figure("hands counted", f"{median(rates) / 1e6:,.0f} million/s", aim="more than 65 million/s"),
        Figure("their mean", f"{mean:.6f}", aim="4.769152"),
    ]


def every_hand() -> tuple[Ranks, Ranks]:
    """All 12,994,800 hands of four cards with a starter."""
    four = np.array(list(combinations(range(52), 4)), dtype=np.uint8)
    hands, starters = [], []
    for starter in range(52):
        without = four[(four != starter).all(axis=1)]
        hands.append(without)
        starters.append(np.full(len(without), starter, dtype=np.uint8))
    return np.concatenate(hands), np.concatenate(starters)


def _decisions(level: str, games: int, table: Table) -> list[Figure]:
    rules = table.rules
    table_for(rules)
    timed = _Timed(player(level))
    for seed in range(games):
        play(rules, (timed.move,) * rules.seats, seed, dealer=seed % rules.seats)
    return [
        Figure(
            f"{level}: {what}",
            f"median {milliseconds(median(times))}, 95th {milliseconds(percentile(times, 95))}, "
            f"most {milliseconds(max(times))}",
            aim=aim,
        )
        for what, times, aim in (
            ("a discard", timed.discards, "median under 1 ms"),
            ("a card with a choice", timed.cards, "95th under 20 ms"),
        )
    ]


class _Timed:
    """A player whose decisions are timed, except cards without a choice."""

    def __init__(self, one: Player) -> None:
        self._player = one
        self.discards: list[float] = []
        self.cards: list[float] = []

    def move(self, view: PlayerView) -> OwnMove:
        """Make the move."""
        before = time.process_time()
        move = self._player(view)
        took = time.process_time() - before
        if isinstance(move, Discard):
            self.discards.append(took)
        elif isinstance(move, PlayCard) and len({each.rank for each in view.legal_moves.playable}) > 1:
            self.cards.append(took)
        return move
