"""Changes of ratings by finished games, milestones, and the next level, read when a result is drawn.

The projection is flushed first, so it has the game that just ended. It stores the ratings before and after
each game, so a redrawn result is the same, even after a restart. Only the offer of the next level goes once
it was taken.
"""

from __future__ import annotations

from bot.standings.milestones import Milestone
from bot.standings.projection import Projection
from bot.standings.protocol import StandingsQueries
from bot.standings.results import SeatRating
from bot.standings.usual_level import NextLevel, next_level
from engine.computer import Level


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

    async def milestones(self, game: str) -> tuple[tuple[Milestone, ...], ...]:
        """By seat: the milestones that the person there reached. Raises `StoreUnavailable`.

        Call it after `changes`.
        """
        return await self._queries.milestones(game)

    async def next_level(self, user: int, beaten: Level) -> NextLevel | None:
        """The level to offer to a person who has just beaten another. Raises `StoreUnavailable`.

        Call it after `changes`.
        """
        return await next_level(self._queries, user, beaten)
