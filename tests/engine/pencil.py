"""A game of two counted from its log by other code than the engine's: who pegs what, and who gets home.

As a player with a pencil does, it works out every point from the cards that were dealt, discarded, turned and
played, by the standard rules, and never asks the engine for a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.cards import Card, Cards, Rank
from engine.events import CardPlayed, DealBegan, GoSaid, Resigned, StarterCut
from engine.secret_events import Discarded, HandDealt, LoggedEvent
from tests.engine.plain_counting import plain_count

TARGET = 121


@dataclass
class Reckoning:
    """The game as far as it was counted."""

    scores: list[int]
    pegged: list[tuple[int, int]] = field(default_factory=list)
    """Seat and points of each time that somebody pegged."""
    resigned: int | None = None

    @property
    def home(self) -> int | None:
        """The seat that has reached the target."""
        return next((seat for seat in (0, 1) if self.scores[seat] >= TARGET), None)

    def peg(self, seat: int, points: int) -> None:
        """Moves that seat's peg, unless the game is over."""
        if points and self.home is None:
            self.scores[seat] += points
            self.pegged.append((seat, points))


def reckoned(log: Iterable[LoggedEvent], *, start: int) -> Reckoning:  # noqa: C901 -- one case an event
    """The game of `log`, of which only the cards and the players' own deeds are read."""
    found = Reckoning([start, start])
    dealer, starter = 0, None
    dealt: dict[int, Cards] = {}
    given: dict[int, Cards] = {}
    left: dict[int, list[Card]] = {}
    series: list[tuple[int, Card]] = []
    has_gone = False  # the opponent of the player who plays on has said go
    for event in log:
        match event:
            case DealBegan():
                dealer, dealt, given = event.dealer, {}, {}
            case HandDealt():
                dealt[event.seat] = event.cards
            case Discarded():
                given[event.seat] = event.cards
            case StarterCut():
                starter = event.card
                left = {seat: _without(dealt[seat], given[seat]) for seat in dealt}
                if starter.rank is Rank.JACK:
                    found.peg(dealer, 2)
            case CardPlayed():
                series.append((event.seat, event.card))
                left[event.seat].remove(event.card)
                found.peg(event.seat, sum(_in_play([each for _, each in series])))
                is_full = sum(each.pips for _, each in series) == 31
                if is_full or has_gone or not left[1 - event.seat]:
                    is_over = _end_count(found, series, left)
                    has_gone = has_gone and not is_over
                if starter is not None and not left[0] and not left[1]:
                    for seat in (1 - dealer, dealer):
                        hand = tuple(sorted(_without(dealt[seat], given[seat])))
                        found.peg(seat, sum(each.points for each in plain_count(hand, starter=starter)))
                    crib = tuple(sorted((*given[0], *given[1])))
                    counted = plain_count(crib, starter=starter, crib=True)
                    found.peg(dealer, sum(each.points for each in counted))
            case GoSaid():
                has_gone = not _end_count(found, series, left)
            case Resigned():
                found.resigned = event.seat
    return found


def _without(those: Cards, gone: Cards) -> list[Card]:
    return [each for each in those if each not in gone]


def _end_count(found: Reckoning, series: list[tuple[int, Card]], left: dict[int, list[Card]]) -> bool:
    """True if nobody has a card that fits: the count is over, with one for the last card unless it is 31."""
    count = sum(each.pips for _, each in series)
    if any(count + each.pips <= 31 for hand in left.values() for each in hand):
        return False
    found.peg(series[-1][0], int(count != 31))
    series.clear()
    return True


def _in_play(series: list[Card]) -> Iterator[int]:
    """The points of the last card of a series."""
    if sum(each.pips for each in series) in {15, 31}:
        yield 2
    alike = 1
    while alike < len(series) and series[-1 - alike].rank is series[-1].rank:
        alike += 1
    yield alike * (alike - 1)
    for length in range(len(series), 2, -1):
        ranks = sorted(each.rank.value for each in series[-length:])
        if ranks == list(range(ranks[0], ranks[0] + length)):
            yield length
            return
