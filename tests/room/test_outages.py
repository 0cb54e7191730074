"""A database that does not tell whether it has saved: what the player reads, and that the table goes on."""

from __future__ import annotations

import asyncio
from itertools import cycle

import pytest

from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import custom_id, tap_cards
from tests.end_to_end.tables import everything_told, reply_to
from tests.room.room import Room

UNKNOWN = "I can't tell yet whether that was saved. Please have another look in a moment."


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """The computer does not take its time."""
    return {"computer_pace": 0}


async def test_a_move_of_unknown_outcome_is_told_as_such_and_drawn_once_the_database_answers(
    room: Room,
) -> None:
    table = await room.alone("Ada", computer="expert", length=61)
    [ada] = table.people
    await table.until(lambda: room.archive.replayed(table.game).table.has_discarded[1])
    hand = next(each for each in ada.sees(table.channel) if each.is_ephemeral)
    await tap_cards(ada, hand)
    await room.synced(table)
    room.database.in_doubt = iter([True])
    reply = await reply_to(ada.press(hand, custom_id(hand, "discard")))
    assert reply.text == UNKNOWN
    room.database.broken = True
    await asyncio.sleep(20)
    room.database.broken = False
    await table.until(lambda: "You discarded" in hand.text)
    room.troubles.clear()  # the outage is said


@pytest.mark.deep
async def test_a_table_goes_on_though_every_other_outcome_is_unknown(room: Room) -> None:
    table = await room.alone("Ada", computer="expert", length=61)
    room.database.in_doubt = cycle([None, True])
    await table.play(until=lambda: len(table.deals) > 2)
    room.database.in_doubt = iter(())
    await table.play()
    await everything_told([table], room.archive)
    assert_told_once_and_truly(table, room.archive)
    room.troubles.clear()  # they are said
