"""The chance to win that the coach says in the play, against simulation.

A position is what one seat knows in the play of a game for two: the scores, its six cards, the starter, and
the cards played. To simulate it, the other's six cards are drawn until the other player would have discarded
and played as it did; then both play the deal to its end. If nobody has won then, the table of chances before
a deal says the rest.
"""

from __future__ import annotations

import math
import multiprocessing
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from benchmarks.figures import Figure
from benchmarks.strength.players import Player, player
from engine import (
    CUT_LEAVES,
    PACK,
    TWO_HANDED,
    Card,
    Cards,
    Chance,
    DealBegan,
    DealerChosen,
    Discard,
    Game,
    GameBegan,
    Pegged,
    PlayCard,
    PlayerView,
    Rank,
    SayGo,
    Seat,
    StarterCut,
    card,
    cards,
)
from engine.coach import advice
from engine.computer.tables import course_of, family_of
from engine.secret_events import Discarded, HandDealt, LoggedEvent, PackPutDown

PLAYER = "expert:worlds=100"
"""The player of both seats in a simulation."""

_MOST_PLAYED = 3
"""Most cards played before a random position: with more, few draws agree with them."""
_NEAREST = 5
"""Fewest holes that a side of a random position needs."""
_PATIENCE = 20_000
"""Draws after which a position is given up, as one that the player would hardly bring about."""

_KNOWN = {
    "dealer at 105 to 110, 5S cut, gave 5D 5C": ("2H 4C 6S 8D", "5D 5C", "QD"),
    "dealer at 105 to 110, 5S cut, gave KD 9S": ("2H 4C 6S 8D", "KD 9S", "QD"),
}
"""Two positions that differ in the dealer's own discards alone: kept, given, and the pone's lead."""


@dataclass(frozen=True, slots=True)
class Position:
    """What one seat knows; the cards played are in order, by both."""

    scores: tuple[int, ...]
    dealer: Seat
    seat: Seat
    kept: Cards
    given: Cards
    starter: Card
    played: Cards = ()

    def dealt(self, other_kept: Cards, other_given: Cards) -> Game:
        """The game with these cards in the other hand, before the first card of the play."""
        hands = [(self.kept, self.given), (other_kept, other_given)]
        if self.seat:
            hands.reverse()
        log: list[LoggedEvent] = [*_opening(self.scores, self.dealer)]
        log += [HandDealt(Seat(seat), (*kept, *given)) for seat, (kept, given) in enumerate(hands)]
        gone = {self.starter, *(each for hand in hands for cards in hand for each in cards)}
        rest = [each for each in PACK if each not in gone]
        log += [PackPutDown((*rest[:CUT_LEAVES], self.starter, *rest[CUT_LEAVES:]))]
        log += [Discarded(Seat(seat), given) for seat, (_, given) in enumerate(hands)]
        log += [StarterCut(Seat(1 - self.dealer), self.starter, CUT_LEAVES)]
        return Game.replay(log, chance=Chance(Random(0)), automatic={SayGo})


@dataclass(frozen=True, slots=True)
class Measured:
    """One position's chance, as said and as simulated."""

    said: float
    simulated: float
    error: float
    """One standard error of `simulated`."""


def measured(position: Position, samples: int, random: Random) -> Measured | None:
    """Asks the coach, and simulates; `None` if the position hardly ever comes about."""
    both = player(PLAYER)
    said: float | None = None
    values = []
    for _ in range(samples):
        game = _drawn(position, both, random)
        if game is None:
            return None
        if said is None:
            said = advice(game.view(position.seat))[0].winning
        values.append(_played_out(game, both, position.seat))
    assert said is not None, "the coach knows the chances of a game for two"
    return Measured(said, statistics.mean(values), statistics.stdev(values) / math.sqrt(samples))


def _drawn(position: Position, other: Player, random: Random) -> Game | None:
    """A game at the position with other cards that the other player would have discarded and played."""
    shown = tuple(each for each in position.played if each not in position.kept)
    known = {*position.kept, *position.given, position.starter, *shown}
    unseen = [each for each in PACK if each not in known]
    for _ in range(_PATIENCE):
        six = tuple(sorted((*shown, *random.sample(unseen, 6 - len(shown)))))
        given = _discard(position, six, other)
        if set(given) & set(shown):
            continue
        game = position.dealt(tuple(each for each in six if each not in given), given)
        if all(_plays(game, each, position.seat, other) for each in position.played):
            return game
    return None


def _discard(position: Position, six: Cards, other: Player) -> Cards:
    """The discards of the other player from these cards."""
    seat = Seat(1 - position.seat)
    mine = (*position.kept, *position.given)
    log: list[LoggedEvent] = [*_opening(position.scores, position.dealer)]
    log += [HandDealt(each, six if each == seat else mine) for each in (Seat(0), Seat(1))]
    rest = tuple(each for each in PACK if each not in {*six, *mine})
    game = Game.replay([*log, PackPutDown(rest)], chance=Chance(Random(0)))
    move = other(game.view(seat))
    assert isinstance(move, Discard), "it has six cards"
    return move.cards


def _plays(game: Game, next_card: Card, me: Seat, other: Player) -> bool:
    """Plays the card; false if the other player has the turn and would play another rank."""
    (turn,) = game.table.waiting_for
    if turn != me:
        move = other(game.view(turn))
        if not isinstance(move, PlayCard) or move.card.rank is not next_card.rank:
            return False
    elif next_card not in game.view(turn).hand:
        return False
    game.apply(PlayCard(turn, next_card))
    return True


def _played_out(game: Game, both: Player, seat: Seat) -> float:
    """The value of the game to `seat` at the end of this deal."""
    while not game.is_over and game.table.deal_number == 1:
        turn = game.table.waiting_for[0]
        game.apply(both(game.view(turn)))
    table = game.table
    if table.result is not None:
        return float(table.result.winner == table.rules.side_of(seat))
    needs = [table.rules.target - score for score in table.scores]
    dealing = float(course_of(family_of(table.rules)).win[needs[table.dealer], needs[1 - table.dealer]])
    return dealing if table.dealer == seat else 1 - dealing


def _opening(scores: tuple[int, ...], dealer: Seat) -> tuple[LoggedEvent, ...]:
    pegged = (Pegged(Seat(side), points, ()) for side, points in enumerate(scores) if points)
    return (GameBegan(TWO_HANDED), DealerChosen(dealer), *pegged, DealBegan(dealer, 1))


def random_position(random: Random, both: Player) -> Position:
    """A position in which the seat to play has a choice, after cards that this player would play."""
    while True:
        scores = tuple(random.randint(0, TWO_HANDED.target - _NEAREST) for _ in range(2))
        dealer = Seat(random.randrange(2))
        pack = random.sample(PACK, 13)
        starter = pack[12]
        if starter.rank is Rank.JACK:
            continue
        hands = tuple(sorted(pack[:6])), tuple(sorted(pack[6:12]))
        asked = [Position(scores, dealer, Seat(1 - seat), hands[1 - seat], (), starter) for seat in range(2)]
        given = [_discard(asked[seat], hands[seat], both) for seat in range(2)]
        kept = [tuple(each for each in hands[seat] if each not in given[seat]) for seat in range(2)]
        game = Position(scores, dealer, Seat(0), kept[0], given[0], starter).dealt(kept[1], given[1])
        played: list[Card] = []
        number = random.randint(0, _MOST_PLAYED)
        while not game.is_over and game.table.stage.value == "playing" and len(played) <= number:
            turn = game.table.waiting_for[0]
            view = game.view(turn)
            if len(played) == number and _has_choice(view):
                return Position(scores, dealer, turn, kept[turn], given[turn], starter, tuple(played))
            move = both(view)
            game.apply(move)
            if isinstance(move, PlayCard):
                played.append(move.card)


def _has_choice(view: PlayerView) -> bool:
    return len({each.rank for each in view.legal_moves.playable}) > 1


def known_position(name: str) -> Position:
    """One of the two known positions."""
    kept, given, lead = _KNOWN[name]
    return Position((105, 110), Seat(0), Seat(0), cards(kept), cards(given), card("5S"), cards(lead))


def run(number: int, samples: int, jobs: int, *, begin: int = 0) -> list[Figure]:
    """Measures the two known positions and `number` random ones, `samples` games each."""
    tasks: list[Callable[[], Measured | None]] = [
        *(partial(_known, name, samples) for name in _KNOWN),
        *(partial(_random, begin + each, samples) for each in range(number)),
    ]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        every = pool.map(_call, tasks, chunksize=1)
    figures = [_figure(name, each) for name, each in zip(_KNOWN, every, strict=False)]
    found = [each for each in every[len(_KNOWN) :] if each is not None]
    if len(found) > 1:
        off = [each.said - each.simulated for each in found]
        square = statistics.mean(each**2 for each in off)
        noise = statistics.mean(each.error**2 for each in found)
        figures += [
            Figure(
                f"{len(found)} random positions: said less simulated, mean", _percent(statistics.mean(off))
            ),
            Figure("rms", _percent(math.sqrt(square))),
            Figure("rms of the simulation's own error", _percent(math.sqrt(noise))),
            Figure("rms without it", _percent(math.sqrt(max(square - noise, 0.0)))),
            Figure("farthest", _percent(max(off, key=abs))),
        ]
    return figures


def _figure(name: str, each: Measured | None) -> Figure:
    if each is None:
        return Figure(name, "hardly ever comes about")
    value = (
        f"said {_percent(each.said)}, simulated {_percent(each.simulated)} ± {_percent(1.96 * each.error)}"
    )
    return Figure(name, value, aim="within three points")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _call(task: Callable[[], Measured | None]) -> Measured | None:
    return task()


def _known(name: str, samples: int) -> Measured | None:
    return measured(known_position(name), samples, Random(name))


def _random(seed: int, samples: int) -> Measured | None:
    random = Random(seed)
    return measured(random_position(random, player(PLAYER)), samples, random)
