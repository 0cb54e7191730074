"""What is told of games at their end, computed once for all the messages that tell it.

The course of a game takes up to a quarter of a second, so it is computed beside the event loop and kept for
the messages that follow. Ratings are read each time: the standings remember what each game did to them.
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
    """Says what is told of games at their end."""

    def __init__(self, pictures: PictureCache, rated: RatedGames, store: Store) -> None:
        self._pictures = pictures
        self._store = store
        self._rated = rated

    async def of(self, snapshot: GameSnapshot, state: TableState) -> GameEnd:
        """The end of a game that is over; `state` keeps its course. Raises `StoreUnavailable`."""
        game, events = snapshot.record.game, snapshot.everything
        if state.course is None:
            state.course = await self._pictures.work(partial(win_chances, events))
        return GameEnd(
            events=events,
            chances=state.course,
            ratings=await self._rated.changes(game),
            head=await self._store.head(game),
        )
