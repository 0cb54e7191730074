"""The grammar of the standings' custom_ids: which leaderboard, or what was answered.

    rank:rating:ever:2:123     board, span, page, and who asked for it
    person:forget              be forgotten, once asked
    wall:2:123                 page, and who asked for it
    past:123:before:55         whose games (0: the server's), and beside which of them the page is
    cancelled:123:before:55    the same of those that were cancelled

Everything is in the custom_id, so a button works on any message, however old.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bot.standings.leaderboards import Board, Span

RANK = re.compile(r"rank:(?P<board>[a-z]+):(?P<span>[a-z]+):(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""A page of a leaderboard."""

PERSON = re.compile(r"person:(?P<wish>[a-z]+)")
"""What somebody wishes for themselves."""


PAST = re.compile(
    r"(?P<list>past|cancelled):(?P<whose>[0-9]{1,20}):(?P<way>before|after):(?P<number>[0-9]{1,12})"
)
"""A page of finished games, or of cancelled ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastId:
    """A page of finished or of cancelled games: those before or after one of them, or the newest."""

    whose: int | None
    """The person; `None` for all games of the server."""
    before: int | None = None
    after: int | None = None
    is_cancelled: bool = False

    def __str__(self) -> str:
        way, number = ("before", self.before) if self.after is None else ("after", self.after)
        return f"{'cancelled' if self.is_cancelled else 'past'}:{self.whose or 0}:{way}:{number or 0}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> PastId:
        """What a match of `PAST` says."""
        number = int(match["number"]) or None
        is_before = match["way"] == "before"
        return cls(
            whose=int(match["whose"]) or None,
            before=number if is_before else None,
            after=None if is_before else number,
            is_cancelled=match["list"] == "cancelled",
        )


WALL = re.compile(r"wall:(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""A page of a server's wall."""


@dataclass(frozen=True, slots=True)
class WallId:
    """A page of a server's wall, from 0, and whose message it is."""

    page: int
    asker: int

    def __str__(self) -> str:
        return f"wall:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> WallId:
        """What a match of `WALL` says."""
        return cls(int(match["page"]), int(match["asker"]))


class Wish(Enum):
    """The answers to being asked, and what the page about their data offers."""

    FORGET = "forget"
    KEEP = "keep"
    DECLINE = "decline"
    """Take no challenges any more."""
    ACCEPT = "accept"
    """Take all challenges again."""

    def __str__(self) -> str:
        return f"person:{self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageId:
    """A page of a leaderboard."""

    board: Board
    span: Span
    page: int = 0
    asker: int
    """Whose message the leaderboard is, and whose own row is in it."""

    def __str__(self) -> str:
        return f"rank:{self.board.value}:{self.span.value}:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> PageId:
        """What a match of `RANK` says. Raises `ValueError` for a board or a span that never was."""
        return cls(
            board=Board(match["board"]),
            span=Span(match["span"]),
            page=int(match["page"]),
            asker=int(match["asker"]),
        )
