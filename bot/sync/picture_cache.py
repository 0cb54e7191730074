"""An LRU cache of pictures, which are drawn in a thread beside the event loop.

There is one thread, since several would only take turns for the interpreter's lock. The key is the facts that
a picture shows, so a message whose facts have not changed costs a look-up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

from cachetools import LRUCache

from bot.render.drawing import file_name

_KEPT: Final = 16 * 2**20
"""Size (bytes) of the cache: some five hundred pictures, two or three for each table in play."""

T = TypeVar("T")

_Key: TypeAlias = tuple[str, Hashable]


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture."""

    name: str
    """The name of its file, with a digest of its content."""
    content: bytes = field(repr=False)


class PictureCache:
    """Draws equal pictures once."""

    def __init__(self, *, kept: int = _KEPT) -> None:
        """`kept` is the size of the cache in bytes."""
        self._kept: LRUCache[_Key, Picture] = LRUCache(kept, getsizeof=lambda each: len(each.content))
        self._underway: dict[_Key, asyncio.Future[Picture]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")

    async def draw(self, kind: str, facts: Hashable, make: Callable[[], bytes]) -> Picture:
        """The PNG that `make` draws of `facts`; drawn once for equal facts of one `kind`.

        `kind` begins the file's name. An error of `make` is raised to all who wait for the picture, and is
        not cached. Raises `RuntimeError` after `close`.
        """
        key = (kind, facts)
        if (picture := self._kept.get(key)) is not None:
            return picture
        if (underway := self._underway.get(key)) is None:
            loop = asyncio.get_running_loop()
            underway = loop.run_in_executor(self._thread, _drawn, kind, make)
            self._underway[key] = underway
            underway.add_done_callback(lambda done: self._keep(key, done))
        # A waiter that is cancelled leaves the drawing to the others; `shield` would log its failure, too.
        await asyncio.wait((underway,))
        return underway.result()

    async def work(self, make: Callable[[], T]) -> T:
        """Run `make` in the same thread. Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, make)

    def close(self) -> None:
        """Stop without waiting: drawings that have not begun are cancelled."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: _Key, done: asyncio.Future[Picture]) -> None:
        del self._underway[key]
        # Reading the exception marks it as retrieved, in case nobody waits any more.
        if done.cancelled() or done.exception() is not None:
            return
        picture = done.result()
        if len(picture.content) <= self._kept.maxsize:
            self._kept[key] = picture


def _drawn(kind: str, make: Callable[[], bytes]) -> Picture:
    content = make()
    return Picture(file_name(kind, content), content)
