"""A proxy between a bot and the sandbox, which keeps what the bot sends as it sends it.

What changes from run to run (ids, tokens) is written as a name in braces. Requests are kept by the number of
interactions that the bot had got: the first list has those before any.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, Final, Self

import aiohttp
from aiohttp import web

from sandbox.server import HOST, Sandbox
from sandbox.traffic import Direction, Exchange, Frame

_FORWARDED_APART: Final = frozenset({"Host", "Content-Length", "Connection", "Transfer-Encoding"})
_OF_THE_HANDSHAKE: Final = ("Sec-WebSocket-", "Upgrade", "Connection", "Host")
_HEARTBEAT: Final = 1


class Names:
    """Names of the values that change from run to run, as the bot gets to know them."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.values: dict[str, str] = {
            "token": sandbox.token,
            "application": sandbox.world.application_id,
            "guild": sandbox.world.guild.id,
            "channel": sandbox.channels["cribbage"].id,
            "ada": sandbox.people["Ada"].id,
        }

    def learn_interaction(self, data: dict[str, Any]) -> None:
        """Learn of an INTERACTION_CREATE."""
        self.values |= {"interaction": data["id"], "interaction_token": data["token"]}

    def learn_answer(self, method: str, path: str, answer: Any) -> None:
        """Learn the ids that a response brings."""
        if method != "POST" or not isinstance(answer, dict) or "id" not in answer:
            return
        if path.endswith("/users/@me/channels"):
            self.values["dm"] = answer["id"]
        elif "/channels/" in path and path.endswith("/messages"):
            self.values["message"] = answer["id"]
            for file in answer["attachments"]:
                self.values |= {"attachment": file["id"], "attachment_url": file["url"]}

    def written(self, text: str) -> str:
        """`text` with names in place of values; the longest values first, since one may contain another."""
        for name, value in sorted(self.values.items(), key=lambda each: -len(each[1])):
            text = text.replace(value, f"{{{name}}}")
        return text

    def read(self, text: str) -> str:
        """`text` with values in place of names."""
        for name, value in self.values.items():
            text = text.replace(f"{{{name}}}", value)
        return text


class Recorder:
    """The proxy; the bot uses its `url`, and gets the gateway's address with it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._behind = sandbox.url
        self._names = Names(sandbox)
        self._requests: list[list[dict[str, Any]]] = [[]]
        self._gateway: list[dict[str, Any]] = []
        application = web.Application(client_max_size=1 << 26)
        application.router.add_get("/gateway", self._socket)
        application.router.add_get("/gateway/", self._socket)
        application.router.add_route("*", "/{path:.*}", self._request)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        sandbox.observers.append(self._observe)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, 0).start()
        self._session = aiohttp.ClientSession(auto_decompress=False)
        self.url = f"http://{HOST}:{self._runner.addresses[0][1]}"
        self._sandbox.world.url = self.url
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        await self._runner.cleanup()

    def recording(self, library: str) -> dict[str, Any]:
        """The recording, to be written as JSON."""
        return {"library": library, "gateway": self._gateway, "requests": self._requests}

    async def _request(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = {name: value for name, value in request.headers.items() if name not in _FORWARDED_APART}
        kept = {
            "method": request.method,
            "path": self._names.written(request.raw_path),
            "headers": {name: self._names.written(value) for name, value in headers.items()},
            "is_chunked": "Transfer-Encoding" in request.headers,
            "body": self._names.written(body.decode()),
        }
        if request.raw_path.startswith("/api/"):
            self._requests[-1].append(kept)
        url = f"{self._behind}{request.raw_path}"
        async with self._session.request(
            request.method, url, headers=headers, data=body or None, skip_auto_headers=["Accept-Encoding"]
        ) as answer:
            content = await answer.read()
            if answer.content_type == "application/json" and content:
                self._names.learn_answer(request.method, request.path, json.loads(content))
            passed = {name: value for name, value in answer.headers.items() if name not in _FORWARDED_APART}
            return web.Response(status=answer.status, body=content, headers=passed)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        kept: dict[str, Any] = {
            "path": request.raw_path,
            "headers": {
                name: value
                for name, value in request.headers.items()
                if not name.startswith(_OF_THE_HANDSHAKE)
            },
            "frames": [],
        }
        self._gateway.append(kept)
        near = web.WebSocketResponse()
        await near.prepare(request)
        async with self._session.ws_connect(f"{self._behind}{request.raw_path}", max_msg_size=0) as far:
            towards = asyncio.create_task(self._pass_on(near, far, kept))
            async for message in far:
                if message.type is aiohttp.WSMsgType.TEXT:
                    await near.send_str(message.data)
                else:
                    await near.send_bytes(message.data)
            towards.cancel()
        if far.close_code in (None, aiohttp.WSCloseCode.ABNORMAL_CLOSURE) and request.transport is not None:
            request.transport.abort()
        else:
            await near.close(code=far.close_code or 1000)
        return near

    async def _pass_on(
        self, near: web.WebSocketResponse, far: aiohttp.ClientWebSocketResponse, kept: dict[str, Any]
    ) -> None:
        with suppress(ConnectionError):
            async for message in near:
                is_binary = message.type is aiohttp.WSMsgType.BINARY
                frame = json.loads(message.data)
                if frame["op"] != _HEARTBEAT:
                    kept["frames"].append({"is_binary": is_binary, "frame": self._without_token(frame)})
                await (far.send_bytes(message.data) if is_binary else far.send_str(message.data))
            await far.close(code=near.close_code or 1000)

    def _without_token(self, frame: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self._names.written(json.dumps(frame)))

    def _observe(self, seen: Exchange | Frame) -> None:
        if not isinstance(seen, Frame) or seen.direction is not Direction.TO_BOT:
            return
        data = seen.payload["d"]
        match seen.payload["t"]:
            case "READY":
                self._names.values["session"] = data["session_id"]
            case "INTERACTION_CREATE" if data["id"] != self._names.values.get("interaction"):
                self._names.learn_interaction(data)  # after a RESUME it may come again
                self._requests.append([])
