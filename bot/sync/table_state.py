"""The in-memory state of one table, in one object, so that evicting a table drops all of it.

`open_tables` says how long a state lives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.model.hints import Drawn
from bot.model.posts import Post
from bot.model.table_record import TableRecord
from bot.render.messages.last_deal import LastDeal
from bot.sync.posts import Posts
from bot.sync.turns import Turns
from engine import Seat
from engine.coach import WinChances


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """Delays (s) of calls and bumps, and the clock that counts them."""

    clock: Callable[[], float]
    ring_after: float
    """Time without a press in their turn after which a player is called by DM."""
    mention_after: float
    """Time without a move after which a player of a slow game is mentioned as their turn begins."""
    lull: float
    """Play is rapid, and no table is bumped, while moves are less than this apart."""


@dataclass(slots=True)
class Watched:
    """A table's latest move that a sync has seen; times are `Pacing.clock`'s (s)."""

    version: int
    moved_at: float
    polled_at: float | None = None
    """Time of the last poll of the channel's last message."""


@dataclass(slots=True)
class TableState:
    """The state of one table."""

    posts: Posts | None = None
    is_refused: bool = False
    """True if Discord has refused its first message, and it was called off."""
    is_to_be_reposted: bool = False
    hands_to_repost: set[Seat] = field(default_factory=set)
    """Seats whose hand the next sync reposts at the end of their DM."""
    has_unacknowledged_sends: bool = False
    """True if a send may have succeeded without being recorded (crash between send and commit)."""

    # After an older copy of the database has come in its place

    is_to_be_redrawn: bool = False
    """True until a sync draws every message again, whatever is known of it."""
    has_gone_back: bool = False
    """True until a sync draws what the log, which has gone back, has left of the game."""
    found: list[Post] = field(default_factory=list)
    """Messages that the database does not know, which somebody has pressed."""
    lost: TableRecord | None = None
    """Its last record, if the database has the table no more: its messages have still to say so."""
    lost_in: int | None = None
    """See `Known.lost_in`."""
    is_loss_told: bool = True
    """False until the table's message says that moves were lost."""

    # Its players' moves and calls

    turns: Turns = field(default_factory=Turns)
    moved_at: dict[int, float] = field(default_factory=dict)
    """By user: time of their last move, on `Pacing.clock` (s)."""
    called_after: dict[Seat, int] = field(default_factory=dict)
    """By seat: number of its player's acts in the deal at their last mention."""
    reminder_due: int | None = None
    """The time (s since 1970) at which the clock moves, while its reminder waits for the next sync."""
    watched: Watched | None = None

    # Rendering

    has_pictures: bool = True
    """False once Discord has refused a picture in its channel."""
    has_pictures_by_dm: bool = True
    """False once Discord has refused a picture in a player's DM."""
    last_deals: dict[Seat, tuple[Any, LastDeal | None]] = field(default_factory=dict, repr=False)
    """By seat: the cached head of the message by DM, with its key (`last_deals`)."""
    course: WinChances | None = field(default=None, repr=False)
    """The cached course of a game that is over: computing it takes up to 0.25 s."""

    # Debounce, in the event loop's time (s)

    merges_until: float = 0.0
    """End of the debounce window of the table's message."""
    reply_since: float | None = None
    """Start of the wait for the computer's reply; `None` if a person can move."""

    # Hints for the process that owns the table

    pressed: set[Seat] = field(default_factory=set)
    """Seats whose player has pressed something in this process."""
    drawn: dict[int, Drawn] = field(default_factory=dict)
    """By message id: the drawings of answers in this process."""
