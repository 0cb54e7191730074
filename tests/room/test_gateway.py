"""The gateway: channels that are hidden from the bot, and events that discord.py cannot parse."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.sync.discord_internals import parsers
from engine import Stage
from sandbox import assumptions
from sandbox.gateway.shards import Trouble
from sandbox.model.channels import Channel, ChannelType
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.room.room import Room
from tests.room.steps import leap

NOTHING = Permission(0)


@pytest.fixture
def trouble(room: Room) -> Iterator[Trouble]:
    """The faults of the gateway, of which none is left to the next test."""
    trouble = room.sandbox.gateway.trouble
    yield trouble
    trouble.alter = lambda _, data: data


async def in_play(room: Room, channel: Channel) -> Table:
    """A table at which cards are to be played."""
    table = await room.table("Ada", "Ben", channel=channel, length=61)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    return table


def deny(room: Room, channel: Channel, denied: Permission) -> None:
    """Deny the bot something in a channel, and nothing else."""
    me = room.sandbox.world.bot.id
    room.owner.set_overwrite(channel, Overwrite(me, is_member=True, deny=denied))


async def new_session(room: Room) -> None:
    """End the session, and wait for the next."""
    gateway = room.sandbox.gateway
    before = gateway.identifies
    await gateway.invalidate()
    await room.owner.until(lambda: gateway.identifies > before and gateway.is_live(0))
    await asyncio.sleep(1)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("kind", "are_null"),
    [(ChannelType.TEXT, True), (ChannelType.VOICE, False), (ChannelType.FORUM, True)],
    ids=lambda each: getattr(each, "name", str(each)).lower(),
)
async def test_a_hidden_channel_gets_nothing_until_it_is_shown_again(
    room: Room, kind: ChannelType, are_null: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assumptions, "HIDDEN_FIELDS_ARE_NULL", are_null)
    channel = room.sandbox.world.add_channel(f"{kind.name.lower()}-tables", kind)
    place = room.owner.start_thread(channel, "ours") if kind is ChannelType.FORUM else channel
    table = await in_play(room, place)
    ada, _ = table.people
    refused = len(room.conformance.refused)

    deny(room, channel, Permission.VIEW_CHANNEL)
    if kind is not ChannelType.FORUM:  # whose threads nobody tells the bot of
        await new_session(room)
    for _ in range(2):
        assert of_verb(await reply_to(ada.press(table.newest, "My hand")), "play")
        await asyncio.sleep(600)
    await table.play(lambda: room.archive.replayed(table.game).table.deal_number == 2)
    await asyncio.sleep(600)
    assert [number for number, _ in table.deals] == [1]

    deny(room, channel, NOTHING)
    await table.until(lambda: [number for number, _ in table.deals] == [1, 2])
    await table.play(lambda: table.stands("Deal 3"))
    assert len(room.conformance.refused) == refused


ODD: dict[str, list[JSON | None]] = {
    "channels": [
        {"id": "1", "type": 0, "name": "odd", "position": "?", "permission_overwrites": [None]},
        {"type": 0, "name": "without an id"},
        None,
    ],
    "threads": [{"id": "2", "type": 11}],
    "emojis": [None],
    "stage_instances": [{}],
}
"""By list of a server: entries that discord.py cannot parse."""


async def test_what_does_not_parse_of_a_server_is_left_out_and_its_games_go_on(
    room: Room, trouble: Trouble
) -> None:
    def odd(name: str, data: JSON) -> JSON:
        return data | {key: [*ODD[key], *data[key]] for key in ODD} if name == "GUILD_CREATE" else data

    table = await in_play(room, room.channel())
    trouble.alter = odd
    identified = room.sandbox.gateway.identifies
    await new_session(room)
    await table.play(lambda: table.stands("Deal 2"))
    assert room.sandbox.gateway.identifies == identified + 1
    left_out = ["channels", "threads", "stage_instances"]
    assert [line.split("of the ")[1].split()[0] for line in room.troubles] == left_out
    room.troubles.clear()


async def test_a_channel_whose_update_does_not_parse_is_unknown_until_the_next(
    room: Room, trouble: Trouble
) -> None:
    def odd(name: str, data: JSON) -> JSON:
        if name == "INTERACTION_CREATE":  # from which discord.py makes a channel that it does not know
            bare = {key: value for key, value in data["channel"].items() if key != "bitrate"}
            return data | {"channel": bare}
        return data | {"permission_overwrites": [None]} if name == "CHANNEL_UPDATE" else data

    async def is_known() -> bool:
        room.sandbox.world.update_channel(channel)
        await asyncio.sleep(1)
        return room.bot.client.get_channel(int(channel.id)) is not None

    channel, [ben] = room.owner.create_channel("Lounge", ChannelType.VOICE), room.people("Ben")
    trouble.alter = odd
    assert not await is_known()
    assert of_verb(await lobby_by(ben.command(channel, "crib new")), "join")
    trouble.alter = lambda _, data: data
    assert await is_known()
    assert len(room.troubles) == 1
    room.troubles.clear()


@pytest.mark.deep
@pytest.mark.parametrize("is_lasting", [False, True])
async def test_after_a_server_that_does_not_parse_the_shard_asks_once_for_a_new_session(
    room: Room, trouble: Trouble, is_lasting: bool
) -> None:
    told = 0

    def odd(name: str, data: JSON) -> JSON:
        nonlocal told
        told += name == "GUILD_CREATE"
        is_odd = name == "GUILD_CREATE" and (is_lasting or told == 1)
        return data | {"members": [None, *data["members"]]} if is_odd else data

    leap(3600)  # an hour after the test before
    table = await in_play(room, room.channel())
    [role] = [each.id for each in room.sandbox.world.guild.roles.values() if each.managed_by]
    room.owner.set_overwrite(table.channel, Overwrite(role, allow=Permission.SEND_MESSAGES))
    everybody = room.sandbox.world.guild.id
    room.owner.set_overwrite(table.channel, Overwrite(everybody, deny=Permission.SEND_MESSAGES))
    trouble.alter = odd
    identified = room.sandbox.gateway.identifies
    await new_session(room)
    await asyncio.sleep(60)
    assert room.sandbox.gateway.identifies == identified + 2
    assert of_verb(await reply_to(table.people[0].press(table.newest, "My hand")), "play")
    await table.play(lambda: table.stands("Deal 2"))
    assert len(room.troubles) == 1 + is_lasting
    assert all("GUILD_CREATE could not be parsed: TypeError" in line for line in room.troubles)
    room.troubles.clear()


@pytest.mark.deep
async def test_no_event_that_does_not_parse_ends_the_connection_or_is_silent(room: Room) -> None:
    leap(3600)
    gateway = room.sandbox.gateway
    table = await in_play(room, room.channel())
    before = gateway.identifies, gateway.resumes
    of_sessions = {"READY", "RESUMED", "GUILD_CREATE", "GUILD_DELETE"}
    names = sorted(parsers(room.bot.client).keys() - of_sessions)
    secret: dict[str, Any] = {"id": "5H", "guild_id": "secret", "channel_id": "5H"}
    for told in (["GUILD_ROLE_UPDATE"], names):  # the first asks for a new session
        for session in list(gateway.sessions.values()):
            for name in told:
                gateway.dispatch(session, name, secret)
            gateway.dispatch(session, "MESSAGE_CREATE", {"type": 0, "author": None, "content": "secret"})
        await asyncio.sleep(60)
    assert (gateway.identifies, gateway.resumes) == (before[0] + 1, before[1])
    assert len(room.troubles) > 40
    assert not [line for line in room.troubles if "secret" in line or "5H" in line]
    room.troubles.clear()
    room.conformance.violations.clear()  # that of the press
    await table.play(lambda: table.stands("Deal 2"))
