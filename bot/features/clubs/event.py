"""What is kept about a club event: values, as rows hold them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.model.table_record import Agreement, Occupant, computer_at
from engine import Seat
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
    captain: int | None = None
    """The number of the one whose partner they are; `None` for the first of a team, or who has no partner."""

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
    """The points pegged, home and away; both 0 where they do not count for the spread.

    So a win with none is one by resignation.
    """
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
    """An entrant's number, the captain's of a team; that one sits in the first seat."""
    away: int | None
    """`None` for a bye."""
    thread: int | None = None
    """The thread in which it is played, which is the id of the message that announces it, too."""
    game: str | None = None
    """The game at its table."""
    outcome: Outcome | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of those who meet; of teams, their captains'."""
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
    def partners(self) -> bool:
        """Whether teams of two play, and not everybody for themselves."""
        return self.agreement.rules.partners

    @property
    def sides(self) -> tuple[Entrant, ...]:
        """Who is paired and has a line in the standings: all entrants, or the captains of the teams."""
        return tuple(each for each in self.entrants if each.captain is None)

    def team(self, number: int) -> tuple[Entrant, ...]:
        """The entrant of that number with the partner, if there is one."""
        mates = (each for each in self.entrants if each.captain == number)
        return (self.entrant(number), *mates)

    def side_of(self, number: int) -> int:
        """The number under which that entrant is paired."""
        return self.entrant(number).captain or number

    def is_teamed(self, number: int) -> bool:
        """Whether the entrant of that number has a partner."""
        return len(self.team(self.side_of(number))) > 1

    def is_here(self, number: int) -> bool:
        """Whether that side plays: for a team, whether one of its people is there."""
        team = self.team(number)
        are_computers = all(each.user is None for each in team)
        return any(
            each.presence is Presence.HERE and (each.user is not None or are_computers) for each in team
        )

    def occupants(self, pairing: Pairing) -> tuple[Occupant, ...]:
        """Who sits at the pairing's table, by seat: partners opposite each other.

        The computer plays for who has left a team.
        """
        teams = [self.team(each) for each in pairing.players]
        found: list[Occupant] = []
        for seat in range(self.agreement.players):
            entrant = teams[seat % len(teams)][seat // len(teams)]
            is_gone = entrant.presence is Presence.LEFT
            found.append(computer_at(self.level, found) if is_gone else entrant.occupant)
        return tuple(found)

    def reached(self, pairing: Pairing) -> tuple[int, ...]:
        """The people who play that pairing, by Discord's id: those who are told of it."""
        occupants = () if pairing.away is None else self.occupants(pairing)
        return tuple(each.person for each in occupants if each.person is not None and each.person > 0)

    def seat_of(self, number: int, pairing: Pairing) -> Seat:
        """Where that entrant sits at the pairing's table."""
        side = self.side_of(number)
        place = [each.number for each in self.team(side)].index(number)
        return Seat(pairing.players.index(side) + place * len(pairing.players))

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The pairings of the round that is being played."""
        return tuple(each for each in self.pairings if each.round == self.round)
