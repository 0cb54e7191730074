"""Several processes that share the bot's shards: one is killed, and one is replaced without an outage."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.shards import shard_of
from bot.store.moving import move
from sandbox.client.people import Person
from sandbox.gateway.shards import Shards
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.bot.store.opened import open_store
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_result_is_true, assert_told_once_and_truly
from tests.end_to_end.players import of_verb, tap_cards
from tests.end_to_end.tables import Table
from tests.end_to_end.test_open_hands import copies_of
from tests.patience import PATIENCE
from tests.postgresql import Server

_SHARDS = 4
_HOME = 2
"""The server's shard; direct messages come through shard 0, which is another process's."""


@pytest.fixture
async def sandbox(conformance: Conformance) -> AsyncIterator[Sandbox]:
    """A sandbox with four shards, all of which may identify at once."""
    shards = Shards(count=_SHARDS, max_concurrency=_SHARDS, home=_HOME)
    limits, patient = RateLimits.relaxed(), Deadlines(first_answer=PATIENCE)
    async with Sandbox(rate_limits=limits, deadlines=patient, shards=shards) as sandbox:
        sandbox.observers.append(conformance)
        yield sandbox
    conformance.check()


async def test_a_game_goes_on_though_its_owner_is_killed_and_the_other_process_replaced(
    sandbox: Sandbox, postgres_server: Server, tmp_path: Path
) -> None:
    """Both play by DM: every press arrives at the process that does not own the table."""
    address = await postgres_server.emptied()

    def process(name: str, shards: str) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        return BotProcess(sandbox, folder / "none.sqlite3", address=address, shards=shards)

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
    copy = tmp_path / "copy.sqlite3"
    await move(address, copy)
    archive = Archive(copy)
    assert archive.is_synced(table.game)
    assert_told_once_and_truly(table, archive)


async def test_hands_that_are_open_at_the_table_follow_the_game_into_the_next_process(
    sandbox: Sandbox, postgres_server: Server, tmp_path: Path
) -> None:
    """A player's move appears in the other player's hand, without a press."""
    address = await postgres_server.emptied()

    def process(name: str) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        return BotProcess(sandbox, folder / "none.sqlite3", address=address, shards="0-3/4")

    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with process("first") as first:
        table = await Table.begin(
            sandbox.channels["cribbage"], people, length=61, behind_the_button=True, refreshes=False
        )
        ada, ben = people
        await discard(ada, table)
        async with process("second") as second:
            assert await first.ended() == 0
            hand = copies_of(ada, table)[-1]
            assert "Ben: choose 2 cards for the crib" in hand.text
            await discard(ben, table)
            await table.until(lambda: "Ben: choose" not in hand.text)
            await table.play()
            assert await second.stop() == 0
        troubles = [*first.troubles, *second.troubles]
    assert not troubles, "\n".join(troubles)


async def test_in_a_server_without_the_bot_every_press_reaches_the_process_that_draws_the_table(
    sandbox: Sandbox, postgres_server: Server, tmp_path: Path
) -> None:
    """Its presses come on any shard, and each is answered by the process of the first."""
    address = await postgres_server.emptied()

    def process(name: str, shards: str) -> BotProcess:
        folder = tmp_path / name
        folder.mkdir()
        return BotProcess(sandbox, folder / "none.sqlite3", address=address, shards=shards)

    people = ada, _ = sandbox.people["Ada"], sandbox.people["Ben"]
    ada.install_app()
    channel = next(iter(sandbox.world.add_guild("Elsewhere", with_bot=False).channels.values()))
    async with process("first", "0-1/4") as first, process("second", "2-3/4") as second:
        table = await Table.gather(channel, people, length=61, behind_the_button=True)
        await table.start()
        await table.play()
        asked = sandbox.interactions.by_id
        assert len({shard_of(int(each), _SHARDS) // 2 for each in asked}) == 2, "they came to both"
        assert len(table.messages) == 2, "the table, which followed the game, and the result"
        assert not await second.stop()
        troubles = [*first.troubles, *second.troubles]
    assert not troubles, "\n".join(troubles)
    assert sandbox.refused_elsewhere == []
    assert max(each.follow_ups for each in asked.values()) <= 5
    copy = tmp_path / "copy.sqlite3"
    await move(address, copy)
    archive = Archive(copy)
    assert archive.is_synced(table.game)
    assert_result_is_true(table, archive)


async def discard(person: Person, table: Table) -> None:
    """On the hand that the person has open at the table."""
    hand = copies_of(person, table)[-1]
    await tap_cards(person, hand)
    lay = of_verb(hand, "discard")
    assert lay is not None
    await person.press(hand, lay["custom_id"])
