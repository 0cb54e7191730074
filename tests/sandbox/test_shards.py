"""Shards and guilds: which events each shard gets, and what a test lets happen to one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.gateway.frames import Intent
from sandbox.gateway.shards import Shards, shard_of
from sandbox.model.guilds import Guild
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.sandbox.asking import Rest, asking
from tests.sandbox.connection import Socket, connected, screen_of

COUNT = 4
HOME = 2
"""The first guild's shard."""


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    shards = Shards(count=COUNT, max_concurrency=COUNT, home=HOME)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        yield sandbox


@pytest.fixture
def elsewhere(sandbox: Sandbox) -> Guild:
    """A second guild, of shard 1."""
    return sandbox.world.add_guild("The Peg Board")


def shard(guild: Guild) -> int:
    return shard_of(guild.id, COUNT)


def by_name(guild: Guild, name: str):
    return next(each for each in guild.channels.values() if each.name == name)


async def begun(socket: Socket, number: int) -> list[str]:
    """Identify as that shard; the ids of the guilds that READY lists, each of which is told then."""
    await socket.identify(number, intents=Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES)
    name, data = await socket.next()
    assert name == "READY"
    listed = [each["id"] for each in data["guilds"]]
    assert [(await socket.next())[1]["id"] for _ in listed] == listed
    return listed


async def test_guilds_are_spread_over_the_shards_and_have_channels_people_and_the_bot(
    sandbox: Sandbox,
) -> None:
    world = sandbox.world
    made = [world.add_guild(f"guild {number}") for number in range(2 * COUNT)]

    assert Counter(map(shard, made)) == dict.fromkeys(range(COUNT), 2)
    assert len({each.id for each in made} | {world.guild.id}) == 2 * COUNT + 1
    for each in made:
        assert [channel.name for channel in each.channels.values()] == ["cribbage", "second-table", "general"]
        assert {person.id for person in sandbox.people.values()} | {world.bot.id} <= each.members.keys()


async def test_each_shard_is_told_of_its_own_guilds_and_direct_messages_go_to_shard_0(
    sandbox: Sandbox, ada: Person, elsewhere: Guild
) -> None:
    async with connected(sandbox) as zero, connected(sandbox) as one, connected(sandbox) as home:
        listed = [await begun(socket, number) for number, socket in ((0, zero), (1, one), (HOME, home))]
        assert listed == [[], [elsewhere.id], [sandbox.world.guild.id]]
        assert [sandbox.gateway.is_online(each) for each in range(COUNT)] == [True, True, True, False]

        ada.say(by_name(elsewhere, "cribbage"), "there")
        ada.say("cribbage", "here")
        ada.say_in_dm("to you alone")
        told = [await socket.next() for socket in (one, home, zero)]
        assert [(name, data.get("guild_id")) for name, data in told] == [
            ("MESSAGE_CREATE", elsewhere.id),
            ("MESSAGE_CREATE", sandbox.world.guild.id),
            ("MESSAGE_CREATE", None),
        ]
        ada.start_thread("cribbage", "a game")
        assert (await home.next())[0] == "THREAD_CREATE"
        sandbox.world.kick_bot(elsewhere)
        assert (await one.next())[0] == "GUILD_DELETE"
        third = sandbox.world.add_guild("A third")
        assert shard(third) == HOME
        name, data = await home.next()
        assert (name, data["id"]) == ("GUILD_CREATE", third.id)


async def test_both_sessions_of_a_shard_get_every_event(
    sandbox: Sandbox, ada: Person, elsewhere: Guild
) -> None:
    async with connected(sandbox) as old, connected(sandbox) as new:
        assert await begun(old, 1) == await begun(new, 1) == [elsewhere.id]
        ada.say(by_name(elsewhere, "general"), "hello")
        assert (await old.next())[0] == (await new.next())[0] == "MESSAGE_CREATE"
        await old.socket.close()
        ada.say(by_name(elsewhere, "general"), "hello")
        assert (await new.next())[0] == "MESSAGE_CREATE"
        assert sandbox.gateway.is_live(1)
    await ada.until(lambda: not sandbox.gateway.is_live(1))


async def test_a_shard_that_is_barred_is_cut_off_and_one_that_is_held_is_online_and_told_later(
    sandbox: Sandbox, ada: Person
) -> None:
    sandbox.gateway.trouble.barred.add(0)
    sandbox.gateway.trouble.held.add(1)
    async with connected(sandbox) as barred, connected(sandbox) as held:
        await barred.identify(0)
        await held.identify(1)
        assert await barred.next() == 1006
        await ada.until(lambda: sandbox.gateway.is_online(1))
        assert not sandbox.gateway.is_live(1)
        sandbox.gateway.release(1)
        assert sandbox.gateway.is_live(1)
        assert (await held.next())[0] == "READY"


async def test_shards_are_recommended_and_an_identify_that_comes_too_fast_is_no_session() -> None:
    shards = Shards(count=COUNT, max_concurrency=2, identify_period=5.0)
    async with Sandbox(rate_limits=RateLimits.relaxed(), shards=shards) as sandbox:
        async with asking(sandbox) as rest:
            _, answer = await rest("GET", "/gateway/bot")
        assert (answer["shards"], answer["session_start_limit"]["max_concurrency"]) == (COUNT, 2)
        async with connected(sandbox) as one, connected(sandbox) as same_key, connected(sandbox) as other_key:
            for socket, number in ((one, 0), (same_key, 2), (other_key, 1)):
                await socket.identify(number)
            assert (await one.next())[0] == "READY"
            assert await same_key.next() == (9, False)
            assert (await other_key.next())[0] == "READY"
        assert sandbox.gateway.identify_limit.refused == 1


async def test_too_few_shards_and_another_version_of_the_api_are_refused(sandbox: Sandbox) -> None:
    for number, count, code in ((None, 0, 4011), (0, 2, 4011), (4, 4, 4010)):
        async with connected(sandbox) as socket:
            await socket.identify(number, count)
            assert await socket.next() == code
    async with connected(sandbox, "?v=9") as socket:
        assert await socket.next() == 4012


@pytest.mark.parametrize("code", [4004, 4014])
async def test_an_end_that_a_test_plans(sandbox: Sandbox, code: int) -> None:
    async with connected(sandbox) as first, connected(sandbox) as second:
        await first.identify(0)
        await first.next()
        await sandbox.gateway.end(code, 0)
        sandbox.gateway.trouble.refusals[1] = code
        await second.identify(1)
        assert [await first.next(), await second.next()] == [code, code]
    assert not sandbox.gateway.sessions


@pytest.mark.parametrize("keeps", [True, False])
async def test_interactions_of_a_guild_without_the_bot_come_on_its_own_shard_or_on_any(
    sandbox: Sandbox, ada: Person, ben: Person, monkeypatch: pytest.MonkeyPatch, keeps: bool
) -> None:
    monkeypatch.setattr(assumptions, "GUILDS_WITHOUT_THE_BOT_HAVE_A_SHARD", keeps)
    world = sandbox.world
    world.commands["1"] = {"id": "1", "type": 1, "name": "crib", "integration_types": [1], "contexts": [0, 2]}
    ada.install_app()
    guild = world.add_guild("Elsewhere", with_bot=False)
    channel, dm = next(iter(guild.channels.values())), ada.open_dm_with(ben)
    sessions = [sandbox.gateway.open_session(Intent.GUILDS, (shard, COUNT)) for shard in range(COUNT)]
    for place, own in ((channel, shard(guild)), (dm, 0)):
        for _ in range(4):
            sandbox.clock.advance(0.001)
            key = ada.command(place, "crib").id
            [told] = [one.shard[0] for one in sessions if any(f["d"]["id"] == key for f in one.sent)]
            assert told == (own if keeps or place is dm else shard_of(key, COUNT))


async def test_the_bot_posts_and_is_pressed_in_every_guild(
    sandbox: Sandbox, ada: Person, elsewhere: Guild, rest: Rest
) -> None:
    channel = by_name(elsewhere, "cribbage")
    button = {"type": 2, "style": 1, "label": "Press", "custom_id": "x"}
    body = {"content": "hello", "components": [{"type": 1, "components": [button]}]}
    status, made = await rest("POST", f"/channels/{channel.id}/messages", body)
    assert (status, [each.text for each in ada.sees(channel)]) == (200, ["hello"])
    async with connected(sandbox) as one:
        await begun(one, 1)
        ada.press(channel.messages[made["id"]], "Press")
        name, data = await one.next()
        guilds = {data["guild_id"], data["guild"]["id"]}
        assert (name, guilds) == ("INTERACTION_CREATE", {elsewhere.id})
        thread = ada.start_thread(channel, "a game")
        assert (await one.next())[1]["guild_id"] == elsewhere.id
        sandbox.world.delete_channel(thread)
        assert thread.id not in elsewhere.channels


async def test_the_bot_leaves_one_guild_and_stays_in_the_others(
    sandbox: Sandbox, ada: Person, elsewhere: Guild, rest: Rest
) -> None:
    home = sandbox.world.guild.id
    _, mine = await rest("GET", "/users/@me/guilds")
    assert [each["id"] for each in mine] == [home, elsewhere.id]
    dm = f"/channels/{ada.open_dm().id}/messages"
    assert (await rest("DELETE", f"/users/@me/guilds/{home}"))[0] == 204

    assert (await rest("GET", f"/guilds/{elsewhere.id}/channels"))[0] == 200
    assert (await rest("GET", f"/guilds/{home}"))[0] == 403
    assert (await rest("POST", dm, {"content": "still"}))[0] == 200
    assert (await rest("DELETE", f"/users/@me/guilds/{elsewhere.id}"))[0] == 204
    assert (await rest("POST", dm, {"content": "no more"}))[0] == 403


async def test_a_command_of_one_guild_is_offered_there_alone(
    sandbox: Sandbox, ada: Person, elsewhere: Guild, rest: Rest
) -> None:
    path = f"/applications/{sandbox.world.application_id}/guilds/{elsewhere.id}/commands"
    status, made = await rest("POST", path, {"name": "club", "description": "For this club", "type": 1})
    assert status in (200, 201)
    channel = by_name(elsewhere, "cribbage")
    assert [each["name"] for each in ada.commands(channel)] == ["club"]
    assert ada.commands("cribbage") == []
    assert ada.command(channel, "club").data["id"] == made["id"]


async def test_the_page_shows_the_first_guild_alone(
    sandbox: Sandbox, ada: Person, ben: Person, elsewhere: Guild
) -> None:
    async with screen_of(sandbox, ada) as screen:
        ready = await screen.next("READY")
        assert {each["id"] for each in ready["channels"]} <= sandbox.world.guild.channels.keys()
        ben.say(by_name(elsewhere, "cribbage"), f"there, {ada.user.mention}")
        ben.say("cribbage", "here")
        await screen.next("MESSAGE_CREATE", content="here")
    assert [frame["t"] for frame in screen.frames] == ["READY", "MESSAGE_CREATE"]
