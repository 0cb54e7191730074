"""Closing of idle lobbies and sleeping games."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from bot.background.idle_tables import DESERTED_KEPT, GAME_KEPT, LOBBY_KEPT, IdleTables
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import BotError
from bot.model.table_record import Agreement, Pace, Status, TableRecord
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import ComeBack, Discard, Resign, Seat
from engine.computer import Level
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, BEN, News, cut_for_deal, desert, gather, room_of, sit_down
from tests.bot.store.memory import MemoryStore

LOOKS = 301.0


def test_an_hour_and_a_week() -> None:
    assert (LOBBY_KEPT, DESERTED_KEPT, GAME_KEPT) == (3_600, 86_400, 604_800)


class Ticking(MemoryStore):
    """A store whose time follows the event loop's."""

    @property
    def now(self) -> int:
        return 1_000_000 + int(asyncio.get_running_loop().time())

    @now.setter
    def now(self, _: int) -> None:
        """Ignored: time passes by itself."""


class Place:
    """A store, its tables, and the job that closes idle ones."""

    def __init__(self, presence: Presence | None = None) -> None:
        self.store = Ticking()
        self.sessions: Sessions
        self.lobbies: Lobbies
        self.news: News
        self.sessions, self.lobbies, self.news = room_of(self.store)
        self.tasks = KeyedTasks(passing=(BotError,))
        self.idle = IdleTables(
            *(self.store, self.sessions, self.lobbies, presence or Presence(), self.tasks),
            now=lambda: self.store.now,
        )
        self.idle.start()

    async def status(self, record: TableRecord) -> Status:
        return (await self.store.table(record.game)).status

    async def lobby(self) -> TableRecord:
        return await self.lobbies.open(guild=10, channel=20, place="x", host=ADA, agreement=Agreement())

    async def alone(self) -> TableRecord:
        """Ada alone against a computer that has discarded."""
        record = await self.lobbies.open(
            guild=10, channel=20, place="x", host=ADA, agreement=Agreement(), computers=Level.STEADY
        )
        session = await self.sessions.get(record.game)
        await cut_for_deal(self.sessions, session)
        gift = session.game.view(Seat(1)).hand[:2]
        await self.sessions.move_for(record.game, Discard(Seat(1), gift), version=session.game.version)
        return record

    async def deserted(self, pace: Pace) -> TableRecord:
        """A game of Ada and Ben, for whom the clock has moved until both were away."""
        record = await gather(self.lobbies, Agreement.of(pace=pace))
        await self.lobbies.start(record.game, ADA.user)
        session = await self.sessions.get(record.game)
        await desert(self.sessions, session)
        return session.record


def leaping(main: Coroutine[Any, Any, None]) -> None:
    run_leaping(main)


def test_a_lobby_that_nobody_touched_for_an_hour_is_closed_and_synced() -> None:
    async def wait() -> None:
        place = Place()
        record = await place.lobby()
        await asyncio.sleep(LOBBY_KEPT - LOOKS)
        assert await place.status(record) is Status.GATHERING
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED
        assert (await place.store.table(record.game)).timed_out
        assert place.news.games[-1] == record.game
        await place.tasks.close()

    leaping(wait())


def test_a_seat_that_a_rematch_has_held_for_ten_minutes_is_freed_and_synced() -> None:
    async def wait() -> None:
        place = Place()
        place.lobbies = Lobbies(place.store, place.sessions, now=lambda: place.store.now)
        place.idle._lobbies = place.lobbies
        first = await gather(place.lobbies)
        await place.lobbies.start(first.game, ADA.user)
        await place.sessions.move(first.game, BEN.user, Resign)
        record = await place.lobbies.rematch(first.game, ADA)
        await asyncio.sleep(600 - LOOKS)
        assert (await place.store.table(record.game)).awaited == (BEN.user,)
        place.news.games.clear()
        await asyncio.sleep(2 * LOOKS)
        assert (await place.store.table(record.game)).awaited == ()
        assert place.news.games == [record.game]
        await place.tasks.close()

    leaping(wait())


def test_who_sits_down_or_stands_up_keeps_a_lobby_for_another_hour() -> None:
    async def touch() -> None:
        place = Place()
        record = await place.lobby()
        for act in (place.lobbies.join(record.game, BEN), place.lobbies.leave(record.game, BEN.user)):
            await asyncio.sleep(LOBBY_KEPT - LOOKS)
            await act
        await asyncio.sleep(LOBBY_KEPT - LOOKS)
        assert await place.status(record) is Status.GATHERING
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED
        await place.tasks.close()

    leaping(touch())


def test_a_lobby_that_was_filled_with_computers_and_never_starts_is_closed_as_any() -> None:
    async def wait() -> None:
        place = Place()
        record = await place.lobby()
        await place.lobbies.add_computer(record.game, ADA.user, Level.STEADY)
        await asyncio.sleep(LOBBY_KEPT + LOOKS)
        assert await place.status(record) is Status.CANCELLED
        await place.tasks.close()

    leaping(wait())


@pytest.mark.parametrize(
    ("pace", "computers", "kept"),
    [
        (Pace.LIVE, None, LOBBY_KEPT),
        (Pace.SLOW, None, 2 * 86_400),
        (Pace.LIVE, Level.STEADY, GAME_KEPT),
    ],
)
def test_a_match_whose_next_game_nobody_starts_ends(pace: Pace, computers: Level | None, kept: int) -> None:
    async def wait() -> None:
        place = Place()
        agreement = Agreement.of(best_of=3, pace=pace)
        if computers is None:
            first = await gather(place.lobbies, agreement)
            await place.lobbies.start(first.game, ADA.user)
        else:
            first = await place.lobbies.open(
                guild=10, channel=20, place="x", host=ADA, agreement=agreement, computers=computers
            )
        await place.sessions.move(first.game, ADA.user, Resign)
        following = await place.store.table_in(20)
        assert following is not None
        await asyncio.sleep(kept - LOOKS)
        assert await place.status(following) is Status.GATHERING
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(following) is Status.CANCELLED
        assert (await place.store.table(following.game)).timed_out
        assert place.news.games[-1] == following.game
        await place.tasks.close()

    leaping(wait())


def test_a_sleeping_game_is_cancelled_after_a_week() -> None:
    async def wait() -> None:
        place = Place()
        record = await place.alone()
        await asyncio.sleep(GAME_KEPT - LOOKS)
        assert await place.status(record) is Status.PLAYING
        told = len(place.news.games)
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED
        assert (await place.store.table(record.game)).timed_out
        await asyncio.sleep(10 * LOOKS)
        assert place.news.games[told:] == [record.game], "it is told once"
        await place.tasks.close()

    leaping(wait())


def test_a_game_between_people_is_left_to_its_clock() -> None:
    async def wait() -> None:
        place = Place()
        record = await gather(place.lobbies)
        await place.lobbies.start(record.game, ADA.user)
        await asyncio.sleep(2 * GAME_KEPT)
        assert await place.status(record) is Status.PLAYING
        await place.tasks.close()

    leaping(wait())


def test_tables_in_a_server_that_the_bot_has_left_are_none_of_its_business() -> None:
    async def wait() -> None:
        presence = Presence()
        presence.listed(0, ())
        place = Place(presence)
        record = await place.lobby()
        await asyncio.sleep(2 * LOBBY_KEPT)
        assert await place.status(record) is Status.GATHERING
        await place.tasks.close()

    leaping(wait())


def test_a_lobby_that_begins_just_then_is_not_called_off() -> None:
    async def begin() -> None:
        sessions, _, session, _ = await sit_down(MemoryStore())
        with pytest.raises(BotError):
            await sessions.call_off(session.record.game, status=Status.GATHERING)
        assert session.record.status is Status.PLAYING

    leaping(begin())


def test_an_outage_of_the_store_ends_nothing() -> None:
    async def outage() -> None:
        place = Place()
        record = await place.lobby()
        place.store.broken = True
        await asyncio.sleep(LOBBY_KEPT)
        place.store.broken = False
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED
        await place.tasks.close()

    leaping(outage())


@pytest.mark.parametrize(("pace", "kept"), [(Pace.LIVE, DESERTED_KEPT), (Pace.SLOW, GAME_KEPT)])
def test_a_game_that_everybody_has_left_is_put_away(pace: Pace, kept: int) -> None:
    async def leave() -> None:
        place = Place()
        record = await place.deserted(pace)
        await asyncio.sleep(kept - LOOKS)
        assert await place.status(record) is Status.PLAYING
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED
        assert (await place.store.table(record.game)).timed_out
        await place.tasks.close()

    leaping(leave())


def test_a_game_to_which_one_of_them_came_back_is_kept() -> None:
    async def leave() -> None:
        place = Place()
        record = await place.deserted(Pace.LIVE)
        await place.sessions.move(record.game, BEN.user, ComeBack)
        await asyncio.sleep(GAME_KEPT + LOOKS)
        assert await place.status(record) is Status.PLAYING
        await place.tasks.close()

    leaping(leave())
