"""Several guilds in one world: their shards, who hears of them, and what the bot may do in each."""

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from sandbox.gateway.frames import Intent
from sandbox.gateway.shards import Shards, shard_of
from sandbox.model.guilds import Guild
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.sandbox.client.test_page_socket import screen_of
from tests.sandbox.conftest import Rest
from tests.sandbox.gateway.test_shards import Socket, connected

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
    sandbox: Sandbox, elsewhere: Guild
) -> None:
    ada = sandbox.people["Ada"]
    async with connected(sandbox) as zero, connected(sandbox) as one, connected(sandbox) as home:
        listed = [await begun(socket, number) for number, socket in ((0, zero), (1, one), (HOME, home))]
        assert listed == [[], [elsewhere.id], [sandbox.world.guild.id]]

        ada.say(by_name(elsewhere, "cribbage"), "there")
        ada.say("cribbage", "here")
        ada.say_in_dm("to you alone")
        told = [await socket.next() for socket in (one, home, zero)]
        assert [(name, data.get("guild_id")) for name, data in told] == [
            ("MESSAGE_CREATE", elsewhere.id),
            ("MESSAGE_CREATE", sandbox.world.guild.id),
            ("MESSAGE_CREATE", None),
        ]
        sandbox.world.kick_bot(elsewhere)
        assert (await one.next())[0] == "GUILD_DELETE"
        third = sandbox.world.add_guild("A third")
        assert shard(third) == HOME
        name, data = await home.next()
        assert (name, data["id"]) == ("GUILD_CREATE", third.id)


async def test_both_sessions_of_a_shard_get_every_event(sandbox: Sandbox, elsewhere: Guild) -> None:
    async with connected(sandbox) as old, connected(sandbox) as new:
        assert await begun(old, 1) == await begun(new, 1) == [elsewhere.id]

        sandbox.people["Ada"].say(by_name(elsewhere, "general"), "hello")
        assert (await old.next())[0] == (await new.next())[0] == "MESSAGE_CREATE"
        await old.socket.close()
        sandbox.people["Ada"].say(by_name(elsewhere, "general"), "hello")
        assert (await new.next())[0] == "MESSAGE_CREATE"
        assert sandbox.gateway.is_live(1)
    await sandbox.people["Ada"].until(lambda: not sandbox.gateway.is_live(1))


async def test_a_held_session_is_online_and_not_live(sandbox: Sandbox) -> None:
    sandbox.gateway.trouble.held.add(1)
    async with connected(sandbox) as held:
        await held.identify(1)
        await sandbox.people["Ada"].until(lambda: sandbox.gateway.is_online(1))
        assert not sandbox.gateway.is_live(1)
        sandbox.gateway.release(1)
        assert sandbox.gateway.is_live(1)


async def test_the_bot_posts_and_is_pressed_in_every_guild(
    sandbox: Sandbox, elsewhere: Guild, rest: Rest
) -> None:
    ada, channel = sandbox.people["Ada"], by_name(elsewhere, "cribbage")
    button = {"type": 2, "style": 1, "label": "Press", "custom_id": "x"}
    body = {"content": "hello", "components": [{"type": 1, "components": [button]}]}
    status, made = await rest("POST", f"/channels/{channel.id}/messages", body)
    assert status == 200
    assert [each.text for each in ada.sees(channel)] == ["hello"]
    async with connected(sandbox) as one:
        await begun(one, 1)
        ada.press(channel.messages[made["id"]], "Press")
        name, data = await one.next()
        assert (name, data["guild_id"], data["guild"]["id"]) == (
            "INTERACTION_CREATE",
            elsewhere.id,
            elsewhere.id,
        )
        thread = ada.start_thread(channel, "a game")
        assert (await one.next())[1]["guild_id"] == elsewhere.id
        sandbox.world.delete_channel(thread)
        assert thread.id not in elsewhere.channels


async def test_the_bot_leaves_one_guild_and_stays_in_the_others(
    sandbox: Sandbox, elsewhere: Guild, rest: Rest
) -> None:
    mine = await rest("GET", "/users/@me/guilds")
    assert [each["id"] for each in mine[1]] == [sandbox.world.guild.id, elsewhere.id]
    dm = sandbox.people["Ada"].open_dm()
    assert (await rest("DELETE", f"/users/@me/guilds/{sandbox.world.guild.id}"))[0] == 204

    assert (await rest("GET", f"/guilds/{elsewhere.id}/channels"))[0] == 200
    assert (await rest("GET", f"/guilds/{sandbox.world.guild.id}"))[0] == 403
    assert (await rest("POST", f"/channels/{dm.id}/messages", {"content": "still"}))[0] == 200
    assert (await rest("DELETE", f"/users/@me/guilds/{elsewhere.id}"))[0] == 204
    assert (await rest("POST", f"/channels/{dm.id}/messages", {"content": "no more"}))[0] == 403


async def test_a_command_of_one_guild_is_offered_there_alone(
    sandbox: Sandbox, elsewhere: Guild, rest: Rest
) -> None:
    path = f"/applications/{sandbox.world.application_id}/guilds/{elsewhere.id}/commands"
    command = {"name": "club", "description": "For this club", "type": 1}
    status, made = await rest("POST", path, command)
    assert status in (200, 201)

    ada = sandbox.people["Ada"]
    assert [each["name"] for each in ada.commands(by_name(elsewhere, "cribbage"))] == ["club"]
    assert ada.commands("cribbage") == []
    used = ada.command(by_name(elsewhere, "cribbage"), "club")
    assert used.data["id"] == made["id"]


async def test_the_page_shows_the_first_guild_alone(sandbox: Sandbox, elsewhere: Guild) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    async with screen_of(sandbox, ada) as screen:
        ready = await screen.next("READY")
        assert {each["id"] for each in ready["channels"]} <= sandbox.world.guild.channels.keys()

        ben.say(by_name(elsewhere, "cribbage"), f"there, {ada.user.mention}")
        ben.say("cribbage", "here")
        await screen.next("MESSAGE_CREATE", content="here")
    assert [frame["t"] for frame in screen.frames] == ["READY", "MESSAGE_CREATE"]
