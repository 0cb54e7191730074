"""Writing answers down."""

import json

from aiohttp import web


def reply(data: object, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON answer. Discord's media type has no charset, and discord.py reads JSON from nothing else."""
    return web.Response(
        body=json.dumps(data).encode(), status=status, headers=headers, content_type="application/json"
    )


def nothing() -> web.Response:
    """204, the answer of what leaves nothing to say."""
    return web.Response(status=204)
