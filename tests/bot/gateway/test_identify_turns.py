"""One IDENTIFY in five seconds for each rate limit key, and a connection that hangs holds up nobody."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import pairwise

from bot.gateway.identify_turns import AHEAD, PERIOD, IdentifyTurns, SharedIdentifyTurns
from bot.model.errors import StoreUnavailable
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


class Shared:
    """Turns of several processes, as the database grants them."""

    def __init__(self) -> None:
        self.free_at: dict[int, float] = {}
        self.is_out_of_reach = False
        self.asked_at_once = 0
        """The most who have asked for a turn of one key at the same time."""
        self._asking: list[int] = []

    async def turn(self, key: int, period: float, ahead: float) -> tuple[float, bool]:
        self._asking.append(key)
        self.asked_at_once = max(self.asked_at_once, self._asking.count(key))
        await asyncio.sleep(0)
        self._asking.remove(key)
        if self.is_out_of_reach:
            raise StoreUnavailable
        now = asyncio.get_running_loop().time()
        at = max(now, self.free_at.get(key, 0.0))
        is_taken = at - now <= ahead
        if is_taken:
            self.free_at[key] = at + period
        return at - now, is_taken


def test_two_processes_take_their_turns_from_one_place() -> None:
    identified: list[tuple[int, float]] = []

    async def identify() -> None:
        shared, loop = Shared(), asyncio.get_running_loop()
        first, second = (SharedIdentifyTurns(2, shared.turn) for _ in range(2))

        async def one(turns: SharedIdentifyTurns, shard: int) -> None:
            async with turns.place(shard):
                await turns.take(shard)
                identified.append((shard, loop.time()))

        await asyncio.gather(one(first, 0), one(first, 1), one(first, 4), one(second, 2), one(second, 3))
        assert shared.asked_at_once == 2, "of one process, one waits for its turn at a time"

    run_leaping(identify())
    assert sorted(identified, key=lambda each: each[0]) == [
        (0, 0),
        (1, 0),
        (2, PERIOD),
        (3, PERIOD),
        (4, 2 * PERIOD),
    ]


def test_nobody_identifies_while_the_database_does_not_answer() -> None:
    waited: list[float] = []

    async def wait() -> None:
        shared, loop = Shared(), asyncio.get_running_loop()
        shared.is_out_of_reach = True
        turns = SharedIdentifyTurns(1, shared.turn)
        taking = asyncio.create_task(turns.take(0))
        await asyncio.sleep(30.5)
        assert not taking.done()
        shared.is_out_of_reach = False
        await taking
        waited.append(loop.time())

    run_leaping(wait())
    assert waited == [31]


def test_a_connection_that_is_given_up_while_its_turn_is_far_off_takes_it_from_nobody() -> None:
    identified: list[float] = []

    async def identify() -> None:
        shared, loop = Shared(), asyncio.get_running_loop()
        shared.free_at[0] = 100.0
        others = [SharedIdentifyTurns(1, shared.turn) for _ in range(10)]
        for _ in range(2):
            with suppress(TimeoutError):
                async with asyncio.timeout(45):
                    await asyncio.gather(*(each.take(0) for each in others))
        assert shared.free_at[0] == 100.0
        await others[0].take(0)
        identified.append(loop.time())

    run_leaping(identify())
    assert identified == [100.0]


def test_a_process_does_not_ask_again_and_again_at_once() -> None:
    asked: list[float] = []

    async def wait() -> None:
        async def turn(*_: float) -> tuple[float, bool]:
            asked.append(asyncio.get_running_loop().time())
            return (AHEAD, False) if len(asked) < 5 else (0.0, True)

        await SharedIdentifyTurns(1, turn).take(0)

    run_leaping(wait())
    assert all(later - before > 0.1 for before, later in pairwise(asked))
