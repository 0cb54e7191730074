"""Places: refused ones, and those whose permissions, messages or channel are taken away during a game."""

from __future__ import annotations

import asyncio

import pytest

from bot.model.table_record import Status
from engine import Stage
from sandbox.model.channels import Channel, ChannelType
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.room.room import Room

A_WHILE = 130.0
"""Seconds after which a table that is out of sight may come down again."""
NOTHING = Permission(0)


def deny(room: Room, place: Channel, target: str, denied: Permission) -> None:
    """Deny a role or a member something in a place, and nothing else."""
    is_member = target not in room.sandbox.world.guild.roles
    room.owner.set_overwrite(place, Overwrite(target, is_member=is_member, deny=denied))


async def test_where_a_table_cannot_stand_none_is_opened_and_it_is_said_why(room: Room) -> None:
    ada, [ben], before = room.owner, room.people("Ben"), len(room.archive.tables())
    me, everybody = room.sandbox.world.bot, room.sandbox.world.guild.id
    refused = len(room.conformance.refused)

    async def told(place: Channel) -> str:
        answer = await reply_to(ben.command(place, "crib new"))
        assert answer.only_for == ben.id
        return answer.text

    private = ada.start_thread("general", "us", is_private=True)
    ada.say(private, f"{ben.user.mention} come")
    assert f"Mention {me.mention} in a message here" in await told(private)

    locked = ben.start_thread("general", "locked")
    ada.lock(locked)
    assert "You can't write here" in await told(locked)
    answer = await reply_to(ada.command(locked, "crib new"))
    assert "This thread is locked" in answer.text

    lounge = ada.create_channel("Lounge", ChannelType.VOICE)
    deny(room, lounge, me.id, Permission.CONNECT)
    assert "the permission Connect" in await told(lounge)

    channel = room.channel()
    deny(room, channel, me.id, Permission.SEND_MESSAGES)
    assert "the permission Send Messages" in await told(channel)
    deny(room, channel, me.id, NOTHING)
    deny(room, channel, everybody, Permission.SEND_MESSAGES)
    assert "You can't write here" in await told(channel)
    deny(room, channel, everybody, NOTHING)

    ben.say(private, me.mention)
    ada.remove_from_thread(private, me)
    assert "Mention" in await told(private)
    assert len(room.archive.tables()) == before
    assert len(room.conformance.refused) == refused

    ben.say(private, me.mention)
    assert of_verb(await lobby_by(ben.command(private, "crib new")), "join")
    forum = ada.create_channel("ideas", ChannelType.FORUM)
    news = ada.create_channel("news", ChannelType.ANNOUNCEMENT)
    deny(room, channel, everybody, Permission.USE_EXTERNAL_APPS)  # the server has the app itself
    for place in (channel, news, ben.start_thread(forum, "a")):
        assert of_verb(await lobby_by(ben.command(place, "crib new")), "join")


async def in_play(room: Room, channel: Channel | None = None, **options: object) -> Table:
    """A table at which cards are to be played, in sight everywhere."""
    table = await room.table("Ada", "Ben", channel=channel, length=61, **options)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    return table


async def test_a_channel_that_cannot_be_written_to_keeps_nobody_from_their_hand(room: Room) -> None:
    archive, me = room.archive, room.sandbox.world.bot.id
    table = await in_play(room)
    deny(room, table.channel, me, Permission.SEND_MESSAGES)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 3)
    deny(room, table.channel, me, NOTHING)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 4)
    await table.until(lambda: [number for number, _ in table.deals] == [1, 2, 3, 4])
    assert [number for number, _ in table.shows][:2] == [1, 2]
    assert all("may not be written to: Forbidden 403 50013" in line for line in room.troubles)
    assert len(room.troubles) < 5, "a channel that refuses is not asked again and again"
    room.troubles.clear()


async def test_a_table_in_a_thread_goes_on_when_the_thread_is_archived(room: Room) -> None:
    table = await in_play(room, room.owner.start_thread(room.channel(), "our table"))
    room.owner.archive(table.channel)
    await table.play(lambda: table.stands("Deal 2"))
    assert not table.channel.archived


async def test_a_table_in_a_private_thread_goes_on_when_the_bot_is_added_to_it_again(room: Room) -> None:
    ada, people, me = room.owner, room.people("Cleo", "Ben"), room.sandbox.world.bot
    thread = ada.start_thread(room.channel(), "our table", is_private=True)
    ada.say(thread, " ".join([me.mention, *(person.user.mention for person in people)]))
    table = await Table.begin(thread, people, length=61)

    ada.remove_from_thread(thread, me)
    await table.play(lambda: room.archive.replayed(table.game).table.deal_number == 2)
    assert [number for number, _ in table.deals] == [1]
    ada.say(thread, f"{me.mention} come back")
    await table.until(lambda: [number for number, _ in table.deals] == [1, 2])
    assert all("may not be written to: Forbidden 403 50001" in line for line in room.troubles)
    room.troubles.clear()


async def test_a_table_message_that_is_deleted_is_posted_anew(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    first = table.newest
    room.owner.delete(first)
    await table.play(lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: table.deals)
    assert table.newest.id != first.id
    assert (await reply_to(table.people[1].press(table.newest, "My hand"))).text


@pytest.mark.parametrize("is_down", [False, True], ids=["running", "down"])
@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_a_table_is_closed_with_its_place_and_holds_nobody_up(
    room: Room, place: str, *, is_down: bool
) -> None:
    gone = room.channel() if place == "channel" else room.owner.start_thread("general", "gone")
    lost = await room.table("Ada", "Ben", channel=gone)
    kept = await Table.begin(room.channel(), lost.people)
    archived = await room.table("Cleo", "Dan", channel=room.owner.start_thread("general", "resting"))
    if is_down:
        await room.stop()
    room.owner.delete_channel(gone)
    room.owner.archive(archived.channel)
    if is_down:
        await room.start()
    await kept.until(lambda: room.archive.table(lost.game).status is Status.CANCELLED)
    assert {room.archive.table(each.game).status for each in (kept, archived)} == {Status.PLAYING}
    ben = kept.people[1]
    assert "several tables" not in (await reply_to(ben.command(ben.open_dm(), "crib hand"))).text


@pytest.mark.deep
async def test_a_channel_is_asked_for_its_last_message_twice_a_minute_and_never_after_quick_moves(
    room: Room,
) -> None:
    [cleo], table = room.people("Cleo"), await in_play(room, pace="slow")
    path = f"/channels/{table.channel.id}"

    async def asks(after: float) -> bool:
        """True if the channel is asked for with a move so many seconds after the one before."""
        exchanges = room.conformance.exchanges
        before = len(exchanges)
        await asyncio.sleep(after)
        version = room.archive.version(table.game)
        await table.play(lambda: room.archive.version(table.game) > version)
        await room.synced(table)
        return ("GET", path) in {(each.method, each.path) for each in exchanges[before:]}

    assert [await asks(after) for after in (A_WHILE, 16.0, 16.0)] == [True, False, True]
    cleo.say(table.channel, "Good luck!")
    assert [await asks(9.5) for _ in range(4)] == [False] * 4
    assert table.moved == []
    assert await asks(11.0)
    assert len(table.moved) == 1


async def test_a_table_that_nobody_talks_below_stays_where_it_is(room: Room) -> None:
    table = await in_play(room, pace="slow")
    room.people("Cleo")[0].say("general", "Elsewhere.")
    await asyncio.sleep(A_WHILE)
    version = room.archive.version(table.game)
    await table.play(lambda: room.archive.version(table.game) > version)
    await room.synced(table)
    assert [number for number, _ in table.deals] == [1]
    assert table.moved == []
