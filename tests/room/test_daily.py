"""The daily hand as people press it: one answer counts, practice does not, and a share names no card."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import date, timedelta

import pytest

from bot.features.daily.hands import DailyPosting
from bot.features.daily.store import DailyStore
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from engine.coach import Reckoned
from engine.computer import Throw
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.permissions import NOTHING, Overwrite, Permission
from tests.end_to_end.players import buttons
from tests.end_to_end.tables import post_of, public, reply_to
from tests.end_to_end.watching import Watch, cards_in
from tests.room.room import Room
from tests.room.steps import DAY, choose, leap, noon, tap, today

NEXT = timedelta(days=1)
TOO_OLD = "That hand is more than a week old."
NOT_PLAYED = "You haven't played today's hand yet."


@pytest.fixture(scope="module")
def room_settings() -> dict[str, object]:
    return {"pictures": True}


def kept(room: Room) -> DailyStore:
    return DailyStore(room.database)


def guild_of(room: Room) -> int:
    return int(room.sandbox.world.guild.id)


async def throws(room: Room) -> tuple[Throw, ...]:
    """Every discard of today's hand, best first."""
    hand = await kept(room).hand(today(room))
    assert hand is not None
    return Reckoned.of(hand).throws


async def opened(person: Person, channel: object = "cribbage") -> Message:
    return await reply_to(person.command(channel, "crib-daily play"))  # type: ignore[arg-type]


async def picks(person: Person, hand: Message, throw: Throw) -> None:
    """Tap the cards of that discard."""
    for each in throw.given:
        await tap(person, hand, next(one for one in buttons(hand, "daily:pick:") if one.endswith(f"{each}")))


async def discards(person: Person, hand: Message, throw: Throw) -> str:
    """The result of that discard."""
    await picks(person, hand, throw)
    return await tap(person, hand, buttons(hand, "daily:discard:")[0])


def cards_on(message: Message) -> object:
    return cards_in(json.dumps(message.components, ensure_ascii=False))


async def test_everybody_gets_the_same_six_cards_and_taps_two(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    hers, his = await opened(ada), await opened(ben, ben.open_dm())
    assert hers.is_ephemeral
    picks = buttons(hers)
    assert picks == buttons(his)
    assert len(picks) == 6
    for each in picks[:2]:
        await tap(ada, hers, buttons(hers)[picks.index(each)])
    *after, done = buttons(hers)
    first, second = (each[-2:] for each in picks[:2])
    assert done.endswith(f":{first}{second}")
    assert after[0].endswith(f":{second}"), "pressed again it is put back"
    assert after[2].endswith(f":{second}{picks[2][-2:]}"), "a third takes the place of the first"
    assert len({*after}) == 6


async def test_cards_are_seen_by_who_plays_alone_and_the_hand_counts_once(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel, watch = room.channel(), Watch(room.sandbox, room.archive)
    room.sandbox.observers.append(watch)
    hers, his = await opened(ada, channel), await opened(ben, channel)
    assert buttons(hers) == buttons(his)
    assert "nobody else so far" in await discards(ada, hers, (await throws(room))[0])
    assert "Streak" in (await opened(ada, channel)).text
    shared = await post_of(ada.command(channel, "crib-daily share"))
    assert "Ada" in shared.text
    room.sandbox.observers.remove(watch)
    assert {said.reader for said in watch.said if said.cards} == {ada.id, ben.id}


async def test_the_first_discard_counts_and_its_figures_are_a_press_away(room: Room) -> None:
    await noon(room)
    ada, ben = room.people("Ada", "Ben")
    best, *_, worst = await throws(room)
    first, second = await opened(ada), await opened(ada)
    await picks(ada, second, best)
    said = await discards(ada, first, worst)
    assert "The best was" in said
    assert "```" not in said
    assert "**In this server:** nobody else so far" in said
    assert "**Worldwide:** nobody else so far" in said
    assert "**Streak:** 1 day" in said
    assert "first discard counts" not in said
    [alt] = [each.description or "" for each in first.files]
    assert re.fullmatch(
        r"Starter: .+\. You kept .+: \d+ points?\. The best choice keeps .+: \d+ points?\.", alt
    )

    figures = (await reply_to(ada.press(first, "All 15"))).text
    assert len(re.findall(r"^[ →]*\d+\.\d +−?\d+\.\d ", figures, re.MULTILINE)) == 15
    again = await tap(ada, second, buttons(second, "daily:discard:")[0])
    assert "The best was" in again, "the second does not count"
    assert "Your first discard counts" in again

    his = await opened(ben)
    assert "the best there is" in await discards(ben, his, best)
    assert "🟩🟩🟩🟩🟩 **Twenty-nine**" in his.text
    assert "The best choice keeps" not in (his.files[0].description or "")
    assert "**In this server:** place 2 of 2" in (await opened(ada)).text
    answer = await kept(room).answer(int(ada.id), today(room))
    assert answer is not None
    assert {*answer.given} == {*worst.given}


async def test_a_perfect_week_is_told_in_ones_own_result(room: Room) -> None:
    day = await noon(room)
    ada, ben = room.people("Ada", "Ben")
    best = (await throws(room))[0]
    for number in range(1, 7):
        await kept(room).keep_answer(int(ada.id), day - number * NEXT, best.given, 0)
    line, hers = "Milestone: a perfect week of daily hands", await opened(ada)
    assert line in (await discards(ada, hers, best)).splitlines()
    assert line in (await opened(ada)).text.splitlines(), "when it is looked at again, too"
    assert line not in await discards(ben, await opened(ben), best)
    assert "Milestone" not in (await post_of(ada.press(hers, "Show everybody"))).text, "nobody else reads it"


async def test_the_day_is_that_of_the_press_and_a_hand_of_yesterday_is_practice(room: Room) -> None:
    day = await noon(room)
    ada, ben = room.people("Ada", "Ben")
    best = (await throws(room))[0]
    hers, his = await opened(ada), await opened(ben)
    leap(DAY / 2 - 60)
    assert "Streak" in await discards(ada, hers, best)
    leap(60)
    said = await discards(ben, his, best)
    assert "practice" in said
    assert "place" not in said
    assert buttons(his)[0] == "daily:play", "today's hand is a press away"
    assert await kept(room).answer(int(ben.id), day) is None
    assert "2 days" in await discards(ada, await opened(ada), best)


async def test_the_past_week_can_be_practised_and_no_other_day(room: Room) -> None:
    day = await noon(room)
    [ada] = room.people("Ada")
    past = await reply_to(ada.command("cribbage", "crib-daily practice"))
    [select] = past.selects
    values = [each["value"] for each in select["options"]]
    assert values == [(day - number * NEXT).isoformat() for number in range(1, 8)]
    await kept(room).keep_hand(date.fromisoformat(values[-1]), (await kept(room).hand(day)) or 1)  # type: ignore[arg-type]
    said = await choose(ada, past, select["custom_id"], values[-1:])
    assert "it doesn't count" in said
    pick = buttons(past)[0]
    await noon(room)
    assert (await reply_to(ada.press(past, pick))).text.startswith(TOO_OLD)


async def test_a_share_is_squares_for_everybody_once_in_each_server(room: Room) -> None:
    await noon(room)
    ada, ben = room.people("Ada", "Ben")
    owner, channel, shut = room.sandbox.people["Ada"], room.channel(), room.channel()
    unplayed = await reply_to(ada.command(channel, "crib-daily share"))
    assert unplayed.text.startswith(NOT_PLAYED)
    hers, best = await opened(ada, channel), (await throws(room))[0]
    await discards(ada, hers, best)
    post = await post_of(ada.press(hers, "Show everybody"))
    assert "🟩🟩🟩🟩🟩 Twenty-nine" in post.text
    assert "**Ada**" in post.text
    assert cards_on(post) == set()
    assert buttons(post) == ["daily:play"]
    again = await reply_to(ada.press(hers, "Show everybody"))
    assert again.text == "You've shared this hand in this server already."

    owner.set_overwrite(shut, Overwrite(ben.id, is_member=True, deny=Permission.SEND_MESSAGES))
    his = await opened(ben, shut)
    await discards(ben, his, best)
    assert (await reply_to(ben.press(his, "Show everybody"))).text.startswith("You can't write here")
    text = await reply_to(ben.command(ben.open_dm(), "crib-daily share"))
    assert text.text.startswith("Copy it")
    assert cards_in(text.text) == set()
    await room.store.keep_server(guild_of(room), ServerSettings(language="fr"))
    assert "Vingt-neuf" in (await post_of(ben.command(channel, "crib-daily share"))).text
    await noon(room)
    assert (await reply_to(ben.command(channel, "crib-daily share"))).text.startswith(NOT_PLAYED)
    await room.store.keep_server(guild_of(room), ServerSettings())


async def test_where_boards_are_text_a_result_has_no_picture(room: Room) -> None:
    await noon(room)
    [ada] = room.people("Ada")
    await room.store.keep_server(guild_of(room), ServerSettings(board=Board.TEXT))
    hand = await opened(ada)
    assert "The starter is" in await discards(ada, hand, (await throws(room))[-1])
    assert hand.files == []
    await room.store.keep_server(guild_of(room), ServerSettings())


async def test_moderators_choose_the_hour_in_a_channel_where_the_bot_may_write(room: Room) -> None:
    day = await noon(room)
    owner, [ada], channel = room.sandbox.people["Ada"], room.people("Ada"), room.channel()
    refused = await reply_to(ada.command(channel, "crib-daily post"))
    assert refused.text.startswith("Only moderators can change this")
    panel = await reply_to(owner.command(channel, "crib-daily post"))
    assert "I don't post the daily hand here yet" in panel.text
    hour = panel.selects[0]["custom_id"]
    role = room.sandbox.world.guild.id
    owner.set_overwrite(channel, Overwrite(role, deny=Permission.SEND_MESSAGES))
    await reply_to(owner.choose(panel, hour, ["9"]))
    assert await kept(room).posting(guild_of(room)) is None
    owner.set_overwrite(channel, Overwrite(role, deny=NOTHING))
    said = await choose(owner, panel, hour, ["13"])
    assert f"every day at 13:00 UTC in <#{channel.id}>" in said
    owner.set_overwrite(channel, Overwrite(role, deny=Permission.SEND_MESSAGES))
    again = await reply_to(owner.command("cribbage", "crib-daily post"))
    assert f"I can't write in <#{channel.id}>" in again.text
    owner.set_overwrite(channel, Overwrite(role, deny=NOTHING))
    await asyncio.sleep(2 * 3600)
    [post] = public(channel)
    assert "Six cards, the same for everybody" in post.text
    await choose(owner, panel, hour, ["off"])
    assert await kept(room).posting(guild_of(room)) is None
    await choose(owner, panel, hour, ["9"])
    posting = await kept(room).posting(guild_of(room))
    assert posting == DailyPosting(guild=guild_of(room), channel=int(channel.id), hour=9, posted=day), (
        "nine is over today"
    )
    await choose(owner, panel, hour, ["off"])


async def test_where_the_bot_is_no_member_a_hand_is_played_and_nothing_of_the_place_kept(room: Room) -> None:
    await noon(room)
    ada, ben = room.people("Ada", "Ben")
    for each in (ada, ben):
        each.install_app()
    between = ada.open_dm_with(ben)
    hand = await opened(ada, between)
    said = await discards(ada, hand, (await throws(room))[0])
    assert "in this server" not in said
    assert (await reply_to(ada.press(hand, "Show everybody"))).text.startswith("Copy it"), "text to copy"
    answer = await kept(room).answer(int(ada.id), today(room))
    assert answer is not None
    assert await kept(room).best(guild_of(room), today(room), 1) is None
