"""Ephemeral hands opened at the table follow the game, for their player alone."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.end_to_end.watching import Watch


@pytest.mark.parametrize(
    "options",
    [{}, {"muggins": True, "calls": True}],
    ids=["plain", "muggins"],
)
async def test_a_whole_game_is_played_on_copies_that_are_never_refreshed(
    sandbox: Sandbox, bot: BotProcess, options: dict[str, Any]
) -> None:
    archive = Archive(bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(
        sandbox.channels["cribbage"], people, length=61, behind_the_button=True, refreshes=False, **options
    )
    await table.start()
    await table.play()
    await everything_told([table], archive)

    for person in people:
        private = (each for each in person.sees(table.channel) if each.is_ephemeral)
        copies = [each for each in private if of_verb(each, "rematch")]
        assert len(copies) == 1, "opened once"
        assert re.search("won, |You win| wins", copies[0].text)
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert watch.leaks(bot.log) == []


async def test_what_is_begun_on_a_copy_stays_while_others_discard(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    mine = await reply_to(ada.press(table.newest, "My hand"))
    bens = await reply_to(ben.press(table.newest, "My hand"))
    await tap_cards(ada, mine)
    links = {each["url"] for hand in (mine, bens) for each in hand.buttons if "url" in each}
    ben.say(table.channel, "Shall we have the table down here?")
    await ben.command(table.channel, "crib table")
    await table.until(lambda: bens not in copies_of(ben, table))
    [bens] = copies_of(ben, table)
    assert not any(each.get("url") in links for each in bens.buttons)
    assert any(each.get("url") in links for each in mine.buttons), "drawn over"
    await tap_cards(ben, bens)
    lay = of_verb(bens, "discard")
    assert lay is not None
    await ben.press(bens, lay["custom_id"])
    assert "Ada: choose 2 cards for the crib" in bens.text

    lay = of_verb(mine, "discard")
    assert lay is not None, "what Ada had chosen is gone"
    await ada.press(mine, lay["custom_id"])
    await table.until(lambda: "for the crib" not in bens.text)


async def test_a_copy_of_a_game_that_is_called_off_has_no_buttons(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ben"], sandbox.people["Cleo"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    copies = [await reply_to(each.press(table.newest, "My hand")) for each in people]
    assert all(of_verb(each, "pick") for each in copies)
    question = (await people[0].command(table.channel, "crib end")).reply
    await people[1].press(question, "End it")
    await table.until(lambda: not any(each.buttons for each in copies))
    assert all("Deal 1 is over" in each.text for each in copies)


async def test_after_a_restart_a_copy_waits_for_a_press_and_follows_again(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    copy = await reply_to(ada.press(table.newest, "My hand"))
    await bot.restart(signal.SIGKILL)

    await table.play(lambda: table.stands("Starter"))
    assert of_verb(copy, "pick") is not None, "nobody can draw on it now"
    refresh = of_verb(copy, "hand")
    assert refresh is not None
    await ada.press(copy, refresh["custom_id"])
    assert of_verb(copy, "pick") is None
    question = (await ben.command(table.channel, "crib end")).reply
    await ada.press(question, "End it")
    await table.until(lambda: "Deal 1 is over" in copy.text)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_after_a_restart_the_table_says_who_has_to_press_for_their_hand(
    sandbox: Sandbox, bot: BotProcess, how: signal.Signals
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(
        sandbox.channels["cribbage"], people, length=61, behind_the_button=True, refreshes=False
    )
    await table.start()
    await table.until(lambda: all(person.dms() for person in people))
    await table.play(lambda: len(table.deals) == 2)
    await table.until(lambda: all("You're playing in <#" in person.dms()[0].text for person in people))
    archive = Archive(bot.database)
    await table.until(lambda: archive.is_synced(table.game))
    await bot.restart(how)

    mine = await reply_to(ada.press(table.newest, "My hand"))
    await tap_cards(ada, mine)
    lay = of_verb(mine, "discard")
    assert lay is not None
    await ada.press(mine, lay["custom_id"])
    await table.until(lambda: "**Ben**: press *My hand*" in table.newest.text)
    bens = await reply_to(ben.press(table.newest, "My hand"))
    assert of_verb(bens, "pick")
    await table.until(lambda: "press *My hand*" not in table.newest.text)

    assert all("You're playing in <#" in each.text for person in people for each in person.dms())


async def test_a_copy_of_an_earlier_deal_answers_any_press_with_the_new_hand(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, _ = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    copy = await reply_to(ada.press(table.newest, "My hand"))
    old = of_verb(copy, "pick")
    assert old is not None
    await bot.restart(signal.SIGKILL)
    await table.play(lambda: len(table.deals) == 2)
    assert of_verb(copy, "pick") == old, "nobody can draw on it now"

    await ada.press(copy, old["custom_id"])

    await table.until(lambda: "That button is from deal 1, and you're in deal 2." in copy.text)
    new = of_verb(copy, "pick")
    assert new is not None
    await ada.press(copy, new["custom_id"])
    await table.until(lambda: of_verb(copy, "unpick"))
    assert "That button" not in copy.text


async def test_the_copy_stands_below_the_table_of_every_deal_and_the_dm_is_left_alone(
    sandbox: Sandbox, bot: BotProcess, conformance: Conformance
) -> None:
    ada, _ = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(
        sandbox.channels["cribbage"], people, length=61, behind_the_button=True, refreshes=False
    )
    await table.start()
    await table.until(lambda: all(person.dms() for person in people))  # who is quicker at the table gets none
    for deals in (2, 3):
        await table.play(lambda deals=deals: len(table.deals) == deals)
        await table.until(
            lambda: [int(each.id) > int(table.newest.id) for each in copies_of(ada, table)] == [True]
        )
        assert of_verb(copies_of(ada, table)[0], "pick")
    [dm] = ada.dms()
    assert "You're playing in <#" in dm.text
    path = f"/channels/{dm.channel.id}/messages"
    sent = [each.method for each in conformance.exchanges if each.path.startswith(path)]
    assert sent[0] == "POST"
    assert len(sent) <= 3, "a line, perhaps the hand, and where Ada plays"

    # The hand comes back to the DM, and the copy at the table answers all the same.
    [copy] = copies_of(ada, table)
    await ada.press(dm, "Play here instead")
    await table.until(lambda: of_verb(dm, "pick"))
    assert re.search(r"^Deal 2: you \+\d+", dm.text, re.MULTILINE)
    await ada.press(copy, "Refresh")
    await table.until(lambda: "You're playing in <#" in dm.text)


def is_below(one: Message, other: Message) -> bool:
    return int(one.id) > int(other.id)


def copies_of(person: Person, table: Table) -> list[Message]:
    """The hands that the person has open at the table."""
    private = (each for each in person.sees(table.channel) if each.is_ephemeral)
    return [each for each in private if of_verb(each, "hand")]
