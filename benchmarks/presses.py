"""From a press to its answer, with one table and with many playing at once, and no limit on requests.

Timed where the press is made, so the sandbox's own part is in it; both processes share two cores. People
look at their hands for some seconds before they move, as they do at a table.
"""

from __future__ import annotations

import asyncio

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.hall import hall
from benchmarks.sizes import Sizes

TITLE = "From press to answer"


def run(sizes: Sizes) -> list[Figure]:
    """Let one table play, then many."""
    alone = asyncio.run(_played(1, sizes.seconds, min(sizes.pause, 0.2), ""))
    return alone + asyncio.run(_played(sizes.tables, sizes.seconds, sizes.pause, "under 250 ms"))


async def _played(number: int, seconds: float, pause: float, aim: str) -> list[Figure]:
    async with hall() as here:
        tables = await here.open_tables(number)
        here.forget_figures()
        cpu = here.cpu
        await here.play(tables, seconds, pause)
        used = (here.cpu - cpu) / seconds
        waits = [each.seconds for each in here.presses]
        failed = sum(each.failed for each in here.presses)
        name = f"{number} table" + "s" * (number != 1)
        return [
            Figure(f"{name}: presses, failed", f"{len(waits)}, {failed}"),
            Figure(f"{name}: 50th percentile", milliseconds(percentile(waits, 50))),
            Figure(f"{name}: 99th percentile", milliseconds(percentile(waits, 99)), aim),
            Figure(f"{name}: bot's core in use", f"{used:.0%}"),
            Figure(f"{name}: counted requests a press", f"{here.counted / max(len(waits), 1):.2f}"),
        ]
