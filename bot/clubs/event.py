"""What is kept about a club event: values, as rows hold them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.model.table_record import Agreement, Occupant
from engine.computer import Level

MOST_ENTRANTS: Final = 32
"""People and computers of one event: more would not fit into a message, nor threads into a channel's list."""


class Phase(Enum):
    """Where an event stands in its life."""

    GATHERING = "gathering"
    """People sign up."""
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"
    """An organiser has ended it before its time, or its channel is gone."""


class Points(Enum):
    """What a win and a skunk are worth."""

    CONGRESS = "congress"
    """Two and three (American Cribbage Congress, tournament rules)."""
    PLAIN = "plain"
    """One and two."""


class Presence(Enum):
    """Whether an entrant is paired."""

    SIGNED = "signed"
    """They have signed up, and not said yet that they are here."""
    HERE = "here"
    LEFT = "left"


class Ended(Enum):
    """How a pairing came to its outcome."""

    WIN = "win"
    SKUNK = "skunk"
    BYE = "bye"
    FORFEIT = "forfeit"
    """At the deadline the game waited for the loser, or the loser left."""
    NOTHING = "nothing"
    """It was called off, or waited for both: nobody has won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Somebody who takes part."""

    number: int
    """From 1, by the order in which they signed up."""
    user: int | None
    """Discord's id; `None` for a computer, negative once a person is forgotten."""
    name: str
    """The name shown in the server, as typed; empty once a person is forgotten."""
    level: Level | None = None
    """How well a computer plays."""
    presence: Presence = Presence.SIGNED

    @property
    def occupant(self) -> Occupant:
        """The entrant at a table."""
        return Occupant(self.user, self.name, self.level)

    @property
    def is_computer(self) -> bool:
        """Whether it is no person."""
        return self.level is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a pairing came to."""

    ended: Ended
    winner: int | None
    """An entrant's number; `None` when nobody has won."""
    scores: tuple[int, int] = (0, 0)
    """The points pegged, home and away; both 0 where they do not count for the spread."""
    corrected: bool = False
    """An organiser has set it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two entrants who meet in a round."""

    round: int
    """From 1."""
    table: int
    """From 1, in the round."""
    home: int
    """An entrant's number; that one sits in the first seat."""
    away: int | None
    """`None` for a bye."""
    thread: int | None = None
    """The thread in which it is played, which is the id of the message that announces it, too."""
    game: str | None = None
    """The game at its table."""
    outcome: Outcome | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of those who meet."""
        return (self.home,) if self.away is None else (self.home, self.away)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A night or a season."""

    id: int
    guild: int
    channel: int
    place: str
    """The server's name."""
    name: str
    phase: Phase
    agreement: Agreement
    points: Points
    rounds: int
    """How many games each plays."""
    hours: int
    """The time for a round."""
    fill: int
    """Up to how many entrants computers fill the places; 0 for none."""
    level: Level
    """How well those play."""
    language: str
    round: int = 0
    """The one that is being played, from 1."""
    due: int = 0
    """When it has to be over, in seconds since 1970."""
    reminded: bool = False
    """Whether the reminder of this round was told."""
    message: int | None = None
    """The message on which people sign up."""
    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()

    def entrant(self, number: int) -> Entrant:
        """The entrant of that number."""
        return self.entrants[number - 1]

    def entrant_of(self, user: int) -> Entrant | None:
        """That person's entry, if they have signed up."""
        return next((each for each in self.entrants if each.user == user), None)

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The pairings of the round that is being played."""
        return tuple(each for each in self.pairings if each.round == self.round)
