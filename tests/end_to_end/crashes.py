"""Runs a bot that is killed at chosen points of its work and restarted at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sandbox.errors import Refusal
from sandbox.model.interactions import Deadlines, Interaction, State
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end import killable_bot
from tests.end_to_end.bot_process import environment, upload_pictures
from tests.end_to_end.nursery import Forked, Nursery
from tests.end_to_end.players import controls
from tests.end_to_end.points import Kind, Moment, Plan, Point, Points, request_in_words, write_in_words
from tests.patience import PATIENCE


class MortalBot:
    """A sandbox, with a bot that is killed at the points of a plan and restarted at once."""

    def __init__(self, directory: Path, points: Points, plan: Plan, *, seed: str) -> None:
        """Its cards follow from `seed`."""
        self.sandbox = Sandbox(
            rate_limits=RateLimits.relaxed(),
            deadlines=Deadlines(first_answer=PATIENCE),  # a machine may stall; nobody waits for a dead bot
            middlewares=[self._trapdoor()],
        )
        self.database = directory / "games.sqlite3"
        self.is_due = False
        """False to disable all kills."""
        self.deaths = 0
        self.version = 0
        """Number of events written so far."""
        self.log: list[str] = []
        """All lines of its standard error, over all restarts."""
        self.lost: set[str] = set()
        """The ids of the interactions that died with it."""
        self.found: list[str] = []
        """Faults, in words."""
        self._points = points
        self._plan = plan
        self._seed = seed
        self._process: Forked | None = None
        self._status = 0
        self._is_wanted = False
        self._alive = asyncio.Event()
        self._gone = asyncio.Event()
        self._stands = asyncio.Event()
        self._gone.set()

    async def stands(self) -> None:
        """Wait until the bot is running."""
        async with asyncio.timeout(PATIENCE):
            await self._stands.wait()

    async def stop(self) -> int:
        """End it for good; its exit status."""
        await self.stands()
        self._is_wanted = False
        self._stands.clear()
        self._send(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await self._gone.wait()
        return self._status

    async def __aenter__(self) -> Self:
        await self.sandbox.start()
        upload_pictures(self.sandbox)  # so that its messages are alike from the first
        self._confessions = await asyncio.start_server(self._confessed, "127.0.0.1", 0)
        port = self._confessions.sockets[0].getsockname()[1]
        variables = environment(
            DISCORD_TOKEN=self.sandbox.token,
            DISCORD_URL=self.sandbox.url,
            DATABASE=str(self.database),
            REQUESTS_A_SECOND="10000",
            DEAL_PAUSE="600",  # players deal, so that it is deterministic when
            MERGE_EDITS="0",
            WRITE_BEHIND="0.2",
            COMPUTER_PACE="0",
            CONFESSOR=str(port),
            SEED=self._seed,
        )
        self._is_wanted = True
        self._lives = asyncio.create_task(self._live_on(variables))
        await self.stands()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_wanted = False
        self._send(signal.SIGKILL)  # if it still runs
        await self._lives
        self._confessions.close()
        await self.sandbox.close()

    # Dying

    def _trapdoor(self) -> Middleware:
        @web.middleware
        async def trapdoor(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not self.is_due:
                return await handler(request)
            what = request_in_words(self.sandbox, request, self.version)
            if self._dies_at((Kind.REQUEST, Moment.BEFORE, what)):
                await self._gone.wait()
                raise Refusal.UNAUTHORIZED.error()  # nobody is there to hear it
            answer = await handler(request)
            self._look_for_live_tables(what)
            if self._dies_at((Kind.REQUEST, Moment.AFTER, what)):
                await self._gone.wait()
            return answer

        return trapdoor

    async def _confessed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear of every commit of one life; one that is to die there gets no answer any more."""
        try:
            while line := await reader.readline():
                name, events, told = line.decode().strip().split(" ", 2)
                moment = Moment(name)
                if moment is Moment.AFTER:
                    self.version = int(events)
                what = write_in_words(told, self.version)
                if self.is_due and self._dies_at((Kind.WRITE, moment, what)):
                    break
                writer.write(b"!")
        except ConnectionError:
            pass  # it died in the midst of it, of something else
        finally:
            writer.close()

    def _dies_at(self, point: Point) -> bool:
        if not self._alive.is_set() or not self._points.dies_at(point, self._plan):
            return False
        self._alive.clear()
        self._stands.clear()
        self.deaths += 1
        self.lost |= {each.id for each in self._waiting()}
        self._send(signal.SIGKILL)
        return True

    def _look_for_live_tables(self, what: str) -> None:
        """In each channel and thread everybody can use one message at most: lobby, table, or result."""
        for channel in self.sandbox.world.guild.channels.values():
            live = [each for each in channel.messages.values() if each.only_for is None and controls(each)]
            if len(live) > 1:
                told = " and ".join(each.text.splitlines()[0] for each in live)
                if not any("live at once" in each for each in self.found):
                    self.found.append(f"live at once after {what}: {told}")

    # Living

    async def _live_on(self, variables: Mapping[str, str]) -> None:
        """Start the bot, and again whenever it has died."""
        nursery = Nursery.shared(*environment().items())
        while self._is_wanted:
            self._points.a_life_begins()
            self._gone.clear()
            process = self._process = await nursery.fork(self.database.parent, variables, killable_bot.alter)
            self._alive.set()
            reading, rising = asyncio.create_task(self._read_log(process)), asyncio.create_task(self._rise())
            self._status = await process.wait()
            if self._is_wanted and self._alive.is_set():
                self.found.append(f"the bot ended by itself, with status {self._status}")
            self._alive.clear()
            self._stands.clear()
            self._gone.set()
            await asyncio.gather(reading, rising)
            await self._let_go()

    async def _rise(self) -> None:
        """Wait until it is running, or dead."""

        def is_ready() -> bool:
            return (self._online() and bool(self.sandbox.world.commands)) or not self._alive.is_set()

        await self.sandbox.people["Ada"].until(is_ready, timeout=PATIENCE)
        if self._alive.is_set():
            self._stands.set()

    async def _let_go(self) -> None:
        """Discord notices a lost connection by itself; people see at once that nothing answers."""
        await self.sandbox.people["Ada"].until(lambda: not self._online(), timeout=PATIENCE)
        self.sandbox.gateway.sessions.clear()  # nobody takes them up, and each would be told of everything
        for interaction in self._waiting():
            self.lost.add(interaction.id)  # those after the death among them
            self.sandbox.interactions.settle(interaction, State.FAILED)

    def _send(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)

    def _waiting(self) -> list[Interaction]:
        waits = {State.SENT, State.DEFERRED}
        return [each for each in self.sandbox.interactions.by_id.values() if each.state in waits]

    def _online(self) -> bool:
        return self.sandbox.gateway.bot_is_online

    async def _read_log(self, process: Forked) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())
