"""Latency from a press to its response, with one table and with many at once, without rate limits.

Two times are told. The bot's: from when the sandbox hands the press to the system until the bot hands its
answer to it, both by the clock that all processes share; everything the bot is busy with meanwhile is in it,
and so is waiting for a processor. The player's: from the press until the answer has been taken, with the
sandbox's own part; how late that process runs is told beside it, because it plays for all the people as well.

People look at their hands for some seconds before they move, as they do at a table: at many tables for so
long that they move about as often, all together, as fifty requests a second let a bot tell.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.hall import hall
from benchmarks.probed import Noted
from benchmarks.sizes import Sizes

TITLE = "From press to answer"

_EVERY = 0.005
"""Seconds between two looks at how late this process is."""


def run(sizes: Sizes) -> list[Figure]:
    """Let one table play, then many with text boards, then some that have pictures."""
    alone = asyncio.run(_played(1, sizes.seconds, min(sizes.pause, 0.2), aim=""))
    many = asyncio.run(_played(sizes.many_tables, sizes.seconds, sizes.long_pause))
    # As many moves a second as at the many.
    pause = sizes.long_pause * sizes.pictured_tables / sizes.many_tables
    return alone + many + asyncio.run(_played(sizes.pictured_tables, sizes.seconds, pause, pictures=True))


async def _played(
    number: int, seconds: float, pause: float, *, pictures: bool = False, aim: str = "under 100 ms"
) -> list[Figure]:
    async with hall(settings={"PICTURES": str(pictures)}, program="benchmarks.probed") as here:
        tables = await here.open_tables(number)
        # A first round is not timed: all begin to discard at once, which they do not again.
        await here.play(tables, 1.5 * pause, pause)
        here.forget_figures()
        cpu = here.cpu
        async with _lateness() as late:
            await here.play(tables, seconds, pause)
        used = (here.cpu - cpu) / seconds
        presses = tuple(here.presses)
        await here.bot.stop()
        noted = Noted.read(here.noted)
        answered = noted.answered
        both = [each.id for each in presses if each.id in answered and each.id in here.sent]
        delays = [answered[each] - here.sent[each] for each in both]
        name = f"{number} table{'s' * (number != 1)}{' with pictures' * pictures}"
        return [
            Figure(f"{name}: presses, failed", f"{len(presses)}, {sum(each.failed for each in presses)}"),
            Figure(f"{name}: presses a second", f"{len(presses) / seconds:.1f}"),
            Figure(f"{name}: the bot's time, 50th percentile", milliseconds(percentile(delays, 50))),
            Figure(f"{name}: the bot's time, 99th percentile", milliseconds(percentile(delays, 99)), aim),
            Figure(f"{name}: the bot's time, longest", milliseconds(max(delays, default=0.0))),
            Figure(f"{name}: the bot's loop is late, since its start", _late([lag for lag, _ in noted.lags])),
            Figure(f"{name}: as players see it, 50th, 99th", _two([each.seconds for each in presses])),
            Figure(f"{name}: the sandbox is late, 50th, 99th", _two(late)),
            Figure(f"{name}: bot's core in use", f"{used:.0%}"),
            Figure(f"{name}: counted requests a press", f"{here.counted / max(len(presses), 1):.2f}"),
        ]


def _late(lags: list[float]) -> str:
    return f"{milliseconds(percentile(lags, 99))}, {milliseconds(max(lags, default=0.0))}"


def _two(waits: list[float]) -> str:
    return f"{milliseconds(percentile(waits, 50))}, {milliseconds(percentile(waits, 99))}"


@asynccontextmanager
async def _lateness() -> AsyncIterator[list[float]]:
    """The latency of this process's own event loop meanwhile, in seconds, one value for each check."""
    late: list[float] = []

    async def look() -> None:
        while True:
            due = time.monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            late.append(time.monotonic() - due)

    looking = asyncio.create_task(look())
    try:
        yield late
    finally:
        looking.cancel()
