"""The grammar of the standings' custom_ids: which leaderboard, which page of the wall.

    rank:rating:ever:2:123     board, span, page, and who asked for it
    wall:2:123                 page, and who asked for it

Everything is in the custom_id, so a button works on any message, however old.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.model.custom_ids import CustomId
from bot.standings.leaderboards import Board, Span

RANK = re.compile(r"rank:(?P<board>[a-z]+):(?P<span>[a-z]+):(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""A page of a leaderboard."""


WALL = re.compile(r"wall:(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""A page of a server's wall."""


@dataclass(frozen=True, slots=True)
class WallId(CustomId):
    """A page of a server's wall, from 0, and whose message it is."""

    page: int
    asker: int

    def __str__(self) -> str:
        return f"wall:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> WallId:
        """The id in a match of `WALL`."""
        return cls(int(match["page"]), int(match["asker"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageId(CustomId):
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
