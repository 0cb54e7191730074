"""A stub of the server's side of the page's socket, driven by the test."""

import asyncio
import contextlib
import json
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web
from playwright.async_api import Page

from tests.page.samples import CRIBBAGE

JSON = dict[str, Any]

FILES = Path(__file__).resolve().parents[2] / "sandbox" / "page"
PATIENCE = 5.0
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
"""One transparent pixel."""


class SmallDiscord:
    """A Discord with one guild, whose state is the data of READY."""

    def __init__(self) -> None:
        self.url = ""
        self.ready: JSON = {}
        self.away = False
        """True to refuse new connections."""

        self.open: Callable[..., Awaitable[Page]]
        """Opens the page and waits for its clients; `query` is that of its address."""

        self._sockets: dict[str, list[web.WebSocketResponse]] = {}
        self._heard: list[JSON] = []
        self._news = asyncio.Condition()

    async def begin_again(self, ready: JSON) -> None:
        """Forget everything, as for another test: only address and files stay, which browsers keep."""
        await self.drop()
        self.ready, self.away = ready, False
        self._sockets.clear()
        self._heard.clear()

    async def _file(self, request: web.Request) -> web.Response:
        body, kind = _read(request.match_info.get("path", "index.html"))
        return web.Response(body=body, content_type=kind, headers={"Cache-Control": "max-age=3600"})

    async def _people(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {key: self.ready[key] for key in ("people", "bot", "guild", "emoji_in_headings")}
        )

    async def _picture(self, _request: web.Request) -> web.Response:
        return web.Response(body=PICTURE, content_type="image/png")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.away:
            raise web.HTTPServiceUnavailable
        user = request.query["user"]
        if user not in {person["id"] for person in self.ready["people"]}:
            raise web.HTTPNotFound
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._sockets.setdefault(user, []).append(socket)
        await socket.send_json({"t": "READY", "d": self._ready(user)})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                frame = json.loads(message.data) | {"user": user}
                if frame["op"] == "sync":
                    await socket.send_json({"t": "READY", "d": self._ready(user)})
                async with self._news:
                    self._heard.append(frame)
                    self._news.notify_all()
        self._sockets[user].remove(socket)
        return socket

    def _ready(self, user: str) -> JSON:
        return self.ready | {"me": next(each for each in self.ready["people"] if each["id"] == user)}

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["SmallDiscord"]:
        """Listen on a free port."""
        application = web.Application()
        application.add_routes(
            [
                web.get("/", self._file),
                web.get("/page/people", self._people),
                web.get("/page/socket", self._socket),
                web.get("/cdn/{path:.+}", self._picture),
                web.get("/static/{path:.+}", self._file),
            ]
        )
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await self.drop()
            await runner.cleanup()

    async def shows(self, *messages: JSON, **how: Any) -> Page:
        """A page, opened like that, with these messages in #cribbage and no others."""
        self.ready["messages"][CRIBBAGE] = list(messages)
        return await self.open(**how)

    async def tell(self, name: str, data: JSON | list[JSON], *, to: str | None = None) -> None:
        """Send an event to one person, or to everybody."""
        for user, sockets in self._sockets.items():
            if to in (None, user):
                for socket in list(sockets):
                    await socket.send_json({"t": name, "d": data})

    async def hear(self, op: str) -> JSON:
        """The next request of this kind that the test has not taken yet."""

        def found() -> JSON | None:
            return next((frame for frame in self._heard if frame["op"] == op), None)

        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: found() is not None)
            frame = found()
            assert frame is not None
            self._heard.remove(frame)
            return frame

    def unheard(self, op: str) -> list[JSON]:
        """The requests of this kind that have come and were not taken."""
        return [frame for frame in self._heard if frame["op"] == op]

    async def drop(self) -> None:
        """Break every connection."""
        for sockets in list(self._sockets.values()):
            for socket in list(sockets):
                await socket.close()


@cache
def _read(path: str) -> tuple[bytes, str]:
    """One of the page's files, and what kind of file it is; kept, since every test asks for all of them."""
    return (FILES / path).read_bytes(), mimetypes.guess_type(path)[0] or "application/octet-stream"
