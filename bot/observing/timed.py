"""Proxies of the database that record the latency of each call."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

from bot.model.errors import StoreUnavailable
from bot.observing.metrics import Metrics
from bot.store.opening import Opened

T = TypeVar("T")

_SHIPPED_LABELS = {
    "cancel_damaged": "put_away",
    "mark_synced": "told",
    "set_substitute": "hand_over",
    "unsynced": "untold",
}
"""By renamed method: its older name, which stays the label because dashboards query it."""


def timed_database(database: Opened, metrics: Metrics, clock: Callable[[], float]) -> Opened:
    """The database with its latency recorded: by method for the store, by part for the others."""

    def timed(part: T, name: str | None = None, /) -> T:
        return cast(T, _Timed(part, metrics, clock, name))

    standings = database.standings
    return replace(
        database,
        store=timed(database.store),
        measured=timed,
        standings=replace(
            standings,
            projection=timed(standings.projection, "projection"),
            queries=timed(standings.queries, "queries"),
            people=timed(standings.people, "people"),
        ),
    )


class _Timed:
    """Proxy that records the latency of each coroutine method."""

    def __init__(self, inner: object, metrics: Metrics, clock: Callable[[], float], name: str | None) -> None:
        self._inner = inner
        for method, call in inspect.getmembers(inner, inspect.iscoroutinefunction):
            if not method.startswith("_"):
                setattr(
                    self, method, _measured(call, metrics, clock, name or _SHIPPED_LABELS.get(method, method))
                )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _measured(
    call: Callable[..., Awaitable[Any]], metrics: Metrics, clock: Callable[[], float], label: str
) -> Callable[..., Awaitable[Any]]:
    @wraps(call)
    async def measured(*arguments: Any, **options: Any) -> Any:
        began = clock()
        try:
            return await call(*arguments, **options)
        except StoreUnavailable:
            metrics.database_unavailable.inc()
            raise
        finally:
            metrics.database_seconds.labels(label).observe(clock() - began)

    return measured
