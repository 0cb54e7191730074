"""The bot with a probe in its event loop: `python -m benchmarks.probed`, with PROBE naming a file.

The probe asks to be called every few milliseconds and notes by how much it was called too late. It also notes
for how much of that the loop's own thread was neither at work, drawing and writing down what is to be told,
nor waiting for a processor that other programs had: so long it waited for the interpreter, which another
thread of the bot held. What was noted is written to the file when the bot stops.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from pathlib import Path

from bot.__main__ import main
from bot.client import FifteenTwo

_EVERY = 0.005
"""Seconds between two calls."""

_SCHEDULED = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
"""What the system knows about the thread in which the event loop runs."""


class Probe:
    """Notes how late the loop is."""

    def __init__(self) -> None:
        self.noted: list[tuple[float, float]] = []
        """How late it was called, and for how much of that the loop's thread was held up, in seconds."""
        self._due = self._busy = 0.0

    def start(self) -> None:
        """Begin to be called."""
        self._busy = _busy()
        self._due = asyncio.get_running_loop().time() + _EVERY
        asyncio.get_running_loop().call_at(self._due, self._called)

    def write(self, path: Path) -> None:
        """Write what was noted, in seconds."""
        path.write_text(json.dumps(self.noted), encoding="ascii")

    def _called(self) -> None:
        lag = asyncio.get_running_loop().time() - self._due
        self.noted.append((lag, max(lag - (_busy() - self._busy), 0.0)))
        self.start()


def _busy() -> float:
    """For how long this thread has run, or waited for a processor to run on, in seconds."""
    ran, waited, _ = _SCHEDULED.read_text(encoding="ascii").split()
    return (int(ran) + int(waited)) / 1e9


class ProbedBot(FifteenTwo):
    """The bot, probed from its connection to its end."""

    probe = Probe()

    async def on_ready(self) -> None:
        """Begin when the bot is ready: a start may take its time."""
        await super().on_ready()
        self.probe.start()

    async def close(self) -> None:
        """Write down what was noted."""
        self.probe.write(Path(os.environ["PROBE"]))
        await super().close()


if __name__ == "__main__":
    sys.modules["bot.__main__"].FifteenTwo = ProbedBot  # type: ignore[attr-defined]
    sys.exit(main())
