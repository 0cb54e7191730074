"""At a table with the computer: alone, among people, with partners, and for the absent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.model.table_record import Status
from engine import DealBegan, StoodIn
from programs.soak.watching_all import WatchAll
from sandbox.traffic import Exchange, Frame
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import is_panel, of_verb
from tests.end_to_end.tables import Table, everything_told, lobby_by, reply_to, standing
from tests.patience import PATIENCE
from tests.room.room import Room
from tests.room.steps import stays_away


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """The computer does not take its time."""
    return {"computer_pace": 0}


@pytest.mark.deep
async def test_a_whole_game_alone_against_the_computer(room: Room) -> None:
    pressed: list[str] = []

    def note(record: Exchange | Frame) -> None:
        """Write down what was pressed."""
        said = record.payload.get("d") if isinstance(record, Frame) else None
        if isinstance(said, dict) and "custom_id" in said.get("data", {}):
            pressed.append(said["data"]["custom_id"].split(":")[3])

    room.sandbox.observers.append(note)
    table = await room.alone("Ada", computer="expert", length=61)
    [ada], archive = table.people, room.archive
    await table.play()
    await everything_told([table], archive)
    room.sandbox.observers.remove(note)

    assert archive.table(table.game).names == ("Ada", "🤖 Expert")
    assert "play" in pressed
    assert "hand" not in pressed, "it came by itself, and came down with the table"
    assert ada.dms() == [], "nothing rang"
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert "ating" not in table.results[0].text, "it is not rated"
    stats = await reply_to(ada.command(table.channel, "crib-stats player"))
    assert "You haven't finished a game against people here yet" in stats.text
    assert re.search(r"Against the computer\n🤖 Expert · 1 game, [01] won", stats.text)


@pytest.fixture
def late_answers(room: Room) -> Iterator[asyncio.Event]:
    """Discord takes no answer before the event, nor at once after it."""
    stands = asyncio.Event()

    @web.middleware
    async def late(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback"):
            async with asyncio.timeout(PATIENCE):
                await stands.wait()
            await asyncio.sleep(0.5)  # a DM is sent at once if it is sent
        return await handler(request)

    room.sandbox.interception.by = late
    yield stands
    room.sandbox.interception.by = None


async def test_a_table_that_stands_before_its_answer_rings_nobody(
    room: Room, late_answers: asyncio.Event
) -> None:
    """The game has begun, and asks its player to cut, while Discord has not taken the answer yet."""
    [ada], channel = room.people("Ada"), room.channel()
    asked = ada.command(channel, "crib new", computer="steady")
    await ada.until(lambda: standing(channel, "Who deals first?"))
    late_answers.set()
    await asked
    [table] = standing(channel, "Who deals first?")
    assert "press" not in table.text
    assert ada.dms() == []
    await ada.until(lambda: any(each.is_ephemeral and is_panel(each) for each in ada.sees(channel)))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("options", "levels"),
    [
        ({"players": 4}, ["steady", "beginner"]),
        ({"players": 3, "rules": "family", "muggins": True, "calls": True}, ["expert"]),
    ],
    ids=["partners", "three-family-muggins"],
)
async def test_computers_sit_down_in_the_lobby_and_nobody_sees_their_cards(
    room: Room, options: dict[str, Any], levels: list[str]
) -> None:
    archive, watch = room.archive, WatchAll(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    people = room.people("Ada", "Ben")
    table = await Table.gather(room.channel(), people, length=61, **options)
    panel = await reply_to(people[0].press(table.lobby, "My seat"))
    for level in levels:
        await people[0].press(panel, f"Add 🤖 {level.capitalize()}")
    await table.until(lambda: "All here" in table.lobby.text)
    await table.start()
    await table.play()
    await everything_told([table], archive)
    watch.close()
    assert archive.table(table.game).names[2:] == tuple(f"🤖 {level.capitalize()}" for level in levels)
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert {post.seat for post in archive.posts(table.game)} <= {-1, 0, 1}
    assert watch.leaks(()) == []
    assert any(said.cards for said in watch.said if said.reader is not None)


async def test_a_computer_is_sent_away_again_and_a_person_takes_its_seat(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel = room.channel()
    lobby = await lobby_by(ada.command(channel, "crib new"))
    panel = await reply_to(ada.press(lobby, "My seat"))
    await ada.press(panel, "Add 🤖 Expert")
    await ada.until(lambda: "🔷 **🤖 Expert**" in lobby.text)
    full = await reply_to(ben.press(lobby, "Join"))
    assert "All seats are taken: Ada and 🤖 Expert play." in full.text
    assert of_verb(full, "remove") is None
    await ada.press(panel, "Remove a computer")
    await ada.until(lambda: "🔷 *free*" in lobby.text)
    await reply_to(ada.command(channel, "crib join", computer="expert"))
    await reply_to(ada.command(channel, "crib leave", computer=True))
    await ada.until(lambda: "🔷 *free*" in lobby.text)
    none = await reply_to(ada.command(channel, "crib leave", computer=True))
    assert none.text == "There's no computer at this table to remove."
    await reply_to(ada.command(channel, "crib join", computer="steady"))
    await ada.until(lambda: "🔷 **🤖 Steady**" in lobby.text)
    await ada.press(panel, "Leave")
    await ada.until(lambda: "Table closed" in lobby.text)
    assert room.archive.tables()[-1].status is Status.CANCELLED


async def test_a_rematch_alone_begins_at_once_and_ends_without_being_asked(room: Room) -> None:
    archive, table = room.archive, await room.alone("Ada", computer="beginner", length=61)
    [ada] = table.people
    await table.resign(ada)

    await ada.press(table.results[0], "Rematch")
    await table.until(lambda: archive.tables()[-1].rematch_of == table.game)
    await table.until(lambda: archive.tables()[-1].status is Status.PLAYING)
    again = archive.tables()[-1]
    assert again.names == ("Ada", "🤖 Beginner")
    await ada.until(lambda: "discard 2" in ada.sees(table.channel)[-1].text)
    assert ada.dms() == [], "the hand came to the table by itself"
    began = next(event for event in archive.log(again.game) if isinstance(event, DealBegan))
    assert began.dealer == 0, "the loser"

    said = await reply_to(ada.command(table.channel, "crib end"))
    assert said.text == "Game cancelled, no result."
    assert archive.table(again.game).status is Status.CANCELLED


async def test_all_others_agree_that_the_computer_plays_for_the_absent_until_they_are_back(
    room: Room,
) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", "Cleo")
    ada, ben, cleo = table.people
    early = await reply_to(ada.command(table.channel, "crib join", computer="expert"))
    assert "Everyone is here" in early.text
    await stays_away(room, table, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))

    elsewhere = await reply_to(ada.command(ada.open_dm(), "crib join", computer="steady"))
    assert f"<#{table.channel.id}>" in elsewhere.text
    assert not standing(table.channel, "### Let the computer play"), "nobody is asked, and nothing agreed to"

    await ada.press(table.newest, "Let the computer play")
    await table.until(lambda: standing(table.channel, "### Let the computer play for Cleo?"))
    question = standing(table.channel, "### Let the computer play for Cleo?")[-1]
    assert (
        "Ada and Ben decide together.\n-# Cleo is back with any move, or by opening the hand."
        in question.text
    )
    await ben.press(question, "🤖 Expert")
    await table.until(lambda: "Ben wants 🤖 Expert.\n-# Ada decides." in question.text)
    assert [each["label"] for each in question.buttons] == ["🤖\N{NO-BREAK SPACE}Expert", "Change my mind"]
    assert archive.table(table.game).computers == frozenset()
    await ada.press(question, "🤖 Expert")
    await table.until(lambda: "🤖 Expert now plays for Cleo." in question.text)
    assert archive.table(table.game).names == ("Ada", "Ben", "🤖 Expert for Cleo")
    await table.until(lambda: table.stands("🤖 Expert for Cleo"))

    deals = len(table.deals)
    table.players.pop()
    await table.play(lambda: len(table.deals) > deals + 1)
    assert not [post for post in archive.posts(table.game) if post.seat == 2 and post.deal == deals + 2]

    hand = await reply_to(cleo.press(table.newest, "My hand"))
    assert "Deal" in hand.text
    assert archive.table(table.game).names == ("Ada", "Ben", "Cleo")
    await table.until(lambda: table.stands("Cleo") and not table.stands("Expert for Cleo"))


@pytest.mark.deep
async def test_a_game_that_the_computer_ends_for_somebody_counts_apart(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    ada, ben = table.people
    await stays_away(room, table, 1)
    table.players.pop()
    await ada.command(table.channel, "crib join", computer="steady")
    await table.until(lambda: archive.table(table.game).names == ("Ada", "🤖 Steady for Ben"))
    before = archive.version(table.game)
    await table.play()

    moved = [event for event in archive.log(table.game)[before:] if isinstance(event, StoodIn)]
    assert not moved, "the clock moved"
    assert "🤖 Steady finished the game for Ben: not rated" in table.results[0].text
    for person, said in ((ada, r"🤖 Steady · 1 game"), (ben, r"haven't finished a game here yet")):
        stats = await reply_to(person.command(table.channel, "crib-stats player"))
        assert re.search(said, stats.text), stats.text
