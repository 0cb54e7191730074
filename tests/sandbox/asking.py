"""Requests of the bot, and what becomes of them."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import aiohttp
import discord
import pytest

from sandbox.client.people import NotOfferedError, Person
from sandbox.model.interactions import Deadlines
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox

Rest = Callable[..., Awaitable[tuple[int, Any]]]


@asynccontextmanager
async def asking(sandbox: Sandbox) -> AsyncIterator[Rest]:
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


def outcome(answered: tuple[int, Any]) -> tuple[int, int | None]:
    """The status of a response, and the code of its error."""
    return answered[0], answered[1].get("code")


@contextmanager
def refused(status: int, code: int) -> Iterator[None]:
    """What discord.py asks for meanwhile is refused with that status, and that code of Discord's."""
    with pytest.raises(discord.HTTPException) as caught:
        yield
    assert (caught.value.status, caught.value.code) == (status, code)


def not_offered(*uses: Callable[[], object]) -> None:
    """Discord's client offers a person none of these."""
    for use in uses:
        with pytest.raises(NotOfferedError):
            use()


def deny(ada: Person, user_id: str, permission: Permission, channel: str = "cribbage") -> None:
    """Ada takes somebody's permission there."""
    ada.set_overwrite(channel, Overwrite(user_id, is_member=True, deny=permission))


@contextmanager
def hasty(sandbox: Sandbox) -> Iterator[None]:
    """Leave the bot no time to answer what is asked meanwhile.

    Only for what the bot never answers: whether it would be quick enough is for no test to measure.
    """
    patient = sandbox.interactions.deadlines
    sandbox.interactions.deadlines = Deadlines(first_answer=0.05, token=patient.token)
    try:
        yield
    finally:
        sandbox.interactions.deadlines = patient
