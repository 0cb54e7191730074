"""Every variant, and random legal games of each: what was possible, what was done, what came of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import strategies as st

from engine import PRESETS, ClaimGame, Game, Move, OwnMove, Resign, Rules, Seat, StandIn
from engine.events import Ending, Pegged
from engine.phases import CuttingForDeal, Dealing, Layout, Over
from engine.rules import Counting
from engine.secret_events import LoggedEvent
from engine.state import State
from tests.engine.pencil import Reckoning
from tests.engine.tables import PlainChance

SEATINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "4-alone": (4, {"partners": False}),
    "5": (5, {}),
    "6": (6, {}),
    "6-threes": (6, {"players_a_side": 3}),
}

PRESET_SEATS = tuple((name, seats) for name, preset in PRESETS.items() for seats in sorted(preset.players))
"""Every preset with each number of players that it is for."""

PRESET_SEATINGS = tuple(
    (name, seating)
    for name, preset in PRESETS.items()
    for seating, (seats, _) in SEATINGS.items()
    if seats in preset.players and (name, seating) != ("lowball", "4-alone")
)

COUNTINGS: dict[str, dict[str, Any]] = {
    "machine": {},
    "aloud": {"counting": Counting.ALOUD},
    "muggins": {"counting": Counting.ALOUD, "muggins": True},
}

VARIANTS: dict[str, Rules] = {
    f"{name}-{seating}-{counting}": PRESETS[name](seats, **shared, **changes)
    for name, seating in PRESET_SEATINGS
    for seats, shared in (SEATINGS[seating],)
    for counting, changes in COUNTINGS.items()
    if name != "lowball" or counting == "machine"
} | {
    "captains-1": PRESETS["captains"](captain=1),
    "captains-2": PRESETS["captains"](captain=2),
    "one-count-3": PRESETS["short"](3, play_out=False),
    "one-count-4": PRESETS["lurch"](4, target=61, play_out=False),
    "one-count-muggins": PRESETS["short"](2, play_out=False, counting=Counting.ALOUD, muggins=True),
    "price-2": PRESETS["standard"](2, wrong_claims=2, **COUNTINGS["muggins"]),
    "price-3": PRESETS["family"](3, wrong_claims=5, **COUNTINGS["muggins"]),
    "price-4": PRESETS["lurch"](4, wrong_claims=1, **COUNTINGS["muggins"]),
    "price-4-alone": PRESETS["short"](4, partners=False, wrong_claims=2, **COUNTINGS["muggins"]),
}

WALKED = (
    *("standard-2-machine", "standard-3-muggins", "standard-4-machine", "standard-5-machine"),
    *("standard-6-muggins", "standard-6-threes-machine", "short-4-alone-muggins", "lurch-3-machine"),
    *("lurch-4-muggins", "piecepack-2-machine", "parlour-2-aloud", "family-2-aloud", "family-3-machine"),
    *("shotgun-2-muggins", "five_card-2-machine", "lowball-2-machine", "lowball-4-machine"),
    *("captains-3-aloud", "captains-1", "one-count-muggins", "price-3", "price-4"),
)
"""Variants of which tests share the games: each preset, number of players, kind of sides and way to count."""


@dataclass(frozen=True)
class Step:
    """A move, the state it was made in, and what came of it."""

    before: State
    move: Move
    events: tuple[LoggedEvent, ...]
    after: State


@dataclass(frozen=True, repr=False)
class Walk:
    """A whole game of random legal moves."""

    name: str
    seed: int
    opening: tuple[LoggedEvent, ...]
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        return f"walk({self.name!r}, {self.seed})"

    @property
    def log(self) -> tuple[LoggedEvent, ...]:
        """Everything that happened."""
        return (*self.opening, *(event for step in self.steps for event in step.events))

    @property
    def states(self) -> tuple[State, ...]:
        """The state before every move, and at the end."""
        return (*(step.before for step in self.steps), self.steps[-1].after)


@lru_cache(maxsize=64)
def walk(name: str, seed: int) -> Walk:
    """A game of that variant from the first cut to its end.

    Now and then somebody resigns; in the first game of each variant players come and go as well.
    """
    game = Game.new(VARIANTS[name], chance=PlainChance(seed))
    dice = PlainChance(seed + 1)
    opening = game.log
    steps: list[Step] = []
    while not game.is_over:
        before = game.state
        own = any_move(game, dice)
        move: Move = own
        if seed == 0 and not isinstance(own, Resign | ClaimGame) and dice.below(4) == 0:
            move = StandIn(own)
        events = game.apply(move)
        steps.append(Step(before, move, events, game.state))
    return Walk(name, seed, opening, tuple(steps))


def any_move(game: Game, dice: PlainChance) -> OwnMove:
    """A legal move of any seat, the seats that are waited for first; kinds are equally likely."""
    if dice.below(1500) == 0:
        return Resign(dice.pick(seats_of(game.rules)))
    others = [seat for seat in seats_of(game.rules) if game.legal_moves(seat)]
    seat = dice.pick(others) if dice.below(4) == 0 else dice.pick(game.table.waiting_for)
    return move_of(game, seat, dice)


def move_of(game: Game, seat: Seat, dice: PlainChance) -> OwnMove:
    """A legal move of `seat`."""
    moves = game.legal_moves(seat)
    kind = dice.pick(sorted(moves.kinds, key=lambda each: each.__name__))
    return dice.pick([move for move in moves if type(move) is kind])


def layout_of(state: State) -> Layout | None:
    """The cards of the deal; `None` while none is dealt."""
    phase = state.phase.before if isinstance(state.phase, Over) else state.phase
    return None if isinstance(phase, CuttingForDeal | Dealing) else phase.layout


def seats_of(rules: Rules) -> tuple[Seat, ...]:
    """Every seat."""
    return tuple(Seat(seat) for seat in range(rules.seats))


def mostly_deep(names: Iterable[Any], cheap: Collection[Any]) -> list[Any]:
    """The names as cases of a test, of which all but the `cheap` ones run with ALL=1 only."""
    return [name if name in cheap else pytest.param(name, marks=pytest.mark.deep) for name in names]


FUZZED = int(os.environ.get("FUZZED", "30"))
"""Number of random games of each kind that other code counts, too."""


@lru_cache(maxsize=64)
def fuzzed(rules: Rules, seed: int) -> Game:
    """A whole game of random legal moves; one in ten is resigned, unless it is over before."""
    game, dice = Game.new(rules, chance=PlainChance(seed)), PlainChance(seed + 1_000_000)
    gives_up = 20 + dice.below(100) if seed % 10 == 0 else None
    moves = 0
    while not game.is_over:
        if moves == gives_up:
            game.apply(Resign(Seat(dice.below(rules.seats))))
            break
        game.apply(move_of(game, game.table.waiting_for[0], dice))
        moves += 1
    return game


def check_counted_alike(game: Game, found: Reckoning) -> None:
    """Asserts that a finished game pegged, scored and ended as another reckoning of its log says."""
    result = game.table.result
    assert result is not None
    assert [(each.seat, each.points) for each in game.log if isinstance(each, Pegged)] == found.pegged
    reached = [min(score, target) for score, target in zip(found.scores, found.targets, strict=True)]
    assert list(result.scores) == reached
    assert result.ending is (Ending.RESIGNED if found.home is None else Ending.PEGGED_OUT)
    assert result.winner == found.winner


def walk_of(name: str) -> Walk:
    """The game of that variant which tests share; in every second one nobody comes and goes."""
    return walk(name, WALKED.index(name) % 2)


any_walk = st.builds(walk_of, st.sampled_from(WALKED))
"""A game of any of `WALKED`."""
