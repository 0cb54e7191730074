"""A mutex for each key, which is there as long as somebody holds it or waits for it.

The locks stand in a `WeakValueDictionary`: a task that holds one or waits for one refers to it, and with the
last of them it goes by itself. So no two tasks ever hold different locks of one key, and keys that nobody
uses leave nothing behind. There is no way to delete a lock, because there is no moment at which that is safe.
"""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class KeyedLocks:
    """One lock for each key that is in use."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, key: str) -> asyncio.Lock:
        """The lock of that key, to be held with `async with`."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    def __len__(self) -> int:
        """How many locks somebody refers to."""
        return len(self._locks)
