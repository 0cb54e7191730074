"""The bot of these tests, and a way to send requests that discord.py would not."""

import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from sandbox.server import Sandbox
from tests.sandbox.table_bot import TableBot, running

Rest = Callable[..., Awaitable[tuple[int, Any]]]


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[TableBot]:
    async with running(sandbox) as bot:
        yield bot


@pytest.fixture
async def rest(sandbox: Sandbox) -> AsyncIterator[Rest]:
    """`await rest("GET", "/users/@me")` gives status and JSON; `files` maps names to bytes."""
    async with aiohttp.ClientSession() as session:

        async def send(
            method: str,
            path: str,
            body: Any = None,
            *,
            token: str | None = None,
            files: dict[str, bytes] | None = None,
        ) -> tuple[int, Any]:
            headers = {"Authorization": f"Bot {token or sandbox.token}"}
            data: Any = None
            if files is not None:
                data = aiohttp.FormData(quote_fields=False)
                data.add_field("payload_json", json.dumps(body))
                for index, (name, content) in enumerate(files.items()):
                    data.add_field(f"files[{index}]", io.BytesIO(content), filename=name)
            elif body is not None:
                headers["Content-Type"] = "application/json"
                data = json.dumps(body)
            url = f"{sandbox.url}/api/v10{path}"
            async with session.request(method, url, data=data, headers=headers) as response:
                return response.status, await response.json(content_type=None)

        yield send
