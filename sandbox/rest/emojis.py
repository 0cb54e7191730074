"""Routes of the application's own emojis."""

import base64
import binascii
import re

from aiohttp import web

from sandbox import assumptions
from sandbox.errors import Form, Refusal
from sandbox.model.guilds import Emoji
from sandbox.rest.context import body, invalid, own_application, world
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()

MOST_EMOJIS = 2000
"""The largest number of emojis of one application."""

LARGEST_EMOJI = 256 * 1024
"""The largest size of one image, in bytes."""

_NAME = re.compile(r"\w{2,32}", re.ASCII)
_DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.+)", re.DOTALL)


@routes.get("/applications/{application_id}/emojis")
async def list_emojis(request: web.Request) -> web.Response:
    """All emojis of the application."""
    own_application(request)
    return json_response({"items": [emoji.payload() for emoji in world(request).emojis.values()]})


@routes.post("/applications/{application_id}/emojis")
async def create_emoji(request: web.Request) -> web.Response:
    """Upload an emoji."""
    own_application(request)
    here, given = world(request), body(request)
    _check_name(request, given.get("name"))
    picture = _DATA_URI.fullmatch(str(given.get("image")))
    if picture is None:
        raise invalid("image", "IMAGE_INVALID", "Invalid image data")
    try:
        image = base64.b64decode(picture[2], validate=True)
    except binascii.Error as error:
        raise invalid("image", "IMAGE_INVALID", "Invalid image data") from error
    if len(image) > LARGEST_EMOJI:
        raise invalid("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    if len(here.emojis) >= MOST_EMOJIS:
        raise Refusal.TOO_MANY_EMOJIS.error()
    emoji = Emoji(here.snowflakes.next(), given["name"], image, picture[1], here.bot)
    here.emojis[emoji.id] = emoji
    return json_response(emoji.payload(), status=201)


@routes.get("/applications/{application_id}/emojis/{emoji_id}")
async def get_emoji(request: web.Request) -> web.Response:
    """One emoji."""
    return json_response(_emoji(request).payload())


@routes.patch("/applications/{application_id}/emojis/{emoji_id}")
async def update_emoji(request: web.Request) -> web.Response:
    """Rename an emoji."""
    emoji, name = _emoji(request), body(request).get("name")
    if name != emoji.name:
        _check_name(request, name)
        emoji.name = str(name)
    return json_response(emoji.payload())


@routes.delete("/applications/{application_id}/emojis/{emoji_id}")
async def delete_emoji(request: web.Request) -> web.Response:
    """Remove an emoji."""
    del world(request).emojis[_emoji(request).id]
    return no_content()


def _emoji(request: web.Request) -> Emoji:
    own_application(request)
    emoji = world(request).emojis.get(request.match_info["emoji_id"])
    if emoji is None:
        raise Refusal.UNKNOWN_EMOJI.error()
    return emoji


def _check_name(request: web.Request, name: object) -> None:
    form = Form()
    form.text(("name",), name, least=2, most=32, needed=True)
    if isinstance(name, str) and not _NAME.fullmatch(name):
        form.fault(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(emoji.name == name for emoji in world(request).emojis.values()):
        form.fault(("name",), assumptions.EMOJI_NAME_TAKEN, "This emoji name is already taken.")
    form.check()
