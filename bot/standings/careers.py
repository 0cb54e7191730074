"""One person's games together, and two people's games against each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from bot.standings.figures import BestHand, SeatFigures, better
from bot.standings.ratings import Kind, Rating
from bot.standings.results import Appearance
from engine import Skunk
from engine.computer import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Skunks:
    """Skunks by how bad they were; each stands in one of these."""

    single: int = 0
    double: int = 0
    lurch: int = 0

    @classmethod
    def among(cls, skunks: Iterable[Skunk]) -> Skunks:
        """How many of each there are."""
        found = list(skunks)
        return cls(
            single=found.count(Skunk.SKUNK),
            double=found.count(Skunk.DOUBLE),
            lurch=found.count(Skunk.LURCH),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """Somebody's finished games."""

    games: int
    wins: int
    streak: int
    """Games won in a row up to the last one, or, as a negative number, lost in a row."""
    longest: int
    """The most games ever won in a row."""
    given: Skunks
    taken: Skunks
    best: BestHand | None
    figures: dict[Kind, SeatFigures] = field(default_factory=dict)
    """The kinds of game that were played, and what was scored in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivalry:
    """Two people's games with each other."""

    games: int = 0
    """Games against each other."""
    won: int = 0
    """Those that the first of them won."""
    lost: int = 0
    """Those that the second won; with more than two sides somebody else may have won the rest."""
    together: int = 0
    """Games as partners."""
    won_together: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """Games and how many of them were won."""

    games: int
    wins: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that `/crib-stats player` tells of a person."""

    career: Career
    """Games between people."""
    computers: dict[Level, Record] = field(default_factory=dict)
    """Games with a computer, by the strongest level at the table."""
    ratings: dict[Kind, Rating] = field(default_factory=dict)
    rivalry: Rivalry | None = None
    """Against the person who asks; `None` when that is the same one."""


def career(games: Sequence[Appearance]) -> Career:
    """The games together, which are in the order of finishing."""
    parts = [each.part for each in games]
    runs = [(won, len(list(run))) for won, run in groupby(part.won for part in parts)]
    together: dict[Kind, SeatFigures] = {}
    best: BestHand | None = None
    for each in games:
        together[each.kind] = together.get(each.kind, SeatFigures()) + each.part.figures
        best = better(best, each.part.figures.best)
    won, length = runs[-1] if runs else (True, 0)
    return Career(
        games=len(parts),
        wins=sum(part.won for part in parts),
        streak=length if won else -length,
        longest=max((length for won, length in runs if won), default=0),
        given=Skunks.among(skunk for part in parts for skunk in part.beaten),
        taken=Skunks.among(part.skunk for part in parts),
        best=best,
        figures=together,
    )


def rivalry(first: Iterable[Appearance], second: Iterable[Appearance]) -> Rivalry:
    """How the first person fared against the second."""
    theirs = {each.number: each.part for each in second}
    both = [(each.part, theirs[each.number]) for each in first if each.number in theirs]
    against = [(mine, other) for mine, other in both if mine.side != other.side]
    partners = [mine for mine, other in both if mine.side == other.side]
    return Rivalry(
        games=len(against),
        won=sum(mine.won for mine, _ in against),
        lost=sum(other.won for _, other in against),
        together=len(partners),
        won_together=sum(mine.won for mine in partners),
    )
