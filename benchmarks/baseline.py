"""The unit of CPU time: a command that does nothing, answered by a bot that can do nothing else (`noop`).

That bot is a process of its own with a sandbox of its own, so that the bots do not affect each other. A
process that wakes up after a pause has cold caches, so that a single command costs twice as much as one of
many. An action of ours wakes the bot once and makes about four requests; so the command is used four times in
a row after each pause, or the unit would be too large.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.noop import COMMAND
from benchmarks.process import cpu_seconds
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess

_WARM = 10
"""Rows of commands to warm up, which are not measured."""
_IN_A_ROW = 4
_QUIET = 0.05
"""Seconds after a response in which the bot finishes its work."""


class Baseline:
    """Uses the command, and measures its cost."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self._sandbox = sandbox
        self._bot = bot

    async def use(self) -> float:
        """Use the command a few times in a row; returns the bot's CPU time for one use, in seconds."""
        before = cpu_seconds(self._bot.pid)
        for _ in range(_IN_A_ROW):
            await self._sandbox.people["Ada"].command("general", COMMAND)
        await asyncio.sleep(_QUIET)
        return (cpu_seconds(self._bot.pid) - before) / _IN_A_ROW


@asynccontextmanager
async def baseline() -> AsyncIterator[Baseline]:
    """The bot that does nothing, connected and warmed up."""
    async with Sandbox(rate_limits=RateLimits.relaxed()) as sandbox:
        with tempfile.TemporaryDirectory() as directory:
            # The database is never opened: this bot keeps nothing.
            database = Path(directory) / "none.sqlite3"
            async with BotProcess(sandbox, database, program=("-m", "benchmarks.noop")) as bot:
                unit = Baseline(sandbox, bot)
                for _ in range(_WARM):
                    await unit.use()
                yield unit
