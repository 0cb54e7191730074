"""The moves that are due from a computer in a game, and its choice of each, from its seat's view alone.

A table calls it for the seats in which a computer sits, and for players who are away. `engine.fair` calls it
again to check that a game's computers made these moves and no others.
"""

from __future__ import annotations

from dataclasses import replace

from engine.computer import FULL_ATTENTION, SKILLS, Level, calls_muggins, choices_with, plain_move
from engine.errors import NoComputerFamily
from engine.moves import ClaimHeels, OwnMove
from engine.views import PlayerView


def has_to_move(view: PlayerView, level: Level) -> bool:
    """True if the computer is to move in this seat, claim heels or call muggins; it never claims a game."""
    if view.seat in view.table.waiting_for or ClaimHeels in view.legal_moves.kinds:
        return True
    return calls_muggins(view, level)


def move_of(view: PlayerView, level: Level, seed: int) -> OwnMove:
    """The computer's move in a seat in which one is due. CPU-bound: run it in a worker thread."""
    return choices_of(view, level, seed)[0]


def choices_of(view: PlayerView, level: Level, seed: int) -> tuple[OwnMove, ...]:
    """The computer's move, then those worth as much within 1e-9. Raises `ValueError` if none."""
    return choices_with(view, SKILLS[level], seed=seed)


def choices_for_the_absent(view: PlayerView, level: Level, seed: int) -> tuple[OwnMove, ...]:
    """The move for a seat whose player is away, as the computer would make it; then those worth as much.

    Where players count aloud it overlooks nothing: the clock costs nobody points of their own hand. Under
    rules for which the computer cannot discard or play, a plain move replaces it.
    """
    try:
        return choices_with(view, replace(SKILLS[level], attention=FULL_ATTENTION), seed=seed)
    except NoComputerFamily:
        return (plain_move(view),)
