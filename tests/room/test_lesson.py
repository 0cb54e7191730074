"""The lesson as people press it: steps answered and skipped, coming back, and the first game at the end."""

from __future__ import annotations

import re

import pytest

from bot.features.lesson.messages import remark
from bot.features.lesson.steps import STEPS
from bot.features.lesson.store import LessonStore
from bot.model.table_record import Agreement, Status, TableRecord
from bot.model.venue import Venue
from bot.render.text.voice import Voice
from engine.computer import Level
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import post_of, reply_to
from tests.golden import described
from tests.room.room import Room
from tests.room.steps import public, tap


async def opened(person: Person, channel: Channel | str = "cribbage") -> Message:
    return await reply_to(person.command(channel, "crib-coach learn"))


def without_cards(text: str) -> str:
    """The text without its cards, which are emojis or bold."""
    return re.sub(r"<:\w+:\d+>|\*\*[^*\n]+[♣♦♥♠][^*\n]*\*\*", "CARD", text)


async def skipped(person: Person, screen: Message, number: int = len(STEPS)) -> None:
    """Skip the first steps."""
    for step in STEPS[:number]:
        await tap(person, screen, f"learn:{step.word}:skip")


async def test_every_step_is_answered_after_a_wrong_tap_and_leads_to_the_next(room: Room) -> None:
    [ada] = room.people("Ada")
    screen = await opened(ada)
    assert screen.is_ephemeral
    for number, step in enumerate(STEPS):
        here, further = f"{number + 1}/14", f"{number + 2}/14" if number < 13 else "You can play cribbage!"
        assert here in screen.text
        assert "Start over" not in described(screen.components)
        for wrong in (each for each in step.choices if each.why and step.word != "throw"):
            told = without_cards(remark(step, wrong, Voice()))
            await ada.press(screen, f"learn:{step.word}:{wrong.key}")
            await ada.until(lambda told=told: told in without_cards(screen.text))
            assert here in screen.text
        if step.word == "throw":
            await tap(ada, screen, "learn:throw:2D")
            assert "Keep" in await tap(ada, screen, "learn:throw:2D5C")
            assert [each["emoji"]["name"] for each in screen.buttons if "✓" in each.get("label", "")] == [
                "two_of_diamonds"
            ], "what is not to be thrown is not chosen"
            await tap(ada, screen, "learn:throw:2D7D")
        right = {"throw": "give", "cut": "20"}.get(step.word) or next(
            each.key for each in step.choices if each.why is None
        )
        assert further in await tap(ada, screen, f"learn:{step.word}:{right}")
    assert await LessonStore(room.database).step(int(ada.id)) is None


async def test_who_left_comes_back_to_their_step_and_may_begin_again(room: Room) -> None:
    [ada] = room.people("Ada")
    await skipped(ada, await opened(ada), 7)
    await room.restart()
    screen = await opened(ada)
    assert "8/14" in screen.text
    assert "1/14" in await tap(ada, screen, "Start over")
    assert "1/14" in (await opened(ada)).text
    dm = await post_of(ada.command(ada.open_dm(), "crib-coach learn"))
    assert "1/14" in dm.text
    await LessonStore(room.database).keep(int(ada.id), "nowhere")
    assert "1/14" in (await opened(ada)).text, "a stored step that is no more begins at the first"


def games(room: Room, person: Person) -> list[TableRecord]:
    """The open tables at which that person sits."""
    return [each for each in room.archive.tables() if each.seat_of(int(person.id)) is not None]


async def test_the_first_game_is_in_the_dm_against_a_learner(room: Room) -> None:
    [ada] = room.people("Ada")
    ada.open_dm()
    screen = await opened(ada)
    await skipped(ada, screen)
    assert "direct messages" in await tap(ada, screen, "Play a first game")
    [table] = games(room, ada)
    assert (table.status, table.guild, table.venue) == (Status.PLAYING, None, Venue.BOT_DM)
    assert table.agreement == Agreement.of(preset="short")
    assert [each.level for each in table.occupants].count(Level.LEARNER) == 1
    screen = await opened(ada)
    await skipped(ada, screen)
    said = len(ada.dms())
    assert "direct messages" in await tap(ada, screen, "Play a first game")
    assert len(games(room, ada)) == 1, "one game in a DM at a time"
    await ada.until(lambda: len(ada.dms()) > said)


async def test_asked_for_in_the_dm_it_is_there(room: Room) -> None:
    [ada] = room.people("Ada")
    screen = await post_of(ada.command(ada.open_dm(), "crib-coach learn"))
    await skipped(ada, screen)
    await ada.press(screen, "Play a first game")
    await ada.until(lambda: games(room, ada))
    assert games(room, ada)[0].venue is Venue.BOT_DM


@pytest.mark.parametrize("has_dm", [False, True])
async def test_it_is_in_the_channel_if_dms_are_closed(room: Room, *, has_dm: bool) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    if has_dm:
        ada.open_dm()
    ada.close_dms()
    screen = await opened(ada, channel)
    await skipped(ada, screen)
    await ada.press(screen, "Play a first game")
    await ada.until(lambda: public(channel))
    [table] = games(room, ada)
    assert (table.status, table.channel) == (Status.PLAYING, int(channel.id))


async def test_where_the_bot_is_no_member_the_lesson_is_ephemeral(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    ada.install_app()
    screen = await opened(ada, ada.open_dm_with(ben))
    assert screen.is_ephemeral
    assert "1/14" in screen.text
