"""Wipes what SQLite leaves in the unused middle of a page, where `secure_delete` does not reach.

When a page of a table or an index is full, half of its rows move to another page. Their bytes stay in the
gap between the first page's list of rows and the rows themselves, until new ones come to lie there. So
somebody's id can stand in the file after every row that had it was overwritten. SQLite never reads a gap;
only `VACUUM`, which writes the whole file while others wait, would be rid of it.

The file is searched without any lock but the interpreter's, which the event loop waits for: so the pieces are
small, and after each comes a rest as long as it took a processor. What was found is wiped under the write
lock while the write-ahead log is empty: then the file is all there is, and nobody writes to it. The page
format is SQLite's (https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6).
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path

_READ = 1 << 18
"""Bytes that are searched at once, a multiple of every page size: some tenths of a millisecond."""

_FIRST_HEADER = 100
"""Bytes before the first page's own header."""

_LEAVES = {10, 13}
_INTERIORS = {2, 5}
"""The kinds of page that hold rows: leaves of indexes and tables, and what is above them."""


class Gaps:
    """The unused middles of the pages of a database file.

    The file stays open until all connections are closed: closing it before that would let go of SQLite's
    locks on it, because those of POSIX belong to a process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b", buffering=0)
        self._file.seek(16)
        size = int.from_bytes(self._file.read(2), "big")
        self._page = 65_536 if size == 1 else size

    def search(self, traces: Collection[bytes]) -> list[int]:
        """The numbers of the pages, from 0, that have one of these anywhere; in a thread, without a lock."""
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
        """Overwrite the gaps of these pages: under the write lock, with an empty write-ahead log."""
        for number in pages:
            self._file.seek(number * self._page)
            body = self._file.read(self._page)
            start, end = _gap(body, _FIRST_HEADER if number == 0 else 0)
            if any(body[start:end]):
                self._file.seek(number * self._page + start)
                self._file.write(bytes(end - start))
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file, when no connection to it is left."""
        self._file.close()


def _gap(page: bytes, header: int) -> tuple[int, int]:
    """From where to where the page's gap is; an empty one for a page that holds no rows."""
    kind = page[header] if len(page) > header else 0
    if kind not in _LEAVES | _INTERIORS:
        return 0, 0
    rows = int.from_bytes(page[header + 3 : header + 5], "big")
    content = int.from_bytes(page[header + 5 : header + 7], "big") or 65_536
    start = header + (8 if kind in _LEAVES else 12) + 2 * rows
    return (start, content) if start <= content <= len(page) else (0, 0)
