"""The moves that are due from a computer in a game, and its choice of each, from its seat's view alone.

A table calls it for the seats in which a computer sits, and for players who are away. `engine.fair` calls it
again to check that a game's computers made these moves and no others.
"""

from __future__ import annotations

from dataclasses import replace

from engine.computer import SKILLS, Level, choices_with, plain_move
from engine.errors import NoComputerFamily
from engine.events import CardPlayed, HandCounted, MugginsCalled
from engine.game import Game
from engine.legal import LegalMoves
from engine.moves import CallMuggins, ClaimHeels, LetStand, OwnMove
from engine.seats import Seat
from engine.views import PlayerView


def view_of(game: Game, seat: Seat) -> PlayerView:
    """The seat's view, without calls of muggins on points that another seat has already taken."""
    view = game.view(seat)
    if CallMuggins not in view.legal_moves.kinds:
        return view
    last = (
        event for event in reversed(game.log) if isinstance(event, MugginsCalled | CardPlayed | HandCounted)
    )
    match next(last, None):
        case MugginsCalled(taken=taken) if taken:
            moves = tuple(move for move in view.legal_moves if not isinstance(move, CallMuggins))
            return replace(view, legal_moves=LegalMoves(moves))
        case _:
            return view


def has_to_move(view: PlayerView) -> bool:
    """True if the computer is to move in this seat, claim heels or call muggins; it never claims a game."""
    kinds = view.legal_moves.kinds
    if view.seat in view.table.waiting_for or ClaimHeels in kinds:
        return True
    return CallMuggins in kinds and isinstance(_word_on_the_last_card(view), CallMuggins)


def move_of(view: PlayerView, level: Level, seed: int) -> OwnMove:
    """The computer's move in a seat in which one is due. CPU-bound: run it in a worker thread."""
    return choices_of(view, level, seed)[0]


def choices_of(view: PlayerView, level: Level, seed: int) -> tuple[OwnMove, ...]:
    """The computer's move, then those worth as much within 1e-9. Raises `ValueError` if none."""
    if view.seat in view.table.waiting_for or ClaimHeels in view.legal_moves.kinds:
        return choices_with(view, SKILLS[level], seed=seed)
    return (_word_on_the_last_card(view),)


def choices_for_the_absent(view: PlayerView, level: Level, seed: int) -> tuple[OwnMove, ...]:
    """The move for a seat whose player is away, as the computer would make it; then those worth as much.

    Under rules for which the computer cannot discard or play, a plain move replaces it.
    """
    try:
        return choices_of(view, level, seed)
    except NoComputerFamily:
        return (plain_move(view),)


def _word_on_the_last_card(view: PlayerView) -> OwnMove:
    """A call of muggins for points missed in the play, or `LetStand`: nobody waits for an answer."""
    calls = (move for move in view.legal_moves if isinstance(move, CallMuggins))
    moves = LegalMoves((*calls, LetStand(view.seat)))
    return choices_with(replace(view, legal_moves=moves), SKILLS[Level.BEGINNER], seed=0)[0]
