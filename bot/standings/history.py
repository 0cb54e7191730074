"""Pages of finished games, or of cancelled ones, newest first. Pure.

A page is named by the game that it comes before or after (keyset pagination), so all pages are equally fast,
and none shifts while games are played. Games of a hidden player are listed only for their own players.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.table_record import MatchGame, TableRecord
from engine import Ending, Side, Skunk

PAST_GAMES = 10
"""Number of games on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A finished game; a match is represented by its last finished game."""

    number: int
    """Place in the order of finishing."""
    record: TableRecord
    at: int
    """Time of the game's end (s since 1970)."""
    deals: int
    """Number of deals, in all games of a match."""
    winner: Side
    ending: Ending
    scores: tuple[int, ...]
    """Score by side, at most the target."""

    @property
    def match_games(self) -> tuple[MatchGame, ...]:
        """The games of the match; empty for a single game."""
        rules = self.record.agreement.rules
        if not self.record.agreement.is_match:
            return ()
        is_played_out = self.ending is Ending.PEGGED_OUT
        skunks = rules.skunked(self.winner, self.scores) if is_played_out else (Skunk.NONE,) * rules.sides
        last = MatchGame(self.winner, rules.games_won(self.winner, skunks), self.scores)
        return (*self.record.match_before, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelledGame:
    """A game that had begun and was cancelled, so it counts for nobody."""

    number: int
    """Place in the order of opening."""
    record: TableRecord
    at: int
    """Time of the cancellation (s since 1970)."""
    deals: int
    """Number of deals that had begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A page of finished games, or of cancelled ones, newest first."""

    games: tuple[PastGame | CancelledGame, ...]
    is_cancelled: bool = False
    has_newer: bool = False
    has_older: bool = False
