"""Learning: the lesson's steps, the drills, and a first game that is explained in the player's own hand."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest

from bot.features.lesson.deal import DEALT, STARTER
from bot.features.lesson.steps import STEPS, Step
from engine import Pegged, PlayEnded, Seat, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.players import buttons, of_verb, tap
from tests.end_to_end.tables import Table, public, reply_to
from tests.end_to_end.watching import PrivateWatch
from tests.room.room import Room


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """A show stands until somebody presses *Deal*."""
    return {"deal_pause": 600}


async def learn(person: Person, screen: Message, step: Step) -> None:
    """Answer a step: wrong at first, then right."""
    place = re.match(r"-# \d+/\d+", screen.text.lstrip())
    assert place is not None, screen.text
    for wrong in [each.key for each in step.choices if each.why][:1]:
        told = screen.text
        await tap(person, screen, f"learn:{step.word}:{wrong}")
        assert place[0] in screen.text, "a wrong tap leads nowhere"
        assert screen.text != told
    right = {"throw": ["2D", "2D7D", "give"], "cut": ["20"]}
    for key in right.get(step.word) or [next(each.key for each in step.choices if each.why is None)]:
        await tap(person, screen, f"learn:{step.word}:{key}")
    assert place[0] not in screen.text


async def test_a_newcomer_learns_in_a_channel_and_plays_a_first_game_by_dm(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    watch = PrivateWatch(room.sandbox, room.archive, ada.id)
    room.sandbox.observers.append(watch)
    screen = await reply_to(ada.command(channel, "crib-coach learn"))
    assert screen.is_ephemeral
    for step in STEPS:
        await learn(ada, screen, step)
    assert public(channel) == []

    await ada.press(screen, "learn:game")
    await ada.until(lambda: ada.dms() and of_verb(ada.dms()[-1], "cut"))
    room.sandbox.observers.remove(watch)
    assert "direct messages" in screen.text
    assert {card for said in watch.said for card in said.cards} >= {*DEALT, STARTER}
    assert watch.leaks(()) == []


async def skip(person: Person, screen: Message) -> None:
    """Skip all steps, and begin a game."""
    for step in STEPS:
        await tap(person, screen, f"learn:{step.word}:skip")
    await person.press(screen, "learn:game")


async def hello(room: Room) -> Person:
    """Somebody who has written to the bot, and has its answer in their DM."""
    [ben] = room.people("Ben")
    ben.say_in_dm("hello")
    await ben.until(lambda: ben.dms() and "Hi!" in ben.dms()[-1].text)
    return ben


async def test_in_the_dm_the_lesson_is_a_message_and_its_game_begins_there(room: Room) -> None:
    ben = await hello(room)
    screen = await reply_to(ben.press(ben.dms()[-1], "learn:open"))
    assert not screen.is_ephemeral
    await skip(ben, screen)
    await ben.until(lambda: of_verb(ben.dms()[-1], "cut"))


@pytest.mark.parametrize("known", [False, True])
async def test_whose_dms_are_closed_plays_in_the_channel(room: Room, *, known: bool) -> None:
    [cleo], channel = room.people("Cleo"), room.channel()
    if known:
        cleo.open_dm()
    cleo.close_dms()
    await skip(cleo, await reply_to(cleo.command(channel, "crib-coach learn")))
    await cleo.until(lambda: any(of_verb(each, "cut") for each in public(channel)))


async def test_a_hand_is_counted_and_a_discard_chosen_in_one_message(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    watch = PrivateWatch(room.sandbox, room.archive, ada.id)
    room.sandbox.observers.append(watch)
    screen = await reply_to(ada.command(channel, "crib-coach drill", kind="counting"))
    assert screen.is_ephemeral
    numbers = buttons(screen, "drill:count:")
    assert len({*numbers}) == 5
    await tap(ada, screen, numbers[2])
    assert re.search(r"[01] of 1 right", screen.text)

    await tap(ada, screen, "drill:next:counting")
    assert {*buttons(screen, "drill:count:")}.isdisjoint(numbers)
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
    assert watch.leaks(()) == []


async def test_in_the_dm_a_drill_is_an_ordinary_message(room: Room) -> None:
    ben = await hello(room)
    screen = await reply_to(ben.command(ben.open_dm(), "crib-coach drill", kind="discards"))
    assert not screen.is_ephemeral
    for place in (0, 1):
        await tap(ben, screen, buttons(screen, "drill:pick:")[place])
    await tap(ben, screen, buttons(screen, "drill:give:")[0])
    assert "1 best" in screen.text


_REASON = re.compile(r"^-# .+: \d+ for (?:you|Ada|Ben)$", re.MULTILINE)
_PARTS = re.compile(r"^-# Your (?:hand|crib): .*\d$", re.MULTILINE)


async def test_a_first_game_is_explained_to_who_has_not_turned_it_off(room: Room) -> None:
    archive, people = room.archive, room.people("Ada", "Ben")
    ada, ben = people
    table = await Table.gather(room.channel(), people, length=61)
    panel = await reply_to(ben.press(table.lobby, "My seat"))
    await ben.press(panel, "✓ Explain")
    await table.until(lambda: "Explain" in [each.get("label") for each in panel.buttons])
    await table.start()
    await table.cut_for_deal()

    hand, other = (person.dms()[-1] for person in people)
    assert re.search(r"-# 2 of these go to (?:Ben's|your) crib, an extra hand", hand.text)
    assert "extra hand" not in other.text
    told: set[str] = set()

    def is_at_the_show() -> bool:
        told.update(_REASON.findall(hand.text))
        assert not _REASON.search(other.text)
        if archive.replayed(table.game).table.stage is not Stage.DEALING:
            return False
        show = takewhile(lambda each: not isinstance(each, PlayEnded), reversed(archive.log(table.game)))
        return any(isinstance(each, Pegged) and each.seat == Seat(0) for each in show)

    await table.play(is_at_the_show)  # of a deal in which Ada counts something
    await table.until(lambda: _PARTS.search(hand.text))
    assert told
    assert not _PARTS.search(other.text)
    assert not any(_REASON.search(each.text) or "for you" in each.text for each in table.messages)

    await room.synced(table)
    before = hand.text, hand.edited_at
    said = await reply_to(ada.press(hand, "What was that?"))
    assert said.only_for == ada.id
    assert re.search(r"\*\*(?:Ben's|Your) crib: \d", said.text)
    assert (hand.text, hand.edited_at) == before
    await ada.press(said, "Stop explaining")
    await table.until(lambda: not _PARTS.search(hand.text))
    assert of_verb(hand, "what") is None
    again = await reply_to(ada.command(table.channel, "crib-coach explain"))
    assert "From now on your hand explains" in again.text
    await table.until(lambda: _PARTS.search(hand.text))
