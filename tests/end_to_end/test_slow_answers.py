"""Answers that had to be deferred say and show what prompt ones do, to the same people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from sandbox.server import Sandbox
from tests.end_to_end.absences import stays_away
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, reply_to
from tests.patience import PATIENCE

COMING = "Here it comes."


class SlowBot(BotProcess):
    """The bot with a store that can be slowed down."""

    @property
    def slow(self) -> Path:
        """Slow as long as this file exists."""
        return self.database.parent / "slow"


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[SlowBot]:
    slow = {"SLOW": str(tmp_path / "slow")}
    process = SlowBot(sandbox, tmp_path / "games.sqlite3", slow, altered_by="tests.end_to_end.slow_bot")
    async with process:
        yield process
        assert await process.stop() == 0
    assert not process.troubles, "\n".join(process.troubles)


async def posted(person: Person, table: Table, text: str) -> Message:
    """The message with that text which everybody sees, once it is there."""

    def found() -> Message | None:
        public = (each for each in table.channel.messages.values() if each.only_for is None)
        return next((each for each in public if text in each.text), None)

    await person.until(found, timeout=PATIENCE)
    message = found()
    assert message is not None
    return message


async def slowly(doing: Interaction) -> Interaction:
    """The interaction, once its message has come after the deferral."""
    return await (await doing).done(PATIENCE)


async def test_a_late_question_whether_to_end_is_asked_at_the_table(sandbox: Sandbox, bot: SlowBot) -> None:
    ben, cleo = people = [sandbox.people["Ben"], sandbox.people["Cleo"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    bot.slow.touch()
    asked = await slowly(ben.command(table.channel, "crib end"))
    question = await posted(ben, table, "Ben wants to end the game.")
    assert [each.text for each in asked.messages if each.is_ephemeral] == [COMING]
    bot.slow.unlink()
    await cleo.press(question, "End it")
    await table.until(lambda: "Game cancelled" in question.text)


async def test_a_late_question_for_a_substitute_is_asked_at_the_table(sandbox: Sandbox, bot: SlowBot) -> None:
    ada, ben, _ = people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    await stays_away(table, bot, 2)
    await table.until(lambda: of_verb(table.newest, "cover"))
    before = table.newest.text
    bot.slow.touch()
    pressed = await slowly(ada.press(table.newest, "Let the computer play"))
    question = await posted(ada, table, "### Let the computer play for Cleo?")
    assert table.newest.text == before
    assert not [each.text for each in pressed.messages if each.is_ephemeral]

    await slowly(ben.press(question, "🤖 Expert"))
    await table.until(lambda: "Ben wants 🤖 Expert." in question.text)


async def test_a_late_leaderboard_is_for_everybody(sandbox: Sandbox, bot: SlowBot) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    await ada.command(table.channel, "crib resign", sure=True)
    await table.until(lambda: table.results)
    bot.slow.touch()
    asked = await slowly(ben.command(table.channel, "crib-stats leaderboard", by="wins"))
    await posted(ada, table, "## Leaderboard")
    assert [each.text for each in asked.messages if each.is_ephemeral] == [COMING]


async def test_late_discards_that_are_shown_to_everybody_are_posted_once(
    sandbox: Sandbox, bot: SlowBot
) -> None:
    ada = sandbox.people["Ada"]
    channel = sandbox.channels["cribbage"]
    options = {"cards": "4c 5d 6h js 2d 9c", "dealer": True}
    own = await reply_to(ada.command(channel, "crib-coach discards", **options))
    asked = await slowly(ada.press(own, "Show everybody"))

    def shown() -> list[Message]:
        return [each for each in channel.messages.values() if each.only_for is None and "###" in each.text]

    await ada.until(shown, timeout=PATIENCE)
    assert len(shown()) == 1
    assert [each.text for each in asked.messages if each.is_ephemeral] in ([COMING], [])


@pytest.mark.parametrize("by", ["button", "command"])
async def test_a_hand_that_comes_late_follows_the_game(sandbox: Sandbox, bot: SlowBot, by: str) -> None:
    ada, _ = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people)
    before = table.newest.text
    bot.slow.touch()
    asking = ada.press(table.newest, "My hand") if by == "button" else ada.command(table.channel, "crib hand")
    asked = await asking
    await table.until(lambda: asked.messages and not asked.reply.is_loading)
    hand = asked.reply
    assert hand.is_ephemeral
    assert "discard 2 to" in hand.text
    bot.slow.unlink()
    # In play this quick it may come to no picture of the hand between the discard and the next deal.
    await table.play(lambda: "discard 2 to" not in hand.text)
    assert table.deals[0][1].text.splitlines()[1] == before.splitlines()[1], "drawn over"
