"""Many tables at which only computers play: the latency of the event loop.

The tables are opened by people. Then the bot is restarted with a computer in every seat, which no player
could bring about; moves are logged and shown as usual. First they play at the normal pace, which is twice as
much play as with a person at each table, then without pauses, so that the loop is always overloaded. A probe
in the loop measures how late it is called, and how much of that was caused by the computer's thread or by
other programs.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.hall import hall
from benchmarks.probed import Noted
from benchmarks.process import cpu_seconds
from benchmarks.sizes import Sizes
from bot.config.settings import Settings
from engine.computer import Level
from tests.end_to_end.bot_process import BotProcess

TITLE = "The computer at work, and what the event loop waits"


def run(sizes: Sizes) -> list[Figure]:
    """Let the computer play at many tables at once: the expert at its pace, then each level at full speed."""
    pace = Settings.model_fields["computer_pace"].default
    figures = asyncio.run(_played(sizes, Level.EXPERT, pace))
    for level in sizes.computer_levels:
        figures += asyncio.run(_played(sizes, level, 0.0))
    return figures


async def _played(sizes: Sizes, level: Level, pace: float) -> list[Figure]:
    async with hall() as here:
        await here.open_tables(sizes.computer_tables)
        await here.bot.stop()
        before = _hand_over(here.bot.database, level)
        noted = here.bot.database.parent / "noted.json"
        settings = {"COMPUTER_PACE": str(pace), "PROBE": str(noted)}
        program = ("-m", "benchmarks.probed")
        async with BotProcess(here.sandbox, here.bot.database, settings, program=program) as bot:
            await here.sandbox.people["Ada"].until(partial(_is_probed, bot), timeout=60)
            cpu = cpu_seconds(bot.pid)
            await asyncio.sleep(sizes.seconds)
            used = (cpu_seconds(bot.pid) - cpu) / sizes.seconds
            await bot.stop()
            troubles = len(bot.troubles)
        lag, kept = zip(*Noted.read(noted).lags, strict=True)
        moved, over = _moved(here.bot.database)
        await here.bot.start()
    name = f"{sizes.computer_tables} tables, {level.value}{', no pause' if not pace else ''}"
    return [
        Figure(f"{name}: events, games over", f"{moved - before}, {over}"),
        Figure(f"{name}: loop is late, 50th, 99th percentile", _two(lag)),
        Figure(f"{name}: loop is late, longest", milliseconds(max(lag)), "under 20 ms" if pace else ""),
        Figure(f"{name}: held up, 50th, 99th percentile", _two(kept)),
        Figure(f"{name}: held up, longest", milliseconds(max(kept)), "under 20 ms"),
        Figure(f"{name}: held up over 20 ms", f"{sum(each > 0.02 for each in kept)} of {len(kept)}"),
        Figure(f"{name}: bot's core in use", f"{used:.0%}"),
        Figure(f"{name}: troubles in the bot's log", f"{troubles}", "none"),
    ]


def _is_probed(bot: BotProcess) -> bool:
    return any("connected as" in line for line in bot.log)


def _two(waits: Sequence[float]) -> str:
    return f"{milliseconds(percentile(waits, 50))}, {milliseconds(percentile(waits, 99))}"


def _hand_over(database: Path, level: Level) -> int:
    """Give every seat to the computer; returns the number of events in all logs."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE seats SET computer = ?", (level.value,))
        events: int = connection.execute("SELECT sum(version) FROM games").fetchone()[0]
        return events


def _moved(database: Path) -> tuple[int, int]:
    """The number of events in all logs, and of finished games."""
    with closing(sqlite3.connect(database)) as connection:
        events, over = connection.execute("SELECT sum(version), sum(status = 'over') FROM games").fetchone()
        return int(events), int(over)
