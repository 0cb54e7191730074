"""Routes of what Discord offers to every server: sounds, stickers, voice regions."""

from aiohttp import web

from sandbox.rest.responses import json_response

routes = web.RouteTableDef()


@routes.get("/soundboard-default-sounds")
async def list_default_sounds(_request: web.Request) -> web.Response:
    """The sounds that everybody may play."""
    sound = {"sound_id": "1", "name": "quack", "volume": 1.0, "emoji_id": None, "emoji_name": "🦆"}
    return json_response([sound | {"available": True}])


@routes.get("/sticker-packs")
async def list_sticker_packs(_request: web.Request) -> web.Response:
    """The packs of stickers; the sandbox has none."""
    return json_response({"sticker_packs": []})


@routes.get("/voice/regions")
async def list_voice_regions(_request: web.Request) -> web.Response:
    """The voice regions."""
    region = {"id": "us-west", "name": "US West", "optimal": True, "deprecated": False, "custom": False}
    return json_response([region])
