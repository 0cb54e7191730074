"""Locks by key: never two of one key at the same time, and none left without a user."""

from __future__ import annotations

import asyncio

from bot.concurrency.keyed_locks import KeyedLocks
from tests.patience import PATIENCE


async def test_a_key_has_one_lock_while_anybody_holds_it_or_waits_for_it() -> None:
    locks = KeyedLocks()
    inside: list[str] = []
    overlaps: list[tuple[str, ...]] = []

    async def enter(name: str) -> None:
        async with locks.lock("game"):
            inside.append(name)
            overlaps.append(tuple(inside))
            await asyncio.sleep(0)
            inside.remove(name)

    await asyncio.gather(*(enter(name) for name in "abcd"))
    assert overlaps == [("a",), ("b",), ("c",), ("d",)]


async def test_keys_do_not_wait_for_each_other() -> None:
    locks = KeyedLocks()
    async with locks.lock("one"), asyncio.timeout(PATIENCE), locks.lock("other"):
        assert len(locks) == 2


async def test_a_lock_that_nobody_uses_leaves_nothing_behind() -> None:
    locks = KeyedLocks()
    for game in map(str, range(1000)):
        async with locks.lock(game):
            assert locks.lock(game).locked()
    assert len(locks) == 0
