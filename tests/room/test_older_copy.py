"""An older copy of the database comes in its place: in a failover, or when a backup is restored."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from bot.model.table_record import Status
from tests.end_to_end.tables import Table, public, reply_to
from tests.room.room import Room

LOST = "The last moves were lost with my database"

_COMPARED = 12.0
"""Seconds within which memory is compared with the database, and the tables are drawn again."""


@contextmanager
def copy_of(room: Room) -> Iterator[Callable[[], None]]:
    """A copy of the database as it is; the function puts it in the database's place."""
    with closing(sqlite3.connect(":memory:")) as copy:
        room.database.raw.backup(copy)
        yield lambda: copy.backup(room.database.raw)


def said(table: Table) -> int:
    """Number of the table's messages that say that moves were lost."""
    return sum(LOST in each.text for each in table.messages)


async def test_after_a_failover_the_table_says_what_was_lost_and_the_game_goes_on_to_its_end(
    room: Room,
) -> None:
    table = await room.table("Ada", "Ben", length=61)
    other = await room.table("Cat", "Dov", length=61)
    await table.play(until=lambda: len(table.deals) == 2)
    with copy_of(room) as put_back:
        before = room.archive.version(table.game)
        await table.play(until=lambda: len(table.deals) == 4)
        calls = [len(player.person.notifications) for player in table.players]
        put_back()
        await asyncio.sleep(_COMPARED)
    assert room.archive.version(table.game) == before
    assert len(table.deals) == 2, "the messages of the deals that are lost are deleted"
    assert (said(table), said(other)) == (1, 0)
    assert calls == [len(player.person.notifications) for player in table.players], "nobody is called for it"
    [trouble] = room.troubles
    assert f"{table.game} has lost moves with the database" in trouble
    room.troubles.clear()
    await table.play()
    await room.synced(table)
    assert "wins" in table.results[-1].text
    assert not said(table)


async def test_moves_of_the_deal_in_hand_are_taken_back_on_its_message(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await room.synced(table)
    with copy_of(room) as put_back:
        await table.play(until=lambda: "Starter" in table.newest.text)
        put_back()
        await asyncio.sleep(_COMPARED)
    assert "Starter" not in table.newest.text
    assert said(table) == 1
    room.troubles.clear()
    await table.play(until=lambda: len(table.deals) == 2)
    assert LOST not in table.newest.text


async def test_a_game_that_was_over_goes_on_where_the_copy_has_it(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    with copy_of(room) as put_back:
        await table.play()
        await room.synced(table)
        put_back()
        await asyncio.sleep(_COMPARED)
    assert not table.results, "no message tells of an end that never was"
    assert said(table) == 1
    room.troubles.clear()
    await table.play()
    assert room.archive.table(table.game).status is Status.OVER


async def test_a_table_that_the_copy_does_not_have_says_that_it_was_lost(room: Room) -> None:
    with copy_of(room) as put_back:
        table = await room.table("Ada", "Ben")
        put_back()
        await asyncio.sleep(_COMPARED)
    told = public(table.channel)[-1]
    assert "This table was lost with my database" in told.text
    assert not told.buttons
    [trouble] = room.troubles
    assert f"{table.game} is lost with the database" in trouble
    room.troubles.clear()
    await Table.begin(table.channel, room.people("Cat", "Dov"))


async def test_another_database_that_has_lost_nothing_is_not_spoken_of(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await room.synced(table)
    room.database.mark = "another"
    await asyncio.sleep(_COMPARED)
    [trouble] = room.troubles
    assert "open tables are drawn again" in trouble
    room.troubles.clear()
    assert not said(table)
    await table.play(until=lambda: len(table.deals) == 2)
    await room.restart()
    room.troubles.clear()


async def test_tables_are_drawn_again_once_the_database_is_back_if_it_goes_in_between(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.table("Ada", "Ben", length=61)
    asked = room.database.identity

    async def asked_last() -> str:
        identity = await asked()
        room.database.broken = True
        return identity

    with monkeypatch.context() as patched:
        patched.setattr(room.database, "identity", asked_last)
        room.database.mark = "one more"
        await asyncio.sleep(_COMPARED)
    room.database.broken = False
    assert not any("drawn again" in each for each in room.troubles)
    room.troubles.clear()
    await asyncio.sleep(_COMPARED)
    assert any("drawn again" in each for each in room.troubles)
    await room.restart()
    room.troubles.clear()


async def test_a_press_on_a_message_of_what_was_lost_before_the_start_lets_the_table_say_so(
    room: Room,
) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await table.play(until=lambda: len(table.deals) == 2)
    with copy_of(room) as put_back:
        await table.play(until=lambda: len(table.deals) == 4)
        await room.stop()
        put_back()
    await room.start()
    await asyncio.sleep(_COMPARED)
    assert (len(table.deals), said(table)) == (4, 0), "nobody can know of them"
    await table.players[0].person.press(table.newest, "My hand")
    await asyncio.sleep(1)
    assert [deal for deal, _ in table.deals] == [1, 2, 3]
    assert said(table) == 1
    await table.play()
    await room.synced(table)
    assert len(table.results) == 1


async def test_a_start_on_a_restored_backup_draws_the_open_tables_again(room: Room) -> None:
    table = await room.table("Ada", "Ben", length=61)
    await table.play(until=lambda: len(table.deals) == 2)
    await room.synced(table)
    with copy_of(room) as put_back:
        await room.restart()
        before = room.archive.version(table.game)
        deal, message = table.deals[-1]
        await table.play(until=lambda: table.shows and table.shows[-1][0] == deal)
        await room.stop()
        put_back()
    await room.start()
    await asyncio.sleep(_COMPARED)
    assert room.archive.version(table.game) == before
    assert (deal, message) == table.deals[-1]
    assert not table.shows or table.shows[-1][0] < deal, "it shows the play again"
    assert [each for each in room.troubles if "open tables are drawn again" in each]
    room.troubles.clear()
    await table.play()


@pytest.mark.parametrize("is_restarted", [False, True], ids=["failover", "restored backup"])
async def test_who_was_deleted_meanwhile_is_deleted_again_and_leaves_the_table(
    room: Room, *, is_restarted: bool
) -> None:
    table = await room.table("Ada", "Ben", length=61)
    back, gone = await room.table("Cat", "Dov", length=61), table.people[1]
    with copy_of(room) as put_back:
        for person in (gone, back.people[0]):
            question = await reply_to(person.command(table.channel, "crib-data delete"))
            await person.press(question, "Delete my data")
            await person.until(lambda question=question: "is deleted" in question.text)
        if is_restarted:
            await room.stop()
        put_back()
    assert room.archive.table(table.game).names == ("Ada", "Ben")
    if is_restarted:
        await room.start()
    await asyncio.sleep(75)
    assert room.archive.table(table.game).names == ("Ada", "")
    assert room.archive.table(table.game).status is Status.OVER
    assert "wins" in table.results[-1].text
    [trouble] = [each for each in room.troubles if "deletion of data" in each]
    assert "of 2 people" in trouble
    room.troubles.clear()
    again = await Table.begin(room.channel(), [table.people[0], gone], length=61)
    await asyncio.sleep(75)
    assert room.archive.table(again.game).names == ("Ada", "Ben"), "who came back stays"
