"""The contents of a table's messages, as facts: a plan names them, and `Renderer` draws them.

A content holds no card, no text and no picture, only what tells two drawings of one version of a game apart.
So a plan is cheap, can be compared, and can be read aloud.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.model.preferences import Preferences
from engine import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """The table that gathers, or what became of it."""

    has_moved: bool = False
    """True if a newer lobby stands further down the channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table of one deal, and once its play is over the show."""

    deal: int
    is_open: bool
    """True if somebody is to press on it."""
    has_picture: bool
    behind_button: tuple[str, ...] = ()
    """The names of those whose hand cannot come by DM."""
    to_press: tuple[str, ...] = ()
    """The names of those whose turn it is, and who see no hand until they press for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """The table in its player's own DM, with their hand in it."""

    likes: Preferences
    has_picture: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The end of a game, for everybody."""

    has_picture: bool


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The end of a game that has no result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A player's hand below what the last deal came to, by DM."""

    seat: Seat
    likes: Preferences
    table_url: str | None = field(repr=False)
    has_picture: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    """A player's hand that they have opened at the table."""

    seat: Seat
    likes: Preferences
    language: str | None
    table_url: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTheTable:
    """A player's message by DM while they play at the table."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHand:
    """A hand as it was in a deal, without a button."""

    seat: Seat
    deal: int
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A hand while its game rests."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultByDm:
    """The end of a game, for one of its players."""

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
    """The text with which a hand by DM begins: a phone's notification shows it."""

    seat: Seat
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallingLine:
    """The text with which the lobby of a challenge begins."""

    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NudgeLine:
    """A mention that the turn has come to a player."""

    user: int
    table_url: str | None = field(repr=False)
    due: int | None = None
    """When the clock moves for them, in seconds since 1970; `None` in a call as the turn begins."""


Line: TypeAlias = TurnLine | CallingLine | NudgeLine


def as_text(content: Content) -> Content | None:
    """The same without its picture; `None` if it has none."""
    if isinstance(content, Table | OwnTable | Result | Hand | ResultByDm) and content.has_picture:
        return replace(content, has_picture=False)
    return None
