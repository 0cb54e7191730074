"""A table that has scrolled out of sight is posted again at the end of its channel, but not too often."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from engine import Stage
from sandbox.model.interactions import Deadlines
from sandbox.model.snowflakes import Clock
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table, reply_to
from tests.patience import PATIENCE

_BEHIND = 600.0
"""Seconds by which the sandbox's clock starts behind; advanced by them, it agrees with the bot's."""


@pytest.fixture
async def sandbox(conformance: Conformance) -> AsyncIterator[Sandbox]:
    """A sandbox whose clock is ten minutes behind, with messages by other people."""
    clock = Clock()
    clock.advance(-_BEHIND)
    patient = Deadlines(first_answer=PATIENCE)
    async with Sandbox(rate_limits=RateLimits.relaxed(), deadlines=patient, clock=clock) as sandbox:
        sandbox.observers.append(conformance)
        sandbox.people["Dan"].say("cribbage", "Who plays cribbage?")
        yield sandbox
    conformance.check()


async def in_play(sandbox: Sandbox, archive: Archive) -> Table:
    """A table at which the first card is to be played."""
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await told(table, archive)
    return table


async def told(table: Table, archive: Archive) -> None:
    """Wait until the table message is up to date."""
    await table.until(lambda: (record := archive.table(table.game)).synced == record.version)


async def move_once(table: Table, archive: Archive) -> None:
    """One move, until all messages are up to date."""
    version = archive.version(table.game)
    await table.play(lambda: archive.version(table.game) > version)
    await told(table, archive)


async def test_a_buried_table_is_posted_anew_and_the_old_one_loses_its_buttons(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    archive = Archive(bot.database)
    table = await in_play(sandbox, archive)
    old = table.newest
    sandbox.people["Cleo"].say(table.channel, "Good luck!")
    sandbox.clock.advance(_BEHIND)
    await bot.restart()  # no move is remembered that could have been just now

    await move_once(table, archive)

    assert [number for number, _ in table.deals] == [1]
    assert table.moved == [old]
    assert table.newest is table.messages[-1]
    assert controls(table.newest)
    assert not controls(old)
    opened = await reply_to(table.players[1].person.press(table.newest, "My hand"))
    assert opened.text

    # It is not posted again for two minutes, even if others write below it.
    sandbox.people["Cleo"].say(table.channel, "There it is.")
    await move_once(table, archive)
    assert len(table.deals) == 1


async def test_a_table_that_nobody_talks_below_stays_where_it_is(sandbox: Sandbox, bot: BotProcess) -> None:
    archive = Archive(bot.database)
    table = await in_play(sandbox, archive)
    sandbox.clock.advance(_BEHIND)
    sandbox.people["Cleo"].say("general", "Elsewhere.")
    await bot.restart()

    await move_once(table, archive)

    assert [number for number, _ in table.deals] == [1]


async def test_the_table_is_posted_anew_on_demand_where_people_talked_before_the_bot_came(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, dan = sandbox.people["Ada"], sandbox.people["Dan"]
    table = await Table.begin(sandbox.channels["cribbage"], [ada, sandbox.people["Ben"]])
    await told(table, Archive(bot.database))
    here = await reply_to(ada.command(table.channel, "crib table"))
    assert here.text == "Your table:"
    await table.until(lambda: len(table.moved) == 1)

    dan.say(table.channel, "Good luck!")
    assert (await reply_to(ada.command(table.channel, "crib table"))).text == "Your table:"

    await table.until(lambda: len(table.moved) == 2)
    assert table.newest is table.messages[-1]
