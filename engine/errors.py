"""The engine's errors, as a tree.

    EngineError
    ├── RulesError              a variant that nobody could play
    │   └── WrongNumberOfPlayers
    ├── NoComputerFamily        a variant that the computer does not play
    ├── NotCoached              a game that the coach does not know
    ├── NotationError           a text that is no card, move or game
    ├── PositionError           a line that is no position, or one that no game could reach
    ├── CannotCount             cards that are no hand with a starter
    ├── LogError                a log that no game could have written
    ├── GameIsOver              a move after the winning peg
    └── IllegalMove             a move that this seat may not make now
        ├── NoSuchSeat
        ├── NotYourTurn
        ├── WrongPhase
        ├── CardNotHeld
        ├── SameCardTwice
        ├── WrongNumberOfCards
        ├── OverThirtyOne
        ├── MustPlay
        ├── CutTooNearTheEnd
        ├── CutThereAlready
        ├── MugginsSpent
        ├── ImpossibleCount
        ├── MustCallPoints
        └── PointsNotCalled

An error carries facts as fields and no prose for players: the caller words it. Fields that may name a private
card do not print.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card, Cards
from engine.seats import Seat


class EngineError(Exception):
    """The base of all errors of the engine."""


class RulesError(EngineError):
    """A variant that nobody could play."""


@dataclass(eq=False)
class WrongNumberOfPlayers(RulesError):
    """A preset that is for other numbers of players."""

    preset: str
    given: int
    wanted: tuple[int, ...]
    """The numbers of players that it is for, ascending."""

    def __str__(self) -> str:
        wanted = " or ".join(", ".join(map(str, self.wanted)).rsplit(", ", 1))
        return f"{self.preset} is for {wanted} players, not {self.given}"


@dataclass(eq=False)
class NoComputerFamily(EngineError):
    """A variant that the computer does not play: none of its tables is near enough."""

    options: tuple[str, ...]
    """The fields of `Rules` that are the reason."""

    def __str__(self) -> str:
        return f"the computer has no tables for {', '.join(self.options)}"


@dataclass(eq=False)
class NotCoached(EngineError):
    """A game that the coach does not know: lowball, captain's, or more than four players."""

    def __str__(self) -> str:
        return "the coach does not know this game"


@dataclass(eq=False)
class CannotCount(EngineError):
    """Cards that are no hand with a starter: none, too many, or a card that is there twice."""

    number: int | None
    """Number of cards in the hand, if none or too many; `None` if a card is there twice."""
    most: int
    """Largest number of cards in a hand."""

    def __str__(self) -> str:
        if self.number is None:
            return "a card is there twice in the hand and its starter"
        return f"a hand has 1 to {self.most} cards, not {self.number}"


@dataclass(eq=False)
class NotationError(EngineError):
    """A text that is no card, move or game."""

    text: str = field(repr=False)
    """The text read. It may name a private card, so it does not print."""
    expected: str
    """A description of the text expected there, in the notation's terms."""

    def __str__(self) -> str:
        return f"expected {self.expected}"


@dataclass(eq=False)
class PositionError(EngineError):
    """A line that is no position, or one that no game could reach (`engine.position`)."""

    field: str
    """The name of the line's field that is wrong."""
    why: str
    """A sentence without private cards."""

    def __str__(self) -> str:
        return f"{self.field}: {self.why}"


class LogError(EngineError):
    """A log that no game could have written."""


class GameIsOver(EngineError):
    """The winning peg is in: nothing can be played or scored after it."""


@dataclass(eq=False)
class IllegalMove(EngineError):
    """A move that this seat may not make now; nothing changed."""

    seat: Seat

    @property
    def why(self) -> str:
        """The rule that the move breaks: the first line of the error's docstring."""
        return (type(self).__doc__ or "").strip().split("\n", 1)[0]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.why}"


@dataclass(eq=False)
class NoSuchSeat(IllegalMove):
    """Nobody sits there in this game."""

    seats: int
    """The number of the game's seats."""


@dataclass(eq=False)
class NotYourTurn(IllegalMove):
    """The move belongs to this moment, but to another seat."""

    waiting_for: tuple[Seat, ...]


@dataclass(eq=False)
class WrongPhase(IllegalMove):
    """The move does not belong to this moment of the game."""

    stage: str
    """The name of the game's `Stage`."""
    move: type[object] | None = None
    """The class of the refused move."""
    waiting_for: tuple[Seat, ...] = ()


@dataclass(eq=False)
class CardNotHeld(IllegalMove):
    """The card is not in the seat's hand."""

    card: Card = field(repr=False)


@dataclass(eq=False)
class SameCardTwice(IllegalMove):
    """One card was named twice."""

    card: Card = field(repr=False)


@dataclass(eq=False)
class WrongNumberOfCards(IllegalMove):
    """The crib takes a fixed number of cards from each seat."""

    given: int
    wanted: int


@dataclass(eq=False)
class OverThirtyOne(IllegalMove):
    """The card would take the count past thirty-one."""

    card: Card = field(repr=False)
    count: int
    playable: Cards = field(default=(), repr=False)
    """The cards that the seat can play instead."""


@dataclass(eq=False)
class MustPlay(IllegalMove):
    """A seat that can play a card may not say go (ACC rule 7.3)."""

    playable: Cards = field(repr=False)


@dataclass(eq=False)
class CutTooNearTheEnd(IllegalMove):
    """A cut leaves at least four cards in each part of the pack (document 001)."""

    place: int
    first: int
    """The legal place nearest to the top."""
    last: int
    """The legal place nearest to the bottom."""


@dataclass(eq=False)
class CutThereAlready(IllegalMove):
    """Somebody else has cut for the deal at that place."""

    place: int


@dataclass(eq=False)
class MugginsSpent(IllegalMove):
    """A wrong call of muggins was the seat's only one for this count."""


@dataclass(eq=False)
class ImpossibleCount(IllegalMove):
    """No hand, crib or card can be worth that many points."""

    points: int
    most: int
    """Most points that could be called here."""


@dataclass(eq=False)
class MustCallPoints(IllegalMove):
    """With muggins a card is played with its points called, even if they are none."""

    card: Card = field(repr=False)


@dataclass(eq=False)
class PointsNotCalled(IllegalMove):
    """Without muggins the points of a card are pegged for the player, never called."""
