"""Gateway sessions and connections: which events arrive, what is replayed, and how connections end."""

import asyncio
import json
import zlib
from typing import Any

import aiohttp
import discord
import pytest
import zstandard
from discord import utils

from sandbox.client.people import NotOfferedError
from sandbox.gateway.frames import Intent
from sandbox.model.interactions import State
from sandbox.model.permissions import Overwrite, Permission
from sandbox.rate_limits import RateLimits
from sandbox.server import TOKEN, Sandbox
from sandbox.traffic import Direction, Frame
from tests.patience import PATIENCE
from tests.sandbox.deadlines import hasty
from tests.sandbox.table_bot import TableBot, running


async def test_a_cut_connection_is_resumed_and_no_event_is_lost(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    table = (await ada.command("cribbage", "crib new", players=2)).reply

    await sandbox.gateway.cut()
    while_away = [ada.press(table, "5H") for _ in range(3)]
    answers = [await press for press in while_away]

    assert [answer.reply.text for answer in answers] == ["played 5H"] * 3
    assert ("resumed", None) in bot.heard
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (1, 1)


async def test_op_7_makes_the_bot_resume(sandbox: Sandbox, bot: TableBot) -> None:
    await sandbox.gateway.reconnect()
    await sandbox.people["Ada"].until(lambda: sandbox.gateway.resumes)

    assert sandbox.gateway.identifies == 1


async def test_an_invalid_session_makes_the_bot_identify_again(sandbox: Sandbox, bot: TableBot) -> None:
    await sandbox.gateway.invalidate()
    await sandbox.people["Ada"].until(lambda: sandbox.gateway.identifies == 2, timeout=PATIENCE)

    assert sandbox.gateway.resumes == 0


async def test_a_session_that_is_forgotten_cannot_be_resumed(sandbox: Sandbox, bot: TableBot) -> None:
    sandbox.gateway.sessions.clear()
    await sandbox.gateway.cut()
    await sandbox.people["Ada"].until(lambda: sandbox.gateway.identifies == 2, timeout=PATIENCE)

    assert (await sandbox.people["Ada"].command("cribbage", "crib play", card="x")).reply.text == "you play x"


@pytest.mark.parametrize(("code", "left"), [(1000, 0), (4000, 1)])
async def test_a_connection_that_ends_with_1000_ends_its_session(
    sandbox: Sandbox, code: int, left: int
) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.url + "/gateway") as socket:
        await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": 1, "properties": {}}})
        while "READY" not in (await socket.receive()).data:
            continue
        await socket.close(code=code)
        await sandbox.people["Ada"].until(lambda: not sandbox.gateway.bot_is_online)

    assert len(sandbox.gateway.sessions) == left


async def test_zlib_compression_works_too(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    class Zlib:
        COMPRESSION_TYPE = "zlib-stream"

        def __init__(self) -> None:
            self.context = zlib.decompressobj()

        def decompress(self, data: bytes, /) -> str:
            assert data.endswith(b"\x00\x00\xff\xff")
            return self.context.decompress(data).decode()

    monkeypatch.setattr(utils, "_ActiveDecompressionContext", Zlib)
    async with running(sandbox):
        answer = await sandbox.people["Ada"].command("cribbage", "crib play", card="5H")

    assert answer.reply.text == "you play 5H"


async def test_zstd_and_plain_text_carry_the_same_hello(sandbox: Sandbox) -> None:
    url = sandbox.url + "/gateway?v=10&encoding=json"
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url) as socket:
            plain = (await socket.receive()).data
        async with session.ws_connect(url + "&compress=zstd-stream") as socket:
            packed = (await socket.receive()).data

    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode() == plain
    assert json.loads(plain)["d"]["heartbeat_interval"] == 41250


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1 << 30}}, 4013),
        ({"op": 2, "d": {"token": TOKEN, "intents": int(Intent.MESSAGE_CONTENT)}}, 4014),
        ({"op": 2, "d": {"token": TOKEN, "intents": 1, "shard": [3, 2]}}, 4010),
        ({"op": 3, "d": {}}, 4003),
        ({"op": 99, "d": {}}, 4001),
        ("nonsense", 4002),
    ],
)
async def test_a_wrong_frame_ends_the_connection(sandbox: Sandbox, frame: Any, code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.url + "/gateway") as socket:
        await socket.receive()
        await socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        await socket.receive()

        assert socket.close_code == code


async def test_too_many_frames_end_the_connection(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.url + "/gateway") as socket:
        for _ in range(121):
            await socket.send_str('{"op": 1, "d": null}')
        while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            continue

        assert socket.close_code == 4008


async def test_heartbeats_are_acknowledged(sandbox: Sandbox) -> None:
    frames: list[Frame] = []
    sandbox.observers.append(lambda seen: frames.append(seen) if isinstance(seen, Frame) else None)
    async with running(sandbox):
        await sandbox.people["Ada"].until(lambda: any(frame.payload["op"] == 11 for frame in frames))

    assert [frame.payload["op"] for frame in frames if frame.direction is Direction.FROM_BOT][:2] == [1, 2]


async def test_without_the_intent_messages_do_not_arrive(sandbox: Sandbox, bot: TableBot) -> None:
    sandbox.people["Ada"].say("general", "hello")
    await sandbox.people["Ada"].command("cribbage", "crib play", card="5H")

    assert bot.heard == []


async def test_with_the_intent_a_message_arrives_without_content_unless_it_mentions_the_bot(
    sandbox: Sandbox,
) -> None:
    intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    async with running(sandbox, TableBot(intents)) as bot:
        ada = sandbox.people["Ada"]
        ada.say("general", "hello all")
        ada.say("general", f"hello {sandbox.world.bot.mention}")
        ada.say(ada.open_dm(), "just you")
        await ada.until(lambda: len(bot.heard) == 3)

    assert [text for _, text in bot.heard] == ["", f"hello {sandbox.world.bot.mention}", "just you"]


async def test_a_granted_privileged_intent_gives_message_content() -> None:
    intents = discord.Intents(guilds=True, guild_messages=True, message_content=True)
    async with (
        Sandbox(privileged_intents=Intent.MESSAGE_CONTENT, rate_limits=RateLimits.relaxed()) as sandbox,
        running(sandbox, TableBot(intents)) as bot,
    ):
        sandbox.people["Ada"].say("general", "hello all")
        await sandbox.people["Ada"].until(lambda: bot.heard)

    assert bot.heard == [("message", "hello all")]


async def test_nothing_arrives_from_a_channel_that_the_bot_cannot_see(sandbox: Sandbox) -> None:
    ada = sandbox.people["Ada"]
    overwrite = Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.VIEW_CHANNEL)
    ada.set_overwrite("general", overwrite)
    async with running(sandbox, TableBot(discord.Intents(guilds=True, guild_messages=True))) as bot:
        ada.say("general", "secret")
        ada.say("cribbage", "open")
        await ada.until(lambda: bot.heard)
        await asyncio.sleep(0.05)

    assert len(bot.heard) == 1


async def test_the_bot_is_removed_and_invited_again(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]

    table = (await ada.command("cribbage", "crib new", players=2)).reply
    ada.kick_bot()
    await ada.until(lambda: not bot.guilds)
    with hasty(sandbox):
        assert (await ada.press(table, "5H")).state is State.FAILED
    assert ada.commands("cribbage") == []
    with pytest.raises(discord.Forbidden) as refused:
        await bot.fetch_channel(int(sandbox.channels["cribbage"].id))
    assert refused.value.code == 50001

    ada.invite_bot()
    await ada.until(lambda: [kind for kind, _ in bot.heard] == ["guild_remove", "guild_join"])
    assert (await ada.command("cribbage", "crib play", card="5H")).reply.text == "you play 5H"


async def test_channels_come_and_go(sandbox: Sandbox, bot: TableBot) -> None:
    ada = sandbox.people["Ada"]
    thread = ada.start_thread("cribbage", "a game")
    await ada.until(lambda: bot.guilds[0].get_thread(int(thread.id)))

    gone = sandbox.channels["cribbage"]
    ada.delete_channel("cribbage")
    await ada.until(lambda: ("channel_delete", int(gone.id)) in bot.heard)

    assert bot.guilds[0].get_thread(int(thread.id)) is None
    assert "cribbage" not in sandbox.channels


async def test_a_dm_arrives_with_its_content_and_only_with_the_intent(sandbox: Sandbox) -> None:
    ada = sandbox.people["Ada"]
    for direct in (False, True):
        async with running(sandbox, TableBot(discord.Intents(guilds=True, dm_messages=direct))) as bot:
            ada.say_in_dm("hello")
            ada.say("cribbage", "not for the bot")
            # Whatever came before the answer to a command has arrived with it.
            await ada.command("cribbage", "crib new", players=2)

            assert bot.heard == [("message", "hello")] * direct
    ada.kick_bot()
    with pytest.raises(NotOfferedError, match="shares no server"):
        ada.say_in_dm("anybody?")


async def test_an_ephemeral_answer_comes_back_as_if_it_were_a_dm(sandbox: Sandbox) -> None:
    frames: list[Any] = []
    intents = discord.Intents(guilds=True, dm_messages=True)
    async with running(sandbox, TableBot(intents)) as bot:
        sandbox.observers.append(frames.append)
        await sandbox.people["Ada"].command("cribbage", "crib play", card="5H")
        await sandbox.people["Ada"].until(lambda: bot.heard)

    events = [each.payload for each in frames if isinstance(each, Frame)]
    [event] = [each["d"] for each in events if each["t"] == "MESSAGE_CREATE"]
    assert event["flags"] & 64
    assert (event["author"]["id"], "guild_id" in event) == (sandbox.world.bot.id, False)
