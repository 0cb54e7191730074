"""The facts about a finished game that its result messages show.

The game's course takes up to 0.25 s to compute, so it is computed in the pictures' thread, once for all of
the game's messages. Rating changes, milestones and the next level are read from the store each time.
"""

from __future__ import annotations

from functools import partial

from bot.model.match import is_undecided
from bot.render.messages.result import GameEnd
from bot.standings.rated_games import RatedGames
from bot.standings.usual_level import NextLevel
from bot.store import Store
from bot.sync.picture_cache import PictureCache
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import TableState
from engine.coach import win_chances
from engine.computer import Level


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
            milestones=await self._rated.milestones(game),
            next_level=await self._next_level(snapshot),
            head=await self._store.head(game),
        )

    async def _next_level(self, snapshot: GameSnapshot) -> NextLevel | None:
        """The level to offer to somebody who has beaten computers alone, unless their match goes on."""
        record, table = snapshot.record, snapshot.table
        if len(record.people) != 1 or is_undecided(record, table) or table.result is None:
            return None
        [seat] = record.people
        others = [each for place, each in enumerate(record.occupants) if place != seat]
        levels = [each.level for each in others if each.user is None and each.level is not None]
        user = record.occupants[seat].person
        if user is None or len(levels) < len(others) or table.result.winner != table.rules.side_of(seat):
            return None
        return await self._rated.next_level(user, max(levels, key=list(Level).index))
