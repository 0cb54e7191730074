"""Probes of channels that refuse the bot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from itertools import pairwise

import pytest

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.model.table_record import Agreement, Status, TableRecord
from bot.sync.circuit_breaker import BUDGET, REFILL, CircuitBreaker, Permit, Standing
from tests.bot.leaping_loop import run_leaping
from tests.bot.render.games import record_of
from tests.bot.sync.places import NothingIsShut

HOUR = 3600.0
SERVERS = 7


class Tables:
    """Tables with channels that refuse everything until a test opens them."""

    def __init__(self, tables: int = 1, *, standing: Standing = Standing.OPEN) -> None:
        self.gateway = NothingIsShut()
        self.gateway.of_channels = dict.fromkeys(range(tables), standing)
        self.records = {
            str(number): replace(
                record_of(Agreement()),
                game=str(number),
                channel=number,
                guild=number % SERVERS,
                status=Status.PLAYING,
            )
            for number in range(tables)
        }
        self.open: set[int] = set()
        self.is_out = False
        """True while Discord does not answer, which proves nothing about a channel."""
        self.tasks = KeyedTasks()
        self.access = CircuitBreaker(self.gateway, self.tasks, self.announce)
        self.refused: list[float] = []
        """Times (s since the start) of refusals."""
        self.unanswered: list[float] = []
        """Times of attempts during an outage."""
        self.synced: list[str] = []

    def announce(self, game: str) -> None:
        self.tasks.wake(("sync", game), lambda: self._sync(self.records[game]))

    async def _sync(self, record: TableRecord) -> None:
        verdict = self.access.ask(record)
        if verdict is Permit.LATER:
            raise RetryLater(REFILL)
        if verdict is Permit.SHUT:
            return
        await asyncio.sleep(0.1)
        is_refused = record.channel not in self.open and not self.is_out
        if self.is_out:
            self.unanswered.append(asyncio.get_running_loop().time())
        elif is_refused:
            self.refused.append(asyncio.get_running_loop().time())
        else:
            self.synced.append(record.game)
        self.access.end(record, is_refused=is_refused, is_synced=not is_refused and not self.is_out)

    def begin(self) -> None:
        for game in self.records:
            self.announce(game)


def play(tables: Tables, *steps: Callable[[], object] | float) -> None:
    """Run the steps: calls, and seconds to wait."""

    async def course() -> None:
        tables.begin()
        for step in steps:
            if callable(step):
                done = step()
                if isinstance(done, Coroutine):
                    await done
            else:
                await asyncio.sleep(step)
        await tables.tasks.close()

    run_leaping(course())


@pytest.mark.parametrize("standing", [Standing.OPEN, Standing.UNKNOWN])
def test_of_hundreds_of_dead_tables_one_a_minute_is_refused(standing: Standing) -> None:
    """The gateway's permissions are unknown, or wrong for all servers."""
    tables = Tables(300, standing=standing)
    play(tables, 24 * HOUR)
    tables.refused.sort()
    first, later = tables.refused[:BUDGET], tables.refused[BUDGET:]
    assert first[-1] < 1
    assert max(Counter(int(at // 60) for at in later).values()) == 1
    assert len(later) == pytest.approx(24 * 60, rel=0.05), "and none is forgotten"


def test_where_the_gateway_says_that_the_bot_may_not_write_nothing_is_sent() -> None:
    tables = Tables(1000, standing=Standing.SHUT)
    play(tables, 24 * HOUR)
    assert tables.refused == []


def test_the_pauses_grow_and_come_to_an_end() -> None:
    tables = Tables()
    play(tables, 48 * HOUR)
    pauses = [round((later - before) / 60) for before, later in pairwise(tables.refused)]
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128]


def test_in_an_outage_a_channel_that_refused_is_tried_once_a_minute() -> None:
    tables = Tables()
    play(tables, 30, lambda: setattr(tables, "is_out", True), HOUR / 2)
    pauses = [round((later - before) / 60) for before, later in pairwise(tables.unanswered)]
    assert set(pauses) == {1}


def test_a_change_of_the_channel_opens_it_at_once_if_the_gateway_knew_it_to_be_shut() -> None:
    tables = Tables(2, standing=Standing.SHUT)
    tables.records["1"] = replace(tables.records["1"], guild=0)

    def change() -> None:
        tables.open |= {0, 1}
        tables.access.changed(99)
        tables.gateway.of_channels[0] = Standing.OPEN
        tables.access.changed(0, 0)

    play(tables, HOUR, change, 1.0)
    assert (tables.synced, tables.refused) == (["0"], [])


def test_a_press_where_the_gateway_says_that_it_is_shut_sends_nothing_and_delays_nothing() -> None:
    tables = Tables(standing=Standing.SHUT)

    def change() -> None:
        tables.open, tables.gateway.of_channels = {0}, {0: Standing.OPEN}
        tables.access.changed(0, 0)

    play(
        tables, 1.0, lambda: tables.access.pressed("0"), 1.0, lambda: tables.access.pressed("0"), change, 1.0
    )
    assert (tables.synced, tables.refused) == (["0"], [])


@pytest.mark.parametrize("change", [(0, None), (0, 0)], ids=["server", "channel"])
def test_a_change_makes_a_channel_be_tried_that_is_tried_no_more(change: tuple[int, int | None]) -> None:
    tables = Tables()

    def opened() -> None:
        tables.open.add(0)
        tables.access.changed(*change)

    play(
        tables,
        48 * HOUR,
        lambda: tables.access.changed(0, 77),
        10.0,
        lambda: tables.synced.append("-"),
        opened,
        1.0,
    )
    assert tables.synced == ["-", "0", "0"], "once as text, and once as it is to be"
    assert len(tables.refused) == 9


def test_a_press_at_the_table_makes_its_channel_be_tried_but_not_at_every_press() -> None:
    tables = Tables()
    presses = [step for _ in range(30) for step in (lambda: tables.access.pressed("0"), 1.0)]
    play(tables, 48 * HOUR, tables.refused.clear, *presses)
    assert len(tables.refused) == 2


def test_a_server_that_is_written_in_for_the_first_time_gives_its_token_back() -> None:
    tables = Tables(2 * BUDGET)
    tables.open = set(range(BUDGET // 2, 2 * BUDGET))
    play(tables, 3 * REFILL)
    assert {*tables.synced} == {*map(str, tables.open)}
    assert len(tables.refused) <= BUDGET


def test_a_table_in_a_server_that_was_written_in_needs_no_token() -> None:
    tables = Tables(SERVERS * (BUDGET + 1))
    tables.open = set(range(0, len(tables.records), SERVERS))
    play(tables, 1.0)
    assert {*tables.synced} == {*map(str, tables.open)}


def test_a_press_needs_no_token() -> None:
    tables = Tables(BUDGET + 2)
    tables.records[str(BUDGET + 1)] = replace(tables.records[str(BUDGET + 1)], guild=99)
    tables.open = {BUDGET + 1}
    play(tables, 1.0, lambda: tables.access.pressed(str(BUDGET + 1)), 1.0)
    assert tables.synced == [str(BUDGET + 1)]


def test_a_game_that_is_over_is_not_tried_where_it_was_refused() -> None:
    tables = Tables()

    def end() -> None:
        tables.records["0"] = replace(tables.records["0"], status=Status.OVER)
        tables.announce("0")

    play(tables, 1.0, end, HOUR, lambda: tables.access.pressed("0"), 1.0)
    assert len(tables.refused) == 1


def test_a_game_that_is_over_waits_for_a_token_of_its_own() -> None:
    tables = Tables(BUDGET + 1, standing=Standing.UNKNOWN)
    tables.records[str(BUDGET)] = replace(tables.records[str(BUDGET)], status=Status.OVER)
    tables.open = {BUDGET}
    play(tables, REFILL / 2, lambda: tables.synced.append("-"), 2 * REFILL)
    assert tables.synced == ["-", str(BUDGET)]
