"""Routes of the application and its commands."""

from aiohttp import web

from sandbox.errors import Refusal
from sandbox.model.interactions import GUILD_INSTALL, USER_INSTALL
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import Change, World
from sandbox.rest.context import body, elsewhere, own_application, parts, raw_body, world
from sandbox.rest.responses import json_response, no_content
from sandbox.validation.commands import validate_command, validate_commands

routes = web.RouteTableDef()

MOST_CREATED = 200
"""Commands that one application may create in a day, globally or in one guild."""


@routes.get("/oauth2/applications/@me")
@routes.get("/applications/@me")
async def get_my_application(request: web.Request) -> web.Response:
    """The bot's own application."""
    here = world(request)
    application: JSON = {
        "id": here.application_id,
        "name": "Fifteen Two",
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot": here.bot.payload(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": here.people[0].payload(),
        "approximate_guild_count": len(here.guilds_of_bot),
        "approximate_user_install_count": len(here.installs),
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "integration_types_config": _installations(here),
    }
    return json_response(application)


def _installations(here: World) -> JSON:
    """The kinds of installation, each with what its link asks for."""
    permissions = Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS
    server = {"scopes": ["applications.commands", "bot"], "permissions": str(int(permissions))}
    person = {"scopes": ["applications.commands"], "permissions": "0"}
    kinds = {GUILD_INSTALL: server} | ({USER_INSTALL: person} if here.has_user_install else {})
    return {key: {"oauth2_install_params": asked} for key, asked in kinds.items()}


@routes.get("/applications/{application_id}/commands")
@routes.get("/applications/{application_id}/guilds/{guild_id}/commands")
async def list_commands(request: web.Request) -> web.Response:
    """All global commands, or all commands of a guild."""
    return json_response(list(_commands(request).values()))


@routes.put("/applications/{application_id}/commands")
@routes.put("/applications/{application_id}/guilds/{guild_id}/commands")
async def set_commands(request: web.Request) -> web.Response:
    """Overwrite all commands at once; those that keep their name keep their id."""
    commands, given = _commands(request), raw_body(request)
    has_user_install = world(request).has_user_install
    wanted = validate_commands(given if given is not None else [], has_user_install=has_user_install)
    kept = {(old["type"], old["name"]): old for old in commands.values()}
    new = [
        _stored(request, command, kept.get((command.get("type") or 1, command["name"]))) for command in wanted
    ]
    commands.clear()
    commands.update((command["id"], command) for command in new)
    _announce(request)
    return json_response(new)


@routes.post("/applications/{application_id}/commands")
@routes.post("/applications/{application_id}/guilds/{guild_id}/commands")
async def create_command(request: web.Request) -> web.Response:
    """Create a command, or replace the one with the same name."""
    commands, command = _commands(request), body(request)
    validate_command(command, has_user_install=world(request).has_user_install)
    key = (command.get("type") or 1, command["name"])
    old = next((each for each in commands.values() if (each["type"], each["name"]) == key), None)
    stored = _stored(request, command, old)
    commands[stored["id"]] = stored
    _announce(request)
    return json_response(stored, status=201 if old is None else 200)


@routes.get("/applications/{application_id}/commands/{command_id}")
@routes.get("/applications/{application_id}/guilds/{guild_id}/commands/{command_id}")
async def get_command(request: web.Request) -> web.Response:
    """One command."""
    return json_response(_command(request))


@routes.delete("/applications/{application_id}/commands/{command_id}")
@routes.delete("/applications/{application_id}/guilds/{guild_id}/commands/{command_id}")
async def delete_command(request: web.Request) -> web.Response:
    """Remove one command."""
    del _commands(request)[_command(request)["id"]]
    _announce(request)
    return no_content()


def _commands(request: web.Request) -> dict[str, JSON]:
    own_application(request)
    here = world(request)
    guild_id = request.match_info.get("guild_id")
    if guild_id is None:
        return here.commands
    guild = here.guilds.get(guild_id)
    if guild is None or not here.has_bot(guild):
        raise elsewhere(request)
    return guild.commands


def _command(request: web.Request) -> JSON:
    found = _commands(request).get(request.match_info["command_id"])
    if found is None:
        raise Refusal.UNKNOWN_COMMAND.error()
    return found


def _stored(request: web.Request, command: JSON, old: JSON | None) -> JSON:
    here, discord = world(request), parts(request)
    if old is None:
        if discord.commands_created >= MOST_CREATED:
            raise Refusal.TOO_MANY_COMMANDS_CREATED.error()
        discord.commands_created += 1
    needed = command.get("default_member_permissions")
    stored: JSON = {
        "id": here.snowflakes.next() if old is None else old["id"],
        "application_id": here.application_id,
        "version": "",
        "type": command.get("type") or 1,
        "name": command["name"],
        "description": command.get("description") or "",
        "name_localizations": command.get("name_localizations"),
        "description_localizations": command.get("description_localizations"),
        "default_member_permissions": None if needed is None else str(needed),
        "dm_permission": command.get("dm_permission", True),
        "contexts": command.get("contexts"),
        "integration_types": command.get("integration_types") or [0],
        "nsfw": bool(command.get("nsfw")),
    }
    if command.get("options"):
        stored["options"] = [_option(option) for option in command["options"]]
    if (guild_id := request.match_info.get("guild_id")) is not None:
        stored["guild_id"] = guild_id
    unchanged = old is not None and old | {"version": ""} == stored
    stored["version"] = old["version"] if old is not None and unchanged else here.snowflakes.next()
    return stored


def _option(option: JSON) -> JSON:
    stored = {key: value for key, value in option.items() if value is not None}
    for key in ("options", "choices"):
        if key in stored:
            stored[key] = [_option(each) for each in stored[key]]
    return stored


def _announce(request: web.Request) -> None:
    world(request).announce(Change("COMMANDS", {}))
