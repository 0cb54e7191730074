"""Discord's REST API v10, as far as a bot like ours uses it; one module for each kind of resource.

Handlers check permissions, validate, and call the world or `answers`. `middlewares` has the steps common to
every request (authorization, rate limits, errors, observers).
"""

from collections.abc import Sequence

from aiohttp import web
from aiohttp.typedefs import Middleware

from sandbox.rest import applications, catalogue, channels, emojis, guilds, messages, threads, users, webhooks
from sandbox.rest.context import DISCORD, Discord
from sandbox.rest.middlewares import OUTER, observed

MODULES = (applications, catalogue, channels, emojis, guilds, messages, threads, users, webhooks)


def api(
    discord: Discord, inner: Sequence[Middleware] = (), *, edge: Sequence[Middleware] = ()
) -> web.Application:
    """The application that serves everything below `/api/v10`.

    `inner` middlewares run closest to the handlers, after a request was authorized and counted: the place to
    inject delays and failures. Those of the `edge` answer before Discord sees the request, as its proxy does.
    """
    application = web.Application(middlewares=[observed, *edge, *OUTER, *inner])
    application[DISCORD] = discord
    for module in MODULES:
        application.router.add_routes(module.routes)
    return application
