"""Finished games in a list, the newest first, page by page. Pure.

A page is named by the game before or after which it comes, so that none is slower than another, and a page
stays what it was while others are played. Who hides is in no list but those of people who played with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import TableRecord
from engine import Ending, Side

PAST_GAMES = 10
"""Games on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A finished game."""

    number: int
    """Its place in the order of finishing."""
    record: TableRecord
    at: int
    """When it ended, in seconds since 1970."""
    deals: int
    winner: Side
    ending: Ending
    scores: tuple[int, ...]
    """By side, no more than the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A page of finished games, the newest first."""

    games: tuple[PastGame, ...]
    has_newer: bool = False
    has_older: bool = False
