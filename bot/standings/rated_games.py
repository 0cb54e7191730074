"""What finished games did to their players' ratings, read when a result is drawn.

The projection is caught up first, so the game that has just ended is in it; and because it remembers the
ratings before and after each game, a result that is drawn once more, after a restart too, says the same.
"""

from __future__ import annotations

from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries
from bot.standings.results import SeatRating


class RatedGames:
    """Says what games did to ratings."""

    def __init__(self, projection: Projection, queries: StandingsQueries) -> None:
        self._projection = projection
        self._queries = queries

    async def changes(self, game: str) -> tuple[SeatRating | None, ...]:
        """By seat: what the finished game did to the ratings; `None` where it is not rated.

        Empty for a game whose log cannot be read. Raises `StoreUnavailable`.
        """
        await self._projection.catch_up()
        return await self._queries.rating_changes(game)
