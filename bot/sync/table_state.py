"""All that is kept in memory of one table while there is something to sync: dropping a table drops it whole.

When a game has ended, and its messages say so, its state is evicted. Somebody may still press a button there
later, to review the game, say: what is read of its messages for them lives as long as their press.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.model.hints import Drawn
from bot.render.messages.last_deal import LastDeal
from bot.sync.posts import Posts
from bot.sync.turns import Turns
from engine import Seat
from engine.coach import WinChances


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """Delays (s) after which people are called and tables move, and the clock that they are counted on."""

    clock: Callable[[], float]
    ring_after: float
    """A player who has pressed nothing for so long in their turn is called by DM."""
    mention_after: float
    """A player of a slow game who has not moved for so long is mentioned as their turn begins."""
    lull: float
    """Play is rapid while moves are less than that apart: then no table moves down its channel."""


@dataclass(slots=True)
class Watched:
    """A table's last move, as seen when its channel was last looked at."""

    version: int
    moved: float
    """When, in seconds of `Pacing.clock`."""
    asked: float | None = None
    """When Discord was asked for the channel's end last."""


@dataclass(slots=True)
class TableState:
    """The state of one table."""

    posts: Posts | None = None
    is_to_be_reposted: bool = False
    coming_down: set[Seat] = field(default_factory=set)
    """The seats whose hand by DM is to be posted once more at the end of that DM."""
    has_unacknowledged_sends: bool = False
    """True if a send may have succeeded without being recorded (crash between send and commit)."""

    # What its players have done, and how they were called

    turns: Turns = field(default_factory=Turns)
    moved_at: dict[int, float] = field(default_factory=dict)
    """By user: when they moved last, in seconds of `Pacing.clock`."""
    called_after: dict[Seat, int] = field(default_factory=dict)
    """By seat: how much its player had done in the deal when they were mentioned."""
    reminder_due: int | None = None
    """When the clock moves, in seconds since 1970, while a reminder of that is to be posted."""
    watched: Watched | None = None

    # How it is drawn

    has_pictures: bool = True
    """False once Discord has refused our pictures in its channel."""
    has_pictures_by_dm: bool = True
    """The same of its players' DMs."""
    last_deals: dict[Seat, tuple[Any, LastDeal | None]] = field(default_factory=dict, repr=False)
    """By seat: the head of the message by DM, with the facts that it was made from (`last_deals`)."""
    course: WinChances | None = field(default=None, repr=False)
    """The course of a game that is over, which takes up to a quarter of a second to compute."""

    # When it is drawn, in the event loop's time

    merges_until: float = 0.0
    """The end of the debounce window in which its message waits for more news."""
    reply_since: float | None = None
    """Since when nobody but the computer can move, which replies within a moment."""

    # Of a table that another process owns

    pressed: set[Seat] = field(default_factory=set)
    """The seats that have pressed something here, of which the owner is to hear."""
    drawn: dict[int, Drawn] = field(default_factory=dict)
    """By message: what answers have drawn here."""
