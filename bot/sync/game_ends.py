"""The facts about a finished game that its result messages show.

The game's course takes up to 0.25 s to compute, so it is computed in the pictures' thread, once for all of
the game's messages. Rating changes are read from the store each time.
"""

from __future__ import annotations

from functools import partial

from bot.render.messages.result import GameEnd
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.sync.picture_cache import PictureCache
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import TableState
from engine.coach import win_chances


class GameEnds:
    """Gathers the facts about finished games."""

    def __init__(self, pictures: PictureCache, rated: RatedGames, store: Store) -> None:
        self._pictures = pictures
        self._store = store
        self._rated = rated

    async def of(self, snapshot: GameSnapshot, state: TableState) -> GameEnd:
        """The end of a finished game; `state` caches its course. Raises `StoreUnavailable`."""
        game, events = snapshot.record.game, snapshot.everything
        if state.course is None:
            state.course = await self._pictures.work(partial(win_chances, events))
        return GameEnd(
            events=events,
            chances=state.course,
            ratings=await self._rated.changes(game),
            head=await self._store.head(game),
        )
