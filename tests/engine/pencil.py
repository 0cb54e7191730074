"""A game counted from its log by other code than the engine's: who pegs what, who gets home, who wins.

As a player with a pencil does, it works out every point from the cards that were dealt, discarded, turned and
played, and from the players' own deeds, and never asks the engine for a score. On the way it checks that each
deal is right, and that everybody plays in turn and says go only when they must.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.cards import Card, Cards, Rank, spell
from engine.events import CardPlayed, DealBegan, DealerChosen, GoSaid, Resigned, StarterCut
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent
from tests.engine.plain_counting import plain_count

SEATS = {
    "standard": (2, 3, 4),
    "shotgun": (2, 4),
    "five-card": (2,),
    "lowball": (2, 4),
    "captain's": (3,),
    "five players": (5,),
    "six players": (6,),
}
"""The variants, and how many play each."""

SHOTGUN_START = 90
IN_THE_CRIB = 4


def reckoned(
    log: Iterable[LoggedEvent],
    *,
    variant: str,
    sides: Sequence[int],
    targets: Sequence[int],
    start: int = 0,
) -> Reckoning:
    """The game of `log` as far as it goes, with the side of each seat and the holes that each side needs.

    All sides begin at hole `start`; in shotgun that is 90 unless another is given. Raises `AssertionError`
    for a wrong deal, a deed out of turn or against the rules, and a deed after the end.
    """
    assert len(sides) in SEATS[variant], f"{variant} is not for {len(sides)} players"
    assert sorted(set(sides)) == list(range(len(targets))), f"sides {sides} do not fit targets {targets}"
    start = start or (SHOTGUN_START if variant == "shotgun" else 0)
    found = Reckoning(variant, tuple(sides), tuple(targets), [start] * len(targets))
    deal = None
    for event in log:
        match event:
            case DealerChosen():
                found.dealer = event.seat
            case Resigned():
                assert found.winner is None, "somebody resigns after the game's end"
                found.resigned = event.seat
            case DealBegan():
                assert deal is None or deal.is_over, "a deal begins before the one before it is over"
                assert found.dealer in {None, event.dealer}, f"seat {event.dealer} deals out of turn"
                found.dealer = event.dealer
                deal = _Deal(found, event.dealer, is_first=deal is None)
            case HandDealt() | CribDealt() | Discarded() | StarterCut() | CardPlayed() | GoSaid():
                assert deal is not None, f"no deal has begun: {event}"
                assert found.winner is None, f"the game is over: {event}"
                deal.go_on(event)
    return found


@dataclass
class Reckoning:
    """The game as far as it was counted."""

    variant: str
    sides: tuple[int, ...]
    """The side of each seat."""
    targets: tuple[int, ...]
    """The holes that each side needs."""
    scores: list[int]
    """The holes of each side; the last pegging may have led beyond the target."""
    pegged: list[tuple[int, int]] = field(default_factory=list)
    """Seat and points of each time that somebody pegged."""
    resigned: int | None = None
    """The seat that resigned."""
    dealer: int | None = None
    """The seat that deals, or after a deal the one that deals next."""

    @property
    def home(self) -> int | None:
        """The side that has reached its target."""
        there = (side for side, score in enumerate(self.scores) if score >= self.targets[side])
        return next(there, None)

    @property
    def winner(self) -> int | None:
        """The side that has won.

        If somebody resigned, it is the one furthest ahead of the other sides, and of sides alike the first to
        the dealer's left; before there is a dealer, seat 0 stands for them.
        """
        if self.home is not None:
            return 1 - self.home if self.variant == "lowball" else self.home
        if self.resigned is None:
            return None
        order = _from_left_of(self.dealer or 0, len(self.sides))
        others = [self.sides[seat] for seat in order if self.sides[seat] != self.sides[self.resigned]]
        return max(others, key=lambda side: self.scores[side])

    def peg(self, seat: int, points: int) -> None:
        """Moves the peg of that seat's side, unless the game is over."""
        if points and self.winner is None:
            self.scores[self.sides[seat]] += points
            self.pegged.append((seat, points))


class _Deal:
    """One deal, from the first card dealt to the crib."""

    def __init__(self, game: Reckoning, dealer: int, *, is_first: bool) -> None:
        self.game = game
        self.dealer = dealer
        self.is_first = is_first
        self.seats = len(game.sides)
        self.dealt: dict[int, Cards] = {}
        self.discarded: dict[int, Cards] = {}
        self.from_pack: Cards = ()
        self.starter: Card | None = None
        self.left: dict[int, list[Card]] = {}
        """The cards that each seat has still to play."""
        self.series: list[tuple[int, Card]] = []
        """Seat and card of each card of the count."""
        self.gone: set[int] = set()
        """The seats that have said go in this count."""
        self.on_turn: int | None = None
        self.is_over = False

    def go_on(self, event: HandDealt | CribDealt | Discarded | StarterCut | CardPlayed | GoSaid) -> None:
        """Counts what happens next."""
        match event:
            case HandDealt():
                self._deal(event.seat, event.cards)
            case CribDealt():
                self.from_pack += event.cards
            case Discarded():
                self._discard(event.seat, event.cards)
            case StarterCut():
                self._turn(event.card)
            case CardPlayed():
                self._play(event.seat, event.card)
            case GoSaid():
                self._say_go(event.seat)

    def _is_dealt_four(self, seat: int) -> bool:
        """True for the dealer of five, and of six the dealer and the seat opposite, who discard nothing."""
        spared = {5: {self.dealer}, 6: {self.dealer, (self.dealer + 3) % 6}}
        return seat in spared.get(self.seats, ())

    def _dealt_to(self, seat: int) -> int:
        if self._is_dealt_four(seat):
            return 4
        return 6 if self.seats == 2 and self.game.variant != "five-card" else 5

    def _discarded_by(self, seat: int) -> int:
        if self._is_dealt_four(seat):
            return 0
        return 2 if self.seats == 2 else 1

    def _deal(self, seat: int, hand: Cards) -> None:
        wanted = self._dealt_to(seat)
        assert seat not in self.dealt, f"seat {seat} is dealt twice"
        assert len(hand) == wanted, f"seat {seat} is dealt {len(hand)} cards, not {wanted}"
        self.dealt[seat] = hand
        if self.game.variant == "five-card" and self.is_first and len(self.dealt) == self.seats:
            self.game.peg(1 - self.dealer, 3)

    def _discard(self, seat: int, given: Cards) -> None:
        wanted = self._discarded_by(seat)
        assert self.starter is None, f"seat {seat} discards after the cut"
        assert len(set(given)) == wanted, f"seat {seat} discards {len(given)} cards, not {wanted}"
        assert {*given} <= {*self.dealt.get(seat, ())}, (
            f"seat {seat} discards {spell(given)}, which it does not hold"
        )
        self.discarded[seat] = given

    def _turn(self, starter: Card) -> None:
        assert self.starter is None, "the starter is turned twice"
        for seat in range(self.seats):
            assert seat in self.dealt, f"seat {seat} is dealt no cards"
        out_of_pack = [*self.from_pack, starter, *(each for hand in self.dealt.values() for each in hand)]
        assert len(set(out_of_pack)) == len(out_of_pack), "a card is dealt twice"
        assert len(self._crib()) == IN_THE_CRIB, f"the crib has {len(self._crib())} cards, not {IN_THE_CRIB}"
        extra = int(self.seats == 3)
        assert len(self.from_pack) == extra, (
            f"the pack gives {len(self.from_pack)} cards to the crib, not {extra}"
        )
        self.starter = starter
        self.left = {seat: self._kept(seat) for seat in range(self.seats)}
        self.on_turn = (self.dealer + 1) % self.seats
        if starter.rank is Rank.JACK:
            self.game.peg(self.dealer, 2)

    def _play(self, seat: int, card: Card) -> None:
        assert seat == self.on_turn, f"seat {seat} plays {card} when it is seat {self.on_turn}'s turn"
        assert card in self.left[seat], f"seat {seat} plays {card}, which it does not hold"
        assert self._count + card.pips <= 31, f"seat {seat} plays {card} at {self._count}"
        self.left[seat].remove(card)
        self.series.append((seat, card))
        self.game.peg(seat, in_play([each for _, each in self.series]))
        self._pass_on(seat)

    def _say_go(self, seat: int) -> None:
        assert seat == self.on_turn, f"seat {seat} says go when it is seat {self.on_turn}'s turn"
        assert not self._can_play(seat), f"seat {seat} says go at {self._count} with {spell(self.left[seat])}"
        self.gone.add(seat)
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """The turn goes from `seat` to the left; whoever played last is asked only for a card, for no go."""
        last = self.series[-1][0]
        self.on_turn = None
        for other in _from_left_of(seat, self.seats):
            if self._can_play(other) if other == last else self.left[other] and other not in self.gone:
                self.on_turn = other
                break
        if self._count == 31 or self.on_turn is None:
            self._end_count(last)

    def _end_count(self, last: int) -> None:
        self.game.peg(last, int(self._count != 31))
        self.series.clear()
        self.gone.clear()
        leaders = (seat for seat in _from_left_of(last, self.seats) if self.left[seat])
        self.on_turn = None if self.game.variant == "five-card" else next(leaders, None)
        if self.on_turn is None:
            self._show()

    def _show(self) -> None:
        assert self.starter is not None, "the hands are shown before the cut"
        for seat in _from_left_of(self.dealer, self.seats):
            counted = plain_count(tuple(sorted(self._kept(seat))), starter=self.starter)
            self.game.peg(seat, sum(each.points for each in counted))
        counted = plain_count(tuple(sorted(self._crib())), starter=self.starter, crib=True)
        self.game.peg(self.dealer, sum(each.points for each in counted))
        self.is_over = True
        if self.game.winner is None:
            self.game.dealer = (self.dealer + 1) % self.seats

    @property
    def _count(self) -> int:
        return sum(each.pips for _, each in self.series)

    def _can_play(self, seat: int) -> bool:
        return any(self._count + each.pips <= 31 for each in self.left[seat])

    def _kept(self, seat: int) -> list[Card]:
        return [each for each in self.dealt[seat] if each not in self.discarded.get(seat, ())]

    def _crib(self) -> Cards:
        return (*self.from_pack, *(each for given in self.discarded.values() for each in given))


def _from_left_of(seat: int, seats: int) -> list[int]:
    """Every seat once, clockwise; `seat` itself is the last."""
    return [(seat + step) % seats for step in range(1, seats + 1)]


def in_play(series: Sequence[Card]) -> int:
    """The points of the last card of a series."""
    alike = 1
    while alike < len(series) and series[-1 - alike].rank is series[-1].rank:
        alike += 1
    run = max((size for size in range(3, len(series) + 1) if _is_run(series[-size:])), default=0)
    return 2 * (sum(each.pips for each in series) in {15, 31}) + alike * (alike - 1) + run


def _is_run(some: Sequence[Card]) -> bool:
    ranks = sorted(each.rank.value for each in some)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))
