"""Hands: open at the table, where they follow the game for their player alone, and by DM, if that is open."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from engine import Seat, Stage
from programs.soak.watching_all import WatchAll
from sandbox.client.people import Person
from sandbox.errors import Refusal
from sandbox.model.channels import Message
from sandbox.rest.context import raw_body
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly, playable
from tests.end_to_end.players import (
    controls,
    copies_of,
    custom_id,
    discard,
    of_verb,
    tap_cards,
    untapped,
)
from tests.end_to_end.tables import Table, everything_told, post_of, reply_to
from tests.room.room import Room

BEHIND = "I can't reach Ben by DM: their cards are behind *My hand*."


async def opened(table: Table, name: str) -> Message:
    """The hand that the player of that name opens at the table."""
    return await reply_to(table.player(name).person.press(table.newest, "My hand"))


def chosen(hand: Message) -> list[str]:
    """The cards that are chosen for the crib."""
    return [address["argument"] for address, _ in controls(hand) if address["verb"] == "unpick"]


# Open at the table


@pytest.mark.deep
@pytest.mark.parametrize("options", [{}, {"muggins": True, "calls": True}], ids=["plain", "muggins"])
async def test_a_whole_game_is_played_on_copies_that_are_never_refreshed(
    room: Room, options: dict[str, Any]
) -> None:
    watch = WatchAll(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    table = await room.table("Ada", "Ben", length=61, behind_the_button=True, refreshes=False, **options)
    await table.play()
    await everything_told([table], room.archive)
    watch.close()

    for person in table.people:
        [copy] = [
            each for each in person.sees(table.channel) if each.is_ephemeral and of_verb(each, "rematch")
        ]
        assert re.search("won, |You win| wins", copy.text)
    assert_told_once_and_truly(table, room.archive)
    assert watch.leaks(()) == []


async def test_a_hand_at_the_table_follows_the_game(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.player("Ada").person
    hand = await opened(table, "Ada")
    await discard(ada, hand)
    assert "You discarded" in hand.text
    before = hand.text
    while not room.archive.replayed(table.game).table.has_discarded[1]:
        await table.player("Ben").act()
        await ada.something()
    await ada.until(lambda: hand.text != before)


async def test_what_is_begun_on_a_copy_stays_while_others_discard(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada, ben = table.people
    mine, bens = await opened(table, "Ada"), await opened(table, "Ben")
    await tap_cards(ada, mine)
    links = {each["url"] for hand in (mine, bens) for each in hand.buttons if "url" in each}
    ben.say(table.channel, "Shall we have the table down here?")
    await ben.command(table.channel, "crib table")
    await table.until(lambda: bens not in copies_of(ben, table.channel))
    [bens] = copies_of(ben, table.channel)
    assert not any(each.get("url") in links for each in bens.buttons)
    assert any(each.get("url") in links for each in mine.buttons), "drawn over"
    await discard(ben, bens)
    assert "Ada: choose 2 cards for the crib" in bens.text

    await ada.press(mine, custom_id(mine, "discard"))
    await table.until(lambda: "for the crib" not in bens.text)


async def test_a_copy_of_a_game_that_is_called_off_has_no_buttons(room: Room) -> None:
    table = await room.table("Ben", "Cleo")
    copies = [await opened(table, name) for name in ("Ben", "Cleo")]
    assert all(of_verb(each, "pick") for each in copies)
    question = (await table.people[0].command(table.channel, "crib end")).reply
    await table.people[1].press(question, "End it")
    await table.until(lambda: not any(each.buttons for each in copies))
    assert all("Deal 1 is over" in each.text for each in copies)


async def test_the_copy_stands_below_the_table_of_every_deal_and_the_dm_is_left_alone(room: Room) -> None:
    table = await Table.gather(
        room.channel(), room.people("Ada", "Ben"), length=61, behind_the_button=True, refreshes=False
    )
    ada, _ = table.people
    await table.start()
    await table.until(lambda: all(person.dms() for person in table.people))  # who is quicker gets none
    for deals in (2, 3):
        await table.play(lambda deals=deals: len(table.deals) == deals)
        await table.until(
            lambda: [int(each.id) > int(table.newest.id) for each in copies_of(ada, table.channel)] == [True]
        )
        assert of_verb(copies_of(ada, table.channel)[0], "pick")
    [dm] = ada.dms()
    assert "You're playing in <#" in dm.text
    path = f"/channels/{dm.channel.id}/messages"
    sent = [each.method for each in room.conformance.exchanges if each.path.startswith(path)]
    assert sent[0] == "POST"
    assert len(sent) <= 3, "a line, perhaps the hand, and where Ada plays"

    # The hand comes back to the DM, and the copy at the table answers all the same.
    [copy] = copies_of(ada, table.channel)
    await ada.press(dm, "Play here instead")
    await table.until(lambda: of_verb(dm, "pick"))
    assert re.search(r"^Deal 2: you \+\d+", dm.text, re.MULTILINE)
    await ada.press(copy, "Refresh")
    await table.until(lambda: "You're playing in <#" in dm.text)


async def test_after_a_restart_a_copy_waits_for_a_press_and_follows_again(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    (ada, ben), copy = table.people, await opened(table, "Ada")
    await room.restart()
    await table.play(lambda: table.stands("Starter"))
    assert of_verb(copy, "pick") is not None, "nobody can draw on it now"
    await ada.press(copy, custom_id(copy, "hand"))
    assert of_verb(copy, "pick") is None
    question = await post_of(ben.command(table.channel, "crib end"))
    await ada.press(question, "End it")
    await table.until(lambda: "Deal 1 is over" in copy.text)


async def second_deal(room: Room, table: Table) -> None:
    """Play until the second deal has begun, and nobody has chosen a card in it."""
    await table.play(lambda: room.archive.replayed(table.game).table.deal_number == 2)
    await room.synced(table)


async def test_a_copy_of_an_earlier_deal_answers_any_press_with_the_new_hand(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada, copy = table.people[0], await opened(table, "Ada")
    old = custom_id(copy, "pick")
    await room.restart()
    await second_deal(room, table)
    assert custom_id(copy, "pick") == old, "nobody can draw on it now"
    await ada.press(copy, old)
    await table.until(lambda: "That button is from deal 1, and you're in deal 2." in copy.text)
    await ada.press(copy, custom_id(copy, "pick"))
    await table.until(lambda: of_verb(copy, "unpick"))
    assert "That button" not in copy.text


async def test_after_a_restart_the_table_says_who_has_to_press_for_their_hand(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61, behind_the_button=True, refreshes=False)
    await second_deal(room, table)
    await room.restart()
    await discard(table.people[0], await opened(table, "Ada"))
    await table.until(lambda: "**Ben**: press *My hand*" in table.newest.text)
    assert of_verb(await opened(table, "Ben"), "pick")
    await table.until(lambda: "press *My hand*" not in table.newest.text)


# Choosing


async def test_of_three_taps_at_once_the_last_two_are_chosen(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada, hand = table.people[0], await opened(table, "Ada")
    taps = [each["custom_id"] for each in untapped(hand)][:3]
    await asyncio.gather(*(ada.press(hand, each) for each in taps))

    await table.until(lambda: of_verb(hand, "discard"))
    [kept] = room.archive.choices(table.game, 1).values()
    last = [each.rpartition(":")[2] for each in taps[1:]]
    assert [str(each) for each in kept] == last
    await table.until(lambda: chosen(hand) == last)
    await ada.press(hand, custom_id(hand, "discard"))
    await table.until(lambda: "You discarded" in hand.text)
    assert room.archive.choices(table.game, 1) == {}


async def test_a_tap_that_is_repeated_leaves_the_card_chosen(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada, hand = table.people[0], await opened(table, "Ada")
    tap = untapped(hand)[0]["custom_id"]
    await asyncio.gather(ada.press(hand, tap), ada.press(hand, tap))
    await table.until(lambda: len(chosen(hand)) == 1)
    back = custom_id(hand, "unpick")
    assert back == tap.replace("pick", "unpick")
    await asyncio.gather(ada.press(hand, back), ada.press(hand, back))
    await table.until(lambda: chosen(hand) == [])


async def test_a_discard_can_be_changed_until_the_others_have_discarded(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    ada, hand = table.people[0], await opened(table, "Ada")
    before = await discard(ada, hand)
    await ada.press(hand, "Change")
    after = await discard(ada, hand)
    assert not set(before) & set(after)
    given = room.archive.replayed(table.game).view(Seat(0)).discarded
    assert {str(each) for each in given} == set(after)


async def test_who_always_wants_the_starter_cut_is_asked_once_and_may_be_asked_again(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben")
    pone = table.people[archive.replayed(table.game).table.pone]
    hands = {}
    for person in table.people:
        hands[person.name] = await opened(table, person.name)
        await discard(person, hands[person.name])
    mine = hands[pone.name]
    await table.until(lambda: of_verb(mine, "cut"))
    await pone.press(mine, "Always cut for me")
    assert archive.replayed(table.game).table.starter is not None
    assert archive.always_cuts(int(pone.id))
    await pone.press(mine, "Let me cut")
    assert not archive.always_cuts(int(pone.id))
    assert "Let me cut" not in [each.get("label") for each in mine.buttons]


async def test_with_muggins_a_lead_takes_one_tap_and_every_other_card_two(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", muggins=True)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    pone = archive.replayed(table.game).table.pone
    for person, taps in ((table.people[pone], 1), (table.people[1 - pone], 2)):
        hand = await opened(table, person.name)
        before = archive.version(table.game)
        await person.press(hand, custom_id(hand, "play"))
        if taps > 1:
            assert archive.version(table.game) == before
            await person.press(hand, "0")
        assert archive.version(table.game) > before


async def test_more_numbers_of_points_are_offered_for_the_same_card(room: Room) -> None:
    table = await room.table("Ada", "Ben", muggins=True, length=61)
    await table.play(until=lambda: any(_asks(each.person) for each in table.players))
    player = next(each for each in table.players if _asks(each.person))
    hand = player.hand()
    assert hand is not None
    select = of_verb(hand, "more") or {}
    await player.person.press(hand, select["custom_id"])
    offered = of_verb(hand, "call") or {}
    assert len(offered["options"]) > 5
    assert offered["custom_id"].endswith(select["custom_id"][-2:]), "for the same card"


def _asks(person: Person) -> bool:
    """True if their hand asks for the points of a card."""
    return any(of_verb(each, "more") for each in person.dms())


# By direct message


def sent_by_dm(room: Room, person: Person) -> list[int]:
    """The HTTP statuses of the messages that the bot tried to send to the person."""
    path = f"/channels/{person.dm.id if person.dm is not None else None}/messages"
    exchanges = room.conformance.exchanges
    return [each.status for each in exchanges if (each.method, each.path) == ("POST", path)]


async def test_the_hand_names_the_server_and_leads_to_the_table(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    for player in table.players:
        hand = player.hand()
        assert hand is not None
        where = r"^\*\*Deal 1\*\* · discard 2 to .*\n-# The Crib Room <#\d+>$"
        assert re.search(where, hand.text, re.MULTILINE)
        [link] = [each for each in hand.buttons if "url" in each]
        assert link["url"] == table.newest.link


async def test_a_closed_dm_is_remembered_and_tried_again_only_when_asked(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    archive = room.archive
    ben.close_dms()
    table = await Table.begin(room.channel(), [ada, ben], length=61)
    await table.until(lambda: BEHIND in table.newest.text)
    assert table.newest.text.count("I can't reach") == 1

    # Both discard, Ben in an ephemeral hand. Then some play, and the bot does not try to DM Ben again.
    for person, hand in ((ben, await opened(table, "Ben")), (ada, table.player("Ada").hand())):
        assert hand is not None
        await discard(person, hand)
    await table.until(lambda: of_verb(table.newest, "cut"))
    await table.people[archive.replayed(table.game).table.pone].press(table.newest, "36")
    await table.until(lambda: table.stands("### Starter"))
    assert sent_by_dm(room, ben) == [403]
    assert table.newest.text.count("I can't reach") == 1

    # Asked again while they are still closed: one try, and the same polite line.
    await ben.press(await opened(table, "Ben"), "Send it by DM")
    await table.until(lambda: sent_by_dm(room, ben) == [403, 403])
    await table.until(lambda: BEHIND in table.newest.text)
    assert ben.dms() == []

    # And asked when they are open: the hand comes, and the line goes.
    ben.open_dms()
    panel = await opened(table, "Ben")
    await table.until(lambda: of_verb(panel, "dm"))
    told = await reply_to(ben.press(panel, "Send it by DM"))
    assert "on its way by DM" in told.text
    await table.until(lambda: table.player("Ben").hand() and "I can't reach" not in table.newest.text)
    assert sent_by_dm(room, ben) == [403, 403, 200]
    assert not [each for each in (await opened(table, "Ben")).buttons if "DM" in str(each)]
    await table.play(lambda: len(table.deals) == 2)


async def test_a_player_who_closes_their_dms_in_the_middle_holds_nobody_up(room: Room) -> None:
    archive, table = room.archive, await room.table("Cleo", "Ben", length=61)
    ben = table.people[1]
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    ben.close_dms()
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: table.stands(r"Deal 2"))
    assert "discard 2 to" in (await opened(table, "Ben")).text
    await table.play(lambda: archive.replayed(table.game).table.has_discarded[0])

    ben.open_dms()
    await reply_to(ben.command(table.channel, "crib hand"))
    # The command's answer has the hand, too: who plays with that is told in the DM where the table is.
    await table.until(lambda: re.search(r"\*\*Deal 2\*\*|You're playing in", ben.dms()[-1].text))
    await table.play(lambda: table.stands("Deal 3"))


OPENED, PERIOD = 2, 600.0
"""Discord's limit: the number of direct messages that the bot may open in so many seconds."""


@pytest.fixture
def limit(room: Room) -> Iterator[Any]:
    """Discord's limit of openings: their times, those of refusals, and for whom opening always fails."""
    limit = SimpleNamespace(opened=[], refused=[], fails=set())

    @web.middleware
    async def limited(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not request.path.endswith("/users/@me/channels"):
            return await handler(request)
        if str(raw_body(request)["recipient_id"]) in limit.fails:
            return web.json_response({"message": "Internal Server Error", "code": 0}, status=500)
        if sum(each > room.clock.now() - PERIOD for each in limit.opened) >= OPENED:
            limit.refused.append(room.clock.now())
            raise Refusal.OPENING_DMS_TOO_FAST.error()
        limit.opened.append(room.clock.now())
        return await handler(request)

    room.sandbox.interception.by = limited
    yield limit
    room.sandbox.interception.by = None


async def test_a_hand_asked_for_in_the_dm_comes_down_there_and_stays_the_only_one(room: Room) -> None:
    archive, table = room.archive, await room.table("Ada", "Ben", length=61)
    ada = table.people[0]

    async def asks(command: str, **options: object) -> Message:
        """The hand that comes below the answer; the one from before is deleted."""
        old = table.player("Ada").hand()
        assert old is not None
        answer = await reply_to(ada.command(ada.open_dm(), command, **options))
        assert answer.text == "Your hand:"
        await table.until(lambda: old.deleted and playable(ada.dms()[-1]))
        assert [each for each in ada.dms() if not each.is_ephemeral] == [ada.dms()[-1]]
        return ada.dms()[-1]

    hand = await asks("crib hand")
    [link] = [each["url"] for each in hand.buttons if "url" in each]
    assert link == table.newest.link
    cards = archive.replayed(table.game).view(Seat(0)).hand[:2]
    hand = await asks("crib discard", cards=" ".join(map(str, cards)))
    assert "You discarded" in hand.text

    # It follows the game, like the one before it.
    before = hand.text
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: hand.text != before)
    assert not hand.deleted
    await table.resign(ada)
    assert_one_hand_a_game([table], archive)


async def test_a_hand_that_discord_edits_no_more_gives_way_to_a_new_one(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    old, other = (player.hand() for player in table.players)
    assert old is not None
    assert other is not None
    await room.restart()  # the tokens of Ada's taps, by which her hand could be edited, are forgotten

    @web.middleware
    async def too_old(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method == "PATCH" and request.path.endswith(f"/messages/{old.id}"):
            raise Refusal.TOO_MANY_OLD_EDITS.error(retry_after=20)
        return await handler(request)

    room.sandbox.interception.by = too_old
    await discard(table.people[1], other)
    await table.people[0].until(lambda: old.deleted, timeout=600)  # discord.py asks again some times
    room.sandbox.interception.by = None
    await table.resign(table.people[0])
    assert_one_hand_a_game([table], room.archive)
    assert all("We are being rate limited" in said for said in room.troubles)
    room.troubles.clear()


async def test_where_no_hand_can_come_by_dm_the_answer_has_it(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.player("Ada").person
    await room.store.prefer(int(ada.id), dms_closed=True)
    said = await reply_to(ada.command(ada.open_dm(), "crib hand"))
    assert "discard 2 to" in said.text


async def test_who_has_no_dms_plays_behind_the_button(room: Room) -> None:
    people = room.people("Ada", "Ben")
    for person in people:
        person.close_dms()
    table = await Table.gather(room.channel(), people, length=61, behind_the_button=True)
    await table.start()
    await table.play(lambda: table.stands("Deal 3"))
    for person in people:
        assert sent_by_dm(room, person) in ([], [403]), "who is at the table already needs none"
    # It is said while it matters, and not for ever.
    await table.until(lambda: not any("I can't reach" in each.text for _, each in table.deals[:-1]))


async def test_where_discord_opens_no_more_dms_hands_are_at_the_table_until_it_does(room: Room) -> None:
    @web.middleware
    async def too_fast(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/users/@me/channels"):
            raise Refusal.OPENING_DMS_TOO_FAST.error()
        return await handler(request)

    room.sandbox.interception.by = too_fast
    table = await room.table("Ada", "Ben", pace="slow")
    await table.until(lambda: "I can't reach Ada and Ben by DM" in table.newest.text)
    assert of_verb(await opened(table, "Ben"), "pick"), "their part of the game, in private"
    room.sandbox.interception.by = None
    await table.people[0].until(lambda: table.player("Ada").hand(), timeout=600)
    await table.until(lambda: "I can't reach" not in table.newest.text)
    [said] = room.troubles
    assert "no more direct messages" in said
    room.troubles.clear()


@pytest.mark.deep
async def test_strangers_wait_for_their_hand_by_dm_in_one_queue_and_find_it_at_the_table(
    room: Room, limit: Any
) -> None:
    # The last of this file: after so many refusals the bot opens few direct messages for a while.
    tables = [await Table.begin(room.channel(), room.people("Ada", "Ben"), pace="slow") for _ in range(3)]
    players = [player for table in tables for player in table.players]
    await tables[1].until(lambda: "I can't reach Ada and Ben" in tables[1].newest.text)
    assert [player.hand() is not None for player in players] == [True] * OPENED + [False] * 4
    assert len(limit.refused) < 5, "all wait in one queue"

    unlucky = players[3].person
    limit.fails.add(unlucky.id)
    await asyncio.sleep(len(players) / OPENED * PERIOD * 3)
    assert [player.person for player in players if player.hand() is None] == [unlucky]
    assert len(limit.opened) == len(players) - 1, "everybody once"
    assert len(limit.refused) < 40
    assert "I can't reach" not in tables[2].newest.text
    assert all("open no more direct messages" in line for line in room.troubles)
    room.troubles.clear()
