"""HTTP responses of the REST API."""

import orjson
from aiohttp import web


def json_response(data: object, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON response. Its content type has no charset, because discord.py parses no other as JSON."""
    return web.Response(
        body=orjson.dumps(data), status=status, headers=headers, content_type="application/json"
    )


def no_content() -> web.Response:
    """An empty response with status 204."""
    return web.Response(status=204)
