"""The daily hand: people's answers, places and streaks, and the protocol of their store.

Days are in UTC. Players who hide their figures count in no ranking but the one that they see themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from engine import Cards
from engine.coach import DailyHand


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAnswer:
    """A person's discard from the hand of a day; it is final."""

    day: date
    given: Cards = field(repr=False)
    cost: int
    """Loss of winning chance against the best discard, in units of 1/`engine.coach.COST_UNIT`."""
    streak: int
    """Number of consecutive days played, including this one."""
    longest: int
    """The person's longest streak ever (days)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPlace:
    """The rank of an answer in the world or in a server. Equal answers share a place."""

    place: int
    """From 1: one more than the number of better answers."""
    players: int
    """Number of players, including the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBest:
    """The best players of a day in a server."""

    players: int
    cost: int
    names: tuple[str, ...]
    """Names of the best, the oldest Discord accounts first, up to the requested number."""
    best: int
    """Number of players with the best answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPosting:
    """A server's setting of the daily post, and its state."""

    guild: int
    channel: int
    hour: int
    """Hour in UTC, 0 to 23."""
    posted: date
    """The latest day whose post is done, or not wanted."""
    tried: int | None = None
    """Start (s since 1970) of an attempt to send whose outcome is unknown."""


class DailyHands(Protocol):
    """The store of daily hands. Each call is one transaction and may raise `StoreUnavailable`."""

    async def seed(self, day: date) -> bytes:
        """The seed of that day's hand: a digest of the day, keyed by a secret that only the store has."""

    async def hand(self, day: date) -> DailyHand | None:
        """The hand of that day; `None` if it was not dealt."""

    async def keep_hand(self, day: date, hand: DailyHand) -> DailyHand:
        """Store the hand of that day unless one is stored; returns the stored one. Deletes old rankings."""

    async def answer(self, user: int, day: date) -> DailyAnswer | None:
        """The person's answer on that day."""

    async def keep_answer(self, user: int, day: date, given: Cards, cost: int) -> DailyAnswer:
        """Store the person's answer unless they have answered before; returns the stored one."""

    async def appear(self, guild: int, user: int, name: str, answer: DailyAnswer) -> None:
        """Add the person, under this name, to the server's ranking; no effect if the answer was deleted."""

    async def place(self, user: int, answer: DailyAnswer, guild: int | None) -> DailyPlace:
        """The place of the person's answer in the server; in the world for `None`."""

    async def best(self, guild: int, day: date, most: int) -> DailyBest | None:
        """The best of a day in the server, with at most `most` names; `None` if nobody has played."""

    async def claim_share(self, guild: int, user: int, day: date, *, claim: bool = True) -> bool:
        """Claim the person's one share of that day in the server; False if it is claimed already.

        With `claim` False the claim is released, since the post has failed.
        """

    async def posting(self, guild: int) -> DailyPosting | None:
        """The server's setting of the daily post, if it has one."""

    async def keep_posting(self, guild: int, posting: DailyPosting | None) -> DailyPosting | None:
        """Store the setting, or delete it; returns the stored one, in which a posted day stays posted."""

    async def due(self, day: date, hour: int) -> tuple[DailyPosting, ...]:
        """The settings of servers whose post of that day is due by that hour (UTC)."""

    async def trying(self, guild: int, at: int) -> None:
        """Record that an attempt to send begins now (`at`, s since 1970)."""

    async def not_posted(self, guild: int) -> None:
        """Record that the attempt has certainly failed."""

    async def posted(self, guild: int, day: date) -> None:
        """Record that the day needs no further post."""
