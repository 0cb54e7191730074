"""How people hear that it is their turn: mentions, the clock's reminder, a hand by DM that rings again."""

from __future__ import annotations

import asyncio
import re

import pytest

from engine import Stage, StoodIn
from sandbox import assumptions
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.notifications import Notification
from tests.end_to_end.players import of_verb, untapped
from tests.end_to_end.tables import Table, everything_told
from tests.room.room import Room

MENTION_AFTER, RING_AFTER = 120.0, 10.0
"""Seconds; by itself a hand rings after the clock has reminded its player."""
SUITS = frozenset("♠♥♦♣")


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    return {"mention_after": MENTION_AFTER, "ring_after": RING_AFTER}


def calls(table: Table, person: Person) -> list[Message]:
    """The messages that call this person."""
    return [each for each in table.messages if person.user in each.mentions]


def rings(person: Person) -> list[Notification]:
    """The push notifications of messages by DM: the clock calls in the channel besides."""
    return [each for each in person.notifications if each.message.channel.is_dm]


def hands(person: Person) -> list[Message]:
    """Lasting messages in that person's DM."""
    return [each for each in person.dms() if not each.is_ephemeral]


async def test_in_slow_play_who_has_not_been_playing_is_called_once_and_the_call_is_taken_back(
    room: Room,
) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", pace="slow")
    people = table.people
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    turn = archive.replayed(table.game).table.waiting_for[0]
    await asyncio.sleep(1.1 * MENTION_AFTER)
    await table.players[turn].act()
    waited_for = people[archive.replayed(table.game).table.waiting_for[0]]
    await table.until(lambda: calls(table, waited_for))

    [call] = calls(table, waited_for)
    assert call.mentions == [waited_for.user]
    assert call.text.startswith(f"<@{waited_for.id}>, ")
    assert table.newest.link in call.text
    [posted] = [
        each.body
        for each in room.conformance.exchanges
        if isinstance(each.answer, dict) and each.answer.get("id") == call.id
    ]
    assert [str(user) for user in posted["allowed_mentions"]["users"]] == [waited_for.id]
    assert posted["allowed_mentions"].get("parse", []) == []

    # Redrawing the table mentions nobody a second time.
    room.people("Cleo")[0].say(table.channel, "Who is winning?")  # or the table stands right here
    await waited_for.command(table.channel, "crib table")
    await table.until(lambda: len(table.deals) == 2)
    assert len(calls(table, waited_for)) == 1
    version = archive.version(table.game)
    await table.play(lambda: archive.version(table.game) > version)
    await table.until(lambda: call.deleted)


async def test_in_live_play_the_clock_calls_and_then_moves(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    ada, ben = table.people
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    turn = archive.replayed(table.game).table.waiting_for[0]
    mine, other = (ada, ben) if turn == 0 else (ben, ada)
    await asyncio.sleep(70.0)  # half of the time, and a little
    [call] = calls(table, mine)
    assert re.search(r"I'll move for you <t:\d+:R>\.", call.text), call.text
    assert not calls(table, other)
    await asyncio.sleep(60.0)
    assert call.deleted
    assert archive.replayed(table.game).table.absences[turn] == 1
    moved = [event.seat for event in archive.log(table.game) if isinstance(event, StoodIn)]
    assert moved == [turn]
    await table.play(lambda: len(table.deals) == 2)


async def test_alone_against_the_computer_nobody_is_called_or_moved_for(room: Room) -> None:
    archive, table = room.archive, await room.alone("Ada", computer="steady")
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await asyncio.sleep(7_200.0)
    assert archive.replayed(table.game).table.absences == (0, 0)
    assert not calls(table, table.people[0])


async def test_a_hand_rings_once_a_turn_with_a_line_for_the_phone_and_one_message_stands(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada, ben = people = table.people
    await asyncio.sleep(1.1 * RING_AFTER)
    assert len(rings(ada)) == len(rings(ben)) == 2
    first, again = rings(ada)
    assert again.text == "Your turn: discard 2 cards"
    await table.until(lambda: first.message.deleted and of_verb(again.message, "pick"))
    assert hands(ada) == [again.message]
    assert "Your turn" not in again.message.text, "the hand is drawn over the line"
    await asyncio.sleep(1.1 * RING_AFTER)
    assert rings(ada) == [first, again]

    # It is a hand like any other, and another turn rings as well.
    archive = room.archive
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    turn = people[archive.replayed(table.game).table.waiting_for[0]]
    await asyncio.sleep(1.1 * RING_AFTER)
    assert rings(turn)[-1].text in {"Your turn: play a card", "Your turn: say go"}
    assert len(hands(turn)) == 1


async def test_a_press_puts_the_call_off_also_one_that_makes_no_move(room: Room) -> None:
    ada, _ = (await room.table("Ada", "Ben", length=61)).people
    [hand] = hands(ada)
    for _ in range(3):
        await asyncio.sleep(0.8 * RING_AFTER)
        await ada.press(hand, untapped(hand)[0]["custom_id"])
        assert len(rings(ada)) == 1
    await asyncio.sleep(0.9 * RING_AFTER)
    assert len(rings(ada)) == 1
    await asyncio.sleep(0.2 * RING_AFTER)
    assert len(rings(ada)) == 2, "as long after the last press as after none"


@pytest.mark.deep
async def test_nothing_rings_and_nobody_is_called_in_rapid_play(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    people = table.people
    await table.play()
    await everything_told([table])
    assert not any("<@" in each.text for each in table.messages)
    for person in people:
        assert len(person.notifications) == 1, "the message with which the game began"
        assert len(hands(person)) == 1


@pytest.mark.parametrize("answer", [True, False], ids=["without a word", "with their text"])
async def test_all_that_rings_has_words_whatever_components_give(
    room: Room, monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    """A phone's notification of a message of components may have its text, or none.

    The calls begin as plain lines, which no answer changes, and no card is on a locked phone.
    """
    monkeypatch.setattr(assumptions, "COMPONENTS_NOTIFY_WITHOUT_A_WORD", answer)
    table = await room.table("Ada", "Ben", length=61)
    people = table.people
    for deal in (1, 2):
        await asyncio.sleep(1.1 * RING_AFTER)
        await table.play(lambda deal=deal: len(table.deals) > deal)
    await table.resign(people[0])

    texts = [each.text for person in people for each in person.notifications]
    assert "Your turn: discard 2 cards" in texts
    assert [text for text in texts if not text.strip()] == []
    assert [text for text in texts if SUITS & set(text)] == []
