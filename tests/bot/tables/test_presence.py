"""The bot's servers, shard by shard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.table_record import TableRecord
from bot.tables.presence import Presence
from tests.bot.seating import gather, room_of
from tests.bot.store.memory import MemoryStore

SHARDS = 4


def guild_of(shard: int, number: int = 0) -> int:
    """Id of a server of that shard."""
    return (SHARDS * 1000 + shard) << 22 | number


@pytest.fixture
async def tables() -> list[TableRecord]:
    """A table in a server of each shard, and one in direct messages."""
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies)
    return [*(replace(record, guild=guild_of(shard)) for shard in range(SHARDS)), replace(record, guild=None)]


async def test_nothing_rests_before_anybody_connects(tables: list[TableRecord]) -> None:
    presence = Presence()
    assert not any(map(presence.rests, tables))


async def test_each_shard_wakes_its_own_tables(tables: list[TableRecord]) -> None:
    presence = Presence()
    presence.expect(SHARDS)
    assert all(map(presence.rests, tables))
    assert not any(map(presence.has_left, tables))

    presence.listed(0, [guild_of(0)])
    assert [presence.rests(each) for each in tables] == [False, True, True, True, False]
    presence.listed(2, [guild_of(2, number=5)])
    assert [presence.rests(each) for each in tables] == [False, True, True, True, False]
    assert [presence.has_left(each) for each in tables] == [False, False, True, False, False]
    assert presence.guilds is None, "two shards have not told"

    presence.listed(1, [])
    presence.listed(3, [])
    assert presence.guilds == {guild_of(0), guild_of(2, number=5)}


@pytest.mark.parametrize("how", ["resumed", "listed"])
async def test_a_lost_shard_lets_its_own_tables_rest_and_nobody_has_left(
    how: str, tables: list[TableRecord]
) -> None:
    presence = Presence()
    presence.expect(SHARDS)
    for shard in range(SHARDS):
        presence.listed(shard, [guild_of(shard)])

    presence.lost(3)
    assert [presence.rests(each) for each in tables] == [False, False, False, True, False]
    assert not any(map(presence.has_left, tables))
    assert presence.is_in(guild_of(3))

    if how == "resumed":
        presence.resumed(3)
    else:
        presence.listed(3, [guild_of(3)])
    assert not any(map(presence.rests, tables))

    presence.left(guild_of(1))
    assert [presence.rests(each) for each in tables] == [False, True, False, False, False]
    presence.joined(guild_of(1))
    assert not any(map(presence.rests, tables))


async def test_tables_that_come_from_another_process_rest_until_they_are_looked_through(
    tables: list[TableRecord],
) -> None:
    presence = Presence()
    presence.share(SHARDS)
    for shard in (0, 1):
        presence.listed(shard, [guild_of(shard)])
        presence.own(shard)
    assert all(map(presence.rests, tables))
    presence.mark_scanned(1)
    assert [presence.rests(each) for each in tables] == [True, False, True, True, True]

    presence.disown(1)
    presence.own(1)
    assert presence.rests(tables[1]), "another process has had it meanwhile"


async def test_of_a_shard_that_is_not_to_be_connected_any_more_nothing_is_known(
    tables: list[TableRecord],
) -> None:
    """Otherwise its old list would report new servers as left when it returns."""
    presence = Presence()
    presence.share(SHARDS)
    presence.own(1)
    presence.listed(1, [])
    assert presence.has_left(tables[1])
    assert presence.guilds == frozenset()

    presence.disown(1)
    presence.closed(1)
    presence.own(1)
    assert not presence.is_connected(1)
    assert not presence.has_left(tables[1])
    assert presence.guilds is None
