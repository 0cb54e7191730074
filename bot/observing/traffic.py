"""Measures the traffic with Discord: interactions, their answers, and requests.

An interaction starts when the gateway delivers it, and is answered when Discord accepts the response, whose
address has the interaction's id. So the code between the two needs no measuring.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
from cachetools import TTLCache

from bot.observing.metrics import Metrics

_RESPONSE = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_FREE = ("/interactions/", "/webhooks/")
"""Paths that Discord's global limit does not count."""

_FORGOTTEN = 15.0
"""Time (s) after which an unanswered interaction is dropped; Discord waits 3 s."""
_UNANSWERED = 10_000
"""Limit of interactions that wait for their answer."""

_KINDS = {2: "command", 4: "autocomplete", 5: "modal"}
"""Discord's numbers of the kinds of interaction; 3 is a component."""
_COMPONENT = 3
_BUTTON = 2

_SCOPES = frozenset({"user", "global", "shared"})
"""Discord's scopes of a rate limit: the bot's own for a route, its global one, or one shared with others."""

_TOO_MANY = 429
_GATEWAY = 101
"""Status with which a request becomes a shard's websocket."""


class Traffic:
    """Feeds the metrics of interactions, answers and requests."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic time (s)."""
        self._metrics = metrics
        self._clock = clock
        self._pressed: TTLCache[str, tuple[str, float]] = TTLCache(_UNANSWERED, _FORGOTTEN, clock)
        """Kind and time of arrival (s) of each unanswered interaction, by id."""

    def received(self, interaction: Mapping[str, Any]) -> None:
        """Record an interaction delivered by the gateway."""
        kind = _kind(interaction)
        self._metrics.presses.labels(kind).inc()
        self._pressed[str(interaction["id"])] = kind, self._clock()

    def listen(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Measure every traced request; `trace` must already contain the hooks that delay requests."""
        trace.on_request_start.insert(0, self._started)
        trace.on_request_start.append(self._sent)
        trace.on_request_end.append(self._answered)
        trace.on_request_exception.append(self._failed)
        return trace

    async def _started(
        self, _: aiohttp.ClientSession, context: Any, __: aiohttp.TraceRequestStartParams
    ) -> None:
        context.asked_for = self._clock()

    async def _sent(
        self, _: aiohttp.ClientSession, context: Any, request: aiohttp.TraceRequestStartParams
    ) -> None:
        context.sent = self._clock()
        if _is_counted(request.url.path):
            self._metrics.waiting_seconds.observe(context.sent - context.asked_for)

    async def _answered(
        self, _: aiohttp.ClientSession, context: Any, request: aiohttp.TraceRequestEndParams
    ) -> None:
        now, status, path = self._clock(), request.response.status, request.url.path
        if status == _GATEWAY:
            return
        self._metrics.request_seconds.observe(now - context.sent)
        self._count(path, str(status) if status == _TOO_MANY else f"{status // 100}xx")
        if status == _TOO_MANY:
            scope = request.response.headers.get("X-RateLimit-Scope", "")
            self._metrics.rate_limited.labels(scope if scope in _SCOPES else "unknown").inc()
        response = _RESPONSE.search(path)
        if response is not None and request.response.ok and response[1] in self._pressed:
            kind, pressed = self._pressed.pop(response[1])
            self._metrics.answers.labels(kind).observe(now - pressed)

    async def _failed(
        self, _: aiohttp.ClientSession, __: object, request: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self._count(request.url.path, "none")

    def _count(self, path: str, status: str) -> None:
        self._metrics.requests.labels(status, "yes" if _is_counted(path) else "no").inc()


def _is_counted(path: str) -> bool:
    return not any(free in path for free in _FREE)


def _kind(interaction: Mapping[str, Any]) -> str:
    number = interaction.get("type")
    if number == _COMPONENT:
        return "button" if interaction.get("data", {}).get("component_type") == _BUTTON else "select"
    return _KINDS.get(number or 0, "other")
