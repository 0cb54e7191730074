"""The chance of each side to win over the whole of a game, and the moment that turned it.

    course = win_chances(log)
    course.by_deal        # before the first deal, after each deal, and at the end
    course.turning_point  # such as deal 7, the crib of seat 0, worth 0 points

It needs only points that everyone saw pegged: public events are enough, and no hand is known before it is
shown. Two sides are judged by the computer's table of chances. Where more sides play, or the target is beyond
that table, the rest of the game is simulated from how often each number of points is pegged and counted at
such tables, with a fixed seed; with two sides that agrees with the table to about 0.02. Rules that the
computer has no figures for have no chances.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Protocol

import numpy as np

from engine.computer.numbers import Flags, Floats, Ints
from engine.computer.tables import DEALER, FARTHEST, OTHER, Course, Family, course_of, family_of, knows_course
from engine.computer.throws import chances_of
from engine.errors import LogError, NoComputerFamily
from engine.events import (
    DealBegan,
    DealEnded,
    DealerChosen,
    Ending,
    GameBegan,
    GameWon,
    HandShown,
    Pegged,
    PublicEvent,
    Source,
)
from engine.rules import Rules
from engine.seats import Seat, Side, from_left_of, left_of
from engine.secret_events import LoggedEvent

_Chances = tuple[float, ...]
"""By side; the sum is 1."""

TRIALS = 2_000
"""Games simulated for one moment, with a random error of about 0.01."""

_SEED = 15
_JACK_CUT = 1 / 13


class Moment(Enum):
    """A part of a deal in which points are pegged."""

    PLAY = "play"
    """From the deal to the last card, his heels included."""
    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """The change of the chances in one moment of a deal."""

    deal: int
    """The deal's number in the game, from 1."""
    moment: Moment
    seat: Seat | None
    """The owner of the hand or crib; `None` for the play."""
    pegged: tuple[int, ...]
    """Points pegged in it, by side."""
    before: _Chances
    """By side, as for `after`: they include the usual value of a hand before it is shown."""
    after: _Chances

    @property
    def side(self) -> Side:
        """The side that gained most."""
        return Side(self._gains.index(max(self._gains)))

    @property
    def change(self) -> float:
        """The gain of that side, 0 to 1."""
        return max(self._gains)

    @property
    def _gains(self) -> _Chances:
        return tuple(after - before for before, after in zip(self.before, self.after, strict=True))


@dataclass(frozen=True, slots=True)
class WinChances:
    """The chances of a game from its beginning to its end."""

    by_deal: tuple[_Chances, ...]
    """By moment and side: before the first deal, after each deal, and at the game's end, where the winner has
    1. Empty where the rules have no chances."""
    swings: tuple[Swing, ...]
    """The swing of every moment, in order."""
    winner: Side | None = None
    """The side that pegged out; `None` if the game is not over, or ended otherwise."""

    @property
    def turning_point(self) -> Swing | None:
        """The largest swing from which the winner gained most, the first of equals.

        A game that was given up, or claimed, did not turn.
        """
        gained = (each for each in self.swings if each.side == self.winner and each.change > 0)
        return max(gained, key=lambda each: each.change, default=None)


def win_chances(log: Iterable[LoggedEvent] | Iterable[PublicEvent]) -> WinChances:
    """The chances in the game of `log`, as far as it goes. Raises `LogError`.

    Takes a few milliseconds with two sides, and up to 250 ms where games are simulated.
    """
    events = iter(log)
    began = next(events, None)
    if not isinstance(began, GameBegan):
        raise LogError("a log begins with GameBegan")
    rules = began.rules
    try:
        family = family_of(rules)
    except NoComputerFamily:
        return WinChances((), ())
    if not knows_course(rules):
        return WinChances((), ())
    course = _Course(rules, _judge_for(rules, family))
    for event in events:
        course.tell(event)
    return WinChances(tuple(course.by_deal), tuple(course.swings), course.winner)


class _Course:
    """Follows a game, and judges the scores after each moment."""

    def __init__(self, rules: Rules, judge: _Judge) -> None:
        self._rules = rules
        self._judge = judge
        self._scores = [rules.start] * rules.sides
        self._pegged = [0] * rules.sides
        self._now: _Chances = ()
        self._deal = DealBegan(Seat(0), 0)
        self._moment: tuple[Moment, Seat | None] = (Moment.PLAY, None)
        self._shown = 0
        self.winner: Side | None = None
        self.by_deal: list[_Chances] = []
        self.swings: list[Swing] = []

    def tell(self, event: LoggedEvent | PublicEvent) -> None:
        """Takes the next event."""
        match event:
            case DealerChosen(seat):
                self._now = self._judge.before_deal(self._scores, seat)
                self.by_deal.append(self._now)
            case DealBegan():
                self._deal, self._shown = event, 0
                self._moment = (Moment.PLAY, None)
            case HandShown(seat, source):
                self._settle(self._judge.before_hand(self._scores, self._deal.dealer, self._shown))
                self._shown += 1
                self._moment = (Moment.CRIB if source is Source.CRIB else Moment.HAND, seat)
            case Pegged(seat, points):
                side = self._rules.side_of(seat)
                self._scores[side] += points
                self._pegged[side] += points
            case DealEnded():
                dealer = left_of(self._deal.dealer, self._rules.seats)
                self._settle(self._judge.before_deal(self._scores, dealer))
                self.by_deal.append(self._now)
            case GameWon(winner, ending):
                decided = tuple(float(side == winner) for side in range(self._rules.sides))
                # Giving up, or staying away, is no turn of the game.
                if ending is Ending.PEGGED_OUT:
                    self._settle(decided)
                    self.winner = winner
                self.by_deal.append(decided)
            case _:
                pass

    def _settle(self, after: _Chances) -> None:
        moment, seat = self._moment
        swing = Swing(
            deal=self._deal.number,
            moment=moment,
            seat=seat,
            pegged=tuple(self._pegged),
            before=self._now,
            after=after,
        )
        self.swings.append(swing)
        self._now = after
        self._pegged = [0] * self._rules.sides


class _Judge(Protocol):
    """Gives the chances of the sides at scores with which nobody has won yet."""

    def before_deal(self, scores: list[int], dealer: Seat) -> _Chances:
        """Before `dealer` deals."""

    def before_hand(self, scores: list[int], dealer: Seat, counted: int) -> _Chances:
        """At the show, when `counted` hands are counted; when all are, the crib is left."""


def _judge_for(rules: Rules, family: Family) -> _Judge:
    """The judge of a table."""
    if rules.sides == 2 and rules.target <= FARTHEST:
        return ByTable(rules, family)
    return ByTrials(rules, course_of(family))


class ByTable:
    """Two sides, by the computer's table."""

    def __init__(self, rules: Rules, family: Family) -> None:
        self._rules = rules
        self._win = course_of(family).win
        self._before_hands = _before_hands(family)

    def before_deal(self, scores: list[int], dealer: Seat) -> _Chances:
        """Before `dealer` deals."""
        return self._by_side(self._win, scores, dealer)

    def before_hand(self, scores: list[int], dealer: Seat, counted: int) -> _Chances:
        """At the show."""
        return self._by_side(self._before_hands[counted], scores, dealer)

    def _by_side(self, table: Floats, scores: list[int], dealer: Seat) -> _Chances:
        side = self._rules.side_of(dealer)
        mine, theirs = (self._rules.target - scores[each] for each in (side, 1 - side))
        chance = float(table[mine, theirs])
        return (chance, 1 - chance) if side == 0 else (1 - chance, chance)


@cache
def _before_hands(family: Family) -> tuple[Floats, ...]:
    """By number of hands counted: the chance of the dealer's side by the holes that both sides need."""
    course = course_of(family)
    needs = np.arange(FARTHEST + 1)
    table = chances_of(family).after_hands(needs[:, None], needs[None, :])
    tables = [table]
    for place in reversed(range(family.seats)):
        is_dealer = place == family.seats - 1
        # Partners sit opposite: counting from the dealer's left, every second hand is the dealer's side's.
        is_dealers_side = is_dealer or (family.partners and place % 2 == 1)
        before = np.zeros_like(table)
        for points, likely in enumerate(course.hands[DEALER if is_dealer else OTHER]):
            nearer = np.maximum(needs - points, 0)
            before += likely * (table[nearer] if is_dealers_side else table[:, nearer])
        before[0, :] = 1.0
        before[:, 0] = 0.0
        table = before
        tables.append(table)
    return tuple(reversed(tables))


class ByTrials:
    """Any number of sides: simulates the rest of the game with the frequencies of points."""

    def __init__(self, rules: Rules, course: Course) -> None:
        self._rules = rules
        self._pegs = [_Sampler(each) for each in course.pegs]
        self._hands = [_Sampler(each) for each in course.hands]
        self._crib = _Sampler(course.crib)
        heels = np.zeros(rules.his_heels + 1)
        heels[0], heels[-1] = 1 - _JACK_CUT, _JACK_CUT
        self._heels = _Sampler(heels)

    def before_deal(self, scores: list[int], dealer: Seat) -> _Chances:
        """Before `dealer` deals."""
        return self._played(_Race(scores, self._rules), dealer)

    def before_hand(self, scores: list[int], dealer: Seat, counted: int) -> _Chances:
        """At the show."""
        race = _Race(scores, self._rules)
        self._show(race, dealer, counted)
        return self._played(race, left_of(dealer, self._rules.seats))

    def _played(self, race: _Race, dealer: Seat) -> _Chances:
        rules = self._rules
        while not race.is_over:
            race.peg(dealer, race.draw(self._heels))
            points = race.nothing()
            for seat in from_left_of(dealer, rules.seats):
                points[:, rules.side_of(seat)] += race.draw(self._pegs[DEALER if seat == dealer else OTHER])
            race.play(points)
            self._show(race, dealer, counted=0)
            dealer = left_of(dealer, rules.seats)
        return race.won

    def _show(self, race: _Race, dealer: Seat, counted: int) -> None:
        for seat in from_left_of(dealer, self._rules.seats)[counted:]:
            race.peg(seat, race.draw(self._hands[DEALER if seat == dealer else OTHER]))
        race.peg(dealer, race.draw(self._crib))


class _Sampler:
    """Draws numbers of points by their frequencies."""

    def __init__(self, chances: Floats) -> None:
        # Without the last sum: rounding may leave it below 1, and a draw above it.
        self._up_to = np.cumsum(chances)[:-1]

    def draw(self, random: np.random.Generator) -> Ints:
        return np.searchsorted(self._up_to, random.random(TRIALS), side="right")


class _Race:
    """Many games at once from the same scores; in each the first side home wins."""

    def __init__(self, scores: list[int], rules: Rules) -> None:
        self._rules = rules
        self._random = np.random.default_rng([_SEED, *scores])
        self._needs = np.tile(rules.target - np.array(scores), (TRIALS, 1))
        self._winner = np.full(TRIALS, -1)

    @property
    def is_over(self) -> bool:
        return bool((self._winner >= 0).all())

    @property
    def won(self) -> _Chances:
        """The share of the games that each side has won."""
        counts = np.bincount(self._winner, minlength=self._rules.sides) / TRIALS
        return tuple(counts.tolist())

    def draw(self, points: _Sampler) -> Ints:
        """Points for every game."""
        return points.draw(self._random)

    def nothing(self) -> Ints:
        """No points for every game and side."""
        return np.zeros_like(self._needs)

    def peg(self, seat: Seat, points: Ints) -> None:
        """One seat pegs."""
        side = self._rules.side_of(seat)
        self._needs[:, side] -= points
        self._decide(self._needs[:, side] <= 0, np.asarray(side))

    def play(self, points: Ints) -> None:
        """All sides peg by turns. Of those that get home, the one that needed least of its points wins."""
        parts = np.where(points >= self._needs, self._needs / np.maximum(points, 1), np.inf)
        # Ties are broken at random.
        parts += 1e-6 * self._random.random(parts.shape)
        is_home = np.asarray((points >= self._needs).any(axis=1))
        self._decide(is_home, parts.argmin(axis=1))
        self._needs -= points

    def _decide(self, is_home: Flags, side: Ints) -> None:
        self._winner = np.where((self._winner < 0) & is_home, side, self._winner)
