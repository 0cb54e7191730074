"""The drills as people press them: each answer counts once, and nothing of a game goes to strangers."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from bot.features.drill.custom_ids import COUNT, CountId
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from engine import Card, Seat
from engine.coach import discards_of
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import buttons
from tests.end_to_end.tables import Table, public, reply_to
from tests.end_to_end.watching import Watch, cards_in
from tests.room.room import Room
from tests.room.steps import play_some, tap


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    return {"pictures": True}


async def asked(person: Person, kind: str = "counting", channel: Channel | str = "cribbage") -> Message:
    """A question in a new message, five seconds after what was before."""
    await asyncio.sleep(5)
    return await reply_to(person.command(channel, "crib-coach drill", kind=kind))


def numbers(screen: Message) -> tuple[str, list[str]]:
    """The button of the right number, and those of the others."""
    found = {}
    for each in buttons(screen, "drill:count:"):
        match = COUNT.fullmatch(each)
        at = None if match is None else CountId.from_match(match)
        assert at is not None
        found[each] = at.said == at.hand.points
    [right] = [each for each, is_right in found.items() if is_right]
    return right, [each for each, is_right in found.items() if not is_right]


async def test_in_the_dm_it_is_a_message_and_answered_there(room: Room) -> None:
    [ada] = room.people("Ada")
    for kind in ("counting", "discards"):
        assert (await asked(ada, kind)).is_ephemeral
        screen = await asked(ada, kind, ada.open_dm())
        assert not screen.is_ephemeral
    for place in (0, 1):
        await tap(ada, screen, buttons(screen, "drill:pick:")[place])
    assert "1 best" in await tap(ada, screen, buttons(screen, "drill:give:")[0])


async def test_each_number_is_answered_by_the_truth_and_the_first_one_counts(room: Room) -> None:
    [ada] = room.people("Ada")
    first = await asked(ada)
    right, [wrong, *_] = numbers(first)
    await asyncio.sleep(5)
    said = await tap(ada, first, right)
    assert re.search(r"✓ \d+ points?", said)
    assert "1 of 1 right · streak 1, longest 1 · 5.0 s on average" in said
    await tap(ada, first, "Next")
    right, [wrong, *_] = numbers(first)
    said = await tap(ada, first, wrong)
    assert re.search(rf"✗ \d+ points?, not {wrong.split(':')[3]}", said)
    assert "1 of 2 right · streak 0, longest 1" in said


async def test_of_two_answers_to_a_question_the_first_counts_and_an_old_question_counts_no_more(
    room: Room,
) -> None:
    [ada] = room.people("Ada")
    first, second = await asked(ada), await asked(ada)
    late, (right, [wrong, *_]) = numbers(first)[0], numbers(second)
    pressed = [ada.press(second, right), ada.press(second, wrong)]
    for each in pressed:
        await each
    await ada.until(lambda: "Your first answer counts." in second.text)
    assert "✓" in second.text
    assert "this one doesn't count" in await tap(ada, first, late)
    assert "1 of 1 right" in first.text
    await room.restart()
    assert "1 of 1 right" in await tap(ada, first, "Stop")


async def test_a_hand_is_a_picture_or_text_where_boards_are_text(room: Room) -> None:
    [ada] = room.people("Ada")
    guild = int(room.sandbox.world.guild.id)
    drawn = await asked(ada)
    [file] = drawn.files
    assert (file.description or "").startswith("Starter: ")
    assert "Starter" not in drawn.text, "the picture has it"
    await room.store.keep_server(guild, ServerSettings(board=Board.TEXT))
    told = await asked(ada)
    assert told.files == []
    assert len(cards_in(told.text)) == 5
    await room.store.keep_server(guild, ServerSettings())


async def test_cards_are_chosen_before_they_are_discarded_and_a_second_discard_changes_nothing(
    room: Room,
) -> None:
    [ada] = room.people("Ada")
    screen = await asked(ada, "discards")
    first = buttons(screen, "drill:pick:")[0]
    await tap(ada, screen, first)
    assert buttons(screen, "drill:give:") == []
    await tap(ada, screen, buttons(screen, "drill:pick:")[1])
    [give] = buttons(screen, "drill:give:")
    said = await tap(ada, screen, give)
    assert re.search(r"[01] of 1 best", said)


@pytest.mark.deep
async def test_a_mistake_of_one_s_own_is_asked_and_judged_until_one_s_data_is_deleted(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await play_some(room, table)
    ada = table.players[0].person
    doings = [ada.command("cribbage", "crib-coach drill", kind="discards") for _ in range(3)]
    screens = [await reply_to(each) for each in doings]  # the same question, asked at the same time
    for first, screen in enumerate(screens):
        assert "A mistake from your own games" in screen.text
        for place in (first, first + 1):
            await tap(ada, screen, buttons(screen, "drill:pick:")[place])
        assert {*cards_in(json.dumps(screen.components))} <= _dealt(room, table, Seat(0))
    said = await tap(ada, screens[0], buttons(screens[0], "drill:give:")[0])
    assert cards_in(said) <= _dealt(room, table, Seat(0)), "nothing of anybody else's"
    assert re.search(r"[01] of 1 best", said)
    again = await tap(ada, screens[1], buttons(screens[1], "drill:give:")[0])
    assert again.replace("\n-# Your first answer counts.", "") == said
    assert again != said
    sure = await reply_to(ada.command("cribbage", "crib-data delete"))
    await ada.press(sure, "Delete my data")
    await ada.until(lambda: "Your data is deleted." in sure.text)
    refused = await reply_to(ada.press(screens[2], buttons(screens[2], "drill:give:")[0]))
    assert "played it" in refused.text
    assert "A mistake from your own games" not in (await asked(ada, "discards")).text


def _dealt(room: Room, table: Table, seat: Seat) -> set[Card]:
    """Every card that the seat was dealt in the game."""
    discards = discards_of(room.archive.log(table.game), seat)
    return {one for each in discards for one in (*each.view.hand, *each.view.discarded)}


async def test_a_hand_is_counted_and_a_discard_chosen_in_one_message(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    watch = Watch(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    screen = await asked(ada, channel=channel)
    assert screen.is_ephemeral
    offered = buttons(screen, "drill:count:")
    assert len({*offered}) == 5
    await tap(ada, screen, offered[2])
    assert re.search(r"[01] of 1 right", screen.text)

    await tap(ada, screen, "drill:next:counting")
    assert {*buttons(screen, "drill:count:")}.isdisjoint(offered)
    await tap(ada, screen, "drill:stop:counting")
    await tap(ada, screen, "drill:next:discards")
    for place in (1, 4):
        await tap(ada, screen, buttons(screen, "drill:pick:")[place])
    await tap(ada, screen, buttons(screen, "drill:give:")[0])
    assert re.search(r"[01] of 1 best", screen.text)

    figures = await reply_to(ada.command(channel, "crib-stats player"))
    room.sandbox.observers.remove(watch)
    assert re.search(r"Counting:\W+[01] of 1 right", figures.text)
    assert re.search(r"Discards:\W+[01] of 1 best", figures.text)
    assert public(channel) == []
    assert len([said for said in watch.said if said.cards]) >= 5, "two hands, a choice, and their answers"
    assert {said.reader for said in watch.said if said.cards} == {ada.id}


async def test_stopping_says_what_the_answers_add_up_to(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    screen = await asked(ada)
    assert "You haven't answered a question yet." in await tap(ada, screen, "Stop")
    await tap(ada, screen, "drill:next:counting")
    await tap(ada, screen, numbers(screen)[0])
    said = await tap(ada, screen, "Stop")
    assert "**Counting:** 1 of 1 right" in said
    assert buttons(screen) == ["drill:next:counting", "drill:next:discards"]
    for person, is_told in ((ada, True), (ben, False)):
        figures = await reply_to(person.command("cribbage", "crib-stats player"))
        assert ("**Counting:** 1 of 1 right" in figures.text) == is_told
    hers = await reply_to(ben.command("cribbage", "crib-stats player", player=ada.user))
    assert "Counting" not in hers.text, "they are for her alone"
