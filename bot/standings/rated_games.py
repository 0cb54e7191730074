"""Changes of ratings by finished games, read when a result is drawn.

The projection is flushed first, so it has the game that just ended. It stores the ratings before and after
each game, so a redrawn result is the same, even after a restart.
"""

from __future__ import annotations

from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries
from bot.standings.results import SeatRating


class RatedGames:
    """Reads the changes of ratings by a game from an up-to-date projection."""

    def __init__(self, projection: Projection, queries: StandingsQueries) -> None:
        self._projection = projection
        self._queries = queries

    async def changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """By seat: the finished game's change of the rating, or `None` if it is not rated.

        Empty for a game whose log cannot be read. Raises `StoreUnavailable`.
        """
        await self._projection.flush()
        return await self._queries.rating_changes(game)
