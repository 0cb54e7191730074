"""The middlewares of every REST request, outermost first: observers, errors, authorization, rate limits.

Further middlewares (e.g. `sandbox.faults`) can be put inside these; see `sandbox.rest.api`.
"""

import json
from typing import Any, Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sandbox.errors import DiscordError, Refusal
from sandbox.rest.context import DISCORD, files, parts, raw_body, read
from sandbox.rest.responses import json_response
from sandbox.traffic import Exchange

PREFIX: Final = "/api/v10"
BY_TOKEN: Final = ("/webhooks/", "/interactions/")
"""Routes with an interaction's token in the path: they need no other, and the global limit does not apply."""

_CLIENT_IS_GONE: Final = 499
"""The status by which servers log a client that disconnected; it is never sent."""

_MAJOR: Final = ("channel_id", "guild_id", "webhook_id", "webhook_token", "interaction_token")


def _path(request: web.Request) -> str:
    return request.path.removeprefix(PREFIX)


def _by_token(request: web.Request) -> bool:
    return _path(request).startswith(BY_TOKEN)


def _written(error: DiscordError) -> web.Response:
    response = json_response(error.payload(), status=error.status)
    if error.retry_after is not None:
        response.headers.update({"Via": "1.1 google", "Retry-After": str(int(error.retry_after) + 1)})
    return response


def _json_in(response: web.StreamResponse) -> Any:
    """The parsed JSON of a response; None for a page of HTML, an empty answer or a stream."""
    if not isinstance(response, web.Response) or response.content_type != "application/json":
        return None
    return json.loads(response.text) if response.text else None


@web.middleware
async def observed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Pass every exchange to the observers, including refused ones."""
    try:
        response = await handler(request)
    except ConnectionResetError:  # the bot died in the middle of its request, and nobody waits for an answer
        return web.Response(status=_CLIENT_IS_GONE)
    exchange = Exchange(
        method=request.method,
        path=_path(request),
        query=dict(request.query),
        headers=dict(request.headers),
        body=raw_body(request),
        files=files(request),
        status=response.status,
        answer=_json_in(response),
        answer_headers=dict(response.headers),
    )
    for observer in list(request.app[DISCORD].observers):
        observer(exchange)
    return response


@web.middleware
async def refused(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn exceptions into Discord's JSON error responses."""
    try:
        return await handler(request)
    except DiscordError as error:
        refusal = error
    except web.HTTPNotFound:
        refusal = Refusal.NOT_FOUND.error()
    except web.HTTPRequestEntityTooLarge:
        refusal = Refusal.TOO_LARGE.error()
    except web.HTTPMethodNotAllowed:
        refusal = Refusal.METHOD_NOT_ALLOWED.error()
    return _written(refusal)


@web.middleware
async def authorized(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Raise 401 without the bot's token, and parse the body."""
    given = request.headers.get("Authorization")
    if not _by_token(request) and given != f"Bot {parts(request).token}":
        raise Refusal.UNAUTHORIZED.error()
    await read(request)
    return await handler(request)


@web.middleware
async def limited(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count the request, answer with a 429 if it exceeds a limit, and add the rate limit headers."""
    if request.match_info.http_exception is not None:
        return await handler(request)
    discord = parts(request)
    resource = request.match_info.route.resource
    template = "" if resource is None else resource.canonical.removeprefix(PREFIX)
    place = "/".join(request.match_info[name] for name in _MAJOR if name in request.match_info)
    verdict = discord.buckets.judge(
        f"{request.method} {template}", place, counts=not _by_token(request), clock=discord.world.clock.now()
    )
    if verdict.retry_after is not None:
        return json_response(verdict.payload(), status=429, headers=verdict.headers)
    try:
        response = await handler(request)
    except DiscordError as error:
        response = _written(error)
    response.headers.update(verdict.headers)
    return response


OUTER: Final[tuple[Middleware, ...]] = (refused, authorized, limited)
"""The middlewares inside `observed`, outermost first."""
