"""What club events ask of a store.

Every call is one transaction and may raise `StoreUnavailable`; then nothing changed. What returns an event
gives it as it is kept then, and raises `NO_EVENT` for one that there is not, or that cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.features.clubs.event import Entrant, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.pairings import Round
from engine.computer import Level


class Runner(Protocol):
    """What runs the events, for those who act on them."""

    def changed(self, number: int) -> None:
        """Something happened to that event. Only queues."""

    async def begin(self, number: int) -> Event:
        """Begin the event with those who are here, or with all if nobody has said so, and computers.

        Raises `TOO_SMALL` and `NO_EVENT`.
        """

    async def cover(self, event: Event, number: int) -> None:
        """Let the computer go on in the game that this entrant is in, who has been replaced by it."""

    async def correct(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Set the outcome of a pairing, and call its game off if it is still played."""


class ClubStore(Protocol):
    """Events, with their entrants, pairings and outcomes."""

    async def organisers(self, guild: int) -> int | None:
        """The role whose members run events in the server, beside moderators."""

    async def name_organisers(self, guild: int, role: int | None) -> None:
        """Let members of that role run events; with `None`, moderators alone."""

    async def open(self, event: Event) -> Event:
        """Keep a new event under an id of its own. Raises `TAKEN` when one is open in its channel.

        One that cannot be read is closed, and does not hold its channel.
        """

    async def event(self, number: int) -> Event:
        """The event of that id."""

    async def event_in(self, channel: int) -> Event | None:
        """The event that is open in the channel, or has a game in that thread; else the last one there."""

    async def open_events(self) -> tuple[Event, ...]:
        """All that gather or play."""

    async def note_message(self, number: int, message: int) -> Event:
        """Remember the message on which people sign up."""

    async def enter(self, number: int, user: int, name: str, presence: Presence) -> Event:
        """Sign a person up, or say that they are here or have left; a later word replaces an earlier one.

        Who has not signed up and leaves is not entered; who leaves before the start has no partner any more.
        Who is here and signs up stays here. Raises `NO_EVENT` for an event that is over, `FULL`, and
        `UNDER_WAY` for signing up once it has begun.
        """

    async def choose_partner(self, number: int, user: int, partner: int | None) -> Event:
        """Make a team of two people who have signed up; with `None`, end the one that `user` is in.

        Raises `NO_EVENT`, `UNDER_WAY` once it has begun, `SINGLES`, `NOT_ENTERED` for somebody who has
        not signed up, and `PARTNER_TAKEN` for somebody who is in another team.
        """

    async def substitute(self, number: int, user: int, level: Level) -> Event:
        """Let the computer play for somebody from now on, until they say that they are here.

        Nothing happens for somebody who has not signed up. Raises `NO_EVENT` for an event that is over.
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
        """Begin the round that follows `after`, with computers that are `new`, and new `captains` by number.

        Nothing happens when another round is being played, or the event is over, or when somebody has signed
        up meanwhile, so that a number of the computers is taken.
        """

    async def note_thread(self, number: int, pairing: Pairing, thread: int) -> Event:
        """Remember in which thread the pairing is played."""

    async def note_game(self, number: int, pairing: Pairing, game: str) -> Event:
        """Remember the game at the pairing's table, before it is opened. One that has a game keeps it."""

    async def settle(self, number: int, pairing: Pairing, outcome: Outcome) -> Event:
        """Keep what a pairing came to. One that is settled stays so, unless the outcome is a correction."""

    async def note_reminder(self, number: int, after: int, due: int) -> Event:
        """Remember that the round's reminder was told, and when the round has to be over."""

    async def end(self, number: int, phase: Phase) -> Event:
        """End an event that is open; one that has ended stays as it is."""
