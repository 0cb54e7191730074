"""The coach as people ask it: of which games, by whom, and hints where they were agreed on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import Seat
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import everything_told, post_of, reply_to
from tests.room.room import Room
from tests.room.steps import leap, play_some, tap


async def coach(person: Person, channel: Channel, name: str) -> Message:
    return await reply_to(person.command(channel, f"crib-coach {name}"))


@pytest.mark.deep
async def test_the_last_game_is_the_channel_s_or_by_dm_any_and_is_reviewed_by_its_players(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada = table.players[0].person
    [cleo] = room.people("Cleo")
    nothing = "haven't finished a game here"
    assert nothing in (await coach(ada, table.channel, "review")).text, "while it is played"
    await play_some(room, table)
    review = await coach(ada, table.channel, "review")
    assert re.match(r"## You won by resignation, \d+ to \d+", review.text)
    assert (await coach(ada, ada.open_dm(), "review")).text == review.text
    assert nothing in (await coach(ada, room.channel(), "review")).text
    assert nothing in (await coach(cleo, table.channel, "review")).text
    refused = await reply_to(cleo.press(table.results[0], "Review"))
    assert refused.text == "Only Ada and Ben can review this game: they played it."
    first = review.text
    assert "## Deal 1, " in await tap(ada, review, "Deal by deal")
    room.database.raw.execute("UPDATE events SET body = '{}' WHERE game = ? AND version = 9", [table.game])
    assert await tap(ada, review, "Previous") == first, "without thinking again"
    shown = await post_of(ada.press(review, "Show everybody"))
    assert re.match(r"\*\*Ada\*\* · accuracy \*\*\d+%\*\*\n", shown.text)


async def test_a_hint_s_figures_are_shown_while_its_decision_is_open(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61, hints=True)
    ada = table.players[0].person
    [cleo] = room.people("Cleo")
    hint = await coach(ada, table.channel, "hint")
    assert re.match(r"## Discard .* crib\n", hint.text)
    figures = await reply_to(ada.press(hint, "All 15"))
    assert len(re.findall(r"[♣♦♥♠]$", figures.text, re.MULTILINE)) == 15
    assert "This game is between" in (await coach(cleo, table.channel, "hint")).text
    await table.play(until=lambda: len(room.archive.replayed(table.game).view(Seat(0)).hand) < 6)
    made = await reply_to(ada.press(hint, "All 15"))
    assert made.text == "You have made that choice. Ask for a hint at your next one."


async def test_a_table_without_hints_has_none_and_a_lobby_is_told_so(room: Room) -> None:
    strict = await room.table("Ada", "Ben")
    refused = await coach(strict.players[0].person, strict.channel, "hint")
    assert refused.text.startswith("No hints at this table.")


@pytest.mark.parametrize("rules", ["lowball", "five_card", "shotgun"])
async def test_the_coach_says_of_a_game_that_it_does_not_know_it(room: Room, rules: str) -> None:
    leap(1_200)  # Discord lets a bot open only so many direct messages in a while
    options: dict[str, Any] = {} if rules == "shotgun" else {"length": 61}
    table = await room.table("Ada", "Ben", rules=rules, hints=True, **options)
    ada, ben = (each.person for each in table.players)
    await table.until(lambda: table.deals)
    hint = await coach(ada, table.channel, "hint")
    knows = rules != "lowball"
    assert hint.text.startswith("## Discard") == knows, hint.text
    await reply_to(ben.command(table.channel, "crib resign", sure=True))
    await everything_told([table], room.archive)
    review = await reply_to(ada.press(table.results[0], "Review"))
    assert review.text.startswith("## You won by resignation") == knows, review.text
