"""The common part of both drivers: the result cache, the delayed flush, and refusing calls once closed."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, TypeVar

from cachetools import LRUCache

from bot.model.errors import StoreUnavailable
from bot.store.connection import Work

log = logging.getLogger(__name__)

T = TypeVar("T")

_CACHED = 20_000
"""Results in the cache (LRU)."""


class BaseDatabase(ABC):
    """The common part of each `bot.store.connection.Database`."""

    def __init__(self, behind: float) -> None:
        """`behind` is the delay (s) before `flush_later` flushes."""
        self.closed = False
        self._behind = behind
        self._flushing: asyncio.Task[None] | None = None
        self._cache: LRUCache[Hashable, Any] = LRUCache(_CACHED)
        self._invalidations = 0
        """Number of calls of `invalidate`: a result that was read before the last one is not cached."""

    @abstractmethod
    async def read_one(self, work: Work[T]) -> T:
        """See `Database.read_one`."""

    @abstractmethod
    async def flush(self, game: str | None = None) -> None:
        """See `Database.flush`."""

    async def cached(self, key: Hashable, work: Work[T]) -> T:
        """See `Database.cached`."""
        if key in self._cache and not self.closed:
            known: T = self._cache[key]
            return known
        invalidations = self._invalidations
        found = await self.read_one(work)
        if invalidations == self._invalidations:
            self._cache[key] = found
        return found

    def invalidate(self, key: Hashable) -> None:
        """See `Database.invalidate`."""
        self._invalidations += 1
        self._cache.pop(key, None)

    def clear_cache(self) -> None:
        """Drop all cached results."""
        self._cache.clear()

    def flush_later(self) -> None:
        """Schedule one flush of what `write_behind` has queued, unless one is scheduled."""
        if self._flushing is None and not self.closed:
            self._flushing = asyncio.create_task(self._flush_late())

    def cancel_flush(self) -> None:
        """Cancel the scheduled flush, if any."""
        if self._flushing is not None:
            self._flushing.cancel()

    async def _flush_late(self) -> None:
        try:
            await asyncio.sleep(self._behind)
        finally:
            self._flushing = None
        try:
            await self.flush()
        except StoreUnavailable as error:
            log.info("written later: %s", error)

    def refuse_if_closed(self) -> None:
        """Raises `StoreUnavailable` once the database is closed."""
        if self.closed:
            raise StoreUnavailable("the store is closed")
