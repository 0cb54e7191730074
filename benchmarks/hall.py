"""A sandbox with the bot as its own process, and as many tables as are wanted.

Each table has its own thread, and each player sits at one table only, as most people do. They play from their
DMs, unless a table is opened otherwise. The sandbox and the players share this process; the bot has the other
core.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.process import cpu_seconds, main_thread_seconds
from bot.model.database_address import PostgresAddress
from sandbox.client.people import Person
from sandbox.gateway.frames import Op
from sandbox.model.channels import Channel, Message
from sandbox.model.interactions import Interaction, InteractionType, State
from sandbox.model.world import Change
from sandbox.rate_limits import Limit, RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table

FREE = ("/interactions/", "/webhooks/")
"""Interaction responses, which do not count towards the global rate limit."""

_AT_ONCE = 10
"""The number of tables opened at the same time."""
_LOOKS_AGAIN = 2.0
"""Seconds after which a player looks at their hand even if nothing has changed."""
_QUIET = 0.05
"""Seconds without a request after which all messages count as up to date."""


@dataclass(slots=True)
class Press:
    """A press of a button at a table, with its times."""

    id: str
    """Of the interaction."""
    verb: str
    """Verb of the button, such as `play`."""
    made: float
    answered: float = 0.0
    failed: bool = False

    @property
    def seconds(self) -> float:
        """Seconds from the press to the response."""
        return self.answered - self.made


@dataclass(slots=True)
class Hall:
    """The sandbox, the bot, and what was measured of both."""

    sandbox: Sandbox
    bot: BotProcess
    noted: Path
    """File of a probe's notes."""
    started_in: float = 0.0
    """Seconds from the start of the process until it was connected and had its commands."""
    greeted_at: float = 0.0
    """Time of the gateway's HELLO, on `time.monotonic`, as below."""
    identified_at: float = 0.0
    """Time of its READY, after which the bot continues its start."""
    counted: int = 0
    """Requests that count towards the global rate limit."""
    by_token: int = 0
    """Answers to interactions, and edits and posts with their tokens, which do not count."""
    limited: int = 0
    """Requests that were refused with a 429."""
    presses: list[Press] = field(default_factory=list)
    exchanged: float = 0.0
    """Time of the last request."""
    sent: dict[str, float] = field(default_factory=dict)
    """By interaction: when the bot was told of it, by `time.monotonic`, which all processes share."""
    _open: dict[str, Press] = field(default_factory=dict)
    _news: dict[str, asyncio.Event] = field(default_factory=dict)

    @property
    def identifying(self) -> float:
        """The seconds of `started_in` that passed between HELLO and READY."""
        return self.identified_at - self.greeted_at

    @property
    def cpu(self) -> float:
        """The bot's CPU time so far, in seconds."""
        return cpu_seconds(self.bot.pid)

    @property
    def loop_cpu(self) -> float:
        """The part of it that the event loop's thread took."""
        return main_thread_seconds(self.bot.pid)

    def forget_figures(self) -> None:
        """Reset all counts."""
        self.counted = self.by_token = self.limited = 0
        self.presses.clear()
        self.sent.clear()

    async def quiet(self, quiet: float = _QUIET) -> None:
        """Wait until no request has come for a while: all messages are up to date."""
        loop = asyncio.get_running_loop()
        rest = quiet
        while rest > 0:
            await asyncio.sleep(rest)
            rest = self.exchanged + quiet - loop.time()

    async def faces_are_there(self) -> None:
        """Wait until the card emojis are uploaded, which happens once for a bot."""
        await self.sandbox.people["Ada"].until(lambda: len(self.sandbox.world.emojis) >= 52, timeout=60)
        await self.quiet(0.3)

    async def open_tables(self, number: int, *, players: int = 2, **options: object) -> list[Table]:
        """Begin a game at each of `number` new tables, with these `options` of `Table.gather`.

        With `behind_the_button`, players open their hands at the table and let them follow the game.
        """
        tables: list[Table] = []
        while len(tables) < number:
            some = range(len(tables), min(len(tables) + _AT_ONCE, number))
            opening = (self._open_table(each, players, **options) for each in some)
            tables += await asyncio.gather(*opening)
        await self.quiet(0.3)
        return tables

    async def open_alone(self, level: str) -> Table:
        """Begin a game of one against the computer, who plays behind the button."""
        person = self._guest("alone")
        thread = person.start_thread("cribbage", "alone")
        await person.command(thread, "crib new", computer=level)
        # The game begins by itself, so the first message with a button of it is the table.
        await person.until(lambda: _playable(person, thread), timeout=60)
        [table, *_] = _playable(person, thread)
        await self.quiet(0.3)
        habits = {"behind_the_button": True, "refreshes": False}
        return Table.at(thread, [person], table, survives_failures=True, **habits)

    async def open_anywhere(self) -> Table:
        """Begin a game of two in their direct messages, without the bot, each with their hand open there."""
        people = [self._guest(each) for each in "ab"]
        people[0].install_app()
        habits = {"behind_the_button": True, "refreshes": False}
        table = await Table.begin(people[0].open_dm_with(people[1]), people, survives_failures=True, **habits)
        await self.quiet(0.3)
        return table

    async def play(self, tables: list[Table], seconds: float, pause: float) -> None:
        """Let everybody play for that many seconds; each looks at their hand for `pause` on average."""
        random = Random(15)
        tasks = [
            asyncio.create_task(self.sit(table, seat, pause, random)) for table in tables for seat in (0, 1)
        ]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    def heard(self, seen: Exchange | Frame) -> None:
        """Count a request of the bot, and note when it was told of a press."""
        if isinstance(seen, Exchange):
            self.exchanged = asyncio.get_running_loop().time()
            self.limited += seen.status == 429
            is_free = seen.path.startswith(FREE)
            self.counted += seen.status != 429 and not is_free
            self.by_token += seen.status != 429 and is_free
        elif seen.direction is Direction.TO_BOT:
            match seen.payload:
                case {"t": "INTERACTION_CREATE", "d": {"id": interaction}}:
                    self.sent[interaction] = time.monotonic()
                case {"op": Op.HELLO}:
                    self.greeted_at = time.monotonic()
                case {"t": "READY"}:
                    self.identified_at = time.monotonic()

    def changed(self, change: Change) -> None:
        """Note presses and their answers, and tell players that their hands have changed."""
        recipient = change.channel.recipient if change.channel is not None else None
        if change.name == "INTERACTION":
            self._pressed(self.sandbox.interactions.by_id[change.data["id"]])
        elif change.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} and recipient is not None:
            self.news_for(recipient.id).set()

    async def _open_table(self, number: int, players: int, **options: object) -> Table:
        people = [self._guest(f"{number}{letter}") for letter in "abcdef"[:players]]
        thread = people[0].start_thread("cribbage", f"table {number}")
        # Players repeat presses without a response; failures are counted.
        return await Table.begin(
            thread,
            people,
            seed=number,
            survives_failures=True,
            refreshes=False,
            **options,
        )

    def _guest(self, name: str) -> Person:
        """Somebody who has not played before."""
        return self.sandbox.add_person(f"Player {len(self.sandbox.people)} {name}")

    async def sit(self, table: Table, seat: int, pause: float, random: Random) -> None:
        """Let the seat's player act until they are cancelled, with a look at the hand before each act."""
        player = table.players[seat]
        news = self.news_for(player.person.id)
        while True:
            news.clear()
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            if not await player.act():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOKS_AGAIN):
                        await news.wait()

    def news_for(self, person: str) -> asyncio.Event:
        """The event that is set when something changes for that person."""
        return self._news.setdefault(person, asyncio.Event())

    def _pressed(self, interaction: Interaction) -> None:
        now = asyncio.get_running_loop().time()
        if interaction.type is not InteractionType.COMPONENT:
            return
        if interaction.state is State.SENT:
            self._open[interaction.id] = Press(interaction.id, _verb(interaction.data["custom_id"]), now)
        elif (press := self._open.pop(interaction.id, None)) is not None:
            press.answered, press.failed = now, interaction.state is State.FAILED
            self.presses.append(press)


def _verb(custom_id: str) -> str:
    """Verb in the custom_id `crib:GAME:DEAL:VERB`; the whole custom_id of any other button."""
    parts = custom_id.split(":")
    return parts[3] if parts[0] == "crib" else custom_id


def _playable(person: Person, channel: Channel) -> list[Message]:
    """The messages of the channel that everybody sees and somebody can use."""
    return [each for each in person.sees(channel) if not each.is_ephemeral and controls(each)]


@asynccontextmanager
async def hall(
    limits: RateLimits | None = None,
    settings: dict[str, str] | None = None,
    *,
    program: str | None = None,
    prepare: Callable[[Sandbox, Path], None] = lambda _sandbox, _database: None,
    address: PostgresAddress | None = None,
) -> AsyncIterator[Hall]:
    """A hall, by default with relaxed rate limits; they can be changed when the tables are open.

    `prepare` makes the database with which the bot starts, in a thread; with an `address` it has that one.
    `program` is a module that runs the bot and notes something of it, `benchmarks.probed`, say.
    """
    sandbox = Sandbox(rate_limits=limits or RateLimits.relaxed(), dm_openings=Limit(100_000, 1.0))
    async with sandbox:
        with tempfile.TemporaryDirectory() as directory:
            noted = Path(directory) / "noted.json"
            run = ("-m", program or "bot")
            variables = {"WRITE_BEHIND": "10", **(settings or {}), "PROBE": str(noted)}
            bot = BotProcess(
                sandbox, Path(directory) / "games.sqlite3", variables, program=run, address=address
            )
            await asyncio.to_thread(prepare, sandbox, bot.database)
            seen = Hall(sandbox, bot, noted)
            sandbox.observers.append(seen.heard)
            sandbox.world.listeners.append(seen.changed)
            began = time.monotonic()
            async with bot:
                seen.started_in = time.monotonic() - began
                await seen.faces_are_there()
                yield seen
