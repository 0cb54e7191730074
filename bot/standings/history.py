"""Finished games in a list, the newest first, page by page; and apart from them cancelled ones. Pure.

A page is named by the game before or after which it comes, so that none is slower than another, and a page
stays what it was while others are played. Who hides is in no list but those of people who played with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import MatchGame, TableRecord
from engine import Ending, Side, Skunk

PAST_GAMES = 10
"""Games on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A finished game; of a match, its last that is over, which stands for all of them."""

    number: int
    """Its place in the order of finishing."""
    record: TableRecord
    at: int
    """Time of its end (s since 1970)."""
    deals: int
    """In all games of a match."""
    winner: Side
    ending: Ending
    scores: tuple[int, ...]
    """By side, no more than the target."""

    @property
    def match_games(self) -> tuple[MatchGame, ...]:
        """The games of the match; none of a game by itself."""
        rules = self.record.agreement.rules
        if not self.record.agreement.is_match:
            return ()
        is_played_out = self.ending is Ending.PEGGED_OUT
        skunks = rules.skunked(self.winner, self.scores) if is_played_out else (Skunk.NONE,) * rules.sides
        last = MatchGame(self.winner, rules.games_won(self.winner, skunks), self.scores)
        return (*self.record.match_before, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelledGame:
    """A game that had begun, and counted for nobody."""

    number: int
    """Its place in the order of opening."""
    record: TableRecord
    at: int
    """Time of its cancellation (s since 1970)."""
    deals: int
    """Those that had begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A page of finished games, the newest first; or of cancelled ones."""

    games: tuple[PastGame | CancelledGame, ...]
    is_cancelled: bool = False
    has_newer: bool = False
    has_older: bool = False
