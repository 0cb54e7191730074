"""Mentions: in slow play for a player who has not moved for a while, in live play by the clock alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.absences import time_for_a_move
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player
from tests.end_to_end.tables import Table, everything_told


@pytest.fixture
async def impatient(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """A bot that mentions players who have done nothing for a second."""
    bot = BotProcess(sandbox, tmp_path / "games.sqlite3", {"MENTION_AFTER": "1"})
    async with bot:
        yield bot
        assert await bot.stop() == 0
    assert not bot.troubles


def calls(table: Table, person: Person) -> list[Message]:
    """The messages that call this person; a slow machine may have had others called before."""
    return [each for each in table.messages if person.id in {user.id for user in each.mentions}]


async def test_who_has_not_been_playing_is_called_once_and_the_call_is_taken_back(
    sandbox: Sandbox, impatient: BotProcess, conformance: Conformance
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, pace="slow")
    archive = Archive(impatient.database)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    turn = archive.replayed(table.game).table.waiting_for[0]
    await asyncio.sleep(1.2)  # longer than the bot was told to wait; nothing measures it
    await table.players[turn].act()
    waited_for = people[archive.replayed(table.game).table.waiting_for[0]]
    await table.until(lambda: calls(table, waited_for))

    [call] = calls(table, waited_for)
    assert [user.id for user in call.mentions] == [waited_for.id]
    assert call.text.startswith(f"<@{waited_for.id}>, ")
    assert table.newest.link in call.text
    [posted] = [
        each.body
        for each in conformance.exchanges
        if isinstance(each.answer, dict) and each.answer.get("id") == call.id
    ]
    assert [str(user) for user in posted["allowed_mentions"]["users"]] == [waited_for.id]
    assert posted["allowed_mentions"].get("parse", []) == []

    # Neither opening the hand nor redrawing the table mentions Ben a second time.
    sandbox.people["Cleo"].say(table.channel, "Who is winning?")  # or the table stands right here
    await waited_for.command(table.channel, "crib table")
    await table.until(lambda: len(table.deals) == 2)
    assert len(calls(table, waited_for)) == 1
    hand = next(player for player in table.players if player.person is waited_for)
    while archive.replayed(table.game).table.waiting_for[0] == people.index(waited_for):
        await hand.act()
        await asyncio.sleep(0.01)
    await table.until(lambda: call.deleted)


async def test_in_live_play_the_clock_calls_and_each_turn_s_call_goes_with_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    archive = Archive(bot.database)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await time_for_a_move(bot, 6)
    turn = archive.replayed(table.game).table.waiting_for[0]
    mine, other = (ada, ben) if turn == 0 else (ben, ada)
    await table.until(lambda: calls(table, mine))

    [call] = calls(table, mine)
    assert re.search(r"I'll move for you <t:\d+:R>\.", call.text), call.text
    assert not calls(table, other)
    await table.until(lambda: call.deleted)
    assert archive.replayed(table.game).table.absences[turn] == 1
    await time_for_a_move(bot, 600)
    await table.play()
    await everything_told([table])


async def test_alone_against_the_computer_nobody_is_called_or_moved_for(
    sandbox: Sandbox, impatient: BotProcess
) -> None:
    ada, channel, archive = sandbox.people["Ada"], sandbox.channels["cribbage"], Archive(impatient.database)
    await ada.command(channel, "crib new", computer="steady")
    await ada.until(archive.tables)
    game = archive.tables()[-1].game
    table = Table(channel, [Player(ada, channel, game, Random(1), behind_the_button=True)])
    await table.play(lambda: table.deals)
    await time_for_a_move(impatient, 2)
    await table.until(lambda: archive.replayed(table.game).table.waiting_for == (0,))
    await asyncio.sleep(6)  # two first turns at that pace; nothing measures it

    assert archive.replayed(table.game).table.absences == (0, 0)
    assert not calls(table, ada)
