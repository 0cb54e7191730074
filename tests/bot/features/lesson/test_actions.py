"""The lesson by its actions: steps answered and skipped, coming back, and the first game at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.features.lesson.actions import LessonActions
from bot.features.lesson.messages import remark
from bot.features.lesson.steps import STEPS
from bot.features.lesson.store import LessonStore
from bot.model.errors import StaleButton
from bot.model.table_record import Agreement, Status, TableRecord
from bot.model.venue import Venue
from bot.render.text.voice import Voice
from bot.store.drivers.sqlite import SqliteDatabase
from engine.computer import Level
from tests.bot.interactions.asking import CHANNEL, DM, GUILD, Room, asked_by, given
from tests.bot.seating import ADA, room_of
from tests.bot.store.memory import MemoryStore


class Lesson:
    """The lesson's actions in an empty room."""

    def __init__(self, database: SqliteDatabase) -> None:
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        self.room = Room(store, sessions, lobbies)
        self.progress = LessonStore(database)

    def actions(self) -> LessonActions:
        """The actions, as after a restart."""
        return LessonActions(self.progress, self.room.tables, self.room.lobbies)

    async def chosen(self, word: str, key: str) -> str:
        """The message after that press of Ada's."""
        answer = asked_by(ADA, pressed=True)
        await self.actions().choose(answer, word, key)
        [(way, said)] = given(answer)
        assert way == "redraw"
        return said

    async def opened(self, *, dm: bool = False) -> tuple[str, str]:
        """The way in which it is shown to Ada, and its text."""
        answer = asked_by(ADA, guild=None if dm else GUILD, channel=DM if dm else CHANNEL)
        await self.actions().open(answer)
        [shown] = given(answer)
        return shown

    async def played(self, *, dm: bool = False) -> tuple[Any, TableRecord | None, TableRecord | None]:
        """The answer to *Play a first game*, and the tables in Ada's DM and in the channel."""
        answer = asked_by(ADA, guild=None if dm else GUILD, channel=DM if dm else CHANNEL, pressed=True)
        await self.actions().play(answer)
        return answer, await self.room.store.table_in(DM), await self.room.store.table_in(CHANNEL)


@pytest_asyncio.fixture
async def lesson(tmp_path: Path) -> AsyncIterator[Lesson]:
    """A lesson on a database."""
    database = await SqliteDatabase.open(tmp_path / "games.sqlite3")
    yield Lesson(database)
    await database.close()


async def test_it_is_ephemeral_in_a_channel_and_a_message_in_the_dm(lesson: Lesson) -> None:
    (way, said), (in_dm, same) = await lesson.opened(), await lesson.opened(dm=True)
    assert (way, in_dm) == ("show", "post")
    assert said == same
    assert "1/14" in said
    assert "Start over" not in said


async def test_every_step_is_answered_after_a_wrong_tap_and_leads_to_the_next(lesson: Lesson) -> None:
    for number, step in enumerate(STEPS):
        here, further = f"{number + 1}/14", f"{number + 2}/14" if number < 13 else "You can play cribbage!"
        for wrong in (each for each in step.choices if each.why):
            said = await lesson.chosen(step.word, wrong.key)
            assert remark(step, wrong, Voice()) in said
            assert here in said
        if step.word == "throw":
            for cards in ("2D", "2D7D", "7D", ""):
                assert ("Discard" in await lesson.chosen("throw", cards)) == (cards == "2D7D")
        right = {"throw": "give", "cut": "20"}.get(step.word) or next(
            each.key for each in step.choices if each.why is None
        )
        assert further in await lesson.chosen(step.word, right)


async def test_a_card_to_keep_is_not_thrown_and_what_was_chosen_stays(lesson: Lesson) -> None:
    said = await lesson.chosen("throw", "2D5C")
    assert "Keep" in said
    assert "✓ 2♦" in said
    assert "✓ 5♣" not in said


async def test_each_step_can_be_skipped_and_the_last_one_ends_the_lesson(lesson: Lesson) -> None:
    for number, step in enumerate(STEPS[:-1]):
        assert f"{number + 2}/14" in await lesson.chosen(step.word, "skip")
    assert "Play a first game" in await lesson.chosen(STEPS[-1].word, "skip")
    assert await lesson.progress.step(ADA.user) is None


async def test_who_left_comes_back_to_their_step_and_may_begin_again(lesson: Lesson) -> None:
    await lesson.chosen("run", "5")
    await lesson.chosen("go", "JH")
    _, said = await lesson.opened()
    assert "8/14" in said
    assert "Start over" in said
    answer = asked_by(ADA, pressed=True)
    await lesson.actions().begin_again(answer)
    assert "1/14" in given(answer)[0][1]
    assert "1/14" in (await lesson.opened())[1]


@pytest.mark.parametrize("word", ["", "nowhere"])
async def test_a_stored_step_that_is_no_more_begins_at_the_first(lesson: Lesson, word: str) -> None:
    await lesson.progress.keep(ADA.user, word)
    assert "1/14" in (await lesson.opened())[1]


@pytest.mark.parametrize(("word", "key"), [("nowhere", "5C"), ("run", "7"), ("run", ""), ("throw", "XX")])
async def test_an_unknown_choice_is_refused(lesson: Lesson, word: str, key: str) -> None:
    with pytest.raises(StaleButton):
        await lesson.chosen(word, key)


async def test_the_first_game_is_in_the_dm_against_a_learner(lesson: Lesson) -> None:
    await lesson.room.store.prefer(ADA.user, dm_channel=DM)
    answer, in_dm, here = await lesson.played()
    assert here is None
    assert in_dm is not None
    assert (in_dm.status, in_dm.guild) == (Status.PLAYING, None)
    assert in_dm.agreement == Agreement.of(preset="short")
    assert [each.level for each in in_dm.occupants].count(Level.LEARNER) == 1
    [(way, said)] = given(answer)
    assert way == "redraw"
    assert "direct messages" in said

    again, same, _ = await lesson.played()
    assert same == in_dm, "one game in a DM at a time"
    assert lesson.room.sync.queue.repost.call_args.args == (in_dm.game,)
    assert "direct messages" in given(again)[0][1]


async def test_asked_for_in_the_dm_it_is_there(lesson: Lesson) -> None:
    _, in_dm, _ = await lesson.played(dm=True)
    assert in_dm is not None
    assert [each.level for each in in_dm.occupants].count(Level.LEARNER) == 1


async def test_it_is_in_the_channel_if_dms_are_closed_or_cannot_be_opened_yet(lesson: Lesson) -> None:
    likes = lesson.room.store
    for opened, closed in ((None, False), (DM, True)):
        await likes.prefer(ADA.user, dm_channel=opened, dms_closed=closed)
        _, in_dm, here = await lesson.played()
        assert in_dm is None
        assert here is not None
        assert here.status is Status.PLAYING
        await lesson.room.sessions.call_off(here.game)


async def test_a_dm_is_written_to_before_a_game_begins_there(lesson: Lesson) -> None:
    async def refuses(user: int, _: str) -> None:
        await lesson.room.store.prefer(user, dms_closed=True)

    await lesson.room.store.prefer(ADA.user, dm_channel=DM)
    lesson.room.sync.dms.say_quietly.side_effect = refuses
    _, in_dm, here = await lesson.played()
    assert in_dm is None
    assert here is not None


async def test_where_the_bot_is_no_member_the_lesson_is_ephemeral_and_the_first_game_there_if_no_dm_opens(
    lesson: Lesson,
) -> None:
    answer, pressed = (
        asked_by(ADA, guild=None, venue=Venue.ANYWHERE, pressed=each) for each in (False, True)
    )
    await lesson.actions().open(answer)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "1/14" in said
    await lesson.actions().play(pressed)
    table = await lesson.room.store.table_in(CHANNEL)
    assert table is not None
    assert (table.venue, table.guild) == (Venue.ANYWHERE, None)
