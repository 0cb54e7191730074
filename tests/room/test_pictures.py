"""Boards, shows and results as pictures; and what becomes of them where Discord refuses some way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.typedefs import Handler

from engine import HandCounted
from sandbox import assumptions
from sandbox.errors import DiscordError
from sandbox.faults import Way
from sandbox.model.channels import Message
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.archive import deals_of
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import Player, controls
from tests.end_to_end.tables import Table, everything_told
from tests.room.room import Room

deep = pytest.mark.deep
ANOTHER_WAY = "they are done another way there"
EXPECTED = (ANOTHER_WAY, "could not be drawn", "told without pictures")
"""The second is logged for an edit that was on its way while the bot learned."""
WITH_EDITS = (Way.LEFT_OUT, Way.LISTED, Way.BROUGHT)


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    """Tables have pictures, and the computer takes no time."""
    return {"pictures": True, "computer_pace": 0}


def pictures(message: Message) -> list[tuple[str, str]]:
    """The beginning of the name, and the alt text, of each picture."""
    container = message.components[0]["components"]
    items = [item for each in container if each["type"] == 12 for item in each["items"]]
    assert [item["media"]["url"] for item in items] == [file.url for file in message.files]
    return [
        (file.filename.partition("-")[0], item["description"])
        for file, item in zip(message.files, items, strict=True)
    ]


@deep
async def test_a_game_is_drawn_from_its_first_deal_to_its_result(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    [(kind, alt)] = pictures(table.newest)
    assert kind == "board"
    assert alt.startswith("Cribbage board to 61. Ada: 0, back peg at 0. Ben: 0, back peg at 0.")
    assert "```" not in table.newest.text

    await table.play()
    await everything_told([table], archive)
    assert_told_once_and_truly(table, archive)
    names, deals = archive.table(table.game).names, deals_of(archive.log(table.game))
    for number, message in table.shows:
        [(kind, alt)] = pictures(message)
        assert kind == "show", number
        # A player who pegs out on the first hand of the last deal leaves the other one uncounted.
        counted = {names[each.seat] for each in deals[number - 1] if isinstance(each, HandCounted)}
        assert {name for name in names if f"Hand of {name}: " in alt or f"Crib of {name}: " in alt} == counted
    [(kind, alt)] = pictures(table.results[0])
    assert kind == "result"
    assert "Chance of Ada to win, deal by deal: " in alt
    assert "61, back peg at" in alt


@pytest.mark.deep
async def test_time_stands_still_while_a_computer_thinks_and_a_picture_is_drawn(room: Room) -> None:
    table = await room.alone("Ada", computer="steady", length=61)
    before = asyncio.get_running_loop().time()
    await table.play()
    assert asyncio.get_running_loop().time() - before < 60
    assert pictures(table.results[-1])


async def test_where_files_may_not_be_attached_the_table_is_text(room: Room) -> None:
    channel, me = room.channel(), room.sandbox.world.bot.id
    room.owner.set_overwrite(channel, Overwrite(me, is_member=True, deny=Permission.ATTACH_FILES))
    table = await room.table("Ada", "Ben", channel=channel, length=61)
    await table.play(lambda: table.stands("Deal 2"))
    await table.resign(table.people[0])
    assert [number for number, _ in table.deals] == [1, 2]
    assert not any(message.files for message in table.messages)
    assert "```" in table.results[0].text
    [said] = room.troubles
    assert "without pictures" in said
    room.troubles.clear()


async def test_where_files_may_be_attached_no_more_the_table_is_told_on_as_text_in_its_place(
    room: Room,
) -> None:
    table, me = await room.table("Ada", "Ben", length=61), room.sandbox.world.bot.id
    board = table.newest
    assert pictures(board)
    room.owner.set_overwrite(table.channel, Overwrite(me, is_member=True, deny=Permission.ATTACH_FILES))
    await table.play(lambda: "```" in board.text)
    assert table.newest is board
    await table.until(lambda: room.troubles)
    [said] = room.troubles
    assert "without pictures" in said
    room.troubles.clear()


async def test_where_edits_are_refused_whatever_they_hold_the_table_keeps_its_pictures(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    board = table.newest

    @web.middleware
    async def published(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method == "PATCH" and request.path.endswith(f"/messages/{board.id}"):
            raise DiscordError(status=403, code=20022, message="Refused")
        return await handler(request)

    room.sandbox.interception.by = published
    await table.play(lambda: table.newest is not board)
    room.sandbox.interception.by = None
    assert len(table.deals) == 2, "one in place of the other"
    await table.play(lambda: len(table.deals) == 3)
    assert pictures(table.newest)
    [said] = room.troubles
    assert "took no edit" in said
    room.troubles.clear()


async def test_a_picture_that_discord_refuses_once_is_posted_anew(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    room.sandbox.pictures.fail(400)
    await table.play(lambda: table.moved)
    assert pictures(table.newest)
    room.troubles.clear()


async def alone_in_dm(room: Room) -> Table:
    """A table in a person's DM with the bot, on whose one message they press."""
    [ada] = room.people("Ada")
    await ada.command(ada.open_dm(), "crib new", length=61)
    game = room.archive.tables()[-1].game
    table = Table(ada.open_dm(), [Player(ada, ada.open_dm(), game, Random(1))])
    await table.cut_for_deal()
    return table


@deep
async def test_no_picture_that_stands_in_a_message_is_sent_there_again(room: Room) -> None:
    """By an answer to a press, by an edit with its token, and by one after a restart."""
    table, exchanges = await alone_in_dm(room), room.conformance.exchanges
    since = len(exchanges)
    await table.play(lambda: len(table.deals) == 2)
    await room.synced(table)
    await room.restart()
    await table.play(lambda: len(table.deals) == 3)

    edits = [each for each in exchanges[since:] if each.method == "PATCH" or each.path.endswith("callback")]
    sent = [file.content for each in edits for file in each.files]
    assert 0 < len(sent) < len(edits)
    assert len(sent) == len(set(sent)), "and no board comes back"
    assert all(map(pictures, table.messages))


@pytest_asyncio.fixture(loop_scope="module")
async def unlearned(room: Room) -> AsyncIterator[Room]:
    """The room, with a bot that has learned no other way of sending pictures, before and after the test."""
    room.sandbox.pictures.refused.clear()
    yield room
    assert [each for each in room.troubles if not any(said in each for said in EXPECTED)] == []
    room.troubles.clear()
    room.sandbox.pictures.mend()
    await room.restart()


@deep
async def test_a_table_whose_picture_is_refused_in_edits_and_anew_is_text(unlearned: Room) -> None:
    table = await unlearned.table("Ada", "Ben", length=61)
    unlearned.sandbox.pictures.fail(400, times=1_000, creates=True)
    await table.play(lambda: table.stands("```"))
    assert table.moved == []
    assert not table.newest.files
    await table.until(lambda: any("told without pictures" in line for line in unlearned.troubles))


REFUSED = {
    "what stays must be listed": (Way.LEFT_OUT,),
    "what stays must be brought again": (Way.LEFT_OUT, Way.LISTED),
    "edits bring nothing": (Way.BROUGHT,),
    "edits bring and keep nothing": WITH_EDITS,
}


@deep
@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
async def test_a_table_is_posted_anew_twice_at_most_for_each_way_that_is_refused(
    unlearned: Room, refused: tuple[Way, ...]
) -> None:
    faults = unlearned.sandbox.pictures
    faults.refuse(*refused)
    table = await unlearned.table("Ada", "Ben", length=61)
    await table.play()
    await everything_told([table], unlearned.archive)

    deals = unlearned.archive.replayed(table.game).table.deal_number
    places = 1 + len(table.people)  # the channel, and the players' direct messages
    needed = 1 + deals + 1  # the lobby, which is the first table in a channel, and the result
    assert len(table.messages) <= needed + 2 * len(refused)
    for way in refused:
        # Twice in each place, one edit that was already on its way, and the last words on each message that
        # is posted anew.
        assert faults.refused[way] <= 3 * places + 2, way
    assert [file.filename.partition("-")[0] for file in table.results[0].files] == ["result"]
    assert bool(table.shows[-1][1].files) == (Way.BROUGHT not in refused)
    assert not any(controls(each) for each in table.messages[:-1])
    assert len([line for line in unlearned.troubles if ANOTHER_WAY in line]) == len(refused), "each once"


@deep
@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
async def test_alone_in_the_dm_each_tap_is_answered_whatever_is_refused(
    unlearned: Room, refused: tuple[Way, ...]
) -> None:
    faults = unlearned.sandbox.pictures
    faults.refuse(*refused)
    table = await alone_in_dm(unlearned)
    await table.play()
    await everything_told([table], unlearned.archive)
    assert not any("Discord didn't take my answer" in each.text for each in table.messages)
    # Two that the bot learns from, and some that were on their way; without learning it is one a tap.
    assert max(faults.refused.values(), default=0) <= 8


ANSWERS = sorted(name for name, value in vars(assumptions).items() if isinstance(value, bool))
MESSAGES = 20
"""A game to 61 has some seven deals, and two messages more for each way that is learned; 41 if none is."""


@deep
@pytest.mark.parametrize(
    "names",
    [
        ANSWERS,
        ["DROPPED_FILES_MAY_STAY_IN_SIGHT"],
        ["EPHEMERALS_ARE_DIRECT_MESSAGES"],
        ["RETAINED_ATTACHMENTS_CAN_BE_REFERENCED"],
        ["UPDATE_RESPONSE_KEEPS_FILES"],
    ],
    ids=lambda names: names[0] if len(names) == 1 else "all at once",
)
async def test_a_game_goes_on_whichever_way_discord_decides_what_no_document_says(
    unlearned: Room, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    """Yes and no of assumptions, turned; those that a game meets at each card are turned alone, too."""
    for name in names:
        monkeypatch.setattr(assumptions, name, not getattr(assumptions, name))
    table = await unlearned.table("Ada", "Ben", length=61)
    await table.play()
    await everything_told([table], unlearned.archive)
    assert len(table.channel.messages) < MESSAGES
    [result] = table.results
    assert result.text
