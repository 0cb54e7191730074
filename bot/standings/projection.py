"""Keeps the projection up to date: applies each finished game, or rebuilds the whole projection.

Games are applied one by one in the order of finishing. Each is one transaction, which also stores the
projection's position, so several processes may do it and stop at any time. Callers flush before they read the
standings, and in the background after each game.

If the figures have a new version, the projection is rebuilt in small steps beside the one that is read.
"""

from __future__ import annotations

import asyncio
import logging

from bot.concurrency.loop_time import loop_time
from bot.standings.protocol import ProjectionStore

log = logging.getLogger(__name__)


class Projection:
    """Applies finished games to the projection, and rebuilds it."""

    def __init__(self, store: ProjectionStore) -> None:
        self._store = store
        self._flushing = asyncio.Lock()

    async def flush(self) -> None:
        """Apply every finished game that the projection lacks.

        Concurrent callers (a table's last message and the follower, after each game) wait for one of them to
        do the work, so that the coach judges a game only once.
        """
        if not await self._store.is_behind():
            return
        async with self._flushing:
            while game := await self._store.apply_next():
                log.info("game %s counts in the standings", game)

    async def recount(self, *, in_haste: bool = False) -> None:
        """Rebuild an outdated projection; readers see the old one meanwhile.

        Without `in_haste` it pauses after each step for as long as the step took, since others play.
        """
        while True:
            began = loop_time()
            if not await self._store.recount():
                return
            if not in_haste:
                await asyncio.sleep(loop_time() - began)

    async def rebuild(self) -> bool:
        """Rebuild the projection. True if the result is the same as before."""
        await self.flush()
        await self.recount(in_haste=True)
        before = await self._store.fingerprint()
        await self._store.invalidate()
        await self.recount(in_haste=True)
        return await self._store.fingerprint() == before
