"""Faults around a bot, drawn from a seed: its database, its network, its process, Discord, and the clocks.

A crash cuts network and database off first, then drops the tasks: a cancellation alone is no crash, since the
cancelled code could still tidy up.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.model.errors import OutcomeUnknown, StoreUnavailable
from bot.store.connection import Work
from sandbox.errors import DiscordError
from tests.bot.store.memory import MemoryDatabase

T = TypeVar("T")


class Ill(StrEnum):
    """One way in which a bot's surroundings fail."""

    FAILS = "a write failed"
    STANDS = "a write stood, though its answer was lost"
    LATE = "a write stood seconds after its answer was lost"
    SLOW = "a call of the database took seconds"
    AWAY = "the database was away for seconds"
    OLDER = "an older copy of the database was put in its place"
    CRASHED = "the bot crashed"
    SHAKEN = "the gateway's connection failed"
    GONE = "the gateway was away for seconds"
    DOUBLED = "presses came twice"
    REFUSED = "edits were refused (20022)"
    SUSPENDED = "the host was suspended"
    MISDATED = "a response had a wrong date"
    HTTP = "a request failed"
    FOLLOWED = "a follow-up was answered with a 500 after its effect"


BY_CALL: Mapping[Ill, float] = MappingProxyType(
    {Ill.FAILS: 0.03, Ill.STANDS: 0.02, Ill.LATE: 0.01, Ill.SLOW: 0.02}
)
"""The share of the database's writes that meet each of these."""

IN_TIME = frozenset(Ill) - BY_CALL.keys() - {Ill.HTTP, Ill.FOLLOWED}
"""Those that come now and then, and last for a while."""

_LOCK_PATIENCE = 0.8
"""Seconds for which a write waits for a lock, as PostgreSQL's do."""

_FOLLOW_UPS_FAIL = 0.3

EDITS_REFUSED = DiscordError(status=403, code=20022, message="This message cannot be edited for now.")

OWNER: ContextVar[Life | None] = ContextVar("owner", default=None)
"""The life of the bot to which the running code belongs; None for the sandbox and for people."""


class Faults:
    """What a run suffers; one kind of fault happens only if it is among the run's."""

    def __init__(self, seed: int, kinds: frozenset[Ill]) -> None:
        """Nothing happens until `is_on`."""
        self.kinds = kinds
        self.is_on = False
        self.happened: Counter[str] = Counter()
        self.is_away = False
        """True while the database answers nothing."""
        self.refuses: DiscordError | None = None
        """The refusal of every edit by id in a server."""
        self.is_refused: Callable[[web.Request], bool] = lambda _: False
        """True for such an edit."""
        self.misdated: str | None = None
        """The date of the next response."""
        self.crash_at: int | None = None
        """Steps (requests and writes of the bot, before and after) until it crashes."""
        self.crash: Callable[[], None] = lambda: None
        self._random = Random(f"{seed} faults")

    def note(self, kind: Ill) -> None:
        """Count one."""
        self.happened[kind.value] += 1

    def drawn(self) -> Ill | None:
        """The fault of one write."""
        if not self.is_on:
            return None
        lot = self._random.random()
        for kind, share in BY_CALL.items():
            if lot < share:
                if kind in self.kinds:
                    self.note(kind)
                    return kind
                return None
            lot -= share
        return None

    def uniform(self, least: float, most: float) -> float:
        """A number of seconds."""
        return self._random.uniform(least, most)

    def choice(self, things: list[T]) -> T:
        """One of them."""
        return self._random.choice(things)

    def step(self) -> bool:
        """Count one step of the bot; true if it has crashed in it."""
        if self.crash_at is None:
            return False
        self.crash_at -= 1
        if self.crash_at > 0:
            return False
        self.crash_at = None
        self.note(Ill.CRASHED)
        self.crash()
        return True

    @property
    def middleware(self) -> Middleware:
        """The middleware for the sandbox."""

        @web.middleware
        async def faulty(request: web.Request, handler: Handler) -> web.StreamResponse:
            if self.step():
                raise ConnectionResetError
            if self.refuses is not None and self.is_refused(request):
                raise self.refuses
            response = await handler(request)
            self.step()
            if self._fails_after(request):
                return web.json_response({"message": "500: Internal Server Error", "code": 0}, status=500)
            return response

        return faulty

    def _fails_after(self, request: web.Request) -> bool:
        if not self.is_on or Ill.FOLLOWED not in self.kinds or request.method != "POST":
            return False
        fails = "/webhooks/" in request.path and self._random.random() < _FOLLOW_UPS_FAIL
        if fails:
            self.note(Ill.FOLLOWED)
        return fails

    async def dated(self, _: web.Request, response: web.StreamResponse) -> None:
        """Give the next response a wrong date."""
        if self.misdated is not None:
            response.headers["Date"], self.misdated = self.misdated, None


class Life:
    """One life of the bot, from its start to its end or crash."""

    def __init__(self) -> None:
        self.is_over = False
        self.tasks: set[asyncio.Task[Any]] = set()
        self.networks: list[Network] = []

    def cut_off(self) -> None:
        """Let nothing more of it reach Discord or the database, and drop its tasks."""
        self.is_over = True
        for network in self.networks:
            network.cut()
        for task in tuple(self.tasks):
            task.cancel()

    async def end(self) -> None:
        """Wait until no task of it is left: some catch a cancellation."""
        while left := [each for each in self.tasks if not each.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1.0)
        for task in self.tasks:
            if not task.cancelled():
                task.exception()  # nobody else will ask


def make_task(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
    """A task factory that tells each life of the bot of its tasks."""
    context = options.get("context")
    life = OWNER.get() if context is None else context.get(OWNER)
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
    if life is not None:
        life.tasks.add(task)
        task.add_done_callback(lambda done: life.tasks.discard(done) if not life.is_over else None)
        if life.is_over:
            task.cancel()
    return task


class Network(aiohttp.UnixConnector):
    """The connections of one life."""

    def __init__(self, socket: Path, life: Life) -> None:
        super().__init__(str(socket), limit=0)
        self._life = life
        life.networks.append(self)

    def cut(self) -> None:
        """Drop all connections."""
        self.close()

    async def connect(self, *given: Any, **named: Any) -> Any:
        """As aiohttp has it; after the crash there is nobody to connect."""
        if self._life.is_over:
            raise asyncio.CancelledError
        return await super().connect(*given, **named)


class Handle:
    """See `bot.store.connection.Database`: one life's handle on the database, with its faults."""

    def __init__(self, database: MemoryDatabase, faults: Faults, life: Life) -> None:
        self._database = database
        self._faults = faults
        self._life = life
        self._late: list[tuple[str | None, Work[Any]]] = []
        """Writes that stand later, with their games: until then they lock what they have written."""

    async def read(self, work: Work[T]) -> T:
        """Read, while the database is there."""
        await asyncio.sleep(0)
        self._refuse()
        return await self._database.read(work)

    read_one = read_slow = read_long = read

    async def cached(self, key: Hashable, work: Work[T]) -> T:  # noqa: ARG002 -- nothing is cached
        """Read; nothing is cached."""
        return await self.read(work)

    def invalidate(self, key: Hashable) -> None:
        """Nothing is cached."""

    async def write(self, work: Work[T], *, game: str | None = None) -> T:
        """Commit, unless this write meets a fault."""
        return await self._write(lambda: self._database.write(work, game=game), work, game)

    async def write_unchecked(self, work: Work[T]) -> T:
        """As `write`."""
        return await self._write(lambda: self._database.write_unchecked(work), work, None)

    def write_behind(self, game: str, work: Work[None]) -> None:
        """Commit at once."""
        self._refuse()
        self._database.write_behind(game, work)

    async def identity(self) -> str:
        """A copy in the database's place has it, too."""
        self._refuse()
        return await self._database.identity()

    async def renew_identity(self) -> str:
        """Done by every start."""
        self._refuse()
        return await self._database.renew_identity()

    async def flush(self, game: str | None = None) -> None:
        """Nothing is queued."""

    async def scrub(self) -> None:
        """There are no files."""

    async def close(self) -> None:
        """The database stays open for the next life."""

    async def _write(self, write: Callable[[], Awaitable[T]], work: Work[T], game: str | None) -> T:
        faults = self._faults
        self._step()
        self._refuse()
        await self._wait_for_locks(game)
        fault = faults.drawn()
        if fault is Ill.FAILS:
            raise StoreUnavailable("a fault")
        if fault is Ill.LATE:
            late = game, work
            self._late.append(late)
            asyncio.get_running_loop().call_later(faults.uniform(1, 13), self._stand_late, late)
            await asyncio.sleep(0.8)
            raise OutcomeUnknown("a fault, in the middle of a commit")
        if fault is Ill.SLOW:
            await asyncio.sleep(faults.uniform(0.3, 4))
            self._refuse()
        result = await write()
        self._step()
        if fault is Ill.STANDS:
            await asyncio.sleep(faults.uniform(0, 0.8))
            raise OutcomeUnknown("a fault, in the middle of a commit")
        return result

    async def _wait_for_locks(self, game: str | None) -> None:
        """Wait for a late write of the same game as a server does. Raises `StoreUnavailable`."""
        for patience in (_LOCK_PATIENCE, 0.0):
            if not any(None in {game, other} or game == other for other, _ in self._late):
                return
            await asyncio.sleep(patience)
        raise StoreUnavailable("a fault, a lock")

    def _stand_late(self, late: tuple[str | None, Work[Any]]) -> None:
        self._late.remove(late)
        _, work = late
        with suppress(Exception):  # it was overtaken, and nobody waits for it any more
            self._database.write_now(work)

    def _step(self) -> None:
        if self._life.is_over or self._faults.step():
            raise asyncio.CancelledError

    def _refuse(self) -> None:
        if self._life.is_over:
            raise asyncio.CancelledError
        if self._faults.is_away:
            raise StoreUnavailable("a fault")
