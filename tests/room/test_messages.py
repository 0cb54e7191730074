"""Messages at a table and by DM: where they stand, what they say of the last deal, and whom they call."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import pytest

from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table
from tests.room.room import Room

_LONG = 200
"""Time (s) without a press after which a player is called by DM, or mentioned as their turn begins."""


async def in_play(room: Room, people: Sequence[Person] = (), **options: object) -> Table:
    """A table at which the first card is to be played."""
    table = await Table.begin(room.channel(), people or room.people("Ada", "Ben"), **options)
    await table.play(until=lambda: room.archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    return table


async def move_once(room: Room, table: Table) -> None:
    """One move, until all messages show it."""
    version = room.archive.version(table.game)
    await table.play(until=lambda: room.archive.version(table.game) > version)
    await room.synced(table)


def in_turn(room: Room, table: Table) -> Player:
    """The player for whom the table waits."""
    [seat] = room.archive.replayed(table.game).table.waiting_for
    return table.players[seat]


def rings(player: Player) -> int:
    """How often a message by DM has called the player, after the one with which the game began."""
    return sum(each.message.channel.is_dm for each in player.person.notifications) - 1


def mentions(table: Table, player: Player) -> list[Message]:
    """The messages in the channel that call the player."""
    return [each for each in table.messages if player.person.id in {user.id for user in each.mentions}]


# -- the table in its channel ----------------------------------------------------------------------------


async def test_a_table_below_which_people_talk_is_posted_again_at_the_next_move(room: Room) -> None:
    [cleo] = room.people("Cleo")
    table = await in_play(room)
    old = table.newest
    await asyncio.sleep(_LONG)
    cleo.say(table.channel, "Good luck!")
    await move_once(room, table)
    assert (table.moved, [number for number, _ in table.deals]) == ([old], [1])
    assert table.newest is table.messages[-1]
    assert controls(table.newest)
    assert not controls(old)

    cleo.say(table.channel, "There it is.")
    await asyncio.sleep(100)
    await move_once(room, table)
    assert table.moved == [old], "not for two minutes"


# -- the hand by DM --------------------------------------------------------------------------------------


async def test_a_player_has_one_message_by_dm_which_says_what_the_last_deal_came_to(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada = table.players[0].person
    [hand] = ada.dms()
    assert "Deal 1: " not in hand.text
    await table.play(until=lambda: len(table.deals) == 2 and of_verb(hand, "pick"))
    await room.synced(table)
    assert ada.dms() == [hand]
    assert re.search(r"Deal 1: you \+\d+ \(\d+ in the play, hand \d+.*\), Ben\s\+\d+\. ", hand.text)
    assert "Deal 2" in hand.text


# -- calls -----------------------------------------------------------------------------------------------


async def test_a_turn_calls_by_dm_or_by_a_mention_and_never_by_both(room: Room) -> None:
    table = await in_play(room, pace="slow")
    first = in_turn(room, table)
    [old] = first.person.dms()
    await asyncio.sleep(_LONG)
    assert (rings(first), mentions(table, first)) == (1, [])
    assert old.deleted
    assert len(first.person.dms()) == 1

    await move_once(room, table)
    second = in_turn(room, table)
    assert (rings(second), len(mentions(table, second))) == (0, 1)
    await asyncio.sleep(2 * _LONG)
    assert (rings(second), len(mentions(table, second))) == (0, 1), "once a turn"
    assert (rings(first), mentions(table, first)) == (1, [])


@pytest.mark.deep
async def test_a_mention_from_before_a_restart_is_the_call_of_its_turn(room: Room) -> None:
    table = await in_play(room, pace="slow")
    await asyncio.sleep(150)  # longer than MENTION_AFTER, and shorter than RING_AFTER
    await move_once(room, table)
    called = in_turn(room, table)
    assert (rings(called), len(mentions(table, called))) == (0, 1)

    await room.restart()
    await asyncio.sleep(_LONG)
    assert (rings(called), len(mentions(table, called))) == (0, 1)


async def test_who_cannot_be_reached_by_dm_is_mentioned_unless_they_have_just_pressed_something(
    room: Room,
) -> None:
    people = room.people("Ada", "Ben")
    for person in people:
        person.close_dms()
    table = await in_play(room, people, pace="slow", behind_the_button=True)
    called = in_turn(room, table)
    await asyncio.sleep(150)
    await called.person.press(table.newest, "My hand")
    await asyncio.sleep(100)
    assert mentions(table, called) == []
    await asyncio.sleep(100)
    assert len(mentions(table, called)) == 1
