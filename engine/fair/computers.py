"""The check that computers were blind: each of their moves follows from what their seat sees.

The game is played again, and before each move of a computer, a substitute or a stand-in the same version of
the player chooses from the same view, with the seed that follows from the secret. It takes seconds a game.

The terms name the version that begins, and the log each later one; moves of other versions than this one are
left out.
"""

from __future__ import annotations

from engine.computer import PLAYER, UNDRAWN_PLAYERS, Level
from engine.duties import choices_for_the_absent, choices_of
from engine.errors import EngineError
from engine.fair.draws import FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.ft2 import Proof
from engine.fair.replaying import Replay
from engine.fair.terms import PERSON, Terms
from engine.moves import BySubstitute, ChangeComputer, ComeBack, Deal, Move, OwnMove, PreArranged, StandIn

MOST_TIES = 3
"""Moves that may be another one of equal worth, as another processor may sum it."""


def computers_are_blind(proof: Proof) -> Finding:
    """The result of choosing every move of the computer again, in a game whose cards hold."""
    terms = proof.terms
    if terms.player in UNDRAWN_PLAYERS:
        return _not_checked("games of its version drew the computer's seeds without the secret")
    if not proof.log:
        return Finding(Checked.COMPUTERS, holds=True, detail="0 moves, 0 ties")
    chance = FairChance(proof.secret, terms.sealed)
    again = Replay(proof.log, chance, terms.plain)
    player, left_out, chosen, ties = terms.player, dict[str, int](), 0, 0
    for move in again.moves():
        if isinstance(move, ChangeComputer):
            player = move.player
        if (name := _level(move, terms)) is None:
            continue
        assert not isinstance(move, ComeBack | ChangeComputer), "no computer makes these"
        if player != PLAYER:
            left_out[player] = left_out.get(player, 0) + 1
            continue
        at, own = again.game.version, _own(move)
        try:
            choose = choices_for_the_absent if isinstance(move, StandIn) else choices_of
            choices = choose(again.game.view(own.seat), Level(name), chance.seed(own.seat, at))
        except (EngineError, ValueError) as error:
            return Finding(Checked.COMPUTERS, holds=False, detail=f"event {at} ({type(error).__name__})")
        if own not in choices:
            return Finding(Checked.COMPUTERS, holds=False, detail=f"event {at}")
        chosen, ties = chosen + 1, ties + (own != choices[0])
    if left_out or (terms.player != PLAYER and not chosen):
        return _not_checked(_left_out(left_out or {terms.player: 0}, chosen))
    if ties > MOST_TIES:
        return _not_checked(f"{ties} of {chosen} moves are others of equal worth")
    return Finding(Checked.COMPUTERS, holds=True, detail=f"{chosen} moves, {ties} ties")


def _level(move: Move, terms: Terms) -> str | None:
    """The level of the computer that makes the move; `None` for a person's, and for a deal."""
    match move:
        case StandIn():
            return terms.stand_in
        case BySubstitute(level=level):
            return level
        case Deal() | ComeBack() | ChangeComputer():
            return None  # anybody may deal for the dealer; nothing is chosen
        case _:
            occupant = terms.seats[move.seat]
            return None if occupant == PERSON else occupant


def _own(move: OwnMove | StandIn | BySubstitute | PreArranged) -> OwnMove:
    return move.move if isinstance(move, StandIn | BySubstitute | PreArranged) else move


def _left_out(others: dict[str, int], chosen: int) -> str:
    """The sentence on the moves of other versions, by version, and on those that were checked."""
    theirs = ", ".join(f"by version {each}: {number}" for each, number in others.items())
    ours = f"; those by this version, {PLAYER}, hold: {chosen}" if chosen else f"; this one is {PLAYER}"
    return f"moves {theirs}{ours}"


def _not_checked(reason: str) -> Finding:
    return Finding(Checked.COMPUTERS, holds=None, detail=reason)
