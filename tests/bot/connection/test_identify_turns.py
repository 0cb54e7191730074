"""One IDENTIFY in five seconds for each rate limit key, and a connection that hangs holds up nobody."""

from __future__ import annotations

import asyncio

from bot.connection.identify_turns import PERIOD, IdentifyTurns
from tests.bot.leaping_loop import run_leaping


def test_shards_of_one_key_identify_one_after_the_other_in_the_order_in_which_they_come() -> None:
    identified: list[tuple[int, float]] = []

    async def identify() -> None:
        turns, loop = IdentifyTurns(2), asyncio.get_running_loop()

        async def one(shard: int) -> None:
            async with turns.place(shard):
                await turns.take(shard)
                identified.append((shard, loop.time()))

        await asyncio.gather(*map(one, range(5)))
        await asyncio.sleep(60)
        await one(0)

    run_leaping(identify())
    assert identified == [
        (0, 0),
        (1, 0),
        (2, PERIOD),
        (3, PERIOD),
        (4, 2 * PERIOD),
        (0, 60 + 2 * PERIOD),
    ]


def test_one_that_hangs_takes_nobodys_turn() -> None:
    waited: list[float] = []

    async def hang() -> None:
        turns, loop = IdentifyTurns(1), asyncio.get_running_loop()

        async def hanging() -> None:
            async with turns.place(0):
                await asyncio.Event().wait()

        task = asyncio.create_task(hanging())
        for shard in (1, 2):
            async with turns.place(shard):
                await turns.take(shard)
                waited.append(loop.time())
        task.cancel()

    run_leaping(hang())
    assert waited == [0, PERIOD]
