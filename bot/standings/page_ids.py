"""The grammar of the standings' custom_ids: which leaderboard, or what was answered.

    rank:rating:ever:2:123     board, span, page, and who asked for it
    person:forget              be forgotten, once asked

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
