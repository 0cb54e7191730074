"""Tables set as a test wants them: stacked packs, prescribed hands and scores, and what is pegged at them.

Everything is done with events and `Chance`, as a caller could; no state is built by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar

from engine import (
    CUT_LEAVES,
    PACK,
    CallMuggins,
    Card,
    Cards,
    Chance,
    CountAloud,
    Game,
    LetStand,
    Move,
    PlayCard,
    Rank,
    Rules,
    SayGo,
    Seat,
    card,
    cards,
)
from engine.events import DealBegan, DealerChosen, GameBegan, Pegged, PlayEnded, StarterCut
from engine.seats import Side, from_left_of, left_of
from engine.secret_events import CribDealt, Discarded, HandDealt, LoggedEvent, PackPutDown

_T = TypeVar("_T")


class StackedChance(Chance):
    """Shuffles and cuts that were arranged beforehand, used one after the other."""

    def __init__(self, *, packs: Iterable[Cards] = (), picks: Iterable[object] = ()) -> None:
        super().__init__(Random(0))
        self.packs = list(packs)
        self.picks = list(picks)

    def shuffled(self, pack: Cards, label: str = "") -> Cards:
        """The next of the arranged packs; the pack as it is when none is left."""
        if not self.packs:
            return pack
        arranged = self.packs.pop(0)
        assert sorted(arranged) == sorted(pack), "a stacked pack has the same cards"
        return arranged

    def pick(self, choices: Sequence[_T], label: str = "") -> _T:
        """The next of the arranged picks; the first choice when none is left."""
        if not self.picks:
            return choices[0]
        picked = self.picks.pop(0)
        return next(each for each in choices if each == picked)


class PlainChance(Chance):
    """Shuffles from a generator of our own, the same under every version of Python."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(0))
        self._number = seed

    def below(self, bound: int) -> int:
        """A number from 0 up to `bound`, itself excluded."""
        self._number = (self._number * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._number >> 33) % bound

    def shuffled(self, pack: Cards, label: str = "") -> Cards:
        """Each place in turn changes with one before it, or with itself."""
        order = list(pack)
        for place in range(len(order) - 1, 0, -1):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def pick(self, choices: Sequence[_T], label: str = "") -> _T:
        """One of them."""
        return choices[self.below(len(choices))]


def full_pack(*first: Card) -> Cards:
    """A whole pack that has those cards on top."""
    return (*first, *(each for each in PACK if each not in first))


def full_pack_cut(*first: Card) -> Cards:
    """A whole pack in which those cards lie at the first places where it may be cut."""
    rest = [each for each in PACK if each not in first]
    return (*rest[:CUT_LEAVES], *first, *rest[CUT_LEAVES:])


def pack_for(
    rules: Rules, dealer: int, hands: Sequence[Cards], from_pack: Cards = (), *, starter: Card
) -> Cards:
    """A pack that deals `hands`, by seat, round from the dealer's left, then `from_pack` to the crib.

    `starter` lies at the first place where the rest may be cut.
    """
    order = from_left_of(Seat(dealer), rules.seats)
    by_turn = (hands[seat][turn : turn + 1] for turn in range(rules.dealt) for seat in order)
    dealt = (*chain.from_iterable(by_turn), *from_pack)
    rest = [each for each in PACK if each not in {*dealt, starter}]
    return (*dealt, *rest[:CUT_LEAVES], starter, *rest[CUT_LEAVES:])


def at_random_hands(rules: Rules, pack: Cards, *, scores: Sequence[int]) -> Game:
    """A game at the first card of the play: hands from the top of the pack, and a starter that is no jack."""
    size = rules.kept
    hands = [tuple(sorted(pack[seat * size : (seat + 1) * size])) for seat in range(rules.seats)]
    starter = next(each for each in reversed(pack) if each.rank is not Rank.JACK)
    return at_play(rules, *hands, scores=scores, starter=str(starter))


def few_first(pack: Cards, rank: Rank) -> Cards:
    """The pack with its cards of that rank and below on top."""
    few = [each for each in pack if each.rank <= rank]
    return (*few, *(each for each in pack if each not in few))


def opening(rules: Rules, *, dealer: int = 0, scores: Sequence[int] = ()) -> tuple[LoggedEvent, ...]:
    """The log of a game in which `dealer` deals next and the sides have those scores."""
    return (GameBegan(rules), DealerChosen(Seat(dealer)), *_up_to(scores, rules))


def _up_to(scores: Sequence[int], rules: Rules) -> tuple[LoggedEvent, ...]:
    """The pegs of sides that have not pegged yet, moved to those scores."""
    gained = [(rules.seats_of(Side(side))[0], score - rules.start) for side, score in enumerate(scores)]
    return tuple(Pegged(seat, points, ()) for seat, points in gained if points > 0)


def at_play(
    rules: Rules,
    *hands: str | Cards,
    dealer: int = 0,
    scores: Sequence[int] = (),
    starter: str | None = None,
    crib: str | Cards = (),
) -> Game:
    """A game at the first card of the play: the kept hands by seat, and the whole crib if it matters.

    Seats hold exactly `hands`; what they discarded comes from `crib`, seat by seat, or from the
    cards that are left over, kings first.
    """
    kept = [cards(hand) if isinstance(hand, str) else hand for hand in hands]
    wanted = cards(crib) if isinstance(crib, str) else crib
    turned = card(starter) if starter else None
    used = {each for hand in kept for each in hand} | {*wanted} | {turned}
    spare = sorted((each for each in PACK if each not in used), reverse=True)
    turned = turned or next(each for each in reversed(spare) if each.rank is not Rank.JACK)
    given = iter((*wanted, *(each for each in spare if each != turned)))
    numbers = [rules.discards_of(Seat(seat), Seat(dealer)) for seat in range(rules.seats)]
    discards = [tuple(next(given) for _ in range(number)) for number in numbers]
    from_pack = tuple(next(given) for _ in range(rules.crib_from_pack))
    log = [*opening(rules, dealer=dealer, scores=scores), DealBegan(Seat(dealer), 1)]
    log += [HandDealt(Seat(seat), (*hand, *discards[seat])) for seat, hand in enumerate(kept)]
    log += [CribDealt(from_pack)] if from_pack else []
    gone = {*(each for hand in kept for each in hand), *(each for discard in discards for each in discard)}
    rest = [each for each in PACK if each not in {*gone, *from_pack, turned}]
    log += [PackPutDown((*rest[:CUT_LEAVES], turned, *rest[CUT_LEAVES:]))]
    log += [Discarded(Seat(seat), discard) for seat, discard in enumerate(discards) if discard]
    log += [StarterCut(left_of(Seat(dealer), rules.seats), turned, CUT_LEAVES)]
    return Game.replay(log, chance=PlainChance(1))


def play(game: Game, *moves: Move | str) -> tuple[LoggedEvent, ...]:
    """Make the moves, of which some may be lines for `plays`; everything that happened."""
    every = chain.from_iterable(plays(each) if isinstance(each, str) else (each,) for each in moves)
    return tuple(event for move in every for event in game.apply(move))


def play_on(game: Game) -> tuple[LoggedEvent, ...]:
    """Play the rest of the play with the first legal card each time, and say go where it must be said."""
    happened: list[LoggedEvent] = []
    while game.table.stage.value == "playing":
        (seat,) = game.table.waiting_for
        moves = game.legal_moves(seat)
        happened += game.apply(next(each for each in moves if isinstance(each, PlayCard | SayGo)))
    return tuple(happened)


def at_show(rules: Rules, *hands: str, **set_up: Any) -> Game:
    """A game whose play is over, with nothing pegged in it: the sides have exactly `scores`."""
    wanted = tuple(set_up.pop("scores", ()))
    game = at_play(rules, *hands, **set_up)
    log = [*game.log, *play_on(game)]
    silent = [event for event in log if not isinstance(event, Pegged)]
    began, chosen, *rest = silent
    return Game.replay((began, chosen, *_up_to(wanted, rules), *rest), chance=PlainChance(1))


def plays(text: str) -> list[Move]:
    """`"1 4H, 0 7D=2, 1 go, 0 muggins=2, 1 stand"`: the seat, and its card, go, or answer to a count.

    Behind the sign are the points that are called.
    """
    return [_deed(Seat(int(seat)), deed) for seat, deed in (word.split() for word in text.split(", "))]


def _deed(seat: Seat, deed: str) -> Move:
    name, _, called = deed.partition("=")
    match name:
        case "go":
            return SayGo(seat)
        case "stand":
            return LetStand(seat)
        case "muggins":
            return CallMuggins(seat, int(called))
        case "counts":
            return CountAloud(seat, int(called))
        case _:
            return PlayCard(seat, card(name), int(called) if called else None)


def settled(game: Game) -> Game:
    """The game when every count that is open to muggins is let stand."""
    while game.table.muggins_open_to:
        game.apply(LetStand(game.table.muggins_open_to[0]))
    return game


def pegged(events: Iterable[LoggedEvent]) -> list[tuple[int, int, str]]:
    """Seat, points and reason of each pegging, in order."""
    return [
        (event.seat, event.points, " ".join(score.reason.value for score in event.scores))
        for event in events
        if isinstance(event, Pegged)
    ]


def in_the_play(events: tuple[LoggedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """Events before the end of the play."""
    return events[: events.index(PlayEnded())] if PlayEnded() in events else events
