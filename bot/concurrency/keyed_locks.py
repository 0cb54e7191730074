"""Mutexes by key, each of which exists as long as a task holds it or waits for it.

A `WeakValueDictionary` holds the locks, and the tasks that hold or await one keep it alive. So no two tasks
hold different locks of one key, and unused keys leave nothing behind. There is no method to delete a lock,
because no moment is safe for it.
"""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class KeyedLocks:
    """One lock for each key in use."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, key: str) -> asyncio.Lock:
        """The key's lock, for `async with`."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    def __len__(self) -> int:
        """Number of locks in use."""
        return len(self._locks)
