"""The expert against itself: points a deal by role and source, and how often the first dealer wins."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.figures import Figure
from benchmarks.strength.matches import Table, Z, play
from benchmarks.strength.players import player
from engine import DealBegan, DealEnded, HandCounted, Pegged, Reason, Seat, Source
from engine.secret_events import LoggedEvent

FAR = 4
"""Deals from a game's beginning that count: later, points are not all that the expert plays for."""

_PUBLISHED = {
    ("pone", "hand"): "8.0 to 8.1",
    ("pone", "pegging"): "2.0 to 2.3",
    ("dealer", "hand"): "8.0",
    ("dealer", "crib"): "4.7",
    ("dealer", "pegging"): "3.5",
    ("dealer", "heels"): "0.15",
    ("pone", "all"): "10.1 to 10.3",
    ("dealer", "all"): "16.2 to 16.4",
}
"""Published figures: Chambers and Colvert (cribbage.org), and a strong program's self-play, 400,000 deals."""


@dataclass(slots=True)
class Tally:
    """The points pegged in whole deals, and who won."""

    deals: int = 0
    points: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By role and source."""
    games: int = 0
    first_dealer_won: int = 0

    def add(self, other: Tally) -> None:
        """Add the figures of another one."""
        self.deals += other.deals
        self.points += other.points
        self.games += other.games
        self.first_dealer_won += other.first_dealer_won

    def count_deals(self, log: Iterable[LoggedEvent]) -> None:
        """Add the first whole deals of a game."""
        dealer = Seat(0)
        pegged: Counter[tuple[str, str]] = Counter()
        source = "pegging"
        begun = 0
        for event in log:
            match event:
                case DealBegan(seat, number):
                    dealer, pegged, source, begun = seat, Counter(), "pegging", number
                case HandCounted(_, shown):
                    source = "crib" if shown is Source.CRIB else "hand"
                case Pegged(seat, points, scores):
                    role = "dealer" if seat == dealer else "pone"
                    is_heels = any(score.reason is Reason.HEELS for score in scores)
                    pegged[role, "heels" if is_heels else source] += points
                    pegged[role, "all"] += points
                case DealEnded() if begun <= FAR:
                    self.deals += 1
                    self.points += pegged
                case _:
                    pass


def run(name: str, games: int, jobs: int, *, begin: int = 0) -> list[Figure]:
    """Play `games` games of a player against itself, the first from the seed `begin`."""
    tally = Tally()
    tasks = ((name, begin + number) for number in range(games))
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for each in pool.imap_unordered(_game, tasks, chunksize=8):
            tally.add(each)
    figures = []
    for (role, source), published in _PUBLISHED.items():
        average = f"{tally.points[role, source] / tally.deals:.2f}"
        figures.append(Figure(f"{role}: {source}", average, aim=f"published {published}"))
    share = tally.first_dealer_won / tally.games
    error = Z * (share * (1 - share) / tally.games) ** 0.5
    figures.append(
        Figure("first dealer wins", f"{100 * share:.1f} ± {100 * error:.1f} %", aim="55.5 to 56.5 %")
    )
    return [Figure("deals, games", f"{tally.deals:,}, {tally.games:,}"), *figures]


def _game(task: tuple[str, int]) -> Tally:
    name, seed = task
    both = player(name)
    game = play(Table().rules, (both, both), seed, dealer=seed % 2)
    tally = Tally(games=1)
    result = game.table.result
    assert result is not None, "a game is played to its end"
    tally.first_dealer_won = int(result.winner == seed % 2)
    tally.count_deals(game.log)
    return tally
