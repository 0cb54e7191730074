"""A review of a game: every choice of one seat against the best one, and luck apart from skill.

    review = review_of(log, seat)

The cost of a choice is the difference between it and the best one, both judged with what the seat could know
then. Luck is the value of the cards before anybody chose: those dealt to a seat against the usual value in
its place, and the starter against the average over all starters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card, Cards, Rank
from engine.coach.advice import Choice, cards_now, require_known, throws_now
from engine.computer.tables import DEALER, OTHER, course_of, family_of
from engine.computer.throws import thrower_for
from engine.counting import count
from engine.events import CardPlayed, StarterCut, StoodIn, SubstituteMoved
from engine.evolution import evolve, replay
from engine.phases import Cutting, Layout
from engine.rules import Rules
from engine.seats import Seat
from engine.secret_events import Discarded, LoggedEvent
from engine.state import State
from engine.views import PlayerView, player_view

_LITTLE_CHANCE = 0.0005
_LITTLE = 0.05
"""Points below which a difference does not matter."""
_BEYOND_HABIT = 0.13
"""Points by which the best way to discard a deal, with its pegging and its flushes, is on average
better than the discards of players by habit; over 12,000 deals of the standard game for two it was 0.04 to
the dealer and 0.19 to the pone, at the other tables 0.08 to 0.22."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of the seat: its view, the choice it made, and the choices it had."""

    view: PlayerView = field(repr=False)
    """The seat's view before the choice."""
    made: Choice
    choices: tuple[Choice, ...]
    """Every choice, best first."""
    at: int = 0
    """Index in the log of the event that made the choice."""

    @property
    def best(self) -> Choice:
        """The best choice."""
        return self.choices[0]

    @property
    def is_costly(self) -> bool:
        """True if another choice was better by more than a rounding error."""
        if self.made.winning is None:
            return self.points_lost > _LITTLE
        return self.winning_lost > _LITTLE_CHANCE

    @property
    def points_lost(self) -> float:
        """The cost of the choice in points, against the best; at least 0."""
        return max(self.best.points - self.made.points, 0.0)

    @property
    def winning_lost(self) -> float:
        """The cost of the choice in chance to win, 0 to 1; 0 where that is not known."""
        return max((self.best.winning or 0.0) - (self.made.winning or 0.0), 0.0)


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one seat's cards, in points against the average."""

    dealt: float = 0.0
    """The cards dealt to it, with the best discard."""
    starters: float = 0.0
    """The starters, for the hands that it kept."""

    def __add__(self, other: Luck) -> Luck:
        return Luck(self.dealt + other.dealt, self.starters + other.starters)

    @property
    def total(self) -> float:
        """The sum of both."""
        return self.dealt + self.starters


@dataclass(frozen=True, slots=True)
class Fortune:
    """Luck and skill of one seat, in points over all deals of a game in which a starter was cut."""

    deals: int = 0
    luck: Luck = Luck()
    given_away: float = 0.0
    """The cost of its discards against the best ones, far from the end of a game; never negative."""

    def __add__(self, other: Fortune) -> Fortune:
        return Fortune(self.deals + other.deals, self.luck + other.luck, self.given_away + other.given_away)


@dataclass(frozen=True, slots=True)
class Review:
    """The coach's review of one seat's game."""

    rules: Rules
    seat: Seat
    decisions: tuple[Decision, ...]
    """The seat's own choices, in order; those made for it are left out."""
    luck: tuple[Luck, ...]
    """By seat."""

    @property
    def dearest(self) -> tuple[Decision, ...]:
        """The costly decisions, costliest first."""
        costly = [each for each in self.decisions if each.is_costly]
        return tuple(sorted(costly, key=lambda each: (each.winning_lost, each.points_lost), reverse=True))

    @property
    def accuracy(self) -> float | None:
        """The share kept of all that the decisions could win or lose, 0 to 1; `None` without decisions.

        At stake in a decision is the difference between its best and its worst choice, in chance to win or,
        where that is not known of each of them, in points. So 1 is always the best, 0 always the worst, and a
        decision weighs as much as it mattered: a card of a lost game next to nothing. In games to 121 for
        two, choices at random kept 0.28 to 0.47, the computer's beginner 0.71 to 0.88, its steady level
        0.96 to 0.98, and its expert 1.00.
        """
        if not self.decisions:
            return None
        by_chance = all(each.winning is not None for one in self.decisions for each in one.choices)
        stakes = [_stakes(each, by_chance=by_chance) for each in self.decisions]
        at_stake = sum(best - worst for best, _, worst in stakes)
        return sum(made - worst for _, made, worst in stakes) / at_stake if at_stake else 1.0


def review_of(log: Iterable[LoggedEvent], seat: Seat) -> Review:
    """Reviews the game of `log` for one seat. Takes about 1 s. Raises `LogError` and `NotCoached`."""
    events = enumerate(log)
    _, first = next(events)
    state = State.begin(first)
    require_known(state.rules)
    decisions: list[Decision] = []
    luck = [Luck() for _ in range(state.rules.seats)]
    before_discard: tuple[PlayerView, int] | None = None
    stood_in = False
    for at, event in events:
        match event:
            case StoodIn(who) | SubstituteMoved(who) if who == seat:
                stood_in = True
            case Discarded(who) if who == seat:
                view = player_view(state, seat)
                before_discard, stood_in = (None if stood_in else (view, at)), False
            case CardPlayed(who, card) if who == seat:
                view = player_view(state, seat)
                if not stood_in and _is_choice(view):
                    decisions.append(_of_card(view, card, at))
                stood_in = False
        before, state = state, evolve(state, event)
        if isinstance(event, StarterCut):
            if before_discard is not None:
                view, discarded_at = before_discard
                decisions.append(_of_discard(view, _layout(before).discarded[seat], discarded_at))
            before_discard = None
            luck = [one + _fortune(before, event.card, Seat(who)).luck for who, one in enumerate(luck)]
    return Review(state.rules, seat, tuple(decisions), tuple(luck))


def discards_of(log: Iterable[LoggedEvent], seat: Seat) -> tuple[Decision, ...]:
    """The seat's own discards alone, as in its review. Takes some milliseconds a deal.

    Raises `LogError` and `NotCoached`.
    """
    events = enumerate(log)
    _, first = next(events)
    state = State.begin(first)
    require_known(state.rules)
    found: list[Decision] = []
    discarded: tuple[PlayerView, Cards, int] | None = None
    stood_in = False
    for at, event in events:
        match event:
            case StoodIn(who) | SubstituteMoved(who) if who == seat:
                stood_in = True
            case Discarded(who, given) if who == seat:
                discarded, stood_in = (None if stood_in else (player_view(state, seat), given, at)), False
            case CardPlayed(who) if who == seat:
                stood_in = False
            case StarterCut() if discarded is not None:
                found.append(_of_discard(*discarded))
                discarded = None
        state = evolve(state, event)
    return tuple(found)


def fortunes(log: Iterable[LoggedEvent]) -> tuple[Fortune, ...]:
    """Luck and skill over the game, by seat. Takes about 3 ms a seat and deal.

    Raises `LogError`, and `NoComputerFamily` and `NotCoached` for rules that the coach does not know.
    """
    events = iter(log)
    state = State.begin(next(events))
    require_known(state.rules)
    found = [Fortune() for _ in range(state.rules.seats)]
    for event in events:
        before, state = state, evolve(state, event)
        if isinstance(event, StarterCut):
            found = [one + _fortune(before, event.card, Seat(who)) for who, one in enumerate(found)]
    return tuple(found)


def decision_at(log: Sequence[LoggedEvent], at: int) -> Decision | None:
    """The decision made by the log's event at index `at`; `None` if it is not a choice of its seat.

    That is so for a card that was forced, for what somebody else made for the seat, and for other events. It
    takes some hundredths of a second. Raises `LogError`, and `NoComputerFamily` and `NotCoached` for rules
    that the coach does not know.
    """
    event = log[at]
    if not isinstance(event, Discarded | CardPlayed) or isinstance(log[at - 1], StoodIn | SubstituteMoved):
        return None
    view = player_view(replay(log[:at]), event.seat)
    require_known(view.table.rules)
    if isinstance(event, Discarded):
        return _of_discard(view, event.cards, at)
    return _of_card(view, event.card, at) if _is_choice(view) else None


def _is_choice(view: PlayerView) -> bool:
    """True if cards of several ranks can be played."""
    return len({each.rank for each in view.legal_moves.playable}) > 1


def _of_discard(view: PlayerView, given: Cards, at: int) -> Decision:
    choices = throws_now(view)
    made = next(each for each in choices if sorted(each.given) == sorted(given))
    return Decision(view, made, choices, at)


def _of_card(view: PlayerView, card: Card, at: int) -> Decision:
    choices = cards_now(view)
    made = next(each for each in choices if each.card.rank is card.rank)
    return Decision(view, made, choices, at)


def _stakes(decision: Decision, *, by_chance: bool) -> tuple[float, float, float]:
    """The values of the best choice, the one made and the worst, in chance to win or in points."""

    def worth(choice: Choice) -> float:
        return (choice.winning or 0.0) if by_chance else choice.points

    values = [worth(each) for each in decision.choices]
    return max(values), worth(decision.made), min(values)


def _fortune(state: State, starter: Card, seat: Seat) -> Fortune:
    """The seat's luck in this deal's cards and starter, and the cost of its discard."""
    rules, layout = state.rules, _layout(state)
    deals = seat == state.dealer
    own_crib = rules.side_of(seat) == rules.side_of(state.dealer)
    throws = thrower_for(rules).throws(layout.dealt[seat], own_crib=own_crib, dealer=deals, score=None)
    made = next(each for each in throws if sorted(each.given) == sorted(layout.discarded[seat]))
    usual = usual_points(rules, dealer=deals, own_crib=own_crib)
    hand = count(layout.kept(seat), starter=starter, rules=rules).points
    heels = 0.0
    if deals:
        heels = rules.his_heels * ((starter.rank is Rank.JACK) - 1 / len(Rank))
    best = max(each.points for each in throws)
    return Fortune(1, Luck(best - usual, hand - made.average + heels), best - made.points)


def usual_points(rules: Rules, *, dealer: bool, own_crib: bool) -> float:
    """Average points of a deal in this place, discarded best: the hand, and the crib for or against it."""
    course = course_of(family_of(rules))
    hand = course.hands[DEALER if dealer else OTHER]
    share = 1.0 if own_crib else -1.0 / (rules.sides - 1)
    by_habit = hand @ np.arange(len(hand)) + share * (course.crib @ np.arange(len(course.crib)))
    return float(by_habit) + _BEYOND_HABIT


def _layout(state: State) -> Layout:
    return state.expect(Cutting).layout
