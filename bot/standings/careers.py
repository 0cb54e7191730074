"""One person's games together, and two people's games against each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import reduce

from bot.model.great_moments import LONG_WAY
from bot.standings.figures import BestHand, SeatFigures, better
from bot.standings.ratings import Kind, Rating
from bot.standings.results import Appearance
from engine import Skunk
from engine.computer import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Skunks:
    """Numbers of skunks by severity; each skunk counts once."""

    single: int = 0
    double: int = 0
    lurch: int = 0

    @classmethod
    def among(cls, skunks: Iterable[Skunk]) -> Skunks:
        """The number of each kind among `skunks`."""
        found = list(skunks)
        return cls(
            single=found.count(Skunk.SKUNK),
            double=found.count(Skunk.DOUBLE),
            lurch=found.count(Skunk.LURCH),
        )

    def __add__(self, other: Skunks) -> Skunks:
        return Skunks(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """Sums over a person's finished games.

    `earlier + later` is the career of both, whose games must be adjacent in time. So a career can be extended
    by one game at a time, at either end.
    """

    games: int = 0
    wins: int = 0
    streak: int = 0
    """Length of the last winning streak (positive) or losing streak (negative)."""
    opening: int = 0
    """Length of the first winning streak (positive) or losing streak (negative)."""
    longest: int = 0
    """Length of the longest winning streak."""
    comebacks: int = 0
    """Wins from at least `LONG_WAY` holes behind."""
    comeback: int = 0
    """The largest deficit (holes) of a won game."""
    given: Skunks = Skunks()
    taken: Skunks = Skunks()
    best: BestHand | None = None
    two: SeatFigures | None = None
    """Figures of games of two; `None` without such a game."""
    more: SeatFigures | None = None
    """Figures of games of three and four; `None` without such a game."""

    @classmethod
    def of(cls, game: Appearance) -> Career:
        """The career that consists of this game."""
        part = game.part
        won = int(part.won)
        return cls(
            games=1,
            wins=won,
            streak=won or -1,
            opening=won or -1,
            longest=won,
            comebacks=int(part.comeback >= LONG_WAY),
            comeback=part.comeback,
            given=Skunks.among(part.beaten),
            taken=Skunks.among((part.skunk,)),
            best=part.figures.best,
            two=part.figures if game.kind is Kind.TWO else None,
            more=part.figures if game.kind is Kind.MORE else None,
        )

    @property
    def figures(self) -> dict[Kind, SeatFigures]:
        """Figures by kind of game, for the kinds that were played."""
        found = {Kind.TWO: self.two, Kind.MORE: self.more}
        return {kind: each for kind, each in found.items() if each is not None}

    @property
    def great(self) -> dict[int, int]:
        """By points, the most first: the number of hands and cribs of 29, 28 and 24, if there are any."""
        kinds = self.figures.values()
        found = {
            29: sum(each.hands_of_29 for each in kinds),
            28: sum(each.hands_of_28 for each in kinds),
            24: sum(each.hands_of_24 for each in kinds),
        }
        return {points: number for points, number in found.items() if number}

    def __add__(self, later: Career) -> Career:
        if not self.games or not later.games:
            return self if self.games else later
        joined = self.streak + later.opening if self.streak * later.opening > 0 else 0
        return Career(
            games=self.games + later.games,
            wins=self.wins + later.wins,
            streak=joined if joined and abs(later.streak) == later.games else later.streak,
            opening=joined if joined and abs(self.opening) == self.games else self.opening,
            longest=max(self.longest, later.longest, joined),
            comebacks=self.comebacks + later.comebacks,
            comeback=max(self.comeback, later.comeback),
            given=self.given + later.given,
            taken=self.taken + later.taken,
            best=better(self.best, later.best),
            two=_together(self.two, later.two),
            more=_together(self.more, later.more),
        )


def _together(first: SeatFigures | None, second: SeatFigures | None) -> SeatFigures | None:
    return first + second if first and second else first or second


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivalry:
    """Sums over the games that two people played together."""

    games: int = 0
    """Games against each other."""
    won: int = 0
    """Games that the first of them won."""
    lost: int = 0
    """Games that the second won; with more than two sides, others may have won the rest."""
    together: int = 0
    """Games as partners."""
    won_together: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """Numbers of games played and won."""

    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A game with records of its own, beside the usual one."""

    preset: str
    players: int | None = None
    """The number of players of a game of five or six; `None` for a rule set that is a game of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The person's figures that `/crib-stats player` shows."""

    career: Career
    """Games between people."""
    computers: dict[Level, Record] = field(default_factory=dict)
    """Games with a computer, by the strongest level at the table."""
    ratings: dict[Kind, Rating] = field(default_factory=dict)
    course: tuple[int, ...] = ()
    """The rating before and after each of the last rated games of two, or else of three and four players."""
    rivalry: Rivalry | None = None
    """Games against the user who asked; `None` for the user's own profile."""
    others: dict[OtherGame, Record] = field(default_factory=dict)
    """Games with records of their own, with people and computers, the most played first."""
    slams: int = 0
    """Grand slams: club events of which every game was won."""


def career(games: Iterable[Appearance]) -> Career:
    """The sum of the games, which must be in the order of finishing."""
    return reduce(Career.__add__, map(Career.of, games), Career())
