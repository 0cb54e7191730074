"""The coach as people ask it: discards of any hand, reviews by players, hints where they were agreed on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import Seat, Stage
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from tests.end_to_end.tables import Table, everything_told, post_of, public, reply_to
from tests.room.room import Room
from tests.room.steps import play_some, tap

CARDS = "4c 5d, 6♥ js 2d 9c"


async def coach(person: Person, channel: Channel, name: str) -> Message:
    return await reply_to(person.command(channel, f"crib-coach {name}"))


async def test_any_cards_are_weighed_anywhere(room: Room) -> None:
    [cleo], channel = room.people("Cleo"), room.channel()

    async def weighed(**options: object) -> str:
        return (await reply_to(cleo.command(channel, "crib-coach discards", **options))).text

    for place in (channel, cleo.open_dm()):
        asked = cleo.command(place, "crib-coach discards", cards=CARDS, dealer=False)
        said = (await reply_to(asked)).text
        assert "2 players · Standard rules · you don't deal" in said
        assert len(re.findall(r"^ ?[ −]?\d+\.\d .*[♣♦♥♠]$", said, re.MULTILINE)) == 15
        assert "### Discard" in said

    five = {"cards": "4c 5d 6h js 2d", "dealer": True, "rules": "parlour"}
    assert "3 players · Parlour rules · you deal" in await weighed(**five)
    assert "4 players, partners · Parlour rules · you deal" in await weighed(players=4, **five)
    assert public(channel) == [], "nothing of it was said to everybody"

    own = await reply_to(cleo.command(channel, "crib-coach discards", cards=CARDS, dealer=True))
    assert own.is_ephemeral
    assert "you deal" in (await post_of(cleo.press(own, "Show everybody"))).text

    for wrong, part in {
        "4c 5d 6h": "You gave 3 cards: type 6 for two players, 5 for three or four.",
        "4c 5d 6h js 2d 4c": "twice, and a deck has only one",
        "nothing much": "“nothing much”",
    }.items():
        assert part in await weighed(cards=wrong, dealer=True)


async def test_cards_typed_in_full_are_shown_back_and_a_hand_held_is_offered(room: Room) -> None:
    table, [cleo] = await room.table("Ada", "Ben", length=61), room.people("Cleo")

    async def offered(person: Person, typed: str) -> list[tuple[str, str]]:
        asked = await person.complete(table.channel, "crib-coach discards", option="cards", typed=typed)
        assert asked.choices is not None
        return [(choice["name"], choice["value"]) for choice in asked.choices]

    assert await offered(cleo, CARDS) == [("4♣ 5♦ 6♥ J♠ 2♦ 9♣", "4C 5D 6H JS 2D 9C")]
    assert await offered(cleo, "4c 5d") == []
    for seat, person in enumerate(table.people):
        hand = room.archive.replayed(table.game).view(Seat(seat)).hand
        assert [value for _, value in await offered(person, "")] == [" ".join(map(str, hand))]
    assert await offered(cleo, "") == []


@pytest.mark.deep
async def test_the_last_game_is_the_channel_s_or_by_dm_any_and_is_reviewed_by_its_players(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    ada, ben = table.people
    [cleo] = room.people("Cleo")
    nothing = "haven't finished a game here"
    assert nothing in (await coach(ada, table.channel, "review")).text, "while it is played"
    await play_some(room, table)
    review = await coach(ada, table.channel, "review")
    assert re.match(r"## You won by resignation, \d+ to \d+", review.text)
    assert re.search(r"# Accuracy \d+%\n-# \d+ of \d+ perfect", review.text)
    assert "🍀 Luck: " in review.text
    bens = await reply_to(ben.press(table.results[0], "Review"))
    assert bens.text.startswith("## You lost")
    assert (await coach(ada, ada.open_dm(), "review")).text == review.text
    assert nothing in (await coach(ada, room.channel(), "review")).text
    assert nothing in (await coach(cleo, table.channel, "review")).text
    refused = await reply_to(cleo.press(table.results[0], "Review"))
    assert refused.text == "Only Ada and Ben can review this game: they played it."
    first = review.text
    assert (await tap(ada, review, "Deal by deal")).startswith("## Deal 1, ")
    assert (await tap(ada, review, "Next")).startswith("## Deal 2, ")
    assert (await tap(ada, review, "Previous")).startswith("## Deal 1, ")
    room.database.raw.execute("UPDATE events SET body = '{}' WHERE game = ? AND version = 9", [table.game])
    assert await tap(ada, review, "Previous") == first, "without thinking again"
    shown = await post_of(ada.press(review, "Show everybody"))
    assert re.match(r"\*\*Ada\*\* · accuracy \*\*\d+%\*\*\n", shown.text)


async def test_a_game_given_up_at_once_leaves_nothing_to_look_back_on(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    await table.resign(table.people[0])
    asked = await reply_to(table.people[1].press(table.results[0], "Review"))
    assert asked.text.startswith("## You won by resignation, 0 to 0")
    assert "The game ended before you had a choice to make." in asked.text
    assert len(asked.buttons) == 1, "the replay"


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


async def test_hints_are_given_where_they_were_agreed_on(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    archive = room.archive

    async def hint(person: Person, table: Table) -> str:
        return (await coach(person, table.channel, "hint")).text

    strict = await Table.begin(room.channel(), [ada, ben])
    assert (await hint(ada, strict)).startswith("No hints at this table.")

    table = await Table.gather(room.channel(), [ada, cleo], length=61, hints=True)
    assert "· hints" in table.lobby.text
    assert "hasn't started yet" in await hint(ada, table)
    await table.start()
    await table.cut_for_deal()
    assert re.match(r"## Discard .* crib\n(?:.*\n)*-# Next best: ", await hint(ada, table))
    assert "This game is between" in await hint(ben, table)

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    [seat] = archive.replayed(table.game).table.waiting_for
    to_move, waits = (ada, cleo) if seat == 0 else (cleo, ada)
    assert "Play" in await hint(to_move, table)
    assert (await hint(waits, table)).startswith("It's ")
    assert "to win" not in "\n".join(each.text for each in table.messages)


async def test_alone_against_the_computer_hints_are_always_given(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    await ada.command(channel, "crib new", computer="beginner")
    await ada.until(lambda: any("Who deals" in each.text for each in public(channel)))
    early = (await coach(ada, channel, "hint")).text
    assert early == "Cut the deck, no hint needed."
    while not any("Deal 1" in each.text for each in public(channel)):
        await reply_to(ada.command(channel, "crib cut"))  # again after equal cards
        await ada.something()
    said = (await coach(ada, channel, "hint")).text
    assert said.startswith("## Discard ")


@pytest.mark.parametrize("rules", ["lowball", "five_card", "shotgun"])
async def test_the_coach_says_of_a_game_that_it_does_not_know_it(room: Room, rules: str) -> None:
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
