"""A sandbox with the bot as its own process, and as many tables of two as are wanted.

Each table stands in a thread of its own and each player sits at one table only, as most people do, and
plays from his DM. The sandbox and the players share this process; the bot has the other core.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.process import cpu_seconds
from sandbox.model.interactions import Interaction, InteractionType, State
from sandbox.model.world import Change
from sandbox.rate_limits import Limit, RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table

FREE = ("/interactions/", "/webhooks/")
"""Answers, which Discord does not count towards its fifty requests a second."""

_AT_ONCE = 10
"""Tables that are opened at the same time."""
_LOOKS_AGAIN = 2.0
"""Seconds after which a player looks at his hand though nothing has come."""
_QUIET = 0.05
"""Seconds without a request after which everything is told."""


@dataclass(slots=True)
class Press:
    """A button pressed at a table, and how long its player waited for the answer."""

    made: float
    answered: float = 0.0
    failed: bool = False

    @property
    def seconds(self) -> float:
        """From the press to the answer."""
        return self.answered - self.made


@dataclass(slots=True)
class Hall:
    """The sandbox, the bot, and what has been seen of both."""

    sandbox: Sandbox
    bot: BotProcess
    counted: int = 0
    """Requests that count against the fifty a second."""
    limited: int = 0
    """Requests that were refused with a 429."""
    presses: list[Press] = field(default_factory=list)
    exchanged: float = 0.0
    """When the last request came."""
    _open: dict[str, Press] = field(default_factory=dict)
    _news: dict[str, asyncio.Event] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        """The bot's processor time so far, in seconds."""
        return cpu_seconds(self.bot.pid)

    def forget_figures(self) -> None:
        """Begin to count anew."""
        self.counted = self.limited = 0
        self.presses.clear()

    async def quiet(self, quiet: float = _QUIET) -> None:
        """Wait until no request has come for a while: everything is told."""
        loop = asyncio.get_running_loop()
        rest = quiet
        while rest > 0:
            await asyncio.sleep(rest)
            rest = self.exchanged + quiet - loop.time()

    async def faces_are_there(self) -> None:
        """Wait until the pictures of the cards have been sent, which happens once for a bot."""
        await self.sandbox.people["Ada"].until(lambda: len(self.sandbox.world.emojis) >= 52, timeout=60)
        await self.quiet(0.3)

    async def open_tables(self, number: int, *, length: int = 121) -> list[Table]:
        """Begin a game of two at each of so many new tables."""
        tables: list[Table] = []
        while len(tables) < number:
            some = range(len(tables), min(len(tables) + _AT_ONCE, number))
            tables += await asyncio.gather(*(self._open_table(each, length) for each in some))
        await self.quiet(0.3)
        return tables

    async def play(self, tables: list[Table], seconds: float, pause: float) -> None:
        """Let everybody play for so long, each looking at his hand for `pause` on the average."""
        random = Random(15)
        tasks = [
            asyncio.create_task(self._sit(table, seat, pause, random)) for table in tables for seat in (0, 1)
        ]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    def heard(self, seen: Exchange | Frame) -> None:
        """Count a request of the bot."""
        if isinstance(seen, Exchange):
            self.exchanged = asyncio.get_running_loop().time()
            self.limited += seen.status == 429
            self.counted += seen.status != 429 and not seen.path.startswith(FREE)

    def changed(self, change: Change) -> None:
        """Note presses and their answers, and tell players that their hands have changed."""
        recipient = change.channel.recipient if change.channel is not None else None
        if change.name == "INTERACTION":
            self._pressed(self.sandbox.interactions.by_id[change.data["id"]])
        elif change.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} and recipient is not None:
            self._news_for(recipient.id).set()

    async def _open_table(self, number: int, length: int) -> Table:
        people = [self.sandbox.add_person(f"Player {number}{letter}") for letter in "ab"]
        thread = people[0].start_thread("cribbage", f"table {number}")
        # People whose press is not answered press again; what failed is counted.
        return await Table.begin(thread, people, seed=number, survives_failures=True, length=length)

    async def _sit(self, table: Table, seat: int, pause: float, random: Random) -> None:
        player = table.players[seat]
        news = self._news_for(player.person.id)
        while True:
            news.clear()
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            if not await player.act():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOKS_AGAIN):
                        await news.wait()

    def _news_for(self, person: str) -> asyncio.Event:
        return self._news.setdefault(person, asyncio.Event())

    def _pressed(self, interaction: Interaction) -> None:
        now = asyncio.get_running_loop().time()
        if interaction.type is not InteractionType.COMPONENT:
            return
        if interaction.state is State.SENT:
            self._open[interaction.id] = Press(now)
        elif (press := self._open.pop(interaction.id, None)) is not None:
            press.answered, press.failed = now, interaction.state is State.FAILED
            self.presses.append(press)


@asynccontextmanager
async def hall(
    limits: RateLimits | None = None, settings: dict[str, str] | None = None
) -> AsyncIterator[Hall]:
    """A hall without limits unless they are given; they can be changed when the tables stand."""
    sandbox = Sandbox(rate_limits=limits or RateLimits.relaxed(), dm_openings=Limit(100_000, 1.0))
    async with sandbox:
        with tempfile.TemporaryDirectory() as directory:
            bot = BotProcess(sandbox, Path(directory) / "games.sqlite3", settings)
            seen = Hall(sandbox, bot)
            sandbox.observers.append(seen.heard)
            sandbox.world.listeners.append(seen.changed)
            async with bot:
                await seen.faces_are_there()
                yield seen
