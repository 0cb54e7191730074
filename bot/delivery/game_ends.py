"""What is told of games at their end, computed once for all the messages that tell it.

The course of a game takes up to a quarter of a second, so it is computed beside the event loop and kept for
the messages that follow. Ratings are read each time: the standings remember what each game did to them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from cachetools import LRUCache

from bot.delivery.gallery import Gallery
from bot.delivery.snapshots import GameSnapshot
from bot.render.messages.result import GameEnd
from bot.standings.rated_games import RatedGames
from bot.store import Store
from engine.coach import WinChances, win_chances

_KEPT: Final = 64
"""Courses of games kept in memory: of those whose last messages are being drawn."""


class GameEnds:
    """Says what is told of games at their end."""

    def __init__(self, gallery: Gallery, rated: RatedGames, store: Store) -> None:
        self._gallery = gallery
        self._store = store
        self._rated = rated
        self._courses: LRUCache[str, WinChances] = LRUCache(_KEPT)

    async def of(self, snapshot: GameSnapshot) -> GameEnd:
        """What is told of a game that is over. Raises `StoreUnavailable`."""
        game, events = snapshot.record.game, snapshot.everything
        course = self._courses.get(game)
        if course is None:
            course = await self._gallery.work(partial(win_chances, events))
            self._courses[game] = course
        return GameEnd(
            events=events,
            chances=course,
            ratings=await self._rated.changes(game),
            head=await self._store.head(game),
        )

    def forget(self, game: str) -> None:
        """That game is told: keep nothing of it."""
        self._courses.pop(game, None)
