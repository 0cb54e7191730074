"""Four shards, in one process or in several: what happens to one is nothing to the tables of the others."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.model.database_address import PostgresAddress
from bot.model.shards import shard_of
from bot.model.table_record import Status
from bot.store.moving import move
from sandbox.client.people import Person
from sandbox.gateway.shards import Shards
from sandbox.server import Sandbox
from tests.bot.store.opened import open_store
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_result_is_true, assert_told_once_and_truly
from tests.end_to_end.players import controls, copies_of, discard
from tests.end_to_end.tables import Table
from tests.patience import PATIENCE
from tests.postgresql import Server

Processes = Callable[..., BotProcess]
SHARDS = 4
HOME = 2
"""The server's shard; direct messages come through shard 0, which may be another process's."""


@pytest.fixture
def sandbox_options() -> dict[str, Any]:
    """Four shards, all of which may identify at once."""
    return {"shards": Shards(count=SHARDS, max_concurrency=SHARDS, home=HOME)}


async def plays_in_dm(person: Person) -> None:
    """Play the computer in the bot's own DM, which comes through shard 0."""
    before = person.dms()
    await person.command(person.open_dm(), "crib new", computer="beginner")
    await person.until(
        lambda: any(controls(each) for each in person.dms() if each not in before), timeout=PATIENCE
    )


@pytest.mark.deep
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


@pytest.mark.deep
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


@pytest.fixture
async def address(postgres_server: Server) -> PostgresAddress:
    """An empty database for all processes of a test."""
    return await postgres_server.emptied()


@pytest.fixture
def process(sandbox: Sandbox, address: PostgresAddress, tmp_path: Path) -> Processes:
    """One of the processes, by its name and its shards, and by its database if that is another."""

    def named(name: str, shards: str, other: PostgresAddress | None = None) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        return BotProcess(sandbox, folder / "none.sqlite3", address=other or address, shards=shards)

    return named


async def copied(address: PostgresAddress, folder: Path) -> Archive:
    """The database's games, copied into a file."""
    copy = folder / "copy.sqlite3"
    await move(address, copy)
    return Archive(copy)


@pytest.mark.deep
async def test_a_game_goes_on_though_its_owner_is_killed_and_the_other_process_replaced(
    sandbox: Sandbox, address: PostgresAddress, process: Processes, tmp_path: Path
) -> None:
    """Both play by DM: every press arrives at the process that does not own the table."""
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with process("first", "0-1/4") as first, process("second", "2-3/4") as second:
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61, survives_failures=True)
        await table.play(lambda: len(table.deals) == 2)

        await second.stop(signal.SIGKILL)
        await table.play(lambda: len(table.deals) == 3)

        async with process("third", "0-1/4") as third:
            assert await first.ended() == 0
            await table.play()
            store = await open_store(address)
            async with asyncio.timeout(PATIENCE):
                while (kept := await store.table(table.game)).synced < kept.version:  # noqa: ASYNC110 -- another process tells
                    await asyncio.sleep(0.05)
            await store.close()
            assert await third.stop() == 0
        troubles = [*first.troubles, *third.troubles]
    assert not troubles, "\n".join(troubles)
    archive = await copied(address, tmp_path)
    assert archive.is_synced(table.game)
    assert_told_once_and_truly(table, archive)


@pytest.mark.deep
async def test_on_a_restored_copy_each_process_draws_the_tables_of_its_shards_again(
    sandbox: Sandbox, address: PostgresAddress, process: Processes, postgres_server: Server
) -> None:
    """The process that starts first finds that it is a copy; the table is the other's."""
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with process("first", "0-1/4"), process("second", "2-3/4"):
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.play(lambda: "Starter" in table.newest.text)
    backup = await postgres_server.create("backup", of=address)
    async with process("third", "0-1/4"), process("fourth", "2-3/4"):
        message = table.newest
        before = message.text
        await table.play(lambda: message.text != before)
    async with process("fifth", "0-1/4", backup) as fifth, process("sixth", "2-3/4", backup) as sixth:
        await table.until(lambda: message.text == before)
        await table.play(lambda: len(table.deals) == 2)
        [trouble] = fifth.troubles
        assert "the database is another, or a copy: 1 open tables are drawn again" in trouble
        fifth.log.clear()
        assert not sixth.troubles


@pytest.mark.deep
async def test_hands_that_are_open_at_the_table_follow_the_game_into_the_next_process(
    sandbox: Sandbox, address: PostgresAddress, process: Processes, tmp_path: Path
) -> None:
    """A player's move appears in the other player's hand, without a press."""
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with process("first", "0-3/4") as first:
        table = await Table.begin(
            sandbox.channels["cribbage"], people, length=61, behind_the_button=True, refreshes=False
        )
        ada, ben = people
        await discard(ada, copies_of(ada, table.channel)[-1])
        async with process("second", "0-3/4") as second:
            assert await first.ended() == 0
            hand = copies_of(ada, table.channel)[-1]
            assert "Ben: choose 2 cards for the crib" in hand.text
            await discard(ben, copies_of(ben, table.channel)[-1])
            await table.until(lambda: "Ben: choose" not in hand.text)
            await table.play(lambda: len(table.deals) == 2)
            assert await second.stop() == 0
        troubles = [*first.troubles, *second.troubles]
    assert not troubles, "\n".join(troubles)


@pytest.mark.deep
async def test_in_a_server_without_the_bot_every_press_reaches_the_process_that_draws_the_table(
    sandbox: Sandbox, address: PostgresAddress, process: Processes, tmp_path: Path
) -> None:
    """Its presses come on any shard, and each is answered by the process of the first."""
    people = ada, _ = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    channel = next(iter(sandbox.world.add_guild("Elsewhere", with_bot=False).channels.values()))
    async with process("first", "0-1/4") as first, process("second", "2-3/4") as second:
        table = await Table.gather(channel, people, length=61, behind_the_button=True)
        await table.start()
        await table.play()
        asked = sandbox.interactions.by_id
        assert len({shard_of(int(each), SHARDS) // 2 for each in asked}) == 2, "they came to both"
        assert len(table.messages) == 2, "the table, which followed the game, and the result"
        assert not await second.stop()
        troubles = [*first.troubles, *second.troubles]
    assert not troubles, "\n".join(troubles)
    assert sandbox.refused_elsewhere == []
    assert max(each.follow_ups for each in asked.values()) <= 5
    archive = await copied(address, tmp_path)
    assert archive.is_synced(table.game)
    assert_result_is_true(table, archive)
