"""The daily hand: what people answered, their places and streaks, and what is asked of a store about them.

A day is a day of UTC. Whoever hides is in nobody's sight: they are in no place but their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from engine import Cards
from engine.coach import DailyHand


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAnswer:
    """What somebody discarded of a day's hand, for good."""

    day: date
    given: Cards = field(repr=False)
    cost: int
    """What it cost in chances to win, in parts of `engine.coach.COST_UNIT`."""
    streak: int
    """Days in a row on which they have played, with this one."""
    longest: int
    """The most days in a row that they ever played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPlace:
    """Where an answer stands among all, or among those of a server. Equal answers share a place."""

    place: int
    """One more than those who were better."""
    players: int
    """All who have played, with the person themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBest:
    """The best of a day in a server."""

    players: int
    cost: int
    names: tuple[str, ...]
    """Of those who did best, those longest on Discord first; at most as many as were asked for."""
    best: int
    """How many did best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPosting:
    """Where and when a server has the daily hand posted."""

    guild: int
    channel: int
    hour: int
    """Of UTC, 0 to 23."""
    posted: date
    """The last day that needs no post there any more."""
    tried: int | None = None
    """When sending today's began whose outcome is not known, in seconds since 1970."""


class DailyHands(Protocol):
    """What is kept of daily hands. Every call is one transaction and may raise `StoreUnavailable`."""

    async def seed(self, day: date) -> bytes:
        """What that day's hand follows from: a digest of the day by a secret that is kept here alone."""

    async def hand(self, day: date) -> DailyHand | None:
        """The hand of that day, if it was dealt."""

    async def keep_hand(self, day: date, hand: DailyHand) -> DailyHand:
        """Deal the hand of that day, and give the one that was dealt first. Old places in servers go."""

    async def answer(self, user: int, day: date) -> DailyAnswer | None:
        """What the person discarded on that day."""

    async def keep_answer(self, user: int, day: date, given: Cards, cost: int) -> DailyAnswer:
        """Keep what the person discards, unless they have discarded before; and give what stands."""

    async def appear(self, guild: int, user: int, name: str, answer: DailyAnswer) -> None:
        """Let the person stand in that server on the answer's day, under this name, unless it was deleted."""

    async def place(self, user: int, answer: DailyAnswer, guild: int | None) -> DailyPlace:
        """The place of the person's answer in the server, or for `None` in the world."""

    async def best(self, guild: int, day: date, most: int) -> DailyBest | None:
        """The best of a day in the server, with the names of so many; `None` if nobody has played."""

    async def claim_share(self, guild: int, user: int, day: date, *, claim: bool = True) -> bool:
        """Note that the person shares their answer in the server; false if they did before.

        With `claim` false it is taken back, when it could not be posted.
        """

    async def posting(self, guild: int) -> DailyPosting | None:
        """Where and when the server has the hand posted, if it has."""

    async def keep_posting(self, guild: int, posting: DailyPosting | None) -> DailyPosting | None:
        """Have it posted so from now on, or not at all; and give what is kept: a day has one post."""

    async def due(self, day: date, hour: int) -> tuple[DailyPosting, ...]:
        """Where the hand of that day is still to be posted at that hour."""

    async def trying(self, guild: int, at: int) -> None:
        """Sending begins now, in seconds since 1970."""

    async def not_posted(self, guild: int) -> None:
        """It is certain that what was tried was not posted."""

    async def posted(self, guild: int, day: date) -> None:
        """That day needs no post there any more."""
