"""Ending a game together, a computer for the absent, and buttons of earlier versions, over real sockets."""

from __future__ import annotations

import signal

import pytest

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.absences import stays_away
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table, reply_to

THREE = ("Ada", "Ben", "Cleo")
AGREE = "End it"
KEEP = "Keep playing"
ALL_AGREED = "Game cancelled, no result."


@pytest.fixture
def people(sandbox: Sandbox) -> list[Person]:
    return [sandbox.people[name] for name in THREE]


def wants(player: str, others: str) -> str:
    return f"{player} wants to end the game.**\n-# It ends without a result if {others} agree too."


async def begun(sandbox: Sandbox, people: list[Person]) -> Table:
    return await Table.begin(sandbox.channels["cribbage"], people, length=61)


async def asked(person: Person, table: Table) -> Message:
    """The question whether to end the game, which that person has put."""
    await person.command(table.channel, "crib end")

    def question() -> Message | None:
        found = [each for each in table.messages if of_verb(each, "end")]
        return found[-1] if found else None

    await table.until(question)
    message = question()
    assert message is not None
    return message


def made_before(message: Message, verb: str, custom_id: str) -> str:
    """Let the button of that verb be one that the bot made before, with that custom_id."""
    button = of_verb(message, verb)
    assert button is not None
    button["custom_id"] = custom_id
    return custom_id


def status(bot: BotProcess, table: Table) -> Status:
    return Archive(bot.database).table(table.game).status


async def test_two_who_agree_at_once_have_both_agreed(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, cleo = people
    table = await begun(sandbox, people)
    question = await asked(ben, table)
    assert wants("Ben", "Ada and Cleo") in question.text
    presses = [ada.press(question, AGREE), cleo.press(question, AGREE)]
    for press in presses:
        await press
    await table.until(lambda: question.text == ALL_AGREED)
    await table.until(lambda: any("## Game cancelled" in each.text for each in table.messages))
    assert status(bot, table) is Status.CANCELLED


async def test_who_keeps_playing_drops_the_question_and_is_named(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, cleo = people
    table = await begun(sandbox, people)
    question = await asked(ben, table)
    await ada.press(question, AGREE)
    await table.until(lambda: "Ada and Ben want" in question.text)
    await cleo.press(question, KEEP)
    await table.until(lambda: question.text == "Cleo wants to keep playing. The game goes on!")
    assert not question.buttons
    again = await asked(cleo, table)
    assert "Cleo wants to end the game." in again.text, "votes of before do not count"
    await ben.press(again, AGREE)
    await table.until(lambda: "Ben and Cleo want" in again.text)
    assert status(bot, table) is Status.PLAYING


async def test_a_moderator_who_plays_asks_like_everybody(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, _ = people
    assert ada.user.id == sandbox.world.guild.owner_id
    table = await begun(sandbox, [ada, ben])
    question = await asked(ada, table)
    assert "It ends without a result if Ben agrees too." in question.text
    assert status(bot, table) is Status.PLAYING
    await ben.press(question, AGREE)
    await table.until(lambda: status(bot, table) is Status.CANCELLED)


async def test_votes_outlast_a_restart(sandbox: Sandbox, bot: BotProcess, people: list[Person]) -> None:
    ada, ben, cleo = people
    table = await begun(sandbox, people)
    question = await asked(ben, table)
    await ada.press(question, AGREE)
    await table.until(lambda: "Ada and Ben want" in question.text)
    await bot.restart(signal.SIGKILL)
    await cleo.press(question, AGREE)
    await table.until(lambda: question.text == ALL_AGREED)
    assert status(bot, table) is Status.CANCELLED


async def test_a_deal_that_passes_takes_the_votes_with_it(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, cleo = people
    table = await begun(sandbox, people)
    question = await asked(ben, table)
    await ada.press(question, AGREE)
    await table.until(lambda: "Ada and Ben want" in question.text)
    before = question.text
    await table.play(lambda: len(table.deals) == 2)
    for label in (AGREE, KEEP):
        refused = await reply_to(cleo.press(question, label))
        assert "That button is from deal 1, and you're in deal 2." in refused.text
    assert question.text == before
    assert status(bot, table) is Status.PLAYING
    again = await asked(cleo, table)
    assert wants("Cleo", "Ada and Ben") in again.text


async def test_a_button_that_names_seats_counts_for_the_person_who_presses_it(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, cleo = people
    table = await begun(sandbox, people)
    question = await asked(ben, table)
    old = made_before(question, "end", f"crib:{table.game}:1:end:12")
    await ada.press(question, old)
    await table.until(lambda: "Ada and Ben want to end the game." in question.text)
    assert status(bot, table) is Status.PLAYING
    await cleo.press(question, AGREE)
    await table.until(lambda: question.text == ALL_AGREED)


async def test_a_button_that_lays_away_discards(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, _ = people
    table = await begun(sandbox, [ada, ben])
    hand = await reply_to(ada.press(table.newest, "My hand"))
    two = await tap_cards(ada, hand)
    await table.until(lambda: of_verb(hand, "discard"))
    old = made_before(hand, "discard", f"crib:{table.game}:1:lay:{''.join(two)}")
    await ada.press(hand, old)
    await table.until(lambda: "You discarded" in hand.text)
    assert Archive(bot.database).replayed(table.game).table.has_discarded == (True, False)


async def test_two_who_agree_on_a_substitute_at_once_have_both_agreed(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, _ = people
    archive = Archive(bot.database)
    table = await begun(sandbox, people)
    await stays_away(table, bot, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))
    await ada.press(table.newest, "Let the computer play")
    await table.until(lambda: any(of_verb(each, "agree") for each in table.messages))
    question = next(each for each in table.messages if of_verb(each, "agree"))
    deal = archive.replayed(table.game).table.deal_number
    old = made_before(question, "agree", f"crib:{table.game}:{deal}:agree:steady")
    presses = [ada.press(question, old), ben.press(question, "🤖 Expert")]
    for press in presses:
        await press
    await table.until(lambda: "Ada wants 🤖 Steady.\nBen wants 🤖 Expert." in question.text)
    assert archive.table(table.game).computers == frozenset()
    await ada.press(question, "Change my mind")
    await table.until(lambda: "Ben wants 🤖 Expert.\n-# Ada decides." in question.text)
    presses = [ada.press(question, "🤖 Expert"), ben.press(question, "🤖 Expert")]
    for press in presses:
        await press
    await table.until(lambda: "🤖 Expert now plays for Cleo." in question.text)
    assert archive.table(table.game).names == ("Ada", "Ben", "🤖 Expert for Cleo")


async def test_a_question_that_was_answered_on_a_hand_leaves_the_hand_there(
    sandbox: Sandbox, bot: BotProcess, people: list[Person]
) -> None:
    ada, ben, _ = people
    table = await begun(sandbox, [ada, ben])
    await table.until(lambda: all(player.hand() for player in table.players))
    hand = table.player("Ben").hand()
    assert hand is not None
    was = str(hand.components)
    await ben.press(hand, made_before(hand, "pick", f"crib:{table.game}:1:end"))
    await table.until(lambda: str(hand.components) == was)
    assert status(bot, table) is Status.PLAYING
