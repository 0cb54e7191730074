"""The bot's memory with many live tables: every game begun, both hands sent, and each player has moved."""

from __future__ import annotations

import asyncio

from benchmarks.figures import Figure
from benchmarks.hall import hall
from benchmarks.process import resident_megabytes
from benchmarks.sizes import Sizes

TITLE = "Memory"


def run(sizes: Sizes) -> list[Figure]:
    """Open the tables, let everybody move, and measure."""
    return asyncio.run(_measured(sizes))


async def _measured(sizes: Sizes) -> list[Figure]:
    async with hall() as here:
        empty = resident_megabytes(here.bot.pid)
        tables = await here.open_tables(sizes.live_tables)
        for table in tables:
            for player in table.players:
                await player.act()
        await here.quiet(0.3)
        full = resident_megabytes(here.bot.pid)
        return [
            Figure("without a table", f"{empty:.0f} MB"),
            Figure(f"with {len(tables)} live tables", f"{full:.0f} MB", "under 250 MB"),
            Figure("a table", f"{(full - empty) * 1000 / len(tables):.0f} kB"),
        ]
