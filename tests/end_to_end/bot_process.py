"""The bot as its own process, pointed at a sandbox."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from sandbox.server import Sandbox

_ROOT = Path(__file__).resolve().parents[2]


class BotProcess:
    """`python -m bot`, started, stopped, killed and started again on one database."""

    def __init__(self, sandbox: Sandbox, database: Path) -> None:
        self._sandbox = sandbox
        self._database = database
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self.log: list[str] = []

    async def start(self) -> None:
        """Start it, and wait until the sandbox has its commands and it is online."""
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "DISCORD_TOKEN": self._sandbox.token,
            "DISCORD_URL": self._sandbox.url,
            "DATABASE": str(self._database),
            "LOG_LEVEL": "INFO",
            "PYTHONWARNINGS": "error,ignore:'audioop' is deprecated:DeprecationWarning",
        }
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=_ROOT, env=environment, stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.create_task(self._read(self._process))
        ada = self._sandbox.people["Ada"]
        await ada.until(lambda: ada.commands("cribbage") and self._online(), timeout=20)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; its exit status."""
        if self._process is None:
            return 0
        if self._process.returncode is None:
            self._process.send_signal(how)
        status = await asyncio.wait_for(self._process.wait(), 10)
        if self._reading is not None:
            await self._reading
        self._process = None
        return status

    async def restart(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it, and start it again."""
        await self.stop(how)
        await self.start()

    @property
    def errors(self) -> list[str]:
        """What the bot has logged as a warning or worse."""
        return [line for line in self.log if " WARNING " in line or " ERROR " in line or "Traceback" in line]

    def _online(self) -> bool:
        return self._sandbox.gateway.bot_is_online

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
