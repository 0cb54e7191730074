"""The store of club events, and the service that runs them.

Each call of the store is one transaction; it may raise `StoreUnavailable`, and then nothing has changed.
Calls that return an event return it as stored afterwards, and raise `NO_EVENT` if it is missing or damaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.features.clubs.event import Entrant, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.pairings import Round
from engine.computer import Level


class Runner(Protocol):
    """The service that runs the events."""

    def changed(self, number: int) -> None:
        """Wake the event's task after a change. Non-blocking."""

    async def begin(self, number: int) -> Event:
        """Begin the event with everybody who has checked in, or all if nobody has, and with computers.

        Raises `TOO_SMALL` and `NO_EVENT`.
        """

    async def cover(self, event: Event, number: int) -> None:
        """Let the computer continue the current game of this entrant, whom it replaces."""

    async def correct(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Set the outcome of a pairing, and call its game off if it is in play."""


class ClubStore(Protocol):
    """Events, with their entrants, pairings and outcomes."""

    async def organisers(self, guild: int) -> int | None:
        """The role whose members run events in the server, apart from moderators."""

    async def name_organisers(self, guild: int, role: int | None) -> None:
        """Set the role whose members run events; with `None`, only moderators do."""

    async def open(self, event: Event) -> Event:
        """Store a new event with a new id. Raises `TAKEN` if another is open in its channel.

        An unreadable event in the channel is closed.
        """

    async def event(self, number: int) -> Event:
        """The event with that id."""

    async def event_in(self, channel: int) -> Event | None:
        """The event that is open in that channel, or has a game in that thread; else the latest one there."""

    async def open_events(self) -> tuple[Event, ...]:
        """All events that are gathering or playing."""

    async def note_message(self, number: int, message: int) -> Event:
        """Store the message on which people sign up."""

    async def enter(self, number: int, user: int, name: str, presence: Presence) -> Event:
        """Sign a person up, check them in, or take them out; the latest call wins.

        Leaving without having signed up enters nobody. Leaving before the start ends the person's team.
        Signing up after checking in changes nothing. Raises `NO_EVENT` if the event is over, `FULL`, and
        `UNDER_WAY` for signing up after the start.
        """

    async def choose_partner(self, number: int, user: int, partner: int | None) -> Event:
        """Make a team of two people who have signed up; with `None`, end the team of `user`.

        Raises `NO_EVENT`, `UNDER_WAY` after the start, `SINGLES`, `NOT_ENTERED` if either has not signed up,
        and `PARTNER_TAKEN` if either is in another team.
        """

    async def substitute(self, number: int, user: int, level: Level) -> Event:
        """Let the computer play for an entrant until they check in again.

        No effect for anybody who has not signed up. Raises `NO_EVENT` if the event is over.
        """

    async def begin_round(
        self,
        number: int,
        after: int,
        new: Sequence[Entrant],
        pairs: Round,
        due: int,
        *,
        captains: Mapping[int, int | None] | None = None,
    ) -> Event:
        """Begin the round that follows `after`, with `new` computers, and new `captains` by number.

        No effect if the current round is not `after`, if the event is over, or if somebody who signed up
        concurrently has taken the number of a new computer.
        """

    async def note_thread(self, number: int, pairing: Pairing, thread: int) -> Event:
        """Store the thread of the pairing."""

    async def note_game(self, number: int, pairing: Pairing, game: str) -> Event:
        """Store the id of the pairing's game, before its table is opened. A stored id is never replaced."""

    async def settle(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Store the outcome of a pairing. Only a correction replaces a stored outcome."""

    async def note_reminder(self, number: int, after: int, due: int) -> Event:
        """Store that the round's reminder was sent, and the round's deadline."""

    async def end(self, number: int, phase: Phase) -> Event:
        """End an open event; no effect on one that has ended."""
