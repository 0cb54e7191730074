"""Answers that come late say and show what prompt ones do, to the same people; and a ban loses no move.

What Discord has called failed makes none; and what it has posted without saying so is not posted again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.sync.discord_time import DISCORD_TIME
from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction, State
from tests.end_to_end.players import copies_of, custom_id, of_verb, tap_cards
from tests.end_to_end.tables import Table, public, reply_to, standing
from tests.patience import PATIENCE
from tests.room.room import Room
from tests.room.steps import stays_away

COMING = "Here it comes."
BAN = 8.0
PRESSES = 12


@pytest.fixture(autouse=True)
def prompt(room: Room) -> Iterator[None]:
    """The database is slow for one test alone."""
    yield
    room.database.delay = 0.0


def slow_down(room: Room) -> None:
    """Let the database take so long from now on that answers are deferred."""
    room.database.delay = 3.0


async def posted(person: Person, table: Table, words: str) -> Message:
    """The message with these words which everybody sees, once it is there."""
    return (await person.until(lambda: standing(table.channel, words), timeout=PATIENCE))[0]


async def slowly(doing: Interaction) -> Interaction:
    """The interaction, once its message has come after the deferral."""
    return await (await doing).done(PATIENCE)


async def test_a_late_question_whether_to_end_is_asked_at_the_table(room: Room) -> None:
    table = await room.table("Ben", "Cleo")
    ben, cleo = table.people
    slow_down(room)
    asked = await slowly(ben.command(table.channel, "crib end"))
    question = await posted(ben, table, "Ben wants to end the game.")
    assert [each.text for each in asked.messages if each.is_ephemeral] == [COMING]
    room.database.delay = 0.0
    await cleo.press(question, "End it")
    await table.until(lambda: "Game cancelled" in question.text)


async def test_a_late_question_for_a_substitute_is_asked_at_the_table(room: Room) -> None:
    table = await room.table("Ada", "Ben", "Cleo")
    ada, ben, _ = table.people
    await stays_away(room, table, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))
    before = table.newest.text
    slow_down(room)
    pressed = await slowly(ada.press(table.newest, "Let the computer play"))
    question = await posted(ada, table, "### Let the computer play for Cleo?")
    assert table.newest.text == before
    assert not [each.text for each in pressed.messages if each.is_ephemeral]

    await slowly(ben.press(question, "🤖 Expert"))
    await table.until(lambda: "Ben wants 🤖 Expert." in question.text)


async def test_a_late_leaderboard_is_for_everybody(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada, ben = table.people
    await ada.command(table.channel, "crib resign", sure=True)
    await table.until(lambda: table.results)
    slow_down(room)
    asked = await slowly(ben.command(table.channel, "crib-stats leaderboard", by="wins"))
    await posted(ada, table, "## Leaderboard")
    assert [each.text for each in asked.messages if each.is_ephemeral] == [COMING]


async def test_late_discards_that_are_shown_to_everybody_are_posted_once(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    options = {"cards": "4c 5d 6h js 2d 9c", "dealer": True}
    own = await reply_to(ada.command(channel, "crib-coach discards", **options))
    slow_down(room)
    asked = await slowly(ada.press(own, "Show everybody"))
    await ada.until(lambda: standing(channel, "###"), timeout=PATIENCE)
    assert len(public(channel)) == 1
    assert [each.text for each in asked.messages if each.is_ephemeral] in ([COMING], [])


@pytest.mark.parametrize("by", ["button", "command"])
async def test_a_hand_that_comes_late_follows_the_game(room: Room, by: str) -> None:
    table = await room.table("Ada", "Ben")
    ada, _ = table.people
    before = table.newest.text
    slow_down(room)
    asked = await (
        ada.press(table.newest, "My hand") if by == "button" else ada.command(table.channel, "crib hand")
    )
    await table.until(lambda: asked.messages and not asked.reply.is_loading)
    hand = asked.reply
    assert hand.is_ephemeral
    assert "discard 2 to" in hand.text
    room.database.delay = 0.0
    # In play this quick it may come to no picture of the hand between the discard and the next deal.
    await table.play(lambda: "discard 2 to" not in hand.text)
    assert table.deals[0][1].text.splitlines()[1] == before.splitlines()[1], "drawn over"


async def test_two_players_who_press_on_during_a_ban_find_all_moves_made(room: Room) -> None:
    archive, ban = room.archive, room.sandbox.ban
    table = await room.table("Ada", "Ben", length=61, survives_failures=True)
    await room.synced(table)
    hands = {player.person: player.hand() for player in table.players}
    ban.begin(BAN)
    for number in range(PRESSES):
        for person, hand in hands.items():
            assert hand is not None
            card = [each for each in hand.buttons if ":pick:" in each.get("custom_id", "")][number % 6]
            person.press(hand, card["custom_id"])  # nobody is answered, as nothing can be sent
        await asyncio.sleep(0.2)
    # Each may have had one request on its way when the ban began.
    assert len(ban.requests) <= 1 + len(hands)
    ban.end()

    await table.until(lambda: archive.replayed(table.game).table.stage is Stage.DISCARDING)
    await asyncio.sleep(BAN)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await room.synced(table)
    assert [each for each in room.troubles if "bans this address" in each]
    room.troubles.clear()


@pytest.mark.parametrize("of", ["/messages", "/callback"])
async def test_a_request_that_is_never_answered_holds_up_no_table_for_long(room: Room, of: str) -> None:
    table = await room.table("Ada", "Ben", length=61, survives_failures=True)
    lost, began = asyncio.Event(), asyncio.get_running_loop().time()

    async def silent(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method == "POST" and request.path.endswith(of) and not lost.is_set():
            lost.set()
            await asyncio.sleep(3_600)
        return await handler(request)

    room.sandbox.interception.by = silent
    await table.play(lambda: len(table.deals) == 2)
    room.sandbox.interception.by = None
    assert lost.is_set()
    assert asyncio.get_running_loop().time() - began < 120
    room.troubles.clear()


@pytest.mark.parametrize("away", [1.0, 11.0])
async def test_what_was_pressed_too_long_before_the_gateway_came_back_makes_no_move(
    room: Room, away: float
) -> None:
    """Three attempts at a connection take 2.4 to 3 s, five 12 to 15 s."""
    table = await room.table("Ada", "Ben")
    (ada, ben), gateway = table.people, room.sandbox.gateway
    hand = table.players[0].hand()
    assert hand is not None
    await tap_cards(ada, hand)
    await ada.until(lambda: of_verb(hand, "discard"))
    await room.synced(table)
    log, resumes, dropped = room.archive.log(table.game), gateway.resumes, room.bot.readings().dropped

    gateway.trouble.barred.add(0)
    await gateway.cut()
    await asyncio.sleep(0.2)
    missed = [
        ada.press(hand, custom_id(hand, "discard")),
        ben.command(table.channel, "crib resign", sure=True),
    ]
    await asyncio.sleep(away)
    gateway.trouble.barred.clear()
    await ada.until(lambda: gateway.resumes > resumes)
    await asyncio.sleep(5)
    assert [each.state for each in missed] == [State.FAILED] * 2
    assert room.archive.log(table.game) == log
    assert room.bot.readings().dropped == dropped + len(missed)
    room.troubles.clear()

    DISCORD_TIME.observe_date(DISCORD_TIME() + 3_600)
    await gateway.cut()
    assert (await ada.press(hand, custom_id(hand, "discard"))).state is State.ACKNOWLEDGED
    await room.synced(table)
    assert room.archive.log(table.game) != log, "what is replayed at once counts"


async def test_a_press_that_comes_twice_is_answered_once(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    dropped = room.bot.readings().dropped
    room.sandbox.gateway.trouble.doubled.add("INTERACTION_CREATE")
    asked = await table.people[0].press(table.newest, "My hand")
    room.sandbox.gateway.trouble.doubled.clear()
    await asyncio.sleep(5)
    assert len(asked.messages) == 1
    assert room.bot.readings().dropped == dropped + 1


async def test_a_press_whose_answer_comes_too_late_costs_one_refusal(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    asked: list[str] = []

    async def late(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback"):
            asked.append(request.path)
            await asyncio.sleep(3.1)
        return await handler(request)

    room.sandbox.interception.by = late
    assert (await table.people[0].press(table.newest, "My hand")).state is State.FAILED
    await asyncio.sleep(30)
    room.sandbox.interception.by = None
    assert len(asked) == 1


@pytest.mark.parametrize("fault", ["500", "dropped"])
@pytest.mark.parametrize("of", ["/webhooks/", "/interactions/"])
async def test_a_hand_that_was_shown_without_word_of_it_is_not_shown_twice(
    room: Room, of: str, fault: str
) -> None:
    table = await room.table("Ada", "Ben")
    ada, _ = table.people
    lost: list[str] = []

    async def loses(request: web.Request, handler: Handler) -> web.StreamResponse:
        done = await handler(request)
        if request.method != "POST" or of not in request.path or lost:
            return done
        lost.append(request.path)
        if fault == "dropped" and request.transport is not None:
            request.transport.abort()
        return web.json_response({"message": "500: Internal Server Error", "code": 0}, status=500)

    if of == "/webhooks/":
        slow_down(room)
    room.sandbox.interception.by = loses
    await ada.press(table.newest, "My hand")
    await asyncio.sleep(30)
    room.sandbox.interception.by = None
    assert lost
    [hand] = copies_of(ada, table.channel)
    assert [each for each in ada.sees(table.channel) if each.is_ephemeral] == [hand]
    room.troubles.clear()

    room.database.delay = 0.0
    again = await ada.press(table.newest, "My hand")
    assert of_verb(again.reply, "pick")
