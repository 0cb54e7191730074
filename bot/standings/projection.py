"""Keeps the projection up with the games: applies every finished game, or all of them again.

Games are applied one by one in the order of their finishing, each in one transaction that also remembers
how far the projection has come. So it can be stopped and started anywhere, and by several at once. When to
do it is decided elsewhere: before the standings are read, and in the background after each game.
"""

from __future__ import annotations

import logging

from bot.standings.protocol import PeopleData, ProjectionStore

log = logging.getLogger(__name__)


class Projection:
    """Catches the projection up with the log of games."""

    def __init__(self, store: ProjectionStore, people: PeopleData) -> None:
        """`people` is scrubbed at the start, if the last process forgot somebody and could not."""
        self._store = store
        self._people = people

    async def begin(self) -> None:
        """At a start: catch up, and take out of the file what the last process could not."""
        await self.catch_up()
        await self._people.scrub()

    async def catch_up(self) -> None:
        """Apply every finished game that was not applied: all, if the figures have another version."""
        if await self._store.is_outdated():
            await self._store.reset()
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
