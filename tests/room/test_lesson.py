"""The lesson: steps answered and skipped, coming back, the first game, and a hand that explains itself."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.features.lesson.deal import DEALT, STARTER
from bot.features.lesson.messages import remark
from bot.features.lesson.steps import STEPS
from bot.features.lesson.store import LessonStore
from bot.model.table_record import Agreement, Status, TableRecord
from bot.model.venue import Venue
from bot.render.text.voice import Voice
from engine import Pegged, PlayEnded, Seat, Stage
from engine.computer import Level
from sandbox.client.people import Person
from sandbox.errors import DiscordError
from sandbox.model.channels import Channel, Message
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, post_of, public, reply_to
from tests.end_to_end.watching import Watch
from tests.golden import described
from tests.room.room import Room
from tests.room.steps import tap


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """A show stands until somebody presses *Deal*."""
    return {"deal_pause": 600}


async def opened(person: Person, channel: Channel | str = "cribbage") -> Message:
    return await reply_to(person.command(channel, "crib-coach learn"))


def without_cards(text: str) -> str:
    """The text without its cards, which are emojis or bold."""
    return re.sub(r"<:\w+:\d+>|\*\*[^*\n]+[♣♦♥♠][^*\n]*\*\*", "CARD", text)


async def skipped(person: Person, screen: Message, number: int = len(STEPS)) -> None:
    """Skip the first steps."""
    for step in STEPS[:number]:
        await tap(person, screen, f"learn:{step.word}:skip")


async def test_every_step_is_answered_after_a_wrong_tap_and_a_first_game_follows(
    room: Room,
) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    watch = Watch(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    screen = await opened(ada, channel)
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
    assert public(channel) == []

    await ada.press(screen, "Play a first game")
    await ada.until(lambda: ada.dms() and of_verb(ada.dms()[-1], "cut"))
    room.sandbox.observers.remove(watch)
    assert "direct messages" in screen.text
    assert {card for said in watch.said for card in said.cards} >= {*DEALT, STARTER}
    assert {said.reader for said in watch.said if said.cards} == {ada.id}


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


async def test_in_the_dm_the_lesson_is_a_message_and_its_game_begins_there(room: Room) -> None:
    [ben] = room.people("Ben")
    ben.say_in_dm("hello")
    await ben.until(lambda: ben.dms() and "Hi!" in ben.dms()[-1].text)
    screen = await reply_to(ben.press(ben.dms()[-1], "learn:open"))
    assert not screen.is_ephemeral
    await skipped(ben, screen)
    await ben.press(screen, "Play a first game")
    await ben.until(lambda: of_verb(ben.dms()[-1], "cut"))
    [table] = games(room, ben)
    assert table.venue is Venue.BOT_DM
    assert not any("Here comes your first game" in each.text for each in ben.dms()), "they are there already"


@pytest.mark.parametrize("why", ["closed", "closed later", "refused"])
async def test_it_is_in_the_channel_if_dms_are_closed_or_refused(room: Room, why: str) -> None:
    [ada], channel = room.people("Ada"), room.channel()

    @web.middleware
    async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith(f"/{ada.open_dm().id}/messages"):
            raise DiscordError(status=403, code=50001, message="Missing Access")
        return await handler(request)

    if why != "closed":
        ada.open_dm()
    if why == "refused":
        room.sandbox.interception.by = refuse
    else:
        ada.close_dms()
    screen = await opened(ada, channel)
    await skipped(ada, screen)
    await ada.press(screen, "Play a first game")
    await ada.until(lambda: any(of_verb(each, "cut") for each in public(channel)))
    room.sandbox.interception.by = None
    assert len(room.troubles) == (why == "refused")
    room.troubles.clear()
    [table] = games(room, ada)
    assert (table.status, table.channel) == (Status.PLAYING, int(channel.id))


async def test_where_the_bot_is_no_member_the_lesson_is_ephemeral(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    ada.install_app()
    screen = await opened(ada, ada.open_dm_with(ben))
    assert screen.is_ephemeral
    assert "1/14" in screen.text


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

    [cleo] = room.people("Cleo")
    stranger = await reply_to(cleo.command(table.channel, "crib-coach explain"))
    assert "This game is between Ada and Ben" in stranger.text
    await table.resign(ben)
    late = await reply_to(ada.press(said, "Explain"))
    assert "moved on" in late.text
