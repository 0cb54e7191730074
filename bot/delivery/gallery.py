"""Pictures drawn beside the event loop, and kept: an LRU cache of equal pictures.

One thread draws, because drawings would only take turns for the interpreter's lock. What a picture shows is
its key, so a redrawn message whose facts have not changed costs a look-up. Nothing here knows what is drawn.
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
"""Bytes of pictures kept: some five hundred, the last two or three of each table that plays."""

T = TypeVar("T")

_Key: TypeAlias = tuple[str, Hashable]


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture."""

    name: str
    """The name of its file, with a digest of its content."""
    content: bytes = field(repr=False)


class Gallery:
    """Draws each picture once."""

    def __init__(self, *, kept: int = _KEPT) -> None:
        """`kept` is the size of the cache in bytes."""
        self._kept: LRUCache[_Key, Picture] = LRUCache(kept, getsizeof=lambda each: len(each.content))
        self._underway: dict[_Key, asyncio.Future[Picture]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="gallery")

    async def draw(self, kind: str, facts: Hashable, make: Callable[[], bytes]) -> Picture:
        """The picture that `make` draws of `facts`, a PNG; it is made once for equal facts of one `kind`.

        `kind` begins the file's name. What `make` raises is raised here, to all who wait for the picture, and
        is not remembered. Raises `RuntimeError` after `close`.
        """
        key = (kind, facts)
        if (picture := self._kept.get(key)) is not None:
            return picture
        if (underway := self._underway.get(key)) is None:
            loop = asyncio.get_running_loop()
            underway = loop.run_in_executor(self._thread, _drawn, kind, make)
            self._underway[key] = underway
            underway.add_done_callback(lambda done: self._keep(key, done))
        # Somebody who no longer waits does not take the picture from the others.
        return await asyncio.shield(underway)

    async def work(self, make: Callable[[], T]) -> T:
        """What `make` computes for a picture, in the same thread. Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, make)

    def close(self) -> None:
        """Begin nothing new, and wait for nothing: what has not begun is cancelled for those who wait."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: _Key, done: asyncio.Future[Picture]) -> None:
        del self._underway[key]
        # Asking for the exception marks it as seen, for the case that nobody waits any more.
        if done.cancelled() or done.exception() is not None:
            return
        picture = done.result()
        if len(picture.content) <= self._kept.maxsize:
            self._kept[key] = picture


def _drawn(kind: str, make: Callable[[], bytes]) -> Picture:
    content = make()
    return Picture(file_name(kind, content), content)
