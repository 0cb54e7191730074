"""Routes of guilds, their members, roles and channels."""

from aiohttp import web

from sandbox.errors import Refusal
from sandbox.model.guilds import Guild
from sandbox.model.permissions import Permission
from sandbox.rest.context import elsewhere, world
from sandbox.rest.responses import json_response

routes = web.RouteTableDef()


@routes.get("/guilds/{guild_id}")
async def get_guild(request: web.Request) -> web.Response:
    """The guild."""
    guild = _guild(request)
    answer = guild.payload()
    if request.query.get("with_counts", "").lower() in ("1", "true"):
        answer |= {
            "approximate_member_count": len(guild.members),
            "approximate_presence_count": len(guild.members),
        }
    return json_response(answer)


@routes.get("/guilds/{guild_id}/channels")
async def list_channels(request: web.Request) -> web.Response:
    """The channels that the bot can see, without threads."""
    guild, here = _guild(request), world(request)
    seen = [
        channel.payload()
        for channel in guild.channels.values()
        if not channel.is_thread and Permission.VIEW_CHANNEL in here.permissions(here.bot, channel)
    ]
    return json_response(seen)


@routes.get("/guilds/{guild_id}/threads/active")
async def list_active_threads(request: web.Request) -> web.Response:
    """The active threads that the bot can see, and its memberships of them."""
    threads = world(request).active_threads(_guild(request))
    members = [thread["member"] for thread in threads if "member" in thread]
    return json_response({"threads": threads, "members": members, "has_more": False})


@routes.get("/guilds/{guild_id}/roles")
async def list_roles(request: web.Request) -> web.Response:
    """The roles."""
    return json_response([role.payload() for role in _guild(request).roles.values()])


@routes.get("/guilds/{guild_id}/roles/{role_id}")
async def get_role(request: web.Request) -> web.Response:
    """One role."""
    role = _guild(request).roles.get(request.match_info["role_id"])
    if role is None:
        raise Refusal.UNKNOWN_ROLE.error()
    return json_response(role.payload())


@routes.get("/guilds/{guild_id}/members/{user_id}")
async def get_member(request: web.Request) -> web.Response:
    """One member."""
    guild, user_id = _guild(request), request.match_info["user_id"]
    if user_id not in world(request).users:
        raise Refusal.UNKNOWN_USER.error()
    if user_id not in guild.members:
        raise Refusal.UNKNOWN_MEMBER.error()
    return json_response(guild.members[user_id].payload())


def _guild(request: web.Request) -> Guild:
    here = world(request)
    guild = here.guilds.get(request.match_info["guild_id"])
    if guild is None:
        raise Refusal.UNKNOWN_GUILD.error()
    if not here.has_bot(guild):
        raise elsewhere(request)
    return guild
