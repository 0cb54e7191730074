"""Whole games between computers, and every position in which one of them moved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine import (
    CallMuggins,
    ClaimHeels,
    CutForFirstDeal,
    CutStarter,
    Deal,
    Game,
    OwnMove,
    Rules,
    SayGo,
    Seat,
)
from engine.computer import Level
from engine.computer.player import choose
from engine.notation import write_move
from engine.presets import PRESETS
from engine.rules import Counting
from engine.state import State
from tests.engine.games import PRESET_SEATINGS, SEATINGS, seats_of
from tests.engine.tables import PlainChance

TABLES: dict[str, Rules] = (
    {
        f"{name}-{seating}": PRESETS[name](seats, **shared)
        for name, seating in PRESET_SEATINGS
        for seats, shared in (SEATINGS[seating],)
    }
    | {
        f"{name}-{seating}-muggins": PRESETS[name](
            seats, **shared, target=61, counting=Counting.ALOUD, muggins=True
        )
        for name, seating in PRESET_SEATINGS
        for seats, shared in (SEATINGS[seating],)
        if name in {"standard", "family"}
    }
    | {
        "one-count-2": PRESETS["standard"](2, play_out=False),
        "one-count-3": PRESETS["short"](3, play_out=False),
        "no-pairs-2": PRESETS["short"](2, pairs_in_play=False),
        "heels-of-five-4": PRESETS["short"](4, his_heels=5),
    }
)
"""Every preset for every number of players, some that count aloud, and some without figures for pegging."""

USUAL_SEED = 4

UNASKED = (CallMuggins, ClaimHeels)
"""Moves that the game does not wait for."""


@dataclass(frozen=True)
class Turn:
    """A computer of that level was asked, and made that move."""

    state: State
    seat: Seat
    level: Level
    move: OwnMove


@cache
def match(table: str, levels: tuple[Level, ...], seed: int) -> tuple[Turn, ...]:
    """A game to its end; the levels sit round the table again and again.

    Raises what the engine or a computer raises.
    """
    game = Game.new(
        TABLES[table], chance=PlainChance(seed), automatic={CutForFirstDeal, Deal, CutStarter, SayGo}
    )
    turns: list[Turn] = []
    while not game.is_over:
        seat = whose_move(game, levels, seed)
        level = levels[seat % len(levels)]
        state = game._state
        move = choose(game.view(seat), level, seed=seed)
        game.apply(move)
        turns.append(Turn(state, seat, level, move))
    return (*turns,)


def usual_match(table: str) -> tuple[Turn, ...]:
    """The game at that table which several tests look at, so that it is played once."""
    return match(table, usual_levels(table), USUAL_SEED)


def usual_levels(table: str) -> tuple[Level, ...]:
    """As many levels as there are seats, the strongest; of two the beginner and the steady player."""
    seats = TABLES[table].seats
    return (*Level,)[-seats:] if seats > 2 else (Level.BEGINNER, Level.STEADY)


def whose_move(game: Game, levels: tuple[Level, ...], seed: int) -> Seat:
    """Somebody whose computer claims what nobody waits for, or else the first that the game waits for."""
    for seat in seats_of(game.rules):
        may_claim = game.legal_moves(seat).kinds.intersection(UNASKED)
        if may_claim and claims(game, seat, levels[seat % len(levels)], seed):
            return seat
    return game.table.waiting_for[0]


def claims(game: Game, seat: Seat, level: Level, seed: int) -> bool:
    try:
        return isinstance(choose(game.view(seat), level, seed=seed), UNASKED)
    except ValueError:
        return False


def moves_of(turns: tuple[Turn, ...]) -> list[str]:
    """The moves as text."""
    return [write_move(turn.move) for turn in turns]
