"""The coach over real sockets: discards of any hand, and the review of a game by its players."""

from __future__ import annotations

import asyncio
import re

from engine import Stage
from engine.fair import read_proof
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told, post_of, reply_to
from tests.patience import PATIENCE

CARDS = "4c 5d, 6♥ js 2d 9c"


async def test_any_cards_are_weighed_anywhere(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, cleo = sandbox.people["Ada"], sandbox.people["Cleo"]
    channel = sandbox.channels["cribbage"]
    for place in (channel, cleo.open_dm()):
        said = (await reply_to(cleo.command(place, "crib-coach discards", cards=CARDS, dealer=False))).text
        assert "2 players · Standard rules · you don't deal" in said
        assert len(re.findall(r"^ ?[ −]?\d+\.\d .*[♣♦♥♠]$", said, re.MULTILINE)) == 15
        assert "### Discard" in said

    five = {"cards": "4c 5d 6h js 2d", "dealer": True, "rules": "parlour"}
    said = (await reply_to(ada.command(channel, "crib-coach discards", **five))).text
    assert "3 players · Parlour rules · you deal" in said
    said = (await reply_to(ada.command(channel, "crib-coach discards", players=4, **five))).text
    assert "4 players, partners · Parlour rules · you deal" in said
    public = [each for each in channel.messages.values() if each.only_for is None]
    assert public == [], "nothing of it was said to everybody"

    own = await reply_to(ada.command(channel, "crib-coach discards", cards=CARDS, dealer=True))
    assert own.is_ephemeral
    shown = ada.press(own, "Show everybody")
    await shown
    await ada.until(lambda: shown.messages and not shown.reply.is_loading)
    assert not shown.reply.is_ephemeral
    assert "you deal" in shown.reply.text

    for wrong, part in {
        "4c 5d 6h": "You gave 3 cards: type 6 for two players, 5 for three or four.",
        "4c 5d 6h js 2d 4c": "twice, and a deck has only one",
        "nothing much": "“nothing much”",
    }.items():
        asked = ada.command(channel, "crib-coach discards", cards=wrong, dealer=True)
        assert part in (await reply_to(asked)).text


async def test_cards_typed_in_full_are_shown_back_and_a_hand_held_is_offered(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel = sandbox.channels["cribbage"]

    async def offered(person: Person, typed: str) -> list[tuple[str, str]]:
        asked = await person.complete(channel, "crib-coach discards", option="cards", typed=typed)
        assert asked.choices is not None
        return [(choice["name"], choice["value"]) for choice in asked.choices]

    assert await offered(people[0], CARDS) == [("4♣ 5♦ 6♥ J♠ 2♦ 9♣", "4C 5D 6H JS 2D 9C")]
    assert await offered(people[0], "4c 5d") == []

    table = await Table.begin(channel, people, length=61)
    for seat, person in enumerate(people):
        hand = Archive(bot.database).replayed(table.game).view(seat).hand  # type: ignore[arg-type]
        assert [value for _, value in await offered(person, "")] == [" ".join(map(str, hand))]
    assert await offered(sandbox.people["Cleo"], "") == []


async def test_a_game_is_looked_back_on_by_who_played_in_it(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    channel = sandbox.channels["cribbage"]
    assert "haven't finished a game here" in (await reply_to(ada.command(channel, "crib-coach review"))).text
    table = await Table.begin(channel, [ada, ben], length=61)
    assert "haven't finished a game here" in (await reply_to(ada.command(channel, "crib-coach review"))).text
    await table.play()
    await everything_told([table])
    public = len(table.messages)

    asked = await reply_to(ada.command(channel, "crib-coach review"))
    won = "Ada wins" in table.results[0].text
    assert asked.text.startswith("## You won, 61 to " if won else "## You lost, ")
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
    public += 1

    in_dm = await reply_to(ada.command(ada.open_dm(), "crib-coach review"))
    assert in_dm.text == first

    # The button on the result, and a page, after a restart.
    await bot.restart()
    bens = await reply_to(ben.press(table.results[0], "Review"))
    assert bens.text.startswith("## You lost, " if won else "## You won, ")
    await turns(ada, asked, "Deal by deal", "## Deal 1, ")
    refused = await reply_to(cleo.press(table.results[0], "Review"))
    assert refused.text == "Only Ada and Ben can review this game: they played it."
    assert "haven't finished a game here" in (await reply_to(cleo.command(channel, "crib-coach review"))).text
    assert len(table.messages) == public, "nothing of it was said to everybody"

    # The game again, step by step: listed, watched, shown to everybody, and sent as files.
    listed = await post_of(cleo.command(channel, "crib-stats history", server=True))
    assert "## Finished games in this server" in listed.text
    public += 1
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
    assert len(table.messages) == public, "nothing of it was said to everybody"
    shared = cleo.press(watched, "Show everybody")
    await shared
    await cleo.until(lambda: shared.messages)
    assert not shared.reply.is_ephemeral
    await bot.restart()
    await turns(cleo, shared.reply, "Back", "## Deal 1, ")
    assert "Rematch" in str(table.results[0].components)


async def test_a_game_given_up_at_once_leaves_nothing_to_look_back_on(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    await reply_to(people[0].command(table.channel, "crib resign", sure=True))
    await everything_told([table])

    asked = await reply_to(people[1].press(table.results[0], "Review"))

    assert asked.text.startswith("## You won by resignation, 0 to 0")
    assert "The game ended before you had a choice to make." in asked.text
    assert len(asked.buttons) == 1, "the replay"


async def test_hints_are_given_where_they_were_agreed_on(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    strict = await Table.begin(sandbox.channels["general"], [ada, ben])
    refused = (await reply_to(ada.command(strict.channel, "crib-coach hint"))).text
    assert refused.startswith("No hints at this table.")

    channel = sandbox.channels["cribbage"]
    table = await Table.gather(channel, [ada, cleo], length=61, hints=True)
    assert "· hints" in table.lobby.text
    assert "hasn't started yet" in (await reply_to(ada.command(channel, "crib-coach hint"))).text
    await table.start()
    await table.cut_for_deal()
    said = (await reply_to(ada.command(channel, "crib-coach hint"))).text
    assert re.match(r"## Discard .* crib\n(?:.*\n)*-# Next best: ", said)
    assert "This game is between" in (await reply_to(ben.command(channel, "crib-coach hint"))).text

    archive = Archive(bot.database)
    seen: set[str] = set()
    while not seen >= {"It's", "Play", "##"} and not table.is_over:
        now = archive.replayed(table.game).table
        for seat, person in enumerate((ada, cleo)):
            asked = (await reply_to(person.command(channel, "crib-coach hint"))).text
            if now.stage is Stage.PLAYING:
                waits = seat in now.waiting_for
                assert waits == (not asked.startswith("It's ")), asked
                seen |= {asked[: asked.index(" ")]} | {kind for kind in ("Play",) if kind in asked}
        before = archive.version(table.game)
        await table.play(lambda before=before: archive.version(table.game) > before)
    assert seen >= {"It's", "Play", "##"}
    public = "\n".join(each.text for each in table.messages)
    assert "to win" not in public


async def test_alone_against_the_computer_hints_are_always_given(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    await ada.command(channel, "crib new", computer="beginner")
    await ada.until(
        lambda: any("Who deals" in each.text for each in channel.messages.values()), timeout=PATIENCE
    )

    early = (await reply_to(ada.command(channel, "crib-coach hint"))).text
    assert early == "Cut the deck, no hint needed."
    async with asyncio.timeout(PATIENCE):
        while not any("Deal 1" in each.text for each in channel.messages.values()):
            await reply_to(ada.command(channel, "crib cut"))  # again after equal cards

    said = (await reply_to(ada.command(channel, "crib-coach hint"))).text

    assert said.startswith("## Discard ")


async def turns(person: Person, message: Message, label: str, heading: str) -> None:
    """Press a page's button, and wait for the page that replaces it."""
    await person.press(message, label)
    await person.until(lambda: message.text.startswith(heading))
