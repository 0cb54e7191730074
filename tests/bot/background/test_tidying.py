"""What the bot does by itself: closes idle tables, forgets channels and servers, and keeps the standings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.background.idle_tables import DESERTED_KEPT, GAME_KEPT, LOBBY_KEPT, IdleTables
from bot.background.left_servers import KEPT, PLACES_KEPT, LeftServers
from bot.background.missing_channels import MissingChannels
from bot.background.standings_follower import StandingsFollower
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import BotError
from bot.model.table_record import Agreement, Pace, Status, TableRecord
from bot.model.venue import Venue
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.store.opening import standings_in
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from engine import ComeBack, Discard, Resign, Seat
from engine.computer import Level
from tests.bot.leaping_loop import leaping
from tests.bot.seating import ADA, BEN, cut_for_deal, desert, gather, opened, room_of, sit_down
from tests.bot.store.memory import MemoryStore

LOOKS = 301.0
"""Time (s) in which each table is looked at."""


class Ticking(MemoryStore):
    """A store whose time follows the event loop's, and may leap ahead of it."""

    ahead = 0.0

    @property
    def now(self) -> int:
        return 1_000_000 + int(asyncio.get_running_loop().time() + self.ahead)

    @now.setter
    def now(self, _: int) -> None:
        """Ignored: time passes by itself."""

    async def pass_by(self, seconds: float) -> None:
        """Let that time pass, of which the bot is there for the last minutes."""
        self.ahead += seconds - LOOKS
        await asyncio.sleep(LOOKS)


class Place:
    """A store, its tables, and the job that closes idle ones."""

    def __init__(self) -> None:
        self.store, self.presence = Ticking(), Presence()
        self.sessions, _, self.news = room_of(self.store)
        self.lobbies = Lobbies(self.store, self.sessions, now=lambda: self.store.now)
        self.tasks = KeyedTasks(passing=(BotError,))
        IdleTables(
            *(self.store, self.sessions, self.lobbies, self.presence, self.tasks),
            now=lambda: self.store.now,
        ).start()

    async def status(self, record: TableRecord) -> Status:
        return (await self.store.table(record.game)).status

    async def begun(self, agreement: Agreement | None = None) -> TableRecord:
        """A game of Ada and Ben."""
        record = await gather(self.lobbies, agreement)
        return await self.lobbies.start(record.game, ADA.user)

    async def over(self) -> TableRecord:
        """A game that Ada has resigned."""
        record = await self.begun()
        await self.sessions.move(record.game, ADA.user, Resign)
        return record

    async def alone(self) -> TableRecord:
        """Ada alone against a computer that has discarded."""
        record = await opened(self.lobbies, computers=Level.STEADY)
        session = await self.sessions.get(record.game)
        await cut_for_deal(self.sessions, session)
        gift = session.game.view(Seat(1)).hand[:2]
        await self.sessions.move_for(record.game, Discard(Seat(1), gift), version=session.game.version)
        return record

    async def deserted(self, pace: Pace) -> TableRecord:
        """A game of Ada and Ben, for whom the clock has moved until both were away."""
        session = await self.sessions.get((await self.begun(Agreement.of(pace=pace))).game)
        await desert(self.sessions, session)
        return session.record

    async def closes_after(self, record: TableRecord, seconds: float) -> None:
        """The table is closed after that time, and not before; everybody hears of it once."""
        before = (await self.store.table(record.game)).status
        await self.store.pass_by(seconds - LOOKS)
        assert await self.status(record) is before
        self.news.games.clear()
        await asyncio.sleep(2 * LOOKS)
        assert await self.status(record) is Status.CANCELLED
        assert (await self.store.table(record.game)).timed_out
        await asyncio.sleep(10 * LOOKS)
        assert self.news.games == [record.game]


@asynccontextmanager
async def a_place() -> AsyncIterator[Place]:
    place = Place()
    yield place
    await place.tasks.close()


# Idle tables


def test_an_hour_a_day_a_week_and_what_is_promised_in_days() -> None:
    assert (LOBBY_KEPT, DESERTED_KEPT, GAME_KEPT) == (3_600, 86_400, 604_800)
    assert (KEPT, PLACES_KEPT) == (90 * 86_400, 30 * 86_400)


@pytest.mark.parametrize("with_computer", [False, True])
@leaping
async def test_a_lobby_that_nobody_touched_for_an_hour_is_closed_and_synced(*, with_computer: bool) -> None:
    async with a_place() as place:
        record = await opened(place.lobbies)
        if with_computer:
            await place.lobbies.add_computer(record.game, ADA.user, Level.STEADY)
        await place.closes_after(record, LOBBY_KEPT)


@leaping
async def test_a_seat_that_a_rematch_has_held_for_ten_minutes_is_freed_and_synced() -> None:
    async with a_place() as place:
        first = await place.begun()
        await place.sessions.move(first.game, BEN.user, Resign)
        record = await place.lobbies.rematch(first.game, ADA)
        await asyncio.sleep(600 - LOOKS)
        assert (await place.store.table(record.game)).awaited == (BEN.user,)
        place.news.games.clear()
        await asyncio.sleep(2 * LOOKS)
        assert (await place.store.table(record.game)).awaited == ()
        assert place.news.games == [record.game]


@leaping
async def test_who_sits_down_or_stands_up_keeps_a_lobby_for_another_hour() -> None:
    async with a_place() as place:
        record = await opened(place.lobbies)
        for act in (place.lobbies.join(record.game, BEN), place.lobbies.leave(record.game, BEN.user)):
            await asyncio.sleep(LOBBY_KEPT - LOOKS)
            await act
        await place.closes_after(record, LOBBY_KEPT)


@pytest.mark.parametrize(
    ("pace", "computers", "kept"),
    [
        (Pace.LIVE, None, LOBBY_KEPT),
        (Pace.SLOW, None, 2 * 86_400),
        (Pace.LIVE, Level.STEADY, GAME_KEPT),
    ],
)
@leaping
async def test_a_match_whose_next_game_nobody_starts_ends(
    pace: Pace, computers: Level | None, kept: int
) -> None:
    async with a_place() as place:
        agreement = Agreement.of(best_of=3, pace=pace)
        if computers is None:
            first = await place.begun(agreement)
        else:
            first = await opened(place.lobbies, agreement=agreement, computers=computers)
        await place.sessions.move(first.game, ADA.user, Resign)
        following = await place.store.table_in(20)
        assert following is not None
        await place.closes_after(following, kept)


@leaping
async def test_a_sleeping_game_is_cancelled_after_a_week() -> None:
    async with a_place() as place:
        await place.closes_after(await place.alone(), GAME_KEPT)


@leaping
async def test_a_game_between_people_is_left_to_its_clock() -> None:
    async with a_place() as place:
        record = await place.begun()
        await place.store.pass_by(2 * GAME_KEPT)
        assert await place.status(record) is Status.PLAYING


@leaping
async def test_tables_in_a_server_that_the_bot_has_left_are_none_of_its_business() -> None:
    async with a_place() as place:
        place.presence.listed(0, ())
        record = await opened(place.lobbies)
        await asyncio.sleep(2 * LOBBY_KEPT)
        assert await place.status(record) is Status.GATHERING


async def test_a_lobby_that_begins_just_then_is_not_called_off() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore())
    with pytest.raises(BotError):
        await sessions.call_off(session.record.game, status=Status.GATHERING)
    assert session.record.status is Status.PLAYING


@leaping
async def test_an_outage_of_the_store_ends_nothing() -> None:
    async with a_place() as place:
        record = await opened(place.lobbies)
        place.store.broken = True
        await asyncio.sleep(LOBBY_KEPT)
        place.store.broken = False
        await asyncio.sleep(2 * LOOKS)
        assert await place.status(record) is Status.CANCELLED


@pytest.mark.parametrize(("pace", "kept"), [(Pace.LIVE, DESERTED_KEPT), (Pace.SLOW, GAME_KEPT)])
@leaping
async def test_a_game_that_everybody_has_left_is_put_away(pace: Pace, kept: int) -> None:
    async with a_place() as place:
        await place.closes_after(await place.deserted(pace), kept)


@leaping
async def test_a_game_to_which_one_of_them_came_back_is_kept() -> None:
    async with a_place() as place:
        record = await place.deserted(Pace.LIVE)
        await place.sessions.move(record.game, BEN.user, ComeBack)
        await place.store.pass_by(GAME_KEPT + LOOKS)
        assert await place.status(record) is Status.PLAYING


# Servers that have removed the bot, and places without it


class Left:
    """A store whose time is set, and the job that forgets servers and places."""

    def __init__(self) -> None:
        self.store, self.presence, self.tasks = MemoryStore(), Presence(), KeyedTasks()
        self.sessions, self.lobbies, _ = room_of(self.store)
        LeftServers(self.store, self.sessions, self.presence, self.tasks, now=lambda: self.store.now).start()

    async def called_off(self, venue: Venue = Venue.SERVER) -> TableRecord:
        """A table that was called off when its server removed the bot."""
        record = await gather(self.lobbies, venue=venue)
        await self.sessions.record(record.game)
        return await self.sessions.call_off(record.game)

    async def place_of(self, record: TableRecord) -> tuple[int | None, int]:
        """What is known of the table's place, in the store and in memory."""
        await asyncio.sleep(2_000)
        known = await self.store.table(record.game)
        remembered = await self.sessions.record(record.game)
        assert (remembered.guild, remembered.channel) == (known.guild, known.channel)
        return known.guild, known.channel


@leaping
async def test_a_left_server_is_forgotten_after_ninety_days_and_not_before_every_shard_has_told() -> None:
    left = Left()
    record = await left.called_off()
    await left.store.note_left_servers(frozenset())
    left.presence.expect(2)
    left.presence.listed(0, ())
    left.store.now += KEPT
    assert await left.place_of(record) == (record.guild, record.channel)
    left.presence.listed(1, ())
    left.store.now -= 1
    assert await left.place_of(record) == (record.guild, record.channel)
    left.store.now += 1
    assert (await left.place_of(record))[0] is None
    await left.tasks.close()


@leaping
async def test_a_server_that_is_back_is_not_forgotten() -> None:
    left = Left()
    record = await left.called_off()
    await left.store.note_left_servers(frozenset())
    left.presence.listed(0, (record.guild or 0,))
    await left.store.note_left_servers(frozenset({record.guild or 0}))
    left.store.now += 2 * KEPT
    assert await left.place_of(record) == (record.guild, record.channel)
    await left.tasks.close()


@leaping
async def test_a_place_without_the_bot_is_forgotten_thirty_days_after_the_last_play_there() -> None:
    left = Left()
    record = await left.called_off(Venue.ANYWHERE)
    left.presence.listed(0, ())
    left.store.now += PLACES_KEPT - 1
    assert await left.place_of(record) == (None, record.channel)
    left.store.now += 1
    assert await left.place_of(record) == (None, 0)
    await left.tasks.close()


# Channels that were deleted while the bot was not connected


SERVER, OTHER_SERVER = 10, 11


def refusal(status: int, code: int) -> discord.HTTPException:
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.DiscordServerError)
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": ""})


UNKNOWN = refusal(404, 10003)


async def gone_after(
    answers: dict[int, list[Exception]], *lists: tuple[int, set[int]], tables: dict[int, int | None]
) -> tuple[list[int], list[int]]:
    """The channels that are found to be deleted, and those that Discord is asked for.

    `answers` has Discord's errors for a channel, in turn; `tables` the server of each channel with one.
    """
    gone: list[int] = []
    asked: list[int] = []

    async def fetch_channel(channel: int) -> None:
        asked.append(channel)
        if left := answers.get(channel):
            raise left.pop(0)

    async def note(channel: int) -> None:
        gone.append(channel)

    async def open_tables() -> tuple[Any, ...]:
        return tuple(SimpleNamespace(game=str(each), channel=each, guild=tables[each]) for each in tables)

    client: Any = SimpleNamespace(fetch_channel=fetch_channel)
    store: Any = SimpleNamespace(open_tables=open_tables)
    tasks = KeyedTasks()
    missing = MissingChannels(client, store, Presence(), tasks, note)
    for guild, channels in lists:
        missing.listed(guild, frozenset(channels))
    while len(tasks):  # noqa: ASYNC110 -- what is waited for has no event
        await asyncio.sleep(1.0)
    await tasks.close()
    return gone, asked


@leaping
async def test_only_what_a_servers_list_lacks_is_asked_for_and_only_what_is_unknown_is_gone() -> None:
    answers: dict[int, list[Exception]] = {2: [UNKNOWN], 3: [refusal(403, 50001)], 5: [UNKNOWN], 6: [UNKNOWN]}
    tables = {1: SERVER, 2: SERVER, 3: SERVER, 4: SERVER, 5: OTHER_SERVER, 6: None}
    assert await gone_after(answers, (SERVER, {1, 9}), tables=tables) == ([2], [2, 3, 4])


@pytest.mark.parametrize("trouble", [refusal(503, 0), aiohttp.ClientConnectionError()], ids=["503", "lost"])
@leaping
async def test_while_discord_cannot_be_asked_it_is_asked_again(trouble: Exception) -> None:
    tables: dict[int, int | None] = {2: SERVER, 7: OTHER_SERVER}
    lists = (SERVER, {1}), (OTHER_SERVER, {7})
    assert await gone_after({2: [trouble, trouble, UNKNOWN]}, *lists, tables=tables) == ([2], [2, 2, 2])


# The standings


def follow(place: Place) -> tuple[Standings, StandingsFollower]:
    """The standings, which follow the place's games from now on."""
    standings = standings_in(place.store.database)
    projection = Projection(standings.projection)
    follower = StandingsFollower(projection, standings.people, place.sessions, place.tasks)
    place.sessions.subscribe_to_ends(follower.game_ended)
    return standings, follower


@leaping
async def test_the_standings_catch_up_at_the_start_and_after_each_game() -> None:
    async with a_place() as place:
        await place.over()
        standings, follower = follow(place)
        assert await standings.projection.is_behind()
        follower.start()
        await asyncio.sleep(1)
        assert not await standings.projection.is_behind()
        for _ in range(3):
            await place.over()
            assert await standings.projection.is_behind()
        await asyncio.sleep(1)
        assert not await standings.projection.is_behind()


@leaping
async def test_a_game_without_a_result_changes_no_standings() -> None:
    async with a_place() as place:
        follow(place)
        working = len(place.tasks)
        await place.sessions.call_off((await place.begun()).game)
        assert len(place.tasks) == working


@leaping
async def test_at_the_start_figures_of_an_older_version_are_computed_again() -> None:
    async with a_place() as place:
        await place.over()
        standings, follower = follow(place)
        await Projection(standings.projection).flush()
        await standings.projection.invalidate()
        assert await standings.projection.is_outdated()
        follower.start()
        await asyncio.sleep(10)
        assert not await standings.projection.is_outdated()


@leaping
async def test_while_the_store_fails_they_are_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async with a_place() as place:
        standings, _ = follow(place)
        await place.over()
        place.store.broken = True
        await asyncio.sleep(2)
        place.store.broken = False
        await asyncio.sleep(10)
        assert not await standings.projection.is_behind()
        assert caplog.messages == [
            "standings: StoreUnavailable, tried again in 1 s",
            "standings: StoreUnavailable, tried again in 2 s",
        ]


@leaping
async def test_at_the_start_they_finish_forgetting_who_was_being_forgotten() -> None:
    async with a_place() as place:
        record = await place.over()
        standings, follower = follow(place)
        await Projection(standings.projection).flush()
        await place.sessions.record(record.game)
        await standings.people.forget(ADA.user)
        follower.start()
        await asyncio.sleep(10)
        assert await standings.people.forget_more() is None
        known = (await place.sessions.record(record.game)).occupants
        assert ADA.user not in {each.user for each in known}
