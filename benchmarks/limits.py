"""Many tables under Discord's limits: fifty requests a second for all, and those of each route.

The tables are opened with relaxed limits and then play under the real ones. The delay of a move is the time
from its append to the log until the bot has recorded that all messages show it; both are read from its
database four times a second. Moves that are not shown when the run ends count up to then.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from benchmarks.figures import Figure, median, milliseconds, percentile
from benchmarks.hall import Hall, hall
from benchmarks.sizes import Sizes
from sandbox.rate_limits import RateLimits

TITLE = "Under Discord's limits"
_BETWEEN_LOOKS = 0.25
"""Seconds between two readings of the database."""


def run(sizes: Sizes) -> list[Figure]:
    """Let many tables play under the real limits."""
    return asyncio.run(_played(sizes))


async def _played(sizes: Sizes) -> list[Figure]:
    async with hall(settings={"REQUESTS_A_SECOND": "45"}) as here:
        tables = await here.open_tables(sizes.tables)
        here.sandbox.buckets.hold(RateLimits())
        here.forget_figures()
        watch = Watch(here.bot.database)
        watching = asyncio.create_task(watch.look_on())
        await here.play(tables, sizes.seconds, sizes.pause)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        return [Figure("tables", f"{len(tables)}"), *_pressed(here, sizes), *_lagged(watch, here)]


def _pressed(here: Hall, sizes: Sizes) -> list[Figure]:
    waits = [each.seconds for each in here.presses]
    failed = sum(each.failed for each in here.presses)
    return [
        Figure("presses, failed", f"{len(waits)}, {failed}"),
        Figure("answers, 50th percentile", milliseconds(percentile(waits, 50))),
        Figure("answers, 99th percentile", milliseconds(percentile(waits, 99)), "at once"),
        Figure("counted requests a second", f"{here.counted / sizes.seconds:.1f}", "at most 50"),
        Figure("counted requests a press", f"{here.counted / max(len(waits), 1):.2f}"),
        Figure("requests refused with 429", f"{here.limited}"),
    ]


def _lagged(watch: Watch, here: Hall) -> list[Figure]:
    by_table = list(watch.lags())
    every = [lag for lags in by_table for lag in lags]
    middle = [median(lags) for lags in by_table]
    worst = [max(lags) for lags in by_table]
    return [
        Figure("a move is behind, 50th percentile", f"{median(every):.1f} s"),
        Figure("a move is behind, 99th percentile", f"{percentile(every, 99):.1f} s"),
        Figure("tables' medians, 5th to 95th percentile", _span(middle), "close together"),
        Figure("tables' worst, 5th to 95th percentile", _span(worst), "close together"),
        Figure("troubles in the bot's log", f"{len(here.bot.troubles)}", "none"),
    ]


def _span(seconds: list[float]) -> str:
    return f"{percentile(seconds, 5):.1f} to {percentile(seconds, 95):.1f} s"


class Watch:
    """The number of events logged and shown of each game, reading by reading."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._looks: dict[str, list[tuple[float, int, int]]] = {}

    async def look_on(self) -> None:
        """Read the database four times a second until cancelled."""
        with closing(sqlite3.connect(f"{self._database.as_uri()}?mode=ro", uri=True)) as connection:
            while True:
                now = asyncio.get_running_loop().time()
                for game, version, told in connection.execute("SELECT id, version, told FROM games"):
                    self._looks.setdefault(game, []).append((now, version, told))
                await asyncio.sleep(_BETWEEN_LOOKS)

    def lags(self) -> Iterator[list[float]]:
        """For each game with moves, the delay of each move in seconds."""
        for looks in self._looks.values():
            lags = []
            known = looks[0][1]
            for place, (now, version, _) in enumerate(looks):
                if version > known:
                    known = version
                    rest = (at for at, _, told in looks[place:] if told >= version)
                    lags.append(next(rest, looks[-1][0]) - now)
            if lags:
                yield lags
