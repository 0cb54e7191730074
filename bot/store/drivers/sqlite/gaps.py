"""Wipes the unused middles (gaps) of a file's pages, which `secure_delete` does not overwrite.

When a page of a table or an index splits, half of its rows move to another page. Their bytes stay in the gap
between the first page's cell pointers and its cells until new cells overwrite them. So the file can still
have a person's id after every row with it was overwritten. SQLite never reads a gap; only `VACUUM` removes
it, which rewrites the whole file while others wait.

The search takes no lock but the GIL, which the event loop needs: so the pieces are small, and after each the
thread sleeps for as long as it ran. The found pages are wiped under the write lock while the write-ahead log
is empty: then the file has the latest state, and nothing writes to it. The page format is SQLite's
(https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6).
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path

_READ = 1 << 18
"""Piece (bytes) of the search, a multiple of every page size: some tenths of a millisecond."""

_FIRST_HEADER = 100
"""Size (bytes) of the file's header, before the first page's own."""

_LEAVES = {10, 13}
_INTERIORS = {2, 5}
"""B-tree page types: leaves and interior pages of indexes and tables."""


class Gaps:
    """The gaps of a database file.

    Close it after all connections: closing the file earlier would release SQLite's POSIX locks, which belong
    to the process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b", buffering=0)
        self._file.seek(16)
        size = int.from_bytes(self._file.read(2), "big")
        self._page = 65_536 if size == 1 else size

    def search(self, traces: Collection[bytes]) -> list[int]:
        """The numbers, from 0, of the pages with any of the traces. Call it in a thread, without a lock."""
        found: set[int] = set()
        for start in range(0, os.fstat(self._file.fileno()).st_size, _READ):
            began = time.thread_time()
            self._file.seek(start)
            body = self._file.read(_READ)
            for trace in traces:
                at = body.find(trace)
                while at >= 0:
                    found.add((start + at) // self._page)
                    at = body.find(trace, (at // self._page + 1) * self._page)
            time.sleep(time.thread_time() - began)
        return sorted(found)

    def wipe(self, pages: Collection[int]) -> None:
        """Overwrite the gaps of these pages. Call it under the write lock, with an empty write-ahead log."""
        for number in pages:
            self._file.seek(number * self._page)
            body = self._file.read(self._page)
            start, end = gap(body, _FIRST_HEADER if number == 0 else 0)
            if any(body[start:end]):
                self._file.seek(number * self._page + start)
                self._file.write(bytes(end - start))
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, when no connection to it is left."""
        self._file.close()


def gap(page: bytes, header: int) -> tuple[int, int]:
    """Start and end of the page's gap; an empty one for other page types."""
    kind = page[header] if len(page) > header else 0
    if kind not in _LEAVES | _INTERIORS:
        return 0, 0
    rows = int.from_bytes(page[header + 3 : header + 5], "big")
    content = int.from_bytes(page[header + 5 : header + 7], "big") or 65_536
    start = header + (8 if kind in _LEAVES else 12) + 2 * rows
    return (start, content) if start <= content <= len(page) else (0, 0)
