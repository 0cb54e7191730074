"""Routes of users, of the bot's own account and guilds, of DMs, and of the gateway's address."""

from aiohttp import web

from sandbox import assumptions
from sandbox.errors import Refusal
from sandbox.gateway.sessions import gateway_url
from sandbox.model.json_types import JSON
from sandbox.rest.context import body, parts, world
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()


@routes.get("/gateway")
async def get_gateway(request: web.Request) -> web.Response:
    """The gateway's address."""
    return json_response({"url": gateway_url(world(request))})


@routes.get("/gateway/bot")
async def get_bot_gateway(request: web.Request) -> web.Response:
    """The gateway's address, and how many sessions may still be started."""
    gateway = parts(request).gateway
    limit = {
        "total": 1000,
        "remaining": 1000 - gateway.identifies,
        "reset_after": 86_400_000,
        "max_concurrency": gateway.shards.max_concurrency,
    }
    url = gateway_url(world(request))
    return json_response({"url": url, "shards": gateway.shards.count, "session_start_limit": limit})


@routes.get("/users/@me")
async def get_my_user(request: web.Request) -> web.Response:
    """The bot's own account."""
    bot = world(request).bot.payload()
    return json_response(bot | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None})


@routes.get("/users/{user_id}")
async def get_user(request: web.Request) -> web.Response:
    """Any user's account."""
    user = world(request).users.get(request.match_info["user_id"])
    if user is None:
        raise Refusal.UNKNOWN_USER.error()
    return json_response(user.payload())


@routes.get("/users/@me/guilds")
async def list_my_guilds(request: web.Request) -> web.Response:
    """The guilds of the bot."""
    here = world(request)
    nothing: JSON = {"icon": None, "banner": None, "features": [], "owner": False}
    mine = [
        nothing
        | {"id": guild.id, "name": guild.name, "permissions": str(int(guild.roles[guild.id].permissions))}
        for guild in here.guilds_of_bot
    ]
    return json_response(mine)


@routes.delete("/users/@me/guilds/{guild_id}")
async def leave_guild(request: web.Request) -> web.Response:
    """Let the bot leave a guild."""
    here = world(request)
    guild = here.guilds.get(request.match_info["guild_id"])
    if guild is None or not here.has_bot(guild):
        raise Refusal.UNKNOWN_GUILD.error()
    here.kick_bot(guild)
    return no_content()


@routes.post("/users/@me/channels")
async def create_dm(request: web.Request) -> web.Response:
    """Open the DM channel with a user; the same one each time."""
    here, discord = world(request), parts(request)
    user = here.users.get(str(body(request).get("recipient_id")))
    if user is None or user is here.bot:
        raise Refusal.UNKNOWN_USER.error()
    if user.id not in here.dms and discord.dm_openings.take(here.clock.now()) is not None:
        raise Refusal.OPENING_DMS_TOO_FAST.error()
    if not user.dms_open and not assumptions.DM_CHANNEL_OPENS_WHEN_CLOSED:
        raise Refusal.DMS_CLOSED.error()
    return json_response(here.open_dm(user).payload())
