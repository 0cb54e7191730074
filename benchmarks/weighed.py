"""The bot as it is, which weighs itself on SIGUSR1: `python -m benchmarks.weighed`, with PROBE naming a file.

After a full garbage collection it writes its resident memory, and how many objects of each type it holds, so
that what grows has a name.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.process import resident_megabytes
from bot.__main__ import main

_PATIENCE = 30.0
"""Seconds within which it does so: its event loop may be busy."""


@dataclass(frozen=True, slots=True)
class Weight:
    """Memory use of a bot at one time."""

    resident: float
    """Resident memory after a garbage collection, in millions of bytes."""
    objects: dict[str, int]
    """Number of objects of each type that the garbage collector tracks."""

    @classmethod
    async def of(cls, process: int, path: Path) -> Weight:
        """Let the bot weigh itself, and read what it has written to the path. Raises `TimeoutError`."""
        return await asyncio.to_thread(cls._of, process, path)

    @classmethod
    def _of(cls, process: int, path: Path) -> Weight:
        path.unlink(missing_ok=True)
        os.kill(process, signal.SIGUSR1)
        deadline = time.monotonic() + _PATIENCE
        while not path.exists():
            if time.monotonic() > deadline:
                raise TimeoutError("the bot does not weigh itself")
            time.sleep(0.05)
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def grown_since(self, before: Weight, most: int) -> list[tuple[str, int]]:
        """The types of which there are more now than before, and by how many: the `most` that grew most."""
        more = Counter(self.objects)
        more.subtract(before.objects)
        return [(name, number) for name, number in more.most_common(most) if number > 0]


def _weigh(*_: Any) -> None:
    gc.collect()
    objects = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    path = Path(os.environ["PROBE"])
    unready = path.with_suffix(".new")
    weight = {"resident": resident_megabytes(os.getpid()), "objects": objects}
    unready.write_text(json.dumps(weight), encoding="utf-8")
    unready.replace(path)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, _weigh)
    sys.exit(main())
