"""Discord's rate limits: a bucket for each route and place, and fifty requests a second over all.

Answers and follow-ups to interactions do not count toward the whole. Exceeding a limit is a real 429 that
names the seconds to wait.
"""

import asyncio
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox import assumptions
from sandbox.model.jsons import JSON


@dataclass(frozen=True, slots=True)
class Limit:
    """So many requests within so many seconds."""

    requests: int
    seconds: float


USUAL = Limit(*assumptions.USUAL_LIMIT)
ROUTES = {route: Limit(*figures) for route, figures in assumptions.ROUTE_LIMITS.items()}
WHOLE = Limit(50, 1.0)
"""The documented limit over all routes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """The figures of one sandbox."""

    usual: Limit = USUAL
    routes: Mapping[str, Limit] = field(default_factory=lambda: ROUTES)
    whole: Limit = WHOLE

    @classmethod
    def relaxed(cls) -> "RateLimits":
        """Limits that no test reaches, so that nothing waits."""
        plenty = Limit(100_000, 1.0)
        return cls(usual=plenty, routes={}, whole=plenty)


class Window:
    """Requests counted since the first one of a period."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self._ends = -math.inf
        self._used = 0

    def take(self, now: float) -> float | None:
        """Count a request; if it is one too many, the seconds until the next may come."""
        if now >= self._ends:
            self._ends, self._used = now + self.limit.seconds, 0
        if self._used >= self.limit.requests:
            return self._ends - now
        self._used += 1
        return None

    def headers(self, bucket: str, now: float, clock: float) -> dict[str, str]:
        """What Discord says about the bucket with each answer; `clock` is Unix time."""
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
    """What a request is told: the headers, and the seconds to wait if it was refused."""

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
    """Counts the requests of the bot."""

    def __init__(self, limits: RateLimits) -> None:
        self.limits = limits
        self.refused = 0
        """How many 429s there have been."""

        self._whole = Window(limits.whole)
        self._windows: dict[tuple[str, str], Window] = {}

    def hold(self, limits: RateLimits) -> None:
        """From now on these limits are held, with nothing counted yet."""
        self.limits = limits
        self._whole = Window(limits.whole)
        self._windows.clear()

    def judge(self, route: str, place: str, *, counts: bool, clock: float) -> Verdict:
        """Count one request to `route` (method and template) at `place` (its major parameters)."""
        now = asyncio.get_running_loop().time()
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
    # Without Via, discord.py takes a 429 for a ban by the network in front of Discord.
    return {"Retry-After": str(math.ceil(wait)), "Via": "1.1 google"}
