"""The check that computers were blind: each of their moves follows from what their seat sees.

The game is played again, and before each move of a computer, a substitute or a stand-in the same version of
the player chooses from the same view, with the seed that follows from the secret. It takes seconds a game.

The terms name the version that begins, and the log each later one; moves of other versions than this one are
left out. A computer moves when a move is due, once, and at its own level. What it draws follows from the
length of the log, so a note of the version that moves already would be another draw: such games are not
checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.computer import PLAYER, Level
from engine.duties import choices_for_the_absent, choices_of, has_to_move
from engine.errors import EngineError
from engine.fair.draws import FairChance
from engine.fair.findings import Checked, Finding
from engine.fair.ft2 import Proof
from engine.fair.replaying import Replay
from engine.fair.terms import PERSON, Terms
from engine.game import Game
from engine.moves import BySubstitute, ChangeComputer, ComeBack, Deal, Move, OwnMove, PreArranged, StandIn

MOST_TIES = 3
"""Moves that may be another one of equal worth, as another processor may sum it."""


def computers_are_blind(proof: Proof) -> Finding:
    """The result of choosing every move of the computer again, in a game whose cards hold."""
    terms = proof.terms
    if not proof.log:
        return Finding(Checked.COMPUTERS, holds=True, detail="0 moves, 0 ties")
    chance = FairChance(proof.secret, terms.sealed)
    again = Replay(proof.log, chance, terms.plain)
    moves = _Moves(terms, chance, terms.player)
    for move in again.moves():
        try:
            moves.choose_again(move, again.game)
        except (EngineError, ValueError) as error:
            at = f"event {again.game.version} ({type(error).__name__})"
            return Finding(Checked.COMPUTERS, holds=False, detail=at)
    return moves.finding()


class _AnotherMoveError(ValueError):
    """Raised where the computer would not have made this move, or not now."""


@dataclass
class _Moves:
    """The moves of the computer in one game so far."""

    terms: Terms
    chance: FairChance
    player: str
    """The version that moves."""
    left_out: dict[str, int] = field(default_factory=dict)
    """By other version: the moves that are not chosen again."""
    chosen: int = 0
    ties: int = 0
    by_clock: int = 0
    """The moves that the clock made for a computer, at the level of those who are away."""

    def choose_again(self, move: Move, game: Game) -> None:
        """Choose a move of the computer again. Raises `ValueError` and `EngineError` if it is not its own."""
        if isinstance(move, ChangeComputer):
            if move.player != PLAYER or self.player == PLAYER:
                self.left_out.setdefault(move.player, 0)  # no upgrade to this version: it may only move seeds
            self.player = move.player
        if (name := _level(move, self.terms)) is None:
            return
        assert not isinstance(move, ComeBack | ChangeComputer), "no computer makes these"
        if self.player != PLAYER:
            self.left_out[self.player] = self.left_out.get(self.player, 0) + 1
            return
        own, is_persons = _own(move), self.terms.seats[move.seat] == PERSON
        view, seed = game.view(own.seat), self.chance.seed(own.seat, game.version)
        if isinstance(move, StandIn):
            is_due, choose = own.seat in view.table.waiting_for, choices_for_the_absent
            self.by_clock += not is_persons
        else:
            is_due, choose = has_to_move(view, Level(name)), choices_of
            is_due &= is_persons or not isinstance(move, BySubstitute)
        choices = choose(view, Level(name), seed)
        if not is_due or own not in choices:
            raise _AnotherMoveError
        self.chosen, self.ties = self.chosen + 1, self.ties + (own != choices[0])

    def finding(self) -> Finding:
        """The result, if each move is the computer's own."""
        if self.left_out or (self.terms.player != PLAYER and not self.chosen):
            return _not_checked(_left_out(self.left_out or {self.terms.player: 0}, self.chosen))
        if self.by_clock:
            return _not_checked(f"the clock made {self.by_clock} of {self.chosen} moves for a computer")
        if self.ties > MOST_TIES:
            return _not_checked(f"{self.ties} of {self.chosen} moves are others of equal worth")
        return Finding(Checked.COMPUTERS, holds=True, detail=f"{self.chosen} moves, {self.ties} ties")


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
