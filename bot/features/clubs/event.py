"""The values of a club event, as its rows hold them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.model.table_record import Agreement, Occupant, computer_at
from engine import Seat
from engine.computer import Level

MOST_ENTRANTS: Final = 32
"""Limit of entrants, people and computers: a message and a channel's list of threads hold no more."""


class Phase(Enum):
    """The phase of an event."""

    GATHERING = "gathering"
    """People sign up."""
    PLAYING = "playing"
    OVER = "over"
    """All rounds are played; or nobody started it before the next of a weekly one opened."""
    CLOSED = "closed"
    """Ended early: by an organiser, or since its channel was deleted."""


class Points(Enum):
    """The points for a win and for a skunk."""

    CONGRESS = "congress"
    """Two and three (American Cribbage Congress, tournament rules)."""
    PLAIN = "plain"
    """One and two."""


class Presence(Enum):
    """The presence of an entrant: only those who are here are paired."""

    SIGNED = "signed"
    """Signed up, not checked in."""
    HERE = "here"
    LEFT = "left"


class Ended(Enum):
    """The end of a pairing."""

    WIN = "win"
    SKUNK = "skunk"
    BYE = "bye"
    FORFEIT = "forfeit"
    """The game waited for the loser at the deadline, or the loser left."""
    NOTHING = "nothing"
    """No winner: the game was called off, or waited for both sides at the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A participant: a person or a computer."""

    number: int
    """From 1, in order of signing up."""
    user: int | None
    """Discord's id; `None` for a computer, negative once the person's data is deleted."""
    name: str
    """The name shown in the server, as typed; empty once the person's data is deleted."""
    level: Level | None = None
    """The level of the computer that plays for this entrant."""
    presence: Presence = Presence.SIGNED
    captain: int | None = None
    """The number of their team's captain; `None` for a captain, and for an entrant without a partner."""

    @property
    def occupant(self) -> Occupant:
        """The entrant at a table."""
        return Occupant(self.user, self.name, self.level)

    @property
    def is_computer(self) -> bool:
        """True if a computer plays for this entrant."""
        return self.level is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a pairing."""

    ended: Ended
    winner: int | None
    """The number of an entrant; `None` without a winner."""
    scores: tuple[int, int] = (0, 0)
    """The points pegged, home and away; both 0 if they do not count for the spread (a resignation)."""
    corrected: bool = False
    """True if an organiser has set the outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two entrants who meet in a round."""

    round: int
    """From 1."""
    table: int
    """From 1 within the round."""
    home: int
    """The number of the entrant, or the team's captain, in the first seat."""
    away: int | None
    """`None` for a bye."""
    thread: int | None = None
    """The thread of the game; its id is also that of the message that announces the pairing."""
    game: str | None = None
    """The id of the game."""
    outcome: Outcome | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of the sides; a team has its captain's."""
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
    """The number of games for each side."""
    hours: int
    """The time (h) for a round."""
    fill: int
    """Computers fill the event up to this number of entrants; 0 for none."""
    level: Level
    """The level of those computers."""
    language: str
    round: int = 0
    """The current round, from 1."""
    due: int = 0
    """Deadline of the current round (s since 1970)."""
    reminded: bool = False
    """True if the reminder of the current round was sent."""
    message: int | None = None
    """The message on which people sign up."""
    begun: int = 0
    """Start of the first round (s since 1970), which decides the year that the event counts in; 0 before."""
    again: int | None = None
    """Time (s since 1970) at which the next event of a weekly one opens; `None` if none does."""
    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()

    def entrant(self, number: int) -> Entrant:
        """The entrant with that number."""
        return self.entrants[number - 1]

    def entrant_of(self, user: int) -> Entrant | None:
        """The entrant with that Discord id, if they have signed up."""
        return next((each for each in self.entrants if each.user == user), None)

    @property
    def was_missed(self) -> bool:
        """True if nobody started it before the next of a weekly one opened."""
        return self.phase is Phase.OVER and not self.round

    @property
    def partners(self) -> bool:
        """True if teams of two play."""
        return self.agreement.rules.partners

    @property
    def sides(self) -> tuple[Entrant, ...]:
        """The sides that are paired and ranked: all entrants, or the captains of the teams."""
        return tuple(each for each in self.entrants if each.captain is None)

    def team(self, number: int) -> tuple[Entrant, ...]:
        """The entrant with that number, and their partner if they have one."""
        mates = (each for each in self.entrants if each.captain == number)
        return (self.entrant(number), *mates)

    def side_of(self, number: int) -> int:
        """The number under which that entrant is paired: the captain's, or their own."""
        return self.entrant(number).captain or number

    def is_teamed(self, number: int) -> bool:
        """True if the entrant with that number has a partner."""
        return len(self.team(self.side_of(number))) > 1

    def is_here(self, number: int) -> bool:
        """True if that side plays: the entrant, or a person of the team, is here."""
        team = self.team(number)
        are_computers = all(each.user is None for each in team)
        return any(
            each.presence is Presence.HERE and (each.user is not None or are_computers) for each in team
        )

    def occupants(self, pairing: Pairing) -> tuple[Occupant, ...]:
        """The occupants of the pairing's table, by seat: partners sit opposite each other.

        The computer plays for those who have left a team.
        """
        teams = [self.team(each) for each in pairing.players]
        found: list[Occupant] = []
        for seat in range(self.agreement.players):
            entrant = teams[seat % len(teams)][seat // len(teams)]
            is_gone = entrant.presence is Presence.LEFT
            found.append(computer_at(self.level, found) if is_gone else entrant.occupant)
        return tuple(found)

    def reached(self, pairing: Pairing) -> tuple[int, ...]:
        """Discord ids of the people to notify of that pairing: those who play in it."""
        occupants = () if pairing.away is None else self.occupants(pairing)
        return tuple(each.person for each in occupants if each.person is not None and each.person > 0)

    def seat_of(self, number: int, pairing: Pairing) -> Seat:
        """The seat of that entrant at the pairing's table."""
        side = self.side_of(number)
        place = [each.number for each in self.team(side)].index(number)
        return Seat(pairing.players.index(side) + place * len(pairing.players))

    def pairing(self, number: int, table: int) -> Pairing | None:
        """The pairing at that table in that round, if there is one."""
        return next((each for each in self.pairings if (each.round, each.table) == (number, table)), None)

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The pairings of the current round."""
        return tuple(each for each in self.pairings if each.round == self.round)
