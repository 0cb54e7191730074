"""Whole games between computers, and every position in which one of them moved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
from engine.presets import PRESETS, standard
from engine.rules import Counting
from engine.state import State
from tests.engine.games import seats_of
from tests.engine.tables import PlainChance

_SHORT: dict[str, Any] = {"target": 61}
_MUGGINS: dict[str, Any] = {**_SHORT, "counting": Counting.ALOUD, "muggins": True}

TABLES: dict[str, Rules] = {
    "standard-2": standard(2),
    "short-2": standard(2, **_SHORT),
    "short-3": standard(3, **_SHORT),
    "short-4": standard(4, **_SHORT),
    "short-4-alone": standard(4, **_SHORT, partners=False),
    "standard-5": standard(5, **_SHORT),
    "standard-6": standard(6, **_SHORT),
    "standard-6-threes": standard(6, **_SHORT, players_a_side=3),
    "lurch-2": PRESETS["lurch"](2, **_SHORT),
    "lurch-4": PRESETS["lurch"](4, **_SHORT),
    "piecepack-3": PRESETS["piecepack"](3, **_SHORT),
    "family-2": PRESETS["family"](2, **_SHORT),
    "family-3": PRESETS["family"](3, **_SHORT),
    "shotgun-2": PRESETS["shotgun"](),
    "five_card-2": PRESETS["five_card"](),
    "lowball-2": PRESETS["lowball"](2, **_SHORT),
    "lowball-4": PRESETS["lowball"](4, **_SHORT),
    "captains-3": PRESETS["captains"](3, **_SHORT),
    "standard-2-muggins": standard(2, **_MUGGINS),
    "standard-3-muggins": standard(3, **_MUGGINS),
    "standard-4-muggins": standard(4, **_MUGGINS),
    "family-2-muggins": PRESETS["family"](2, **_MUGGINS),
    "family-4-alone-muggins": PRESETS["family"](4, **_MUGGINS, partners=False),
    "one-count-3": standard(3, **_SHORT, play_out=False),
    "no-pairs-2": standard(2, **_SHORT, pairs_in_play=False),
    "heels-of-five-4": standard(4, **_SHORT, his_heels=5),
}
"""A table of each family of the computer, some that count aloud, and some without figures for pegging."""

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


@lru_cache(maxsize=16)
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
        state = game.state
        move = choose(game.view(seat), level, seed=seed)
        game.apply(move)
        turns.append(Turn(state, seat, level, move))
    return (*turns,)


def usual_match(table: str) -> tuple[Turn, ...]:
    """The game at that table which several tests look at, so that it is played once."""
    return match(table, usual_levels(table), USUAL_SEED)


def usual_levels(table: str) -> tuple[Level, ...]:
    """As many levels as there are seats, the strongest; of two the beginner and the expert."""
    seats = TABLES[table].seats
    return (*Level,)[-seats:] if seats > 2 else (Level.BEGINNER, Level.EXPERT)


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
