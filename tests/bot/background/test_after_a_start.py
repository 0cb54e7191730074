"""Work at each table after a start (clock, computer, next deal) is throttled."""

from __future__ import annotations

import asyncio
from random import Random
from unittest.mock import MagicMock

import pytest

from bot.background.computer_players import Computers
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from bot.tables.worker import Worker
from engine import Chance
from tests.bot.leaping_loop import run_leaping
from tests.bot.tables.slow_logs import SlowLogs


@pytest.mark.parametrize("which", ["clock", "computer", "next deal"])
def test_logs_are_read_one_at_a_time(which: str) -> None:
    async def start() -> None:
        store, tasks, presence, worker = SlowLogs(), KeyedTasks(), Presence(), Worker()
        games = await store.games(3)
        sessions = Sessions(store, Chance(Random(1)))
        match which:
            case "clock":
                clock = Clock(
                    store, sessions, MagicMock(), presence, tasks, worker=worker, now=lambda: store.now
                )
                await clock.start()
            case "computer":
                computers = Computers(sessions, worker, presence, tasks, pace=100)
                for record in await store.open_tables():
                    computers.on_change(record)
            case _:
                next_deal = NextDeal(sessions, presence, tasks, pause=100)
                for record in await store.open_tables():
                    next_deal.on_change(record)
        await asyncio.sleep(10)
        await tasks.close()
        worker.close()

        assert store.most_at_once == 1
        assert [sessions.peek(game) is not None for game in games] == [True] * 3

    run_leaping(start())


async def test_a_clock_asks_for_the_times_of_all_games_at_once() -> None:
    store, tasks, worker = SlowLogs(), KeyedTasks(), Worker()
    await store.games(5)
    sessions = Sessions(store, Chance(Random(1)))
    before = store.database.calls
    await Clock(store, sessions, MagicMock(), Presence(), tasks, worker=worker, now=lambda: store.now).start()
    assert store.database.calls - before == 2
    await tasks.close()
    worker.close()
