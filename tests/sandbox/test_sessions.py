"""Logging in, and sessions of the gateway: which events arrive, what is replayed, and how connections end."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import discord
import pytest
import zstandard

from sandbox import assumptions
from sandbox.client.people import NotOfferedError, Person
from sandbox.gateway.frames import Intent
from sandbox.model.channels import ChannelType
from sandbox.model.interactions import State
from sandbox.model.permissions import Overwrite, Permission
from sandbox.model.world import CHANNELS
from sandbox.rate_limits import RateLimits
from sandbox.server import TOKEN, Sandbox
from sandbox.traffic import Direction, Exchange, Frame
from tests.conformance import Conformance
from tests.patience import PATIENCE
from tests.sandbox.asking import Rest, deny, hasty, refused
from tests.sandbox.connection import connected
from tests.sandbox.table_bot import TableBot, pointed_at, running


async def test_a_client_logs_in_and_looks_round(
    sandbox: Sandbox, ada: Person, ben: Person, bot: TableBot
) -> None:
    [guild] = bot.guilds
    assert guild.name == "The Crib Room"
    assert {channel.name for channel in guild.text_channels} == {"cribbage", "second-table", "general"}
    assert guild.me.id == int(sandbox.world.bot.id)
    assert guild.me.guild_permissions.send_messages
    assert sandbox.gateway.bot_is_online

    assert (await bot.application_info()).id == bot.application_id
    fetched = await bot.fetch_guild(guild.id)
    assert (await fetched.fetch_member(int(ben.id))).global_name == "Ben"
    assert len(await fetched.fetch_channels()) == 3
    assert {role.name for role in await fetched.fetch_roles()} == {"@everyone", "Fifteen Two"}
    assert [each.name async for each in bot.fetch_guilds()] == ["The Crib Room"]
    with refused(404, 10013):
        await bot.fetch_user(1)

    assert [command.name for command in await bot.tree.fetch_commands()] == ["crib"]
    bot.tree.copy_global_to(guild=guild)
    await bot.tree.sync(guild=guild)
    assert len(ada.commands("cribbage")) == 2, "the guild's own stand beside the global ones"


async def test_a_wrong_token_gets_401(sandbox: Sandbox, rest: Rest) -> None:
    answered = await rest("GET", "/users/@me", token="wrong")
    assert answered == (401, {"message": "401: Unauthorized", "code": 0})
    with pointed_at(sandbox.url), pytest.raises(discord.LoginFailure):
        async with TableBot() as bot:
            await bot.login("wrong")


async def test_an_unknown_path_is_404(rest: Rest, conformance: Conformance) -> None:
    assert (await rest("GET", "/nonsense"))[0] == 404
    assert [violation.message for violation in conformance.violations] == ["there is no such operation"]
    conformance.violations.clear()


async def test_a_sharded_client_asks_for_its_gateway_and_gets_in(sandbox: Sandbox, rest: Rest) -> None:
    class Sharded(TableBot, discord.AutoShardedClient):
        pass

    _, answer = await rest("GET", "/gateway/bot")
    assert answer["url"] == sandbox.url.replace("http", "ws") + "/gateway"
    assert answer["session_start_limit"]["remaining"] == 1000
    async with running(sandbox, Sharded()) as bot:
        assert bot.guilds[0].name == "The Crib Room"


async def test_a_cut_connection_is_resumed_and_no_event_is_lost(
    sandbox: Sandbox, ada: Person, bot: TableBot
) -> None:
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    await sandbox.gateway.cut()
    while_away = [ada.press(table, "5H") for _ in range(3)]
    assert [(await press).reply.text for press in while_away] == ["played 5H"] * 3
    assert ("resumed", None) in bot.heard
    assert (sandbox.gateway.identifies, sandbox.gateway.resumes) == (1, 1)

    await sandbox.gateway.reconnect()
    await ada.until(lambda: sandbox.gateway.resumes == 2)
    assert sandbox.gateway.identifies == 1


async def test_events_come_twice_and_again_after_a_resume_where_a_test_wants_it(sandbox: Sandbox) -> None:
    trouble = sandbox.gateway.trouble
    trouble.doubled.add("CHANNEL_UPDATE")
    async with connected(sandbox) as socket:
        await socket.identify(None)
        session = (await socket.until("READY"))["session_id"]
        sandbox.world.update_channel(sandbox.channels["cribbage"])
        names = [(await socket.next())[0] for _ in range(3)]
        assert names == ["GUILD_CREATE", "CHANNEL_UPDATE", "CHANNEL_UPDATE"]
        await socket.socket.close(code=4000)
    trouble.doubled.clear()
    trouble.replayed = 2
    sandbox.world.add_channel("another")
    async with connected(sandbox) as socket:
        resume = {"token": sandbox.token, "session_id": session, "seq": 4}
        await socket.socket.send_json({"op": 6, "d": resume})
        names = [(await socket.next())[0] for _ in range(4)]
        assert names == ["CHANNEL_UPDATE", "CHANNEL_UPDATE", "CHANNEL_CREATE", "RESUMED"]


async def test_a_session_that_is_invalid_or_forgotten_cannot_be_resumed(
    sandbox: Sandbox, ada: Person, bot: TableBot
) -> None:
    await sandbox.gateway.invalidate()
    await ada.until(lambda: sandbox.gateway.identifies == 2, timeout=PATIENCE)
    sandbox.gateway.sessions.clear()
    await sandbox.gateway.cut()
    await ada.until(lambda: sandbox.gateway.identifies == 3, timeout=PATIENCE)
    assert sandbox.gateway.resumes == 0
    assert (await ada.command("cribbage", "crib play", card="x")).reply.text == "you play x"


async def test_after_op_9_a_client_may_identify_on_the_same_connection(sandbox: Sandbox) -> None:
    async with connected(sandbox) as socket:
        await socket.identify(None)
        first = await socket.until("READY")
        await sandbox.gateway.invalidate()
        assert not sandbox.gateway.bot_is_online
        await socket.identify(None)
        assert (await socket.until("READY"))["session_id"] != first["session_id"]
    assert sandbox.gateway.identifies == 2


@pytest.mark.parametrize(("code", "left"), [(1000, 0), (4000, 1)])
async def test_a_connection_that_ends_with_1000_ends_its_session(
    sandbox: Sandbox, ada: Person, code: int, left: int
) -> None:
    async with connected(sandbox) as socket:
        await socket.identify(None)
        await socket.until("READY")
        await socket.socket.close(code=code)
        await ada.until(lambda: not sandbox.gateway.bot_is_online)
    assert len(sandbox.gateway.sessions) == left


async def test_zstd_and_plain_text_carry_the_same_hello(sandbox: Sandbox) -> None:
    url = sandbox.url + "/gateway?v=10&encoding=json"
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url) as socket:
            plain = (await socket.receive()).data
        async with session.ws_connect(url + "&compress=zstd-stream") as socket:
            packed = (await socket.receive()).data
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode() == plain
    assert json.loads(plain)["d"]["heartbeat_interval"] == 41250


MALFORMED: list[Any] = [None, [], "token"]
WRONG_FRAMES: list[tuple[Any, int]] = [
    ({"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004),
    ({"op": 2, "d": {"token": TOKEN, "intents": 1 << 30}}, 4013),
    ({"op": 2, "d": {"token": TOKEN, "intents": int(Intent.MESSAGE_CONTENT)}}, 4014),
    ({"op": 2, "d": {"token": TOKEN, "intents": 1, "shard": [3, 2]}}, 4010),
    *(({"op": 2, "d": data}, 4002) for data in MALFORMED),
    *(({"op": 2, "d": {"token": token, "intents": 1}}, 4004) for token in (None, ["Bot"])),
    ({"op": 3, "d": {}}, 4003),
    ({"op": 99, "d": {}}, 4001),
    ("nonsense", 4002),
    (b"\x83t\x00\x00\x00\x01d\x00\x02opa\x02", 4002),  # a frame in ETF
]


async def test_a_wrong_frame_ends_the_connection(sandbox: Sandbox) -> None:
    for frame, code in WRONG_FRAMES:
        async with connected(sandbox) as socket:
            if isinstance(frame, bytes):
                await socket.socket.send_bytes(frame)
            else:
                await socket.socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
            assert await socket.end() == code, frame


async def test_too_many_frames_end_the_connection(sandbox: Sandbox) -> None:
    async with connected(sandbox) as socket:
        for _ in range(121):
            await socket.socket.send_str('{"op": 1, "d": null}')
        assert await socket.end() == 4008


async def test_without_the_intent_messages_do_not_arrive(ada: Person, bot: TableBot) -> None:
    ada.say("general", "hello")
    await ada.command("cribbage", "crib play", card="5H")
    assert bot.heard == []


async def test_with_the_intent_messages_arrive_from_where_the_bot_sees_without_content_unless_they_mention_it(
    sandbox: Sandbox, ada: Person
) -> None:
    deny(ada, sandbox.world.bot.id, Permission.VIEW_CHANNEL, "second-table")
    intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    async with running(sandbox, TableBot(intents)) as bot:
        ada.say("second-table", f"secret {sandbox.world.bot.mention}")
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


async def test_the_bot_is_removed_and_invited_again(sandbox: Sandbox, ada: Person, bot: TableBot) -> None:
    table = (await ada.command("cribbage", "crib new", players=2)).reply
    ada.kick_bot()
    await ada.until(lambda: not bot.guilds)
    with hasty(sandbox):
        assert (await ada.press(table, "5H")).state is State.FAILED
    assert ada.commands("cribbage") == []
    with refused(403, 50001):
        await bot.fetch_channel(int(sandbox.channels["cribbage"].id))
    ada.invite_bot()
    await ada.until(lambda: [kind for kind, _ in bot.heard] == ["guild_remove", "guild_join"])
    assert (await ada.command("cribbage", "crib play", card="5H")).reply.text == "you play 5H"


async def test_channels_come_and_go(sandbox: Sandbox, ada: Person, bot: TableBot) -> None:
    thread = ada.start_thread("cribbage", "a game")
    await ada.until(lambda: bot.guilds[0].get_thread(int(thread.id)))
    gone = sandbox.channels["cribbage"]
    ada.delete_channel("cribbage")
    await ada.until(lambda: ("channel_delete", int(gone.id)) in bot.heard)
    assert bot.guilds[0].get_thread(int(thread.id)) is None
    assert "cribbage" not in sandbox.channels


KINDS = [each for each in ChannelType if each in (0, 2, 5, 13, 15)]
"""The kinds of channels of a server."""


@pytest.mark.parametrize("are_null", [True, False])
async def test_a_channel_that_the_bot_may_not_view_is_hidden_until_it_may(
    sandbox: Sandbox, ada: Person, rest: Rest, are_null: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Discord since 16 November 2026, by its change log of 12 August."""
    monkeypatch.setattr(assumptions, "HIDDEN_FIELDS_ARE_NULL", are_null)
    world, me = sandbox.world, sandbox.world.bot.id
    channels = [world.add_channel(kind.name, kind, position=kind) for kind in KINDS]
    thread = ada.start_thread(channels[0], "a game")
    for channel in channels:
        ada.set_overwrite(channel, Overwrite(me, is_member=True, deny=Permission.VIEW_CHANNEL))
    denied = {"id": world.guild.id, "type": 0, "allow": "0", "deny": "1024"}
    shown = {"name": "___hidden___", "flags": 1 << 17, "permission_overwrites": [denied], "parent_id": None}

    async with connected(sandbox) as socket:
        await socket.identify(None)
        guild = await socket.until("GUILD_CREATE")
        told = {each["id"]: each for each in guild["channels"]}
        for channel in channels:
            here = shown | {"id": channel.id, "guild_id": world.guild.id}
            here |= {"type": channel.type, "position": channel.type}
            nulls = channel.payload().keys() - here.keys() if are_null else ()
            assert told[channel.id] == here | dict.fromkeys(nulls)
        assert guild["threads"] == []
        _, listed = await rest("GET", f"/guilds/{world.guild.id}/channels")
        assert {each["name"] for each in listed} == set(CHANNELS)

        ada.set_overwrite(channels[0], Overwrite(me, is_member=True))
        assert (await socket.until("CHANNEL_UPDATE"))["name"] == "TEXT"
        assert [each["id"] for each in (await socket.until("THREAD_LIST_SYNC"))["threads"]] == [thread.id]
        for role in list(world.guild.roles.values()):
            world.update_role(role, role.permissions & ~Permission.VIEW_CHANNEL)
        for _ in (*CHANNELS, channels[0]):
            assert (await socket.until("CHANNEL_UPDATE"))["name"] == "___hidden___"
        ada.delete_channel(channels[0])
        assert (await socket.until("CHANNEL_DELETE"))["name"] == "___hidden___"


async def test_what_discord_offers_everybody_is_as_it_describes_it(
    sandbox: Sandbox, ada: Person, rest: Rest, messages: str
) -> None:
    thread = ada.start_thread("cribbage", "a game")
    sandbox.world.add_to_thread(thread, sandbox.world.bot)
    for path in ("/soundboard-default-sounds", "/sticker-packs", "/voice/regions", f"{messages}/pins"):
        status, answer = await rest("GET", path)
        assert (status, len(answer) > 0) == (200, True)
    _, answer = await rest("GET", f"/guilds/{sandbox.world.guild.id}/threads/active")
    assert [each["id"] for each in answer["threads"]] == [thread.id]
    assert [each["user_id"] for each in answer["members"]] == [sandbox.world.bot.id]


async def test_a_dm_arrives_with_its_content_and_only_with_the_intent(sandbox: Sandbox, ada: Person) -> None:
    frames: list[Any] = []
    sandbox.observers.append(frames.append)
    for direct in (False, True):
        frames.clear()
        async with running(sandbox, TableBot(discord.Intents(guilds=True, dm_messages=direct))) as bot:
            ada.say_in_dm("hello")
            ada.say("cribbage", "not for the bot")
            # Whatever came before the answer to a command has arrived with it.
            await ada.command("cribbage", "crib new", players=2)
            assert bot.heard == [("message", "hello")] * direct
            await ada.command("cribbage", "crib play", card="5H")
            await ada.until(lambda bot=bot, direct=direct: len(bot.heard) == 2 * direct)
    events = [each.payload["d"] for each in frames if isinstance(each, Frame) and each.payload.get("t")]
    event = [each for each in events if "author" in each][-1]
    assert event["flags"] & 64, "an ephemeral answer comes back as if it were a DM"
    assert (event["author"]["id"], "guild_id" in event) == (sandbox.world.bot.id, False)

    ada.kick_bot()
    with pytest.raises(NotOfferedError, match="shares no server"):
        ada.say_in_dm("anybody?")


async def test_observers_see_every_exchange_and_every_frame(sandbox: Sandbox, ada: Person) -> None:
    seen: list[Exchange | Frame] = []
    sandbox.observers.append(seen.append)
    async with running(sandbox):
        await ada.command("cribbage", "crib table")
        await ada.until(lambda: any(_is_callback(each) for each in seen))
        await ada.until(lambda: any(isinstance(each, Frame) and each.payload["op"] == 11 for each in seen))

    exchanges = [each for each in seen if isinstance(each, Exchange)]
    frames = [each for each in seen if isinstance(each, Frame)]
    callback = next(each for each in exchanges if _is_callback(each))
    assert [each.path for each in exchanges[:2]] == ["/users/@me", "/oauth2/applications/@me"]
    assert (callback.query, callback.body["type"]) == ({"with_response": "1"}, 4)
    assert [(file.index, file.filename) for file in callback.files] == [(0, "table.png")]
    assert callback.answer["resource"]["type"] == 4
    assert "Authorization" not in callback.headers
    assert "READY" in [each.payload.get("t") for each in frames if each.direction is Direction.TO_BOT]
    sent = [each.payload["op"] for each in frames if each.direction is Direction.FROM_BOT]
    assert sent[:2] == [1, 2], "a heartbeat, which is acknowledged, and an identify"


def _is_callback(seen: Exchange | Frame) -> bool:
    return isinstance(seen, Exchange) and seen.path.endswith("/callback")


async def test_the_sandbox_can_speak_for_itself(sandbox: Sandbox, ben: Person) -> None:
    sandbox.post(sandbox.channels["cribbage"], "Welcome!")
    [message] = ben.sees("cribbage")
    assert (message.text, message.author.global_name) == ("Welcome!", "Fifteen Two sandbox")
