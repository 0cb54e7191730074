"""Discord's rate limits: a bucket for each route and major parameter, and 50 requests a second globally.

Responses and follow-ups to interactions do not count toward the global limit. A request over a limit gets a
429 with the seconds to wait. Limits that belong to one resource (edits of old messages, new DM channels) use
`Window` too and are kept by the routes concerned.
"""

import asyncio
import hashlib
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox import assumptions
from sandbox.model.json_types import JSON


@dataclass(frozen=True, slots=True)
class Limit:
    """The number of requests allowed in a period."""

    requests: int
    seconds: float


USUAL = Limit(*assumptions.USUAL_LIMIT)
ROUTES = {route: Limit(*figures) for route, figures in assumptions.ROUTE_LIMITS.items()}
WHOLE = Limit(50, 1.0)
"""The documented global limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """The limits that one sandbox enforces."""

    usual: Limit = USUAL
    routes: Mapping[str, Limit] = field(default_factory=lambda: ROUTES)
    whole: Limit = WHOLE

    @classmethod
    def relaxed(cls) -> "RateLimits":
        """Limits so high that no test reaches them and nothing waits."""
        plenty = Limit(100_000, 1.0)
        return cls(usual=plenty, routes={}, whole=plenty)


class Peak:
    """The largest number of requests within any one second (sliding window)."""

    def __init__(self) -> None:
        self.most = 0
        self._last: deque[float] = deque()

    def count(self, now: float) -> None:
        """Count a request."""
        self._last.append(now)
        while self._last[0] <= now - 1.0:
            self._last.popleft()
        self.most = max(self.most, len(self._last))


class Window:
    """A fixed window: requests counted from the first one of a period until its end."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self._ends = -math.inf
        self._used = 0

    def take(self, now: float) -> float | None:
        """Count a request; if it exceeds the limit, return the seconds until the window ends."""
        if now >= self._ends:
            self._ends, self._used = now + self.limit.seconds, 0
        if self._used >= self.limit.requests:
            return self._ends - now
        self._used += 1
        return None

    def headers(self, bucket: str, now: float, clock: float) -> dict[str, str]:
        """The rate limit headers of every response; `clock` is Unix time in seconds."""
        rest = max(self._ends - now, 0.0)
        return {
            "X-RateLimit-Limit": str(self.limit.requests),
            "X-RateLimit-Remaining": str(self.limit.requests - self._used),
            "X-RateLimit-Reset": f"{clock + rest:.3f}",
            "X-RateLimit-Reset-After": f"{rest:.3f}",
            "X-RateLimit-Bucket": bucket,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one request: the headers, and the seconds to wait if it was refused."""

    headers: dict[str, str]
    retry_after: float | None = None
    is_global: bool = False

    def payload(self) -> JSON:
        """The body of the 429."""
        return {
            "message": "You are being rate limited.",
            "retry_after": round(self.retry_after or 0.0, 3),
            "global": self.is_global,
            "code": 0,
        }


class Buckets:
    """Counts the bot's requests by bucket."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self.refused = 0
        """The number of 429 responses so far."""

        self.peak = Peak()
        """The peak of requests that count toward the global limit, refused ones included."""

        self._whole = Window(limits.whole)
        self._windows: dict[tuple[str, str], Window] = {}

    def hold(self, limits: RateLimits) -> None:
        """Enforce these limits from now on, with all counts reset."""
        self.limits = limits
        self._whole = Window(limits.whole)
        self._windows.clear()

    def judge(self, route: str, place: str, *, counts: bool, clock: float) -> Verdict:
        """Count one request to `route` (method and template) at `place` (its major parameters)."""
        now = asyncio.get_running_loop().time()
        if counts:
            self.peak.count(now)
        if counts and (wait := self._whole.take(now)) is not None:
            self.refused += 1
            headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            return Verdict(headers | _waiting(wait), wait, is_global=True)
        limit = self.limits.routes.get(route, self.limits.usual)
        window = self._windows.setdefault((route, place), Window(limit))
        wait = window.take(now)
        bucket = hashlib.sha256(route.encode()).hexdigest()[:32]
        headers = window.headers(bucket, now, clock)
        if wait is None:
            return Verdict(headers)
        self.refused += 1
        return Verdict(headers | {"X-RateLimit-Scope": "user"} | _waiting(wait), wait)


def _waiting(wait: float) -> dict[str, str]:
    # Without a Via header, discord.py takes a 429 for a Cloudflare ban.
    return {"Retry-After": str(math.ceil(wait)), "Via": "1.1 google"}
