"""All metrics of one process, by their names in Prometheus.

This module holds the numbers; the modules beside it feed them. prometheus-client itself adds those of Python
and of the operating system (`process_...`, `python_gc_...`).
"""

from __future__ import annotations

import platform
from collections.abc import Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.model.table_record import Status
from bot.model.version import VERSION
from bot.observing.readings import Readings

CONTENT_TYPE = CONTENT_TYPE_LATEST

ANSWER_BOUNDS = (0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.2, 3.0, 6.0)
"""Buckets (s). Discord waits 3 s for an answer; the bot defers after 2.2 s and gives up after 6 s."""

_REQUEST = (0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Buckets (s). A request times out after 10 s."""

_WAIT = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Buckets (s), up to a request's time-out of 10 s."""

_DATABASE = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
"""Buckets (s). A lost database is waited for up to 0.8 s."""

_DELAY = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Buckets (s)."""


class Metrics:
    """The metrics, with a method for each group that is set together."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # when each began to be counted is of no use here, and a third of the page
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        self.presses = Counter(
            "crib_presses", "Interactions that Discord brought.", ("kind",), registry=registry
        )
        self._dropped = Counter(
            "crib_presses_dropped",
            "Interactions that came too late or again, and were not carried out.",
            registry=registry,
        )
        self.answers = Histogram(
            "crib_answer_seconds",
            "From the arrival of an interaction until Discord has taken its first answer.",
            ("kind",),
            buckets=ANSWER_BOUNDS,
            registry=registry,
        )
        self.requests = Counter(
            "crib_discord_requests",
            "Requests to Discord by the class of their status, and whether the global limit counts them.",
            ("status", "counted"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "crib_discord_request_seconds",
            "From the sending of a request until its answer begins.",
            buckets=_REQUEST,
            registry=registry,
        )
        self.waiting_seconds = Histogram(
            "crib_discord_waiting_seconds",
            "For which a counted request waited for its turn in the bot's own limit.",
            buckets=_WAIT,
            registry=registry,
        )
        self.rate_limited = Counter(
            "crib_discord_rate_limited",
            "Requests that Discord refused with 429, by the limit that they met.",
            ("scope",),
            registry=registry,
        )
        self.database_seconds = Histogram(
            "crib_database_seconds", "A call of the store.", ("call",), buckets=_DATABASE, registry=registry
        )
        self.database_unavailable = Counter(
            "crib_database_unavailable", "Calls of the store that failed for want of it.", registry=registry
        )
        self.loop_delay = Histogram(
            "crib_loop_delay_seconds",
            "By how much a timer of the event loop was late.",
            buckets=_DELAY,
            registry=registry,
        )
        self._tables = Gauge(
            "crib_tables", "Open tables in the whole database.", ("state",), registry=registry
        )
        self._behind = Gauge(
            "crib_tables_behind", "Tables with something to tell.", ("state",), registry=registry
        )
        self._sessions = Gauge("crib_sessions", "Games in memory.", registry=registry)
        self._gone_back = Gauge(
            "crib_tables_gone_back",
            "Tables that have lost moves with the database since the start.",
            registry=registry,
        )
        self._shards = Gauge("crib_shards", "Shards of this process.", ("state",), registry=registry)
        self._leases = Gauge("crib_leases", "Shards whose lease this process holds.", registry=registry)
        self._ready = Gauge("crib_ready", "1 while /readyz says so.", registry=registry)
        self._quarantined = Gauge(
            "crib_quarantined",
            "1 while Discord refuses the bot's direct messages to strangers.",
            registry=registry,
        )
        build = Gauge("crib_build_info", "1, of this version.", ("version", "python"), registry=registry)
        build.labels(VERSION, platform.python_version()).set(1)

    def tables(self, by_state: Mapping[Status, int] | None) -> None:
        """Set the number of open tables by state; None if the database does not answer."""
        self._tables.clear()
        for state, number in (by_state or {}).items():
            self._tables.labels(state.value).set(number)

    def read(self, readings: Readings) -> None:
        """Set the numbers that the client reports."""
        self._sessions.set(readings.sessions)
        self._gone_back.set(readings.gone_back)
        self._dropped.reset()
        self._dropped.inc(readings.dropped)
        self._quarantined.set(readings.is_quarantined)
        behind = readings.behind
        self._behind.labels("telling").set(behind.syncing)
        self._behind.labels("retried").set(behind.retried)
        self._behind.labels("put_off").set(behind.deferred)

    def shards(self, *, expected: int, connected: int) -> None:
        """Set the numbers of shards that this process should connect and has connected."""
        self._shards.labels("expected").set(expected)
        self._shards.labels("connected").set(connected)

    def leases(self, held: int) -> None:
        """Set the number of shard leases that this process holds."""
        self._leases.set(held)

    def ready(self, *, is_ready: bool) -> None:
        """Set the readiness of the bot."""
        self._ready.set(is_ready)

    def page(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    @property
    def names(self) -> frozenset[str]:
        """Names of all possible series, as queries spell them."""
        found: set[str] = set()
        for family in self._registry.collect():
            match family.type:
                case "counter":
                    found.add(f"{family.name}_total")
                case "histogram":
                    found |= {f"{family.name}_{each}" for each in ("bucket", "sum", "count")}
                case _:
                    found.add(family.name)
        return frozenset(found)
