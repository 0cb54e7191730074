"""Keeps the projection up with the games: applies every finished game, or computes all of it again.

Games are applied one by one in the order of their finishing, each in one transaction that also remembers
how far the projection has come. So it can be stopped and started anywhere, and by several at once. When to
do it is decided elsewhere: before the standings are read, and in the background after each game.

When the figures have another version, everything is computed again beside what is read, in small steps.
"""

from __future__ import annotations

import asyncio
import logging
import time

from bot.standings.protocol import ProjectionStore

log = logging.getLogger(__name__)


class Projection:
    """Catches the projection up with the log of games."""

    def __init__(self, store: ProjectionStore) -> None:
        self._store = store
        self._flushing = asyncio.Lock()

    async def flush(self) -> None:
        """Apply every finished game that was not applied.

        Of several who ask at once, as the table's last message and the follower do after each game, one does
        the work and the others wait for it: a game is judged by the coach only once.
        """
        if not await self._store.is_behind():
            return
        async with self._flushing:
            while game := await self._store.apply_next():
                log.info("game %s counts in the standings", game)

    async def recount(self, *, in_haste: bool = False) -> None:
        """Compute everything again if the figures have another version; the old answers stay meanwhile.

        Without `in_haste` it rests for as long as it works, since others play.
        """
        while True:
            began = time.monotonic()
            if not await self._store.recount():
                return
            if not in_haste:
                await asyncio.sleep(time.monotonic() - began)

    async def rebuild(self) -> bool:
        """Compute everything again; whether it is the same as before."""
        await self.flush()
        await self.recount(in_haste=True)
        before = await self._store.fingerprint()
        await self._store.invalidate()
        await self.recount(in_haste=True)
        return await self._store.fingerprint() == before
