"""The ways of other libraries, written after their sources: what discord.py never sends."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

from sandbox.server import Sandbox
from tests.patience import PATIENCE

OF_HIKARI = {
    "compress": False,
    "intents": 1,
    "large_threshold": 250,
    "presence": {"activities": [], "afk": False, "since": None, "status": "online"},
    "properties": {"browser": "hikari", "device": "hikari", "os": "Linux x86_64"},
    "shard": [0, 1],
}
OF_OCEANIC = {
    "compress": False,
    "intents": 1,
    "large_threshold": 250,
    "properties": {"browser": "oceanic", "device": "oceanic", "os": "linux"},
}


class Gateway:
    """A connection without a library."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def until(self, name: str) -> Any:
        """The data of the next event of that name."""
        while True:
            frame = json.loads(await self.socket.receive_str(timeout=PATIENCE))
            if frame["t"] == name:
                return frame["d"]


@pytest.mark.parametrize(
    ("identity", "prefix", "is_binary"),
    [(OF_HIKARI, "", True), (OF_OCEANIC, "Bot ", False)],
    ids=["hikari", "oceanic"],
)
async def test_they_identify_and_resume(
    sandbox: Sandbox, identity: dict[str, Any], prefix: str, is_binary: bool
) -> None:
    async def send(socket: aiohttp.ClientWebSocketResponse, op: int, data: dict[str, Any]) -> None:
        text = json.dumps({"op": op, "d": data})
        await (socket.send_bytes(text.encode()) if is_binary else socket.send_str(text))

    token = prefix + sandbox.token
    async with aiohttp.ClientSession() as session:
        url = f"{sandbox.url}/gateway?v=10&encoding=json"
        async with session.ws_connect(url) as socket:
            await send(socket, 2, identity | {"token": token})
            ready = await Gateway(socket).until("READY")
            await socket.close(code=4000)
        async with session.ws_connect(url) as socket:
            resume = {"token": token, "session_id": ready["session_id"], "seq": 1}
            await send(socket, 6, resume)
            await Gateway(socket).until("RESUMED")
            await socket.close()


@pytest.mark.parametrize(
    "data", [None, [], "token", {"token": None, "intents": 1}, {"token": ["Bot"], "intents": 1}]
)
async def test_a_malformed_identify_ends_the_connection(sandbox: Sandbox, data: object) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{sandbox.url}/gateway?v=10") as socket,
    ):
        await socket.send_str(json.dumps({"op": 2, "d": data}))
        while (message := await socket.receive(timeout=PATIENCE)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code in {4002, 4004}, message


async def test_a_connection_in_etf_is_told_that_json_is_spoken(sandbox: Sandbox) -> None:
    """As eris and oceanic ask for it where their optional package is installed; Discord speaks both."""
    url = f"{sandbox.url}/gateway?v=10&encoding=etf"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        while (message := await socket.receive(timeout=PATIENCE)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 4002
        assert "encoding=json" in str(message.extra)


async def test_a_frame_in_etf_ends_the_connection(sandbox: Sandbox) -> None:
    url = f"{sandbox.url}/gateway?v=10&encoding=json"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.send_bytes(b"\x83t\x00\x00\x00\x01d\x00\x02opa\x02")
        while (await socket.receive(timeout=PATIENCE)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 4002


async def test_a_form_with_payload_json_is_a_body(sandbox: Sandbox) -> None:
    """As py-cord sends callbacks, and as the API reference allows."""
    channel = sandbox.channels["cribbage"]
    headers = {"Authorization": f"Bot {sandbox.token}"}
    url = f"{sandbox.url}/api/v10/channels/{channel.id}/messages"
    async with aiohttp.ClientSession(headers=headers) as session:
        form = {"payload_json": json.dumps({"content": "as a form"})}
        async with session.post(url, data=form) as answer:
            assert answer.request_info.headers["Content-Type"] == "application/x-www-form-urlencoded"
            assert (answer.status, (await answer.json())["content"]) == (200, "as a form")


async def test_a_malformed_body_is_refused() -> None:
    async with Sandbox() as sandbox:  # not held to Discord's description
        headers = {"Authorization": f"Bot {sandbox.token}"}
        url = f"{sandbox.url}/api/v10/channels/{sandbox.channels['cribbage'].id}/messages"
        async with aiohttp.ClientSession(headers=headers) as session:
            async with session.post(url, data={"payload_json": "{"}) as answer:
                assert (answer.status, (await answer.json())["code"]) == (400, 50109)
            async with session.post(url, json={"content": "x", "flags": 1.5}) as answer:
                assert (answer.status, (await answer.json())["code"]) == (400, 50035)


async def test_the_application_has_what_interactions_py_reads(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{sandbox.url}/api/v10/oauth2/applications/@me") as answer,
    ):
        assert (await answer.json())["summary"] == ""
