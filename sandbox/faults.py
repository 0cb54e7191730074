"""What goes wrong between a bot and Discord, on demand: data by kind, drawn from a seed.

    faults = Faults(7, MIXED)
    async with Sandbox(middlewares=[faults.middleware]) as sandbox:
        faults.is_on = True
        await faults.shake(sandbox.gateway)        # one cut, op 7 or op 9

Whether the nth request to a route goes wrong, and how, follows from the seed, the route and n alone, so
that a run does not depend on how requests to different routes fall in time. Only
the requests of play are touched: messages, and answers to interactions.
The log-in and the setting-up of commands are left in peace.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from random import Random
from types import MappingProxyType

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sandbox.gateway.sessions import Gateway
from sandbox.rest.middlewares import PREFIX
from sandbox.rest.replies import reply


class Fault(StrEnum):
    """One way in which a request goes wrong."""

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
    """One way in which a gateway connection goes wrong."""

    CUT = "cut"
    RECONNECT = "op 7"
    INVALID = "op 9"
    INVALID_RESUMABLE = "op 9, resumable"


Rates = Mapping[Fault, float]
"""The share of requests that each fault befalls; together at most 1."""

_RARE = {Fault.SILENT: 0.01, Fault.SILENT_AFTER: 0.01}
"""Each of these costs a bot all the seconds that it waits for an answer."""

SINGLY: Mapping[Fault, Rates] = MappingProxyType(
    {fault: MappingProxyType({fault: _RARE.get(fault, 0.04)}) for fault in Fault}
)
"""Each fault by itself."""

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
"""Seconds that a 429 asks for, from and to."""

SLOWNESS = (0.3, 3.2)
"""Seconds by which a slow answer is late; some pass the three that an interaction waits."""

SILENCE = 120.0
"""Seconds after which a connection that was never answered is closed."""

_PLAYED = ("/channels/", "/interactions/", "/webhooks/")
_AFTER = {
    Fault.FAILED_AFTER: Fault.FAILED,
    Fault.DROPPED_AFTER: Fault.DROPPED,
    Fault.SILENT_AFTER: Fault.SILENT,
}
"""The faults that come when the request has done what it should, and what its sender sees of them."""


class Faults:
    """Draws faults from a seed, inflicts them, and counts them by kind."""

    def __init__(self, seed: int, rates: Rates) -> None:
        """Nothing goes wrong until `is_on` is set."""
        if sum(rates.values()) > 1 or any(rate < 0 for rate in rates.values()):
            raise ValueError("the rates are shares of one whole")
        self.rates = rates
        self.is_on = False
        self.inflicted: Counter[str] = Counter()
        self._seed = seed
        self._seen: Counter[str] = Counter()
        self._shakes = Random(f"{seed} gateway")

    @property
    def middleware(self) -> Middleware:
        """What to give to the sandbox."""

        @web.middleware
        async def faulty(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not self.is_on or not request.path.removeprefix(PREFIX).startswith(_PLAYED):
                return await handler(request)
            random = self._random(request)
            fault = drawn(random, self.rates)
            if fault is None:
                return await handler(request)
            self.inflicted[fault.value] += 1
            return await _inflicted(fault, random, request, handler)

        return faulty

    async def shake(self, gateway: Gateway) -> Shake:
        """Let one thing go wrong with the gateway connections; which it was."""
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


def drawn(random: Random, rates: Rates) -> Fault | None:
    """The fault that befalls one request, if any does."""
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
            # What was asked for is done late, or done in time and told late.
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
            # Nobody hears this, but those who watch the traffic are told what was done.
            return done if done is not None else _failed()
        case _:
            return _failed()


def _failed() -> web.Response:
    return reply({"message": "500: Internal Server Error", "code": 0}, status=500)


def _limited(wait: float, *, is_global: bool) -> web.Response:
    # Without Via, discord.py takes a 429 for a ban by the network in front of Discord.
    headers = {"Via": "1.1 google", "Retry-After": "1"}
    headers["X-RateLimit-Scope"] = "global" if is_global else "shared"
    told = {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": is_global}
    return reply(told, status=429, headers=headers)


async def _bad_gateway(request: web.Request) -> web.StreamResponse:
    """The page of the network in front of Discord, which is no JSON."""
    response = web.StreamResponse(status=502, headers={"Content-Type": "text/html"})
    with suppress(ConnectionResetError):  # the sender has gone meanwhile, and needs no answer
        await response.prepare(request)
        await response.write(b"<html><body><h1>502 Bad Gateway</h1></body></html>")
        await response.write_eof()
    return response
