"""Measures one running bot, and serves the metrics over HTTP:

- `/metrics`, for Prometheus; rendered at most once a second, however many read it;
- `/healthz`: 200 as long as the process lives and its event loop answers;
- `/readyz`: 200 if every shard is connected and has listed its servers, and the database answers; else 503
  with the reason. Either names the bot's version. A bot that Discord has quarantined is ready, and says so:
  its games go on, and neither a restart nor another process changes anything.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol

from aiohttp import web

from bot.gateway.sharded_client import Listener
from bot.model.errors import BotError, SettingsError
from bot.model.table_record import Status
from bot.model.version import VERSION
from bot.observing.loop_delay import watch_loop
from bot.observing.metrics import CONTENT_TYPE, Metrics
from bot.observing.readings import Readings
from bot.observing.shards import Shards
from bot.observing.timed import timed_database
from bot.observing.traffic import Traffic
from bot.store.opening import Opened

_PATIENCE = 1.0
"""Time-out (s) of the database's answer; health checks wait for a few seconds at most."""

_PAGE_KEPT = 1.0
"""Time (s) for which a page of metrics answers every reader: rendering one holds up the event loop."""


class Watched(Protocol):
    """The parts of the client that are observed."""

    def add_shard_listener(self, listener: Listener) -> None:
        """Register a listener for the events of shards."""

    def add_interaction_listener(self, listener: Callable[[Mapping[str, Any]], None]) -> None:
        """Register a listener for the raw payload of each interaction."""


class Observer:
    """The metrics of a bot, and the sources that feed them."""

    def __init__(
        self,
        database: Opened,
        clock: Callable[[], float] = time.perf_counter,
        *,
        patience: float = _PATIENCE,
    ) -> None:
        """`clock` returns monotonic time (s). The database has `patience` (s) to answer."""
        self.metrics = Metrics()
        self.database = timed_database(database, self.metrics, clock)
        """Proxy of the given database that measures it; use it instead."""
        self.traffic = Traffic(self.metrics, clock)
        self._shards = Shards()
        self._readings: Callable[[], Readings] | None = None
        self._clock = clock
        self._patience = patience
        self._page = b""
        self._kept_until = -math.inf
        self._rendering = asyncio.Lock()

    def watch(self, client: Watched, readings: Callable[[], Readings]) -> None:
        """Observe the client, which must not be connected yet, and the bot's readings from now on."""
        self._readings = readings
        client.add_shard_listener(self._shards)
        client.add_interaction_listener(self.traffic.received)

    @asynccontextmanager
    async def serving(self, host: str, port: int) -> AsyncIterator[None]:
        """Measure the event loop, and serve. Raises `SettingsError` if the address cannot be bound."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/metrics", self._metrics),
                web.get("/healthz", _healthy),
                web.get("/readyz", self._readiness),
            ]
        )
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=self._patience)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, host, port).start()
            except OSError as error:
                raise SettingsError(
                    "METRICS", f"names an address at which the bot cannot listen: {error.strerror}."
                ) from None
            watching = asyncio.create_task(watch_loop(self.metrics.loop_delay))
            try:
                yield
            finally:
                watching.cancel()
        finally:
            await runner.cleanup()

    async def _metrics(self, _: web.Request) -> web.Response:
        async with self._rendering:
            if self._clock() >= self._kept_until:
                self._page = await self._rendered()
                self._kept_until = self._clock() + _PAGE_KEPT
        return web.Response(body=self._page, headers={"Content-Type": CONTENT_TYPE})

    async def _rendered(self) -> bytes:
        tables = await self._open_tables()
        self.metrics.tables(tables)
        expected, connected = self._expected, self._shards.connected
        self.metrics.shards(expected=expected, connected=connected)
        self.metrics.ready(is_ready=bool(expected) and connected >= expected and tables is not None)
        if self._readings is not None:
            readings = self._readings()
            self.metrics.read(readings)
            self.metrics.leases(readings.leases)
        return self.metrics.page()

    async def _readiness(self, _: web.Request) -> web.Response:
        lacking = []
        expected, connected = self._expected, self._shards.connected
        if not expected or connected < expected:
            lacking.append(f"{connected} of {expected or 'its'} shards are connected")
        if await self._open_tables() is None:
            lacking.append("the database does not answer")
        if lacking:
            return web.Response(status=503, text=f"{VERSION} is not ready: {', '.join(lacking)}\n")
        is_quarantined = self._readings is not None and self._readings().is_quarantined
        but = ", but quarantined: Discord refuses its direct messages to strangers" if is_quarantined else ""
        return web.Response(text=f"{VERSION} is ready{but}\n")

    @property
    def _expected(self) -> int:
        """Number of shards that this process should connect; 0 until known."""
        own = None if self._readings is None else self._readings().shards
        return self._shards.expected if own is None else own

    async def _open_tables(self) -> Mapping[Status, int] | None:
        """Number of open tables by status; None if the database does not answer."""
        try:
            async with asyncio.timeout(self._patience):
                return await self.database.store.count_open_tables()
        except (BotError, TimeoutError):
            return None


async def _healthy(_: web.Request) -> web.Response:
    return web.Response(text="alive\n")
