"""Looking through the tables while the store would not."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

import pytest

from bot.background.computer_players import Computers
from bot.background.guilds import Presence, Servers
from bot.background.turn_clock import Clock
from bot.delivery.announcer import Announcer
from bot.model.errors import StoreUnavailable
from bot.model.table_record import TableRecord
from tests.bot.leaping_loop import run_leaping


class Outage:
    """A store out of reach."""

    def __init__(self) -> None:
        self.asked = 0
        self.ends_after = 1_000

    async def open_tables(self) -> tuple[TableRecord, ...]:
        self.asked += 1
        if self.asked > self.ends_after:
            return ()
        await asyncio.sleep(1)
        raise StoreUnavailable

    async def untold(self) -> tuple[Any, ...]:
        return (SimpleNamespace(game="a"),)


async def never(_: TableRecord) -> None:
    raise AssertionError("no channel is gone")


def servers_on(store: Any, announcer: Announcer) -> Servers:
    presence = create_autospec(Presence, instance=True)
    clock, computers = create_autospec(Clock, instance=True), create_autospec(Computers, instance=True)
    return Servers(presence, store, announcer, clock, computers, close_table=never, now=lambda: 0.0)


def test_tables_are_looked_through_again_until_the_store_is_back(caplog: pytest.LogCaptureFixture) -> None:
    outage, announcer = Outage(), create_autospec(Announcer, instance=True)
    outage.ends_after = 2
    run_leaping(servers_on(outage, announcer).connected())
    assert outage.asked == 3
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    announcer.announce.assert_called_once_with("a")


def test_nothing_is_tried_or_said_once_the_bot_stops(caplog: pytest.LogCaptureFixture) -> None:
    """The list of servers may come just before the end, and the store is closed before it is read."""
    outage, announcer = Outage(), create_autospec(Announcer, instance=True)
    servers = servers_on(outage, announcer)

    async def stop_meanwhile() -> None:
        looking = asyncio.create_task(servers.connected())
        await asyncio.sleep(0.5)
        servers.close()
        await looking

    run_leaping(stop_meanwhile())
    assert outage.asked == 1
    assert caplog.records == []
