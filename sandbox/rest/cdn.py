"""The CDN: attachments, emojis, and plain squares for avatars."""

from aiohttp import web

from sandbox.model.media import plain_png
from sandbox.model.world import World

_DEFAULT_COLORS = ("#5865f2", "#747f8d", "#3ba55c", "#faa81a", "#ed4245", "#eb459e")


def cdn_routes(world: World) -> list[web.RouteDef]:
    """The routes below `/cdn`."""

    async def attachment(request: web.Request) -> web.Response:
        file = world.files.get(request.match_info["attachment_id"])
        if file is None or file.filename != request.match_info["filename"]:
            raise web.HTTPNotFound
        return web.Response(body=file.content, content_type=file.content_type)

    async def emoji(request: web.Request) -> web.Response:
        found = world.emojis.get(request.match_info["emoji_id"])
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found.image, content_type=found.content_type)

    async def default_avatar(request: web.Request) -> web.Response:
        color = _DEFAULT_COLORS[int(request.match_info["number"]) % len(_DEFAULT_COLORS)]
        return web.Response(body=plain_png(color), content_type="image/png")

    async def avatar(request: web.Request) -> web.Response:
        user = world.users.get(request.match_info["user_id"])
        if user is None:
            raise web.HTTPNotFound
        return web.Response(body=plain_png(user.color), content_type="image/png")

    return [
        web.get("/cdn/attachments/{channel_id}/{attachment_id}/{filename}", attachment),
        web.get(r"/cdn/emojis/{emoji_id:\d+}.{extension}", emoji),
        web.get(r"/cdn/embed/avatars/{number:\d+}.png", default_avatar),
        web.get(r"/cdn/avatars/{user_id:\d+}/{name}", avatar),
    ]
