"""Who was removed from a table's server, or is timed out there, does not play on from their DM."""

from __future__ import annotations

import asyncio
import re

import pytest

from sandbox.model.channels import Message
from tests.end_to_end.players import custom_id, of_verb
from tests.end_to_end.tables import Table, public, reply_to
from tests.room.room import Room

GONE = "You're no longer in The Crib Room, so you can't play at its tables."
TIMED_OUT = r"You're timed out in The Crib Room until <t:(\d+):f>, so you can't play at its tables\."


async def begun(room: Room) -> tuple[Table, Message]:
    """A slow game of which nobody has pressed anything by DM for ten minutes, and Ben's hand."""
    table = await room.table("Ada", "Ben", pace="slow")
    await asyncio.sleep(601)
    hand = table.player("Ben").hand()
    assert hand is not None
    return table, hand


def asked_about(room: Room, table: Table) -> int:
    """How often the bot has asked if Ben is in the server."""
    path = f"/guilds/{table.channel.guild_id}/members/{table.player('Ben').person.id}"
    return sum(each.path == path for each in room.conformance.exchanges)


async def test_who_was_kicked_is_refused_in_private_and_plays_again_once_they_are_back(room: Room) -> None:
    table, hand = await begun(room)
    ben = table.player("Ben").person
    before, messages = asked_about(room, table), [each.text for each in public(table.channel)]
    room.owner.kick(ben)
    for _ in range(2):
        assert (await reply_to(ben.press(hand, custom_id(hand, "pick")))).text == GONE
    assert (await reply_to(ben.command(ben.open_dm(), "crib resign", sure=True))).text == GONE
    assert asked_about(room, table) == before + 1
    assert [each.text for each in public(table.channel)] == messages
    assert not of_verb(hand, "unpick")

    ben.join_guild()
    await asyncio.sleep(61)
    await ben.press(hand, custom_id(hand, "pick"))
    await ben.until(lambda: of_verb(hand, "unpick"))
    await ben.press(hand, custom_id(hand, "unpick"))
    assert asked_about(room, table) == before + 2


async def test_who_is_timed_out_reads_until_when(room: Room) -> None:
    table, hand = await begun(room)
    ben = table.player("Ben").person
    room.owner.time_out(ben, 3_600)
    refused = re.fullmatch(TIMED_OUT, (await reply_to(ben.press(hand, custom_id(hand, "pick")))).text)
    assert refused is not None
    assert abs(int(refused[1]) - room.clock.now() - 3_600) < 60
    await asyncio.sleep(3_660)
    await ben.press(hand, custom_id(hand, "pick"))
    await ben.until(lambda: of_verb(hand, "unpick"))


async def test_a_press_counts_if_discord_does_not_say_who_is_there(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, hand = await begun(room)
    ben = table.player("Ben").person
    room.owner.kick(ben)

    async def never(*_: object) -> None:
        await asyncio.sleep(3_600)

    monkeypatch.setattr(room.bot.client.http, "get_member", never)
    await ben.press(hand, custom_id(hand, "pick"))
    await ben.until(lambda: of_verb(hand, "unpick"))
