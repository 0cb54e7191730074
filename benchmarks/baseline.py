"""The unit of CPU time: a command that does nothing, answered by a bot that can do nothing else (`noop`).

That bot is a process of its own with a sandbox of its own, so that the bots do not affect each other.

A process that wakes up after a pause has cold caches, so that a single command costs half as much again as
one of many. An action of ours is a single press after a pause, and so is the unit that it is held against.
The cost of one of four in a row is measured as well: a smaller unit, and so larger ratios.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The bot's CPU time for one use of the command, in seconds."""

    after_a_pause: float
    in_a_row: float


class Baseline:
    """Uses the command, and measures its cost."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess) -> None:
        self._sandbox = sandbox
        self._bot = bot

    async def use(self) -> Unit:
        """Use the command once after a pause, and a few times in a row after another."""
        return Unit(after_a_pause=await self._cost(1), in_a_row=await self._cost(_IN_A_ROW))

    async def _cost(self, times: int) -> float:
        before = cpu_seconds(self._bot.pid)
        for _ in range(times):
            await self._sandbox.people["Ada"].command("general", COMMAND)
        await asyncio.sleep(_QUIET)
        return (cpu_seconds(self._bot.pid) - before) / times


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
