"""One room: the real bot, the sandbox and the database in memory, in one process and simulated time.

A test takes the fixture `room`, which is started once a module:

    async def test_the_winner_is_told(room):
        table = await room.table("Ada", "Ben", length=61)  # opened, joined, started, cut and dealt
        await table.play()  # to the end; `Table` has more
        assert "wins" in table.results[-1].text

`room.alone("Ada", computer="expert")` is a table against a computer. `room.channel()` is a fresh channel,
`room.people("Ada", "Ben")` are fresh members of these names, so that tests of one module do not meet. What
people see is asked of the sandbox (`person.dms()`, `channel.messages`, `person.notifications`), what is kept
of `room.archive` and `room.store`. `await asyncio.sleep(3 * 86_400)` lets three days pass at once, but for
what the bot does meanwhile: a day costs some seconds of processor time. `await room.restart()` ends the bot
in good order and starts another on the same database. `room.database.broken = True` makes every call of the
store fail.

A module overrides the fixture `room_settings` for other settings of the bot, such as `{"pictures": True}`. A
warning in the log fails the test; one that is expected is taken out of `room.troubles` by the test. Requests
that Discord would refuse, and mentions that would call somebody by accident, fail it too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random, SystemRandom
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.typedefs import Middleware
from pydantic import SecretStr

from bot.app import FEATURES, Bot, build
from bot.client import FifteenTwo, point_at
from bot.config.settings import Settings
from bot.features.daily.store import DailyStore
from bot.features.squares.store import SquaresStore
from bot.store import Store
from bot.store.connection import Database
from bot.store.opening import Opened, standings_in
from bot.sync.ban_gate import BanGate
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.rate_limit import RateLimiter
from engine import card, cards
from engine.coach import DailyHand
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.model.snowflakes import Clock
from sandbox.rate_limits import Limit, RateLimits
from sandbox.server import Sandbox
from tests.bot.store.memory import MemoryDatabase
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import upload_pictures
from tests.end_to_end.mention_watch import mention_watch
from tests.end_to_end.players import Player, is_panel
from tests.end_to_end.tables import Table, reply_to

_FOR_EVER = 1e9
"""Seconds between heartbeats: discord.py sends them from a thread, in real time."""

_DAYS = 14
"""Days, from today, whose daily hand and best squares are known."""

_DAILY = DailyHand(dealt=cards("4C 5D 6H JS 2D TC"), starter=card("5S"), dealer=True, own=30, other=40)
"""The daily hand of all days."""

BEST_SQUARES = 99
"""The best total of the squares of all days."""

_SETTINGS: Mapping[str, object] = {
    "pictures": False,
    "deal_pause": 0,
    "merge_edits": 0,
    "write_behind": 0,
    "requests_a_second": 10_000,
}
"""Settings of the bot unless a module has others."""


class Room:
    """A sandbox, and the bot in it."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object],
        *,
        random: Random | None = None,
        begins: float | None = None,
        middlewares: Sequence[Middleware] = (),
    ) -> None:
        """`folder` is empty, and for the socket.

        With a `random`, all chance of bot and sandbox comes from it. The room begins at `begins` (s since
        1970), by default in the middle of next month, so that no test meets the end of a month by chance.
        `middlewares` are the sandbox's.
        """
        self.random = random or SystemRandom()
        began, wall = asyncio.get_running_loop().time(), begins or _middle_of_next_month()
        loop = asyncio.get_running_loop()
        self.clock = Clock(lambda: wall + loop.time() - began)
        """The sandbox's clock, which follows simulated time."""
        self._socket = folder / "discord"
        self.sandbox = Sandbox(
            rate_limits=RateLimits.relaxed(),
            dm_openings=Limit(1_000_000, 1.0),  # all people of a module are strangers
            heartbeat_interval=_FOR_EVER,
            clock=self.clock,
            socket=self._socket,
            random=self.random,
            middlewares=middlewares,
        )
        self.conformance = Conformance()
        self.wrong_mentions: list[str] = []
        self.sandbox.observers += [self.conformance, mention_watch(self.wrong_mentions)]
        self.database = MemoryDatabase()
        self.store: Store
        """The running bot's store."""
        self.archive = Archive(folder, self.database.raw)
        """Reads the bot's database."""
        self.deletions = folder / "deletions"
        """The file that a backup does not replace (`bot.store.deletions`)."""
        self.troubles: list[str] = []
        """The bot's log lines from WARNING on."""
        self.bot: Bot
        """The running bot."""
        self.features = FEATURES
        """Features of the bot from its next start on."""
        self._settings = {**_SETTINGS, **settings}
        self._handler = _Troubles(self.troubles)
        self._running: asyncio.Task[None] | None = None
        self._places = 0

    async def start(self) -> None:
        """Start the bot, and wait until it is online, has its commands and knows what they are called."""
        settings = Settings(
            discord_token=SecretStr(self.sandbox.token),
            discord_url=self.sandbox.url,
            **self._settings,  # type: ignore[arg-type]
        )
        point_at(self.sandbox.url)
        DISCORD_TIME.observe_id(int(self.sandbox.world.snowflakes.next()))
        database = self.opened()
        self.store = Store(database, DISCORD_TIME)
        opened = Opened(
            store=self.store,
            standings=standings_in(database, DISCORD_TIME, deletions=self.deletions),
            database=database,
            when_unusable=lambda _: None,
            refuse_if_unusable=lambda: None,
        )
        client = FifteenTwo(connector=lambda: self.connector(self._socket), heartbeat_timeout=_FOR_EVER)
        self.bot = build(opened, settings, features=self.features, client=client, random=self.random)
        trace = RateLimiter(settings.requests_a_second).trace()
        client.http.http_trace = BanGate().listen(DISCORD_TIME.listen(trace))
        await self._keep_what_is_searched()
        self._running = asyncio.create_task(self._run(client))
        await self.sandbox.people["Ada"].until(self._is_ready)

    def opened(self) -> Database:
        """The database for a bot that starts; a subclass may have others."""
        return self.database

    def connector(self, socket: Path) -> aiohttp.BaseConnector:
        """The network of a bot that starts; a subclass may have others."""
        return aiohttp.UnixConnector(str(socket), limit=0)

    async def stop(self) -> None:
        """End the bot in good order."""
        await self.bot.client.close()
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running

    async def restart(self) -> None:
        """End it, and start another on the same database."""
        await self.stop()
        await self.sandbox.people["Ada"].until(lambda: not self.sandbox.gateway.bot_is_online)
        await self.start()

    @property
    def owner(self) -> Person:
        """The owner of the server, who may do everything there; the same in all tests of a module."""
        return self.sandbox.people["Ada"]

    def people(self, *names: str) -> list[Person]:
        """Fresh members of the server, of these names."""
        world, interactions = self.sandbox.world, self.sandbox.interactions
        return [Person(world.add_person(name), world, interactions) for name in names]

    def channel(self, name: str = "table") -> Channel:
        """A fresh text channel of the server."""
        self._places += 1
        return self.sandbox.world.add_channel(f"{name}-{self._places}")

    async def table(self, *names: str, channel: Channel | None = None, **options: object) -> Table:
        """A table of fresh people in a fresh channel with its game begun, cut and dealt.

        `options` are those of `Table.gather`: of `/crib new`, of *Rules*, and habits of the players.
        """
        return await Table.begin(channel or self.channel(), self.people(*names), **options)

    async def alone(self, name: str, **options: object) -> Table:
        """A table in a fresh channel at which that person plays against computers, on the hand there."""
        [person], channel = self.people(name), self.channel()
        await reply_to(person.command(channel, "crib new", **options))
        game = self.archive.tables()[-1].game
        player = Player(person, channel, game, Random(1), behind_the_button=True, refreshes=False)
        await person.until(lambda: any(each.is_ephemeral and is_panel(each) for each in person.sees(channel)))
        table = Table(channel, [player])
        await table.cut_for_deal()
        return table

    async def synced(self, *tables: Table) -> None:
        """Wait until all messages about these tables show all that happened."""
        await tables[0].until(lambda: all(self.archive.is_synced(table.game) for table in tables))

    async def _keep_what_is_searched(self) -> None:
        """Keep a hand and a best total for each of the next days: the bot would search for minutes."""
        today = datetime.fromtimestamp(self.clock.now(), UTC).date()
        hands, squares = DailyStore(self.database), SquaresStore(self.database)
        for day in (today + timedelta(days=number) for number in range(_DAYS)):
            await hands.keep_hand(day, _DAILY)
            await squares.keep_best(day, BEST_SQUARES)

    async def _run(self, client: FifteenTwo) -> None:
        async with client:
            await client.start(self.sandbox.token)

    def _is_ready(self) -> bool:
        if self._running is not None and self._running.done():
            self._running.result()  # raises what has ended it
        has_kept = "SELECT 1 FROM commands LIMIT 1"
        return self.sandbox.gateway.bot_is_online and bool(
            self.database.write_now(lambda connection: connection.fetchval(has_kept))
        )

    async def __aenter__(self) -> Self:
        logging.getLogger().addHandler(self._handler)
        await self.sandbox.start()
        upload_pictures(self.sandbox)
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self.sandbox.close()
        logging.getLogger().removeHandler(self._handler)

    def check(self) -> None:
        """Fail for what no test may leave: warnings, invalid requests, mentions that would call somebody."""
        troubles, self.troubles[:] = list(self.troubles), []
        assert not troubles, "\n".join(troubles)
        try:
            self.conformance.check()
        finally:
            self.conformance.violations.clear()
        assert not self.wrong_mentions, "\n".join(dict.fromkeys(self.wrong_mentions))


def _middle_of_next_month() -> float:
    later = datetime.now(UTC).replace(day=1, hour=12) + timedelta(days=32)
    return later.replace(day=10).timestamp()


class _Troubles(logging.Handler):
    """Keeps lines from WARNING on."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._lines = lines
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self._lines.append(self.format(record))
