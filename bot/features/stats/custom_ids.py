"""The grammar of the custom_ids of leaderboards, seasons, the wall, a person's figures and reminders.

    rank:rating:ever:2:123     board, span, page, and the user who asked for it
    wall:2:123                 page, and the user who asked for it
    season:202610:2:123        month, page, and the user who asked for it
    figures:123                the person whose figures are posted
    reminders:on               reminders of slow games, once a day, or none (off)

The custom_id carries the whole state, so a button works on a message of any age.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.model.custom_ids import CustomId
from bot.standings.leaderboards import Board, Span

RANK = re.compile(r"rank:(?P<board>[a-z]+):(?P<span>[a-z]+):(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""Pattern of the custom_id of a page of a leaderboard."""


WALL = re.compile(r"wall:(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""Pattern of the custom_id of a page of a server's wall."""


SEASON = re.compile(r"season:(?P<month>2[0-9]{3}(0[1-9]|1[0-2])):(?P<page>[0-9]{1,4}):(?P<asker>[0-9]{1,20})")
"""Pattern of the custom_id of a page of a month's leaderboard."""


REMINDERS = re.compile(r"reminders:(?P<wanted>on|off)")
"""Pattern of the custom_id that turns reminders on or off."""


FIGURES = re.compile(r"figures:(?P<person>[0-9]{1,20})")
"""Pattern of the custom_id that posts a person's figures."""


@dataclass(frozen=True, slots=True)
class FiguresId(CustomId):
    """The button that posts the figures of that person."""

    person: int

    def __str__(self) -> str:
        return f"figures:{self.person}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> FiguresId:
        """The id in a match of `FIGURES`."""
        return cls(int(match["person"]))


@dataclass(frozen=True, slots=True)
class WallId(CustomId):
    """A page (from 0) of a server's wall, and the user who asked for it."""

    page: int
    asker: int

    def __str__(self) -> str:
        return f"wall:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> WallId:
        """The id in a match of `WALL`."""
        return cls(int(match["page"]), int(match["asker"]))


@dataclass(frozen=True, slots=True)
class SeasonId(CustomId):
    """A page (from 0) of a month's leaderboard, and the user who asked for it."""

    month: int
    page: int
    asker: int

    def __str__(self) -> str:
        return f"season:{self.month}:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> SeasonId:
        """The id in a match of `SEASON`."""
        return cls(int(match["month"]), int(match["page"]), int(match["asker"]))


@dataclass(frozen=True, slots=True)
class RemindersId(CustomId):
    """The button that turns reminders on or off."""

    wanted: bool

    def __str__(self) -> str:
        return f"reminders:{'on' if self.wanted else 'off'}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> RemindersId:
        """The id in a match of `REMINDERS`."""
        return cls(match["wanted"] == "on")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageId(CustomId):
    """A page of a leaderboard."""

    board: Board
    span: Span
    page: int = 0
    asker: int
    """The user who asked for the leaderboard, and whose own row it shows."""

    def __str__(self) -> str:
        return f"rank:{self.board.value}:{self.span.value}:{self.page}:{self.asker}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> PageId:
        """The id in a match of `RANK`. Raises `ValueError` for an unknown board or span."""
        return cls(
            board=Board(match["board"]),
            span=Span(match["span"]),
            page=int(match["page"]),
            asker=int(match["asker"]),
        )
