"""Keeps the projection up with the games: at the start, soon after a game is over, before it is read.

Games are applied one by one in the order of their finishing, each in one transaction that also remembers
how far the projection has come. So it can be stopped and started anywhere, and by several at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.model.errors import StoreUnavailable
from bot.standings.protocol import PeopleData, ProjectionStore

log = logging.getLogger(__name__)

_PAUSE = 1.0
"""Seconds between news and a look: a table moves often, and few moves end a game."""


class Projection:
    """Catches the projection up with the log of games, in the background."""

    def __init__(self, store: ProjectionStore, people: PeopleData, pause: float = _PAUSE) -> None:
        """`people` is scrubbed at the start, if the last process forgot somebody and could not."""
        self._store = store
        self._people = people
        self._pause = pause
        self._following: asyncio.Task[None] | None = None

    def start(self) -> None:
        """At a start: catch up, and compute everything again when the figures have another version.

        Only queues: nobody needs the standings to play.
        """
        self._following = asyncio.create_task(self._follow(self._begin, 0), name="standings")

    async def catch_up(self) -> None:
        """Apply every finished game that was not applied."""
        if not await self._store.is_behind():
            return
        while game := await self._store.apply_next():
            log.info("game %s counts in the standings", game)

    async def rebuild(self) -> bool:
        """Compute everything again; whether it is the same as before."""
        await self.catch_up()
        before = await self._store.fingerprint()
        await self._store.reset()
        await self.catch_up()
        return await self._store.fingerprint() == before

    def wake(self) -> None:
        """A game has moved, and may be over. Only queues."""
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow(self.catch_up, self._pause), name="standings")

    async def close(self) -> None:
        """Stop following; what is not applied is applied at the next start."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def _begin(self) -> None:
        if await self._store.is_outdated():
            await self._store.reset()
        await self.catch_up()
        await self._people.scrub()

    async def _follow(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            await work()
        except StoreUnavailable as error:
            log.warning("the standings catch up later: %s", error)
