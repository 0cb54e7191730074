"""Disturbances other than failing requests: restarts, gateway faults, a locked database, a full disk.

A full disk is simulated: for a moment the bot's process may not write past the beginning of any file
(`RLIMIT_FSIZE`, set from outside, where the system has it), so SQLite's writes fail with an I/O error. A real
ENOSPC would need a file system of limited size, which a test may not mount.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

from sandbox.faults import Faults
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess

_LOCKED = ((0.1, 0.7), (0.1, 0.7), (0.9, 4.8))
"""The range of seconds for which another process locks the database; the bot waits for less than one."""
_LOCKED_AT_A_STOP = 0.3
"""The share of stops during which another process locks the database."""
_FULL = (0.2, 2.0)
_BETWEEN_LOOKS = 0.05


class Upsets:
    """Disturbs a bot again and again, one thing at a time, until it is stopped."""

    def __init__(self, sandbox: Sandbox, bot: BotProcess, faults: Faults, *, seed: int, every: float) -> None:
        """`every` is the mean time between two disturbances, in seconds."""
        self.happened: Counter[str] = Counter()
        self.found: list[str] = []
        self.slowest_stop = 0.0
        self.lost = faults.lost
        self._sandbox = sandbox
        self._bot = bot
        self._faults = faults
        self._random = Random(f"{seed} upsets")
        self._every = every

    @property
    def disturbances(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """Those between restarts, of which one is drawn each time."""
        return self._shake, self._shake, self._lock, self._fill

    async def run(self, restarts: Sequence[signal.Signals], is_over: Callable[[], bool]) -> None:
        """Restart the bot in each of these ways, with other disturbances in between."""
        left = list(restarts)
        turn = 0
        while not is_over():
            await self._pause(is_over)
            if is_over():
                return
            turn += 1
            if left and turn % 3 == 1:
                await self.restart(left.pop(0))
            else:
                await self._random.choice(self.disturbances)()

    async def restart(self, how: signal.Signals) -> None:
        """End the bot in this way and restart it, while people go on pressing."""
        self.happened[how.name] += 1
        async with asyncio.TaskGroup() as group:
            if self._random.random() < _LOCKED_AT_A_STOP:
                group.create_task(self._lock())
            loop = asyncio.get_running_loop()
            began = loop.time()
            status = await self._bot.stop(how)
            if how is signal.SIGTERM:
                self.slowest_stop = max(self.slowest_stop, loop.time() - began)
                if status != 0:
                    self.found.append(f"SIGTERM ended with status {status}")
        await self._bot.start()

    async def _pause(self, is_over: Callable[[], bool]) -> None:
        ends = asyncio.get_running_loop().time() + self._random.uniform(0.5, 1.5) * self._every
        # Two things may end the pause.
        while not is_over() and asyncio.get_running_loop().time() < ends:  # noqa: ASYNC110
            await asyncio.sleep(_BETWEEN_LOOKS)

    async def _shake(self) -> None:
        """Disturb the gateway only while connected: discord.py takes five seconds to reconnect."""
        while not self._sandbox.gateway.bot_is_online:  # noqa: ASYNC110 -- no event tells of it
            await asyncio.sleep(_BETWEEN_LOOKS)
        await self._faults.shake(self._sandbox.gateway)

    async def _lock(self) -> None:
        self.happened["database locked"] += 1
        await asyncio.to_thread(
            _hold, self._bot.database, self._random.uniform(*self._random.choice(_LOCKED))
        )

    async def _fill(self) -> None:
        if not self._bot.is_running or not hasattr(resource, "prlimit"):
            return
        self.happened["disk full"] += 1
        process = self._bot.pid
        _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (0, most))
        await asyncio.sleep(self._random.uniform(*_FULL))
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))


def _hold(database: Path, seconds: float) -> None:
    """Lock the database against other writers for that many seconds."""
    connection = sqlite3.connect(database, timeout=10.0, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        connection.execute("ROLLBACK")
    finally:
        connection.close()
