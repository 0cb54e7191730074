"""The unit of processor time: a command that does nothing, answered by a bot that can do nothing else.

That bot is a process of its own, at a sandbox of its own, so that neither bot hears of the other. A process
that wakes up after a pause finds its caches cold, so that one command by itself costs twice as much as one of
many. An action of ours wakes up once and makes about four requests; so the command is used four times in a
row from one pause to the next, or the unit would be as large as the pause makes it.
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
"""Rows of commands before the first that counts."""
_IN_A_ROW = 4
_QUIET = 0.05
"""Seconds after an answer in which the bot does what is left to do."""


class Baseline:
    """Uses the command, and says what it cost."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self._sandbox = sandbox
        self._bot = bot

    async def use(self) -> float:
        """Use the command a few times in a row: the bot's processor time for one of them, in seconds."""
        before = cpu_seconds(self._bot.pid)
        for _ in range(_IN_A_ROW):
            await self._sandbox.people["Ada"].command("general", COMMAND)
        await asyncio.sleep(_QUIET)
        return (cpu_seconds(self._bot.pid) - before) / _IN_A_ROW


@asynccontextmanager
async def baseline() -> AsyncIterator[Baseline]:
    """That bot, connected and warm."""
    async with Sandbox(rate_limits=RateLimits.relaxed()) as sandbox:
        with tempfile.TemporaryDirectory() as directory:
            # The database is never opened: this bot keeps nothing.
            database = Path(directory) / "none.sqlite3"
            async with BotProcess(sandbox, database, program=("-m", "benchmarks.noop")) as bot:
                unit = Baseline(sandbox, bot)
                for _ in range(_WARM):
                    await unit.use()
                yield unit
