"""The coach: discards of any hand, hints, and the review and replay of a game by those who played it."""

from __future__ import annotations

import re

import pytest

from engine import Seat, Stage
from engine.fair import read_proof
from sandbox.client.people import Person
from sandbox.model.channels import Message
from tests.end_to_end.tables import Table, post_of, public, reply_to
from tests.room.room import Room

CARDS = "4c 5d, 6♥ js 2d 9c"


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


async def turns(person: Person, message: Message, label: str, heading: str) -> None:
    """Press a page's button, and wait for the page that replaces it."""
    await person.press(message, label)
    await person.until(lambda: message.text.startswith(heading))


@pytest.mark.deep
async def test_a_game_is_looked_back_on_by_who_played_in_it(room: Room) -> None:
    [cleo], table = room.people("Cleo"), await room.table("Ada", "Ben", length=61)
    (ada, ben), channel = table.people, table.channel

    async def review(person: Person) -> Message:
        return await reply_to(person.command(channel, "crib-coach review"))

    assert "haven't finished a game here" in (await review(ada)).text
    await table.play(lambda: len(table.deals) == 3)
    await table.resign(ben)
    said = len(table.messages)

    asked = await review(ada)
    assert asked.text.startswith("## You won")
    assert re.search(r"# Accuracy \d+%\n-# \d+ of \d+ perfect", asked.text)
    assert "🍀 Luck: " in asked.text
    first = asked.text
    await turns(ada, asked, "Deal by deal", "## Deal 1, ")
    await turns(ada, asked, "Next", "## Deal 2, ")
    await turns(ada, asked, "Previous", "## Deal 1, ")
    await turns(ada, asked, "Previous", "## You ")
    assert asked.text == first
    shown = await post_of(ada.press(asked, "Show everybody"))
    assert re.match(r"\*\*Ada\*\* · accuracy \*\*\d+%\*\*\n", shown.text)
    in_dm = await reply_to(ada.command(ada.open_dm(), "crib-coach review"))
    assert in_dm.text == first

    bens = await reply_to(ben.press(table.results[0], "Review"))
    assert bens.text.startswith("## You lost")
    refused = await reply_to(cleo.press(table.results[0], "Review"))
    assert refused.text == "Only Ada and Ben can review this game: they played it."
    assert "haven't finished a game here" in (await review(cleo)).text
    assert len(table.messages) == said + 1, "nothing more of it was said to everybody"

    # The game again, step by step: listed, watched, shown to everybody, and sent as files.
    listed = await post_of(cleo.command(channel, "crib-stats history", server=True))
    assert "## Finished games in this server" in listed.text
    watched = await reply_to(cleo.press(listed, "1"))
    assert "Step 1 of " in watched.text
    await turns(cleo, watched, "Next", "## Deal 1, ")
    assert "Step 2 of " in watched.text
    await turns(cleo, watched, "⏭", "## Deal 2, ")
    await cleo.press(watched, "More")
    files = await reply_to(cleo.press(watched, "Get the file"))
    assert [each.filename.rpartition(".")[2] for each in files.attachments] == ["txt", "json"]
    proof = read_proof(files.attachments[1].content.decode())
    assert all(finding.holds for finding in proof.check())
    checked = await reply_to(cleo.press(watched, "Fair?"))
    assert checked.text.count("✅") == 5
    shared = await post_of(cleo.press(watched, "Show everybody"))
    await turns(cleo, shared, "Back", "## Deal 1, ")
    assert "Rematch" in str(table.results[0].components)


async def test_a_game_given_up_at_once_leaves_nothing_to_look_back_on(room: Room) -> None:
    table = await room.table("Ada", "Ben")
    await table.resign(table.people[0])
    asked = await reply_to(table.people[1].press(table.results[0], "Review"))
    assert asked.text.startswith("## You won by resignation, 0 to 0")
    assert "The game ended before you had a choice to make." in asked.text
    assert len(asked.buttons) == 1, "the replay"


async def test_hints_are_given_where_they_were_agreed_on(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    archive = room.archive

    async def hint(person: Person, table: Table) -> str:
        return (await reply_to(person.command(table.channel, "crib-coach hint"))).text

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
    early = (await reply_to(ada.command(channel, "crib-coach hint"))).text
    assert early == "Cut the deck, no hint needed."
    while not any("Deal 1" in each.text for each in public(channel)):
        await reply_to(ada.command(channel, "crib cut"))  # again after equal cards
        await ada.something()
    said = (await reply_to(ada.command(channel, "crib-coach hint"))).text
    assert said.startswith("## Discard ")
