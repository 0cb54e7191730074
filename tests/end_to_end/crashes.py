"""The bot's process dying in the midst of a request, and somebody who starts it again."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable
from enum import Enum
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.errors import Refusal
from tests.end_to_end.bot_process import BotProcess


class Moment(Enum):
    """When the process dies, as seen from the request that it is making."""

    BEFORE = "before Discord does what was asked"
    AFTER = "after Discord did it, before the answer arrives"


class Trapdoor:
    """A middleware of the sandbox that kills the bot at chosen requests, and starts it again."""

    def __init__(self, chooses: Callable[[web.Request], Moment | None]) -> None:
        """`chooses` is asked about every request once the trapdoor is open."""
        self.falls = 0
        """How often the bot was killed."""
        self._chooses = chooses
        self._bot: BotProcess | None = None
        self._fallen = asyncio.Event()
        self._stands = asyncio.Event()
        self._stands.set()

    @contextlib.asynccontextmanager
    async def under(self, bot: BotProcess) -> AsyncIterator[Self]:
        """Open it under the bot for a while."""
        self._bot = bot
        nurse = asyncio.create_task(self._start_again(bot))
        try:
            yield self
        finally:
            self._bot = None
            await self.up()
            nurse.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await nurse

    async def up(self) -> None:
        """Wait until the bot is on its feet again."""
        await self._stands.wait()

    @property
    def middleware(self) -> Callable[[web.Request, Handler], object]:
        """What to give to the sandbox."""

        @web.middleware
        async def trapdoor(request: web.Request, handler: Handler) -> web.StreamResponse:
            if self._bot is None or self._fallen.is_set():
                return await handler(request)
            moment = self._chooses(request)
            if moment is None:
                return await handler(request)
            answer = await handler(request) if moment is Moment.AFTER else None
            bot, self.falls = self._bot, self.falls + 1
            self._fallen.set()
            self._stands.clear()
            bot.send(signal.SIGKILL)
            await bot.ended()
            if answer is None:
                raise Refusal.UNAUTHORIZED.error()  # nobody is there to hear it
            return answer

        return trapdoor

    async def _start_again(self, bot: BotProcess) -> None:
        while True:
            await self._fallen.wait()
            await bot.restart(signal.SIGKILL)
            self._fallen.clear()
            self._stands.set()
