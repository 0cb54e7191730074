"""Routes of users, the bot's own account and guilds, DMs, and the address of the gateway."""

from aiohttp import web

from sandbox import assumptions
from sandbox.errors import Refusal
from sandbox.gateway.sessions import gateway_url
from sandbox.model.jsons import JSON
from sandbox.rest.context import body, parts, world
from sandbox.rest.replies import nothing, reply

routes = web.RouteTableDef()


@routes.get("/gateway")
async def get_gateway(request: web.Request) -> web.Response:
    """Where the gateway is."""
    return reply({"url": gateway_url(world(request))})


@routes.get("/gateway/bot")
async def get_bot_gateway(request: web.Request) -> web.Response:
    """Where the gateway is, and how many sessions may still be begun."""
    left = 1000 - parts(request).gateway.identifies
    limit = {"total": 1000, "remaining": left, "reset_after": 86_400_000, "max_concurrency": 1}
    return reply({"url": gateway_url(world(request)), "shards": 1, "session_start_limit": limit})


@routes.get("/users/@me")
async def get_my_user(request: web.Request) -> web.Response:
    """The bot's own account."""
    bot = world(request).bot.payload()
    return reply(bot | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None})


@routes.get("/users/{user_id}")
async def get_user(request: web.Request) -> web.Response:
    """Anybody's account."""
    user = world(request).users.get(request.match_info["user_id"])
    if user is None:
        raise Refusal.UNKNOWN_USER.error()
    return reply(user.payload())


@routes.get("/users/@me/guilds")
async def list_my_guilds(request: web.Request) -> web.Response:
    """The guilds the bot is in."""
    here = world(request)
    guild: JSON = {"id": here.guild.id, "name": here.guild.name, "icon": None, "banner": None, "features": []}
    everyone = here.guild.roles[here.guild.id]
    mine = guild | {"owner": False, "permissions": str(int(everyone.permissions))}
    return reply([mine] if here.bot_is_member else [])


@routes.delete("/users/@me/guilds/{guild_id}")
async def leave_guild(request: web.Request) -> web.Response:
    """The bot leaves a guild of its own accord."""
    here = world(request)
    if request.match_info["guild_id"] != here.guild.id or not here.bot_is_member:
        raise Refusal.UNKNOWN_GUILD.error()
    here.kick_bot()
    return nothing()


@routes.post("/users/@me/channels")
async def create_dm(request: web.Request) -> web.Response:
    """Open the DM channel with somebody; the same one each time."""
    here, discord = world(request), parts(request)
    user = here.users.get(str(body(request).get("recipient_id")))
    if user is None or user is here.bot:
        raise Refusal.UNKNOWN_USER.error()
    if user.id not in here.dms and discord.dm_openings.take(here.clock.now()) is not None:
        raise Refusal.OPENING_DMS_TOO_FAST.error()
    if not user.dms_open and not assumptions.DM_CHANNEL_OPENS_WHEN_CLOSED:
        raise Refusal.DMS_CLOSED.error()
    return reply(here.open_dm(user).payload())
