"""The ways of other libraries: what they send beyond what discord.py does, and two bots that were recorded.

A recording is of the fifteen steps of `make foreign`. It has the requests by the number of interactions that
the bot had got, with names in place of the ids and tokens of that run; headers, queries, forms and frames are
as the library made them.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import zstandard
from yarl import URL

from programs.foreign.recorder import Names
from programs.foreign.steps import STEPS, Steps, walk
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.patience import PATIENCE
from tests.sandbox.asking import Rest
from tests.sandbox.connection import connected


async def test_oceanic_identifies_and_resumes_with_bot_before_its_token(sandbox: Sandbox) -> None:
    """As it does by its source; how hikari does it is recorded below."""
    token = f"Bot {sandbox.token}"
    identity = {
        "compress": False,
        "intents": 1,
        "large_threshold": 250,
        "properties": {"browser": "oceanic", "device": "oceanic", "os": "linux"},
    }
    async with connected(sandbox, "?v=10&encoding=json") as socket:
        await socket.socket.send_json({"op": 2, "d": identity | {"token": token}})
        ready = await socket.until("READY")
        await socket.socket.close(code=4000)
    async with connected(sandbox, "?v=10&encoding=json") as socket:
        resume = {"token": token, "session_id": ready["session_id"], "seq": 1}
        await socket.socket.send_json({"op": 6, "d": resume})
        await socket.until("RESUMED")


async def test_a_connection_in_etf_is_told_that_json_is_spoken(sandbox: Sandbox) -> None:
    """As eris and oceanic ask for it where their optional package is installed; Discord speaks both."""
    url = f"{sandbox.url}/gateway?v=10&encoding=etf"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        while (message := await socket.receive(timeout=PATIENCE)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 4002
        assert "encoding=json" in str(message.extra)


async def test_a_form_with_payload_json_is_a_body(sandbox: Sandbox, messages: str) -> None:
    """As py-cord sends callbacks, and as the API reference allows."""
    headers = {"Authorization": f"Bot {sandbox.token}"}
    form = {"payload_json": json.dumps({"content": "as a form"})}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(f"{sandbox.url}/api/v10{messages}", data=form) as answer,
    ):
        assert answer.request_info.headers["Content-Type"] == "application/x-www-form-urlencoded"
        assert (answer.status, (await answer.json())["content"]) == (200, "as a form")


async def test_the_application_has_what_interactions_py_reads(rest: Rest) -> None:
    assert (await rest("GET", "/oauth2/applications/@me"))[1]["summary"] == ""


RECORDINGS = sorted((Path(__file__).parents[1] / "data/foreign").glob("*.json"))


class RecordedBot:
    """A bot that sends what a library sent."""

    def __init__(self, sandbox: Sandbox, recording: dict[str, Any], session: aiohttp.ClientSession) -> None:
        self._sandbox = sandbox
        self._recording = recording
        self._session = session
        self._names = Names(sandbox)
        self._requests = list(recording["requests"])
        self._sequence = 0
        self.refusals: list[tuple[str, int]] = []
        """Requests that were answered with an error, and its status."""

    async def run(self) -> None:
        """Connect as often as the library did, and answer until the test ends."""
        for connection in self._recording["gateway"]:
            async with self._session.ws_connect(
                f"{self._sandbox.url}{connection['path']}", headers=connection["headers"]
            ) as socket:
                for each in connection["frames"]:
                    text = self._names.read(json.dumps(self._current(each["frame"])))
                    await (socket.send_bytes(text.encode()) if each["is_binary"] else socket.send_str(text))
                unpack = unpacker(connection["path"])
                async for message in socket:
                    await self._hear(json.loads(unpack(message.data)))

    def _current(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "seq" not in frame["d"]:
            return frame
        return frame | {"d": frame["d"] | {"seq": self._sequence}}

    async def _hear(self, frame: dict[str, Any]) -> None:
        self._sequence = frame["s"] or self._sequence
        match frame["t"]:
            case "READY":
                self._names.values["session"] = frame["d"]["session_id"]
            case "GUILD_CREATE":
                await self._send_next()
            case "INTERACTION_CREATE":
                self._names.learn_interaction(frame["d"])
                await self._send_next()

    async def _send_next(self) -> None:
        for request in self._requests.pop(0):
            await self._send(request)

    async def _send(self, request: dict[str, Any]) -> None:
        body: Any = self._names.read(request["body"]).encode() or None
        if request["is_chunked"]:
            body = in_chunks(body)
        path = self._names.read(request["path"])
        async with self._session.request(
            request["method"],
            URL(f"{self._sandbox.url}{path}", encoded=True),
            headers={name: self._names.read(value) for name, value in request["headers"].items()},
            data=body,
        ) as answer:
            if answer.status >= 400:
                self.refusals.append((request["path"], answer.status))
            content = await answer.read()
            if content:
                self._names.learn_answer(request["method"], path, json.loads(content))


def with_compression(file: Path, compression: str | None) -> dict[str, Any]:
    """A recording, in which each connection asks for that compression."""
    recording = json.loads(file.read_text(encoding="utf-8"))
    query = {"v": "10", "encoding": "json"} | ({"compress": compression} if compression else {})
    for connection in recording["gateway"]:
        connection["path"] = str(URL(connection["path"]).with_query(query))
    return recording


async def in_chunks(body: bytes) -> AsyncIterator[bytes]:
    """A body without a length."""
    half = len(body) // 2
    yield body[:half]
    yield body[half:]


def unpacker(path: str) -> Any:
    """The inverse of the gateway's compression that a path asks for."""
    match URL(path).query.get("compress"):
        case "zlib-stream":
            return zlib.decompressobj().decompress
        case "zstd-stream":
            return zstandard.ZstdDecompressor().decompressobj().decompress
        case _:
            return lambda data: data


@asynccontextmanager
async def playing(recording: dict[str, Any]) -> AsyncIterator[tuple[Steps, RecordedBot]]:
    async with (
        Sandbox(rate_limits=RateLimits.relaxed(), deadlines=Deadlines(first_answer=PATIENCE)) as sandbox,
        aiohttp.ClientSession() as session,
    ):
        bot = RecordedBot(sandbox, recording, session)
        steps = Steps(sandbox, patience=PATIENCE)
        running = asyncio.create_task(bot.run())
        try:
            yield steps, bot
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


def test_both_are_recorded() -> None:
    assert [each.stem for each in RECORDINGS] == ["discord.js", "hikari"]


@pytest.mark.parametrize("compression", [None, "zlib-stream", "zstd-stream"])
@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
async def test_a_recorded_bot_passes_every_step(file: Path, compression: str | None) -> None:
    """With each compression that a bot may ask the gateway for; the library's own is among them."""
    recording = with_compression(file, compression)
    async with playing(recording) as (steps, bot):
        outcomes = await walk(steps)

    assert outcomes == [(name, None) for name in STEPS]
    assert bot.refusals == [
        ("/api/v10/channels/{channel}/messages", 429),
        ("/api/v10/channels/{channel}/messages", 400),
    ]
