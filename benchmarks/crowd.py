"""One process with ten thousand live tables: its memory, and how late its event loop is while people play.

Their time is compressed: all tables are opened as fast as the bot answers, and then people at some of them,
from the first to the last, press as often as at the tables whose presses are timed (`presses`). Of most
nothing is in memory at their first press, and their logs are read.
"""

from __future__ import annotations

import asyncio
import time

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.hall import hall
from benchmarks.probed import Noted
from benchmarks.process import resident_megabytes
from benchmarks.sizes import Sizes

TITLE = "Ten thousand live tables in one process"


def run(sizes: Sizes) -> list[Figure]:
    """Open them all, let people play, and measure."""
    return asyncio.run(_measured(sizes))


async def _measured(sizes: Sizes) -> list[Figure]:
    async with hall(program="benchmarks.probed") as here:
        empty, began = resident_megabytes(here.bot.pid), time.monotonic()
        tables = await here.open_tables(sizes.crowd)
        took = time.monotonic() - began
        await here.quiet(0.3)
        opened = resident_megabytes(here.bot.pid)
        here.forget_figures()
        some = tables[:: max(1, len(tables) // sizes.many_tables)]
        await here.play(some, 1.5 * sizes.long_pause + sizes.seconds, sizes.long_pause)
        played = resident_megabytes(here.bot.pid)
        presses = tuple(here.presses)
        await here.bot.stop()
        noted = Noted.read(here.noted)
        both = [each.id for each in presses if each.id in noted.answered and each.id in here.sent]
        delays = [noted.answered[each] - here.sent[each] for each in both]
        lags = [lag for lag, _ in noted.lags]
        return [
            Figure(f"{len(tables)} tables: opened in", f"{took:.0f} s"),
            Figure(
                "memory before, with the tables, after they have played", _megabytes(empty, opened, played)
            ),
            Figure("a table", f"{(played - empty) * 1000 / len(tables):.1f} kB"),
            Figure("presses, failed", f"{len(presses)}, {sum(each.failed for each in presses)}"),
            Figure("the bot's time, 50th percentile", milliseconds(percentile(delays, 50))),
            Figure("the bot's time, 99th percentile", milliseconds(percentile(delays, 99)), "under 100 ms"),
            Figure(
                "the bot's loop is late since its start, 99th percentile", milliseconds(percentile(lags, 99))
            ),
            Figure("the bot's loop is late since its start, at most", milliseconds(max(lags, default=0.0))),
        ]


def _megabytes(*found: float) -> str:
    return ", ".join(f"{each:.0f}" for each in found) + " MB"
