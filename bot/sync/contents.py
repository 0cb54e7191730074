"""The contents of a table's messages, as facts: a plan names them, and `Renderer` draws them.

A content holds no card, text or picture, only the facts by which two drawings of one version of a game
differ. So plans are cheap and can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.model.preferences import Preferences
from engine import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """The lobby of a table, open or closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The remains of a message that was reposted at the end of its channel."""

    url: str
    """The URL of the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table of one deal: its play, then its show."""

    deal: int
    is_open: bool
    """True if it has buttons."""
    has_picture: bool
    behind_button: tuple[str, ...] = ()
    """The names of players who get no messages by DM, or none yet: they see their hand behind the button."""
    to_press: tuple[str, ...] = ()
    """The names of players in turn who see no hand until they press the button."""
    calls: tuple[int, ...] = ()
    """The ids of players whom it mentions, from the post that calls them to their turn until they move."""
    has_lost_moves: bool = False
    """True if it says that the last moves were lost with the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """The table in its player's own DM, with their hand in it."""

    likes: Preferences
    has_picture: bool
    has_lost_moves: bool = False
    """See `Table.has_lost_moves`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A game's result, in its channel."""

    has_picture: bool


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The end of a game that was called off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A player's hand by DM, headed by the last deal's result."""

    seat: Seat
    likes: Preferences
    table_url: str | None = field(repr=False)
    has_picture: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    """A player's ephemeral hand at the table."""

    seat: Seat
    likes: Preferences
    language: str | None
    table_url: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTheTable:
    """A player's message by DM while they play at the table: it shows no hand."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A hand of a past deal, without buttons."""

    seat: Seat
    deal: int
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A hand by DM while its game rests: the bot was removed from the server."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultByDm:
    """A game's result, for one of its players."""

    seat: Seat
    language: str | None
    table_url: str | None = field(repr=False)
    has_picture: bool


Content: TypeAlias = (
    Lobby
    | Table
    | OwnTable
    | Result
    | CalledOff
    | Hand
    | OpenHand
    | AtTheTable
    | PastHand
    | Resting
    | ResultByDm
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """The first text of a hand by DM, for a phone's notification."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallingLine:
    """The first text of a challenge's lobby, which mentions the person challenged."""

    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NudgeLine:
    """A mention of a player whose turn it is."""

    user: int
    table_url: str | None = field(repr=False)
    due: int | None = None
    """The time (s since 1970) at which the clock moves for them; `None` in a call as the turn begins."""


Line: TypeAlias = TurnLine | CallingLine | NudgeLine


def as_text(content: Content) -> Content | None:
    """The content without its picture; `None` if it has none."""
    if isinstance(content, Table | OwnTable | Result | Hand | ResultByDm) and content.has_picture:
        return replace(content, has_picture=False)
    return None
