"""Fault injection: errors, delays and lost connections between the bot and Discord, drawn from a seed.

    faults = Faults(7, MIXED)
    async with Sandbox(middlewares=[faults.middleware]) as sandbox:
        faults.is_on = True
        await faults.shake(sandbox.gateway)        # one cut, op 7 or op 9

The fault of the nth request to a route depends on the seed, the route and n alone, so that a run does not
depend on how requests to different routes interleave. Only the requests of a game are affected: messages and
responses to interactions. Logging in and registering commands always succeed.
"""

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from random import Random
from types import MappingProxyType
from typing import Literal

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sandbox import assumptions
from sandbox.answers.responses import UPDATE
from sandbox.errors import Answer, DiscordError, Refusal
from sandbox.gateway.sessions import Gateway
from sandbox.rest.context import files, invalid, raw_body
from sandbox.rest.middlewares import PREFIX
from sandbox.rest.responses import json_response


class Fault(StrEnum):
    """One way in which a request fails."""

    LIMITED = "429"
    LIMITED_GLOBALLY = "429 for all"
    FAILED = "500"
    FAILED_AFTER = "500 after the effect"
    BAD_GATEWAY = "502"
    SLOW = "slow"
    DROPPED = "dropped"
    DROPPED_AFTER = "dropped after the effect"
    SILENT = "never answered"
    SILENT_AFTER = "never answered after the effect"


class Shake(StrEnum):
    """One way in which a gateway connection fails."""

    CUT = "cut"
    RECONNECT = "op 7"
    INVALID = "op 9"
    INVALID_RESUMABLE = "op 9, resumable"


Rates = Mapping[Fault, float]
"""The share of requests that get each fault; together at most 1."""

_RARE = {Fault.SILENT: 0.01, Fault.SILENT_AFTER: 0.01}
"""Each of these costs the bot a whole request timeout, so they are rarer."""

SINGLY: Mapping[Fault, Rates] = MappingProxyType(
    {fault: MappingProxyType({fault: _RARE.get(fault, 0.04)}) for fault in Fault}
)
"""By fault: rates with which only that fault happens."""

MIXED: Rates = MappingProxyType(
    {
        Fault.LIMITED: 0.01,
        Fault.LIMITED_GLOBALLY: 0.003,
        Fault.FAILED: 0.006,
        Fault.FAILED_AFTER: 0.006,
        Fault.BAD_GATEWAY: 0.006,
        Fault.SLOW: 0.01,
        Fault.DROPPED: 0.01,
        Fault.DROPPED_AFTER: 0.01,
        Fault.SILENT: 0.001,
        Fault.SILENT_AFTER: 0.001,
    }
)
"""All of them, rare enough that games still move."""

RETRY_AFTER = (0.1, 0.6)
"""The range of a 429's `retry_after`, in seconds."""

SLOWNESS = (0.3, 3.2)
"""The range of a slow response's delay in seconds; some exceed the three that an interaction waits."""

SILENCE = 120.0
"""Seconds after which a connection without a response is closed."""

_PLAYED = ("/channels/", "/interactions/", "/webhooks/")
_AFTER = {
    Fault.FAILED_AFTER: Fault.FAILED,
    Fault.DROPPED_AFTER: Fault.DROPPED,
    Fault.SILENT_AFTER: Fault.SILENT,
}
"""By fault in which the request takes effect before its response is lost: the fault that the sender sees."""


class Faults:
    """Draws faults from a seed, injects them, and counts them by kind."""

    def __init__(self, seed: int, rates: Rates) -> None:
        """Inject nothing until `is_on` is set."""
        if sum(rates.values()) > 1 or any(rate < 0 for rate in rates.values()):
            raise ValueError("the rates are shares of one whole")
        self.rates = rates
        self.is_on = False
        self.inflicted: Counter[str] = Counter()
        self.lost: list[str] = []
        """The answers, as text, to requests that took effect and whose connection was dropped."""
        self._seed = seed
        self._seen: Counter[str] = Counter()
        self._shakes = Random(f"{seed} gateway")

    @property
    def middleware(self) -> Middleware:
        """The middleware to pass to the sandbox."""

        @web.middleware
        async def faulty(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not self.is_on or not request.path.removeprefix(PREFIX).startswith(_PLAYED):
                return await handler(request)
            random = self._random(request)
            fault = drawn(random, self.rates)
            if fault is None:
                return await handler(request)
            self.inflicted[fault.value] += 1
            answer = await _inflicted(fault, random, request, handler)
            if fault in _AFTER and isinstance(answer, web.Response):
                self.lost.append(answer.text or "")
            return answer

        return faulty

    async def shake(self, gateway: Gateway) -> Shake:
        """Inject one fault into the gateway connections, and return it."""
        shake = self._shakes.choice(list(Shake))
        self.inflicted[shake.value] += 1
        match shake:
            case Shake.CUT:
                await gateway.cut()
            case Shake.RECONNECT:
                await gateway.reconnect()
            case Shake.INVALID:
                await gateway.invalidate()
            case Shake.INVALID_RESUMABLE:
                await gateway.invalidate(resumable=True)
        return shake

    def _random(self, request: web.Request) -> Random:
        resource = request.match_info.route.resource
        route = f"{request.method} {'' if resource is None else resource.canonical}"
        self._seen[route] += 1
        return Random(f"{self._seed} {route} {self._seen[route]}")


class Way(Enum):
    """A way in which a request carries a picture, of which Discord may refuse each."""

    LEFT_OUT = "an edit that shows a file of its message without listing it"
    LISTED = "an edit that shows a file of its message and lists it by its id"
    BROUGHT = "an edit that brings a file"
    POSTED = "a new message with a file"


class PictureFaults:
    """Refuses requests with a picture: the next ones, or all that carry it in one way.

        sandbox.pictures.fail(400, times=2)         # the next two edits that bring a file
        sandbox.pictures.fail(500, creates=True)    # or the next new message with one
        sandbox.pictures.refuse(Way.LEFT_OUT)       # every edit that keeps a file, until `mend`

    The 400 is the one that Discord gave to edits of media galleries (#7529). Nothing takes effect. Edits are
    PATCH requests and callbacks of type 7.
    """

    def __init__(self) -> None:
        self.failed = 0
        """The number of requests that `fail` has answered with an error so far."""

        self.refused: Counter[Way] = Counter()
        """The number of requests that `refuse` has refused so far, by their way."""

        self._left = 0
        self._status = 400
        self._creates = False
        self._refused_ways: frozenset[Way] = frozenset()

    def fail(self, status: Literal[400, 500], *, times: int = 1, creates: bool = False) -> None:
        """Fail the next `times` edits that upload a file, and with `creates` new messages too."""
        self._status, self._left, self._creates = status, times, creates

    def refuse(self, *ways: Way) -> None:
        """Refuse with a 400, from now on, all requests that carry a picture in one of these ways."""
        self._refused_ways = frozenset(ways)

    def mend(self) -> None:
        """Refuse nothing more."""
        self._left, self._refused_ways = 0, frozenset()

    @property
    def middleware(self) -> Middleware:
        """The middleware to pass to the sandbox."""

        @web.middleware
        async def faulty(request: web.Request, handler: Handler) -> web.StreamResponse:
            if (way := _way(request)) in self._refused_ways and way is not None:
                self.refused[way] += 1
                raise _not_found()
            if not self._left or not files(request) or not (self._creates or _is_edit(request)):
                return await handler(request)
            self._left -= 1
            self.failed += 1
            if self._status == 500:
                return _failed()
            raise _not_found()

        return faulty


def _not_found() -> DiscordError:
    sentence = "The referenced attachment was not found"
    return invalid("components", assumptions.ATTACHMENT_NOT_FOUND, sentence)


def _way(request: web.Request) -> Way | None:
    """The way in which the request carries a picture; None without one."""
    if request.method not in {"POST", "PATCH"}:
        return None
    if files(request):
        return Way.BROUGHT if _is_edit(request) else Way.POSTED
    given = raw_body(request)
    if isinstance(given, dict) and request.path.endswith("/callback"):
        given = given.get("data")
    if not _is_edit(request) or not isinstance(given, dict) or "attachment://" not in json.dumps(given):
        return None
    return Way.LISTED if given.get("attachments") else Way.LEFT_OUT


class CloudflareBan:
    """Bans the bot's address, as the proxy in front of Discord does, for as long as a test wants.

    sandbox.ban.begin(30.0)

    Every request is answered with a page of HTML, a 429 with `Retry-After` and without `Via`. Nothing takes
    effect, and no rate limit counts it.
    """

    def __init__(self) -> None:
        self.requests: list[str] = []
        """Method and path of each request during a ban."""

        self._ends: float | None = None

    def begin(self, seconds: float) -> None:
        """Ban it for so long from now on."""
        self._ends = asyncio.get_running_loop().time() + seconds

    def end(self) -> None:
        """End it at once."""
        self._ends = None

    @property
    def middleware(self) -> Middleware:
        """The middleware for the edge of the API."""

        @web.middleware
        async def banned(request: web.Request, handler: Handler) -> web.StreamResponse:
            left = (self._ends or 0.0) - asyncio.get_running_loop().time()
            if self._ends is None or left <= 0:
                return await handler(request)
            self.requests.append(f"{request.method} {request.path.removeprefix(PREFIX)}")
            page = "<!DOCTYPE html><html><title>Access denied</title><h1>Error 1015</h1></html>"
            headers = {"Retry-After": str(math.ceil(left)), "Server": "cloudflare"}
            return web.Response(status=429, text=page, content_type="text/html", headers=headers)

        return banned


class Interception:
    """Lets a test put a middleware of its own before the handlers at any time.

    sandbox.interception.by = middleware                  # until it is None again
    """

    def __init__(self) -> None:
        self.by: Middleware | None = None

    @property
    def middleware(self) -> Middleware:
        """The middleware to pass to the sandbox."""

        @web.middleware
        async def intercepted(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await (handler(request) if self.by is None else self.by(request, handler))

        return intercepted


class Refusals:
    """Refuses requests with an error of Discord's, the next ones or all.

        sandbox.refusals.refuse("PATCH", "/channels/{}/messages/{}", code=20022)  # until `mend`
        sandbox.refusals.refuse("POST", f"/channels/{channel.id}/messages", code=50001, times=2)
        sandbox.refusals.refuse("PUT", "/applications/{}/commands", code=0, retry_after=3600.0)

    `{}` in a path stands for any one part of it. Nothing takes effect; the latest plan goes first.
    """

    def __init__(self) -> None:
        self.refused: list[str] = []
        """Method and path of each request that was refused so far."""

        self._plans: list[_Plan] = []

    def refuse(
        self,
        method: str,
        path: str,
        *,
        code: int,
        status: int | None = None,
        times: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Refuse such requests from now on, or the next `times`.

        Without a `status` it is that of the code, as `sandbox.errors` knows it, a 429 with `retry_after`, in
        seconds, or else a 403.
        """
        usual = Answer(403 if retry_after is None else 429, code, "Refused")
        answer = _ANSWERS.get(code, usual)
        pattern = re.compile(re.escape(f"{method} {path}").replace(r"\{\}", "[^/]+"))
        plan = _Plan(pattern, replace(answer, status=status or answer.status), retry_after, times)
        self._plans.insert(0, plan)

    def mend(self) -> None:
        """Refuse nothing more."""
        self._plans.clear()

    @property
    def middleware(self) -> Middleware:
        """The middleware to pass to the sandbox."""

        @web.middleware
        async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
            asked = f"{request.method} {request.path.removeprefix(PREFIX)}"
            plan = next((each for each in self._plans if each.pattern.fullmatch(asked)), None)
            if plan is None:
                return await handler(request)
            if plan.left is not None:
                plan.left -= 1
                if not plan.left:
                    self._plans.remove(plan)
            self.refused.append(asked)
            raise plan.answer.error(retry_after=plan.retry_after)

        return refusing


@dataclass(slots=True, eq=False)
class _Plan:
    """The requests to refuse, by method and path, and how."""

    pattern: re.Pattern[str]
    answer: Answer
    retry_after: float | None
    left: int | None
    """How many more; None for all."""


_ANSWERS = {each.value.code: each.value for each in Refusal if each.value.code}
"""By Discord's code."""


def _is_edit(request: web.Request) -> bool:
    if request.method == "PATCH":
        return True
    given = raw_body(request)
    is_callback = request.path.endswith("/callback")
    return is_callback and isinstance(given, dict) and given.get("type") == UPDATE


def drawn(random: Random, rates: Rates) -> Fault | None:
    """The fault that one request gets, if any."""
    lot = random.random()
    for fault, rate in rates.items():
        if lot < rate:
            return fault
        lot -= rate
    return None


async def _inflicted(
    fault: Fault, random: Random, request: web.Request, handler: Handler
) -> web.StreamResponse:
    seen = _AFTER.get(fault, fault)
    done = await handler(request) if fault in _AFTER else None
    match seen:
        case Fault.LIMITED | Fault.LIMITED_GLOBALLY:
            return _limited(random.uniform(*RETRY_AFTER), is_global=seen is Fault.LIMITED_GLOBALLY)
        case Fault.BAD_GATEWAY:
            return await _bad_gateway(request)
        case Fault.SLOW:
            # Either the request takes effect late, or it takes effect at once and the response is late.
            wait = random.uniform(*SLOWNESS)
            if random.random() < 0.5:
                await asyncio.sleep(wait)
                is_heard = request.transport is not None and not request.transport.is_closing()
                return await handler(request) if is_heard else _failed()
            answer = await handler(request)
            await asyncio.sleep(wait)
            return answer
        case Fault.DROPPED | Fault.SILENT:
            if seen is Fault.SILENT:
                await asyncio.sleep(SILENCE)
            if request.transport is not None:
                request.transport.abort()
            # The connection is gone, but observers of the traffic still record what was done.
            return done if done is not None else _failed()
        case _:
            return _failed()


def _failed() -> web.Response:
    return json_response({"message": "500: Internal Server Error", "code": 0}, status=500)


def _limited(wait: float, *, is_global: bool) -> web.Response:
    # Without a Via header, discord.py takes a 429 for a Cloudflare ban.
    headers = {"Via": "1.1 google", "Retry-After": "1"}
    headers["X-RateLimit-Scope"] = "global" if is_global else "shared"
    told = {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": is_global}
    return json_response(told, status=429, headers=headers)


async def _bad_gateway(request: web.Request) -> web.StreamResponse:
    """The HTML page of the proxy in front of Discord; not JSON."""
    response = web.StreamResponse(status=502, headers={"Content-Type": "text/html"})
    with suppress(ConnectionResetError):  # the sender has disconnected and needs no response
        await response.prepare(request)
        await response.write(b"<html><body><h1>502 Bad Gateway</h1></body></html>")
        await response.write_eof()
    return response
