"""Four shards in one process: what happens to one is nothing to the tables of the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.gateway.shards import Shards
from sandbox.model.channels import Message
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE

HOME = 2
"""The server's shard; direct messages come through shard 0."""


@pytest.fixture
async def sandbox(conformance: Conformance) -> AsyncIterator[Sandbox]:
    """A sandbox that wants four shards, all of which may identify at once."""
    shards = Shards(count=4, max_concurrency=4, home=HOME)
    limits, patient = RateLimits.relaxed(), Deadlines(first_answer=PATIENCE)
    async with Sandbox(rate_limits=limits, deadlines=patient, shards=shards) as sandbox:
        sandbox.observers.append(conformance)
        yield sandbox
    conformance.check()


async def plays_in_dm(person: Person) -> None:
    """Play the computer in the bot's own DM, which comes through shard 0."""
    before = {each.id for each in person.dms()}

    def new() -> list[Message]:
        return [each for each in person.dms() if each.id not in before]

    await person.command(person.open_dm(), "crib new", computer="beginner")
    try:
        await person.until(lambda: any(map(controls, new())), timeout=PATIENCE)
    except TimeoutError:
        raise AssertionError([each.text for each in person.dms()]) from None


async def test_a_shard_that_is_late_and_one_that_cannot_connect_hold_up_nobody(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    gateway, archive, ada = sandbox.gateway, Archive(bot.database), sandbox.people["Ada"]
    lobby = await Table.gather(sandbox.channels["second-table"], [ada], players=2)
    table = await Table.begin(sandbox.channels["cribbage"], [ada, sandbox.people["Ben"]], length=61)
    assert all(map(gateway.is_online, range(4)))
    await bot.stop()

    gateway.trouble.held.add(HOME)
    gateway.trouble.barred.add(1)
    await bot.start()
    await ada.until(lambda: gateway.is_online(0), timeout=PATIENCE)
    await plays_in_dm(ada)
    await asyncio.sleep(0.5)
    assert [archive.table(each.game).status for each in (lobby, table)] == [Status.GATHERING, Status.PLAYING]

    gateway.trouble.barred.clear()
    gateway.release(HOME)
    await table.play(lambda: table.stands("Deal 2"))
    await lobby.until(lambda: gateway.is_online(1))
    assert archive.table(lobby.game).status is Status.GATHERING
    bot.log[:] = [line for line in bot.log if "shard 1 is not connected" not in line]


async def test_while_a_shard_is_lost_its_tables_rest_and_others_are_played(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    gateway, ada = sandbox.gateway, sandbox.people["Ada"]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], [ada, sandbox.people["Ben"]], length=61)
    gateway.trouble.barred.add(HOME)
    await gateway.cut(HOME)
    version = archive.table(table.game).version

    await plays_in_dm(ada)
    await asyncio.sleep(0.5)
    assert archive.table(table.game).version == version

    gateway.trouble.barred.clear()
    await table.until(lambda: gateway.is_online(HOME))
    await table.play(lambda: table.stands("Deal 2"))
    bot.log[:] = [line for line in bot.log if "shard 2 is not connected" not in line]
