"""Servers that the bot leaves and returns to."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

import pytest

from bot.background.computer_players import Computers
from bot.background.guilds import Guilds
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.announcer import Announcer
from bot.model.errors import StoreUnavailable
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Status, TableRecord
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, gather, room_of
from tests.bot.store.memory import MemoryStore

HERE, ELSEWHERE, GONE = 10, 11, 12


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

    async def forget_servers_but(self, _: frozenset[int]) -> None:
        """There is nothing to forget."""


class Bot:
    """Guilds with everything that hears of them."""

    def __init__(self, store: Any, sessions: Sessions | None = None) -> None:
        self.store = store
        self.presence = Presence()
        self.announcer = create_autospec(Announcer, instance=True)
        self.clock = create_autospec(Clock, instance=True)
        self.computers = create_autospec(Computers, instance=True)
        self.next_deal = create_autospec(NextDeal, instance=True)
        self.tasks = KeyedTasks(passing=(StoreUnavailable,))
        self.guilds = Guilds(
            self.presence,
            store,
            sessions=sessions or create_autospec(Sessions, instance=True),
            announcer=self.announcer,
            clock=self.clock,
            computers=self.computers,
            next_deal=self.next_deal,
            tasks=self.tasks,
            now=lambda: self.store.now,
        )

    async def looked(self) -> None:
        """Until everything has been looked through."""
        async with asyncio.timeout(5):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


def test_tables_are_looked_through_again_until_the_store_is_back(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage()
    outage.ends_after = 2

    async def connect() -> None:
        bot = Bot(outage)
        bot.guilds.connected([HERE])
        await asyncio.sleep(10)
        await bot.tasks.close()
        bot.announcer.announce.assert_called_once_with("a")

    run_leaping(connect())
    assert outage.asked == 3
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


def test_nothing_is_tried_or_said_once_the_bot_stops(caplog: pytest.LogCaptureFixture) -> None:
    """The list of servers may come just before the end, and the store is closed before it is read."""
    outage = Outage()

    async def stop_meanwhile() -> None:
        bot = Bot(outage)
        bot.guilds.connected([HERE])
        await asyncio.sleep(0.5)
        await bot.tasks.close()
        bot.guilds.joined(ELSEWHERE)
        await asyncio.sleep(100)

    run_leaping(stop_meanwhile())
    assert outage.asked == 1
    assert caplog.records == []


async def test_a_lobby_is_called_off_and_a_game_rests_where_the_bot_was_removed() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    lobby, playing = await gather(lobbies), await gather(lobbies, channel=21)
    playing = await lobbies.start(playing.game, ADA.user)
    bot = Bot(store, sessions)
    bot.guilds.connected([HERE])
    await bot.looked()
    bot.clock.go_on.assert_called_once_with(playing.game)
    bot.clock.reset_mock()
    assert not bot.presence.has_left(playing)

    bot.guilds.left(HERE)
    await bot.looked()

    assert bot.presence.has_left(playing)
    assert (await store.table(lobby.game)).status is Status.CANCELLED
    assert (await store.table(playing.game)).status is Status.PLAYING
    bot.announcer.announce.assert_any_call(playing.game)
    bot.clock.go_on.assert_not_called()


@pytest.mark.parametrize("how", ["joined", "available"])
async def test_a_game_goes_on_with_a_whole_turn_when_the_bot_is_back(how: str) -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    playing = await lobbies.start(playing.game, ADA.user)
    bot = Bot(store, sessions)
    bot.guilds.connected([ELSEWHERE])
    await bot.looked()
    assert bot.presence.has_left(playing)

    getattr(bot.guilds, how)(HERE)
    await bot.looked()

    assert not bot.presence.has_left(playing)
    bot.announcer.repost.assert_called_once_with(playing.game)
    bot.clock.heard.assert_called_once_with(playing)
    bot.computers.heard.assert_called_once_with(playing)
    bot.guilds.available(HERE)
    await bot.looked()
    bot.announcer.repost.assert_called_once_with(playing.game)


async def test_a_game_that_has_rested_for_a_month_is_called_off() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    await lobbies.start(playing.game, ADA.user)
    store.now += 31 * 86_400
    bot = Bot(store, sessions)
    bot.guilds.connected([])
    await bot.looked()
    assert (await store.table(playing.game)).status is Status.CANCELLED


async def test_settings_go_with_the_server_also_with_one_that_was_left_while_the_bot_was_off() -> None:
    store, chosen = MemoryStore(), ServerSettings(language="fr")
    for guild in (HERE, ELSEWHERE, GONE):
        await store.keep_server(guild, chosen)
    bot = Bot(store)
    bot.guilds.joined(HERE)
    await bot.looked()
    assert await store.server(GONE) == chosen, "Discord has not listed the servers yet"

    bot.guilds.connected([HERE, ELSEWHERE])
    await bot.looked()
    assert [await store.server(each) for each in (HERE, ELSEWHERE, GONE)] == [
        chosen,
        chosen,
        ServerSettings(),
    ]

    bot.guilds.left(HERE)
    await bot.looked()
    assert [await store.server(each) for each in (HERE, ELSEWHERE)] == [ServerSettings(), chosen]


async def test_no_table_counts_as_left_before_discord_has_listed_the_servers() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies)
    presence = Presence()
    presence.left(HERE)
    presence.joined(ELSEWHERE)
    assert not presence.has_left(record)
    presence.fill([ELSEWHERE])
    assert presence.has_left(record)
