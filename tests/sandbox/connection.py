"""Connections without a library: a bot's to the gateway, of one shard, and a page's to its socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from sandbox.client.people import Person
from sandbox.server import Sandbox
from tests.patience import PATIENCE


class Socket:
    """A bot's: sends frames, and takes them one by one."""

    def __init__(self, sandbox: Sandbox, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.sandbox = sandbox
        self.socket = socket

    async def identify(self, shard: int | None, count: int = 4, intents: int = 1) -> None:
        data: dict[str, Any] = {"token": self.sandbox.token, "intents": intents}
        await self.socket.send_json(
            {"op": 2, "d": data if shard is None else data | {"shard": [shard, count]}}
        )

    async def next(self) -> Any:
        """The next frame, as its event or opcode with its data; the close code at the end."""
        message = await self.socket.receive(timeout=PATIENCE)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return self.socket.close_code
        frame = message.json()
        return frame["t"] or frame["op"], frame["d"]

    async def until(self, name: str) -> Any:
        """The data of the next event of that name."""
        while True:
            event, data = await self.next()
            if event == name:
                return data

    async def end(self) -> int | None:
        """The code with which the server ends the connection, whatever it says before."""
        while (told := await self.next()) is not None and not isinstance(told, int):
            pass
        return self.socket.close_code


@asynccontextmanager
async def connected(sandbox: Sandbox, query: str = "") -> AsyncIterator[Socket]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{sandbox.url}/gateway{query}") as socket,
    ):
        await socket.receive()
        yield Socket(sandbox, socket)


class Screen:
    """Stands in for the page's script: sends frames, and keeps what arrived."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []

    async def ask(self, op: str, nonce: str = "n", **more: Any) -> None:
        await self.socket.send_json({"op": op, "nonce": nonce, **more})

    async def next(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """The next frame of a type whose data has these values."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self.socket.receive_json()
                self.frames.append(frame)
                data = frame["d"] if isinstance(frame["d"], dict) else {"list": frame["d"]}
                if frame["t"] == kind and all(data.get(key) == value for key, value in wanted.items()):
                    return data


@asynccontextmanager
async def screen_of(sandbox: Sandbox, person: Person, loaded: str = "0") -> AsyncIterator[Screen]:
    url = f"{sandbox.url}/page/socket?user={person.id}&loaded_at={loaded}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        yield Screen(socket)
