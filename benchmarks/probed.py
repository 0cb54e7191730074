"""The bot with a probe in its event loop: `python -m benchmarks.probed`, with PROBE naming a file.

The probe schedules a call every few milliseconds and records by how much it was late. It also records how
much of that the loop's thread neither ran nor waited for a CPU: that is how long it waited for the GIL, which
another thread of the bot held. And it records when each first response to an interaction was handed to the
system. All of it is written to the file when the bot stops.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import aiohttp

import bot.app
from bot.__main__ import main
from bot.client import FifteenTwo

_EVERY = 0.005
"""Seconds between two calls."""

_SCHEDULED = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
"""The system's file with the scheduling times of the event loop's thread."""

_ANSWER = re.compile(r"/interactions/(\d+)/[^/]+/callback")
"""The path of a first answer."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Notes of a probe."""

    lags: list[tuple[float, float]]
    """Lag (s) of each call, and the part of it in which the loop's thread waited for the GIL."""
    answered: dict[str, float]
    """By interaction: when its answer left, by `time.monotonic`, which all processes share."""

    @classmethod
    def read(cls, path: Path) -> Noted:
        """The notes in a probe's file."""
        return cls(**json.loads(path.read_text(encoding="ascii")))


class Probe:
    """Notes how late the loop is, and when answers leave."""

    def __init__(self) -> None:
        self._lags: list[tuple[float, float]] = []
        self._answered: dict[str, float] = {}
        self._due = self._busy = 0.0

    def start(self) -> None:
        """Begin to be called."""
        self._busy = _busy()
        self._due = time.monotonic() + _EVERY
        asyncio.get_running_loop().call_later(_EVERY, self._called)

    def write(self, path: Path) -> None:
        """Write what was noted."""
        noted = {"lags": self._lags, "answered": self._answered}
        path.write_text(json.dumps(noted), encoding="ascii")

    async def sent(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        sent: aiohttp.TraceRequestHeadersSentParams,
    ) -> None:
        """A request has been handed to the system."""
        if answer := _ANSWER.search(sent.url.path):
            self._answered.setdefault(answer[1], time.monotonic())

    def _called(self) -> None:
        lag = time.monotonic() - self._due
        self._lags.append((lag, max(lag - (_busy() - self._busy), 0.0)))
        self.start()


def _busy() -> float:
    """For how long this thread has run, or waited for a processor to run on, in seconds."""
    ran, waited, _ = _SCHEDULED.read_text(encoding="ascii").split()
    return (int(ran) + int(waited)) / 1e9


class ProbedBot(FifteenTwo):
    """The bot, probed from its connection to its end."""

    probe = Probe()

    async def login(self, token: str) -> None:
        """Watch the requests from the first one on."""
        trace = self.http.http_trace
        assert trace is not None, "the bot counts its requests by a trace"
        trace.on_request_headers_sent.append(self.probe.sent)
        await super().login(token)

    async def on_ready(self) -> None:
        """Begin when the bot is ready: a start may take its time."""
        await super().on_ready()
        self.probe.start()

    async def close(self) -> None:
        """Write down what was noted."""
        self.probe.write(Path(os.environ["PROBE"]))
        await super().close()


if __name__ == "__main__":
    bot.app.FifteenTwo = ProbedBot  # type: ignore[attr-defined]
    sys.exit(main())
