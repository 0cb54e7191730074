"""What the bot does by itself: closes idle tables, forgets channels and servers, and keeps the standings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.background.idle_tables import IdleTables
from bot.background.left_servers import LeftServers
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

LOOKS = 2_000.0
"""Time (s) in which each table, server and place is looked at."""


@asynccontextmanager
async def a_place() -> AsyncIterator[Any]:
    """A store, whose time stands unless a test moves it, its tables, and the jobs that tidy up there."""
    store, presence, tasks = MemoryStore(), Presence(), KeyedTasks(passing=(BotError,))
    sessions, _, news = room_of(store)
    lobbies = Lobbies(store, sessions, now=lambda: store.now)
    IdleTables(store, sessions, lobbies, presence, tasks, now=lambda: store.now).start()
    LeftServers(store, sessions, presence, tasks, now=lambda: store.now).start()
    yield SimpleNamespace(
        store=store, presence=presence, tasks=tasks, sessions=sessions, lobbies=lobbies, news=news
    )
    await tasks.close()


async def status_after(place: Any, seconds: float, record: TableRecord) -> Status:
    """Of the table, when so much more time has passed and the bot has looked."""
    place.store.now += seconds
    await asyncio.sleep(LOOKS)
    return (await place.store.table(record.game)).status


# Idle tables


async def a_lobby(place: Any, *, with_computer: bool = False) -> TableRecord:
    record = await opened(place.lobbies)
    if with_computer:
        await place.lobbies.add_computer(record.game, ADA.user, Level.STEADY)
    return record


async def begun(place: Any, agreement: Agreement | None = None) -> TableRecord:
    """A game of Ada and Ben."""
    record = await gather(place.lobbies, agreement)
    return await place.lobbies.start(record.game, ADA.user)


async def alone(place: Any, agreement: Agreement | None = None) -> TableRecord:
    """Ada alone against a computer that has discarded."""
    record = await opened(place.lobbies, agreement=agreement, computers=Level.STEADY)
    session = await place.sessions.get(record.game)
    await cut_for_deal(place.sessions, session)
    gift = session.game.view(Seat(1)).hand[:2]
    await place.sessions.move_for(record.game, Discard(Seat(1), gift), version=session.game.version)
    return record


async def over(place: Any) -> TableRecord:
    """A game that Ada has resigned."""
    record = await begun(place)
    await place.sessions.move(record.game, ADA.user, Resign)
    return record


async def deserted(place: Any, pace: Pace = Pace.LIVE) -> TableRecord:
    """A game of Ada and Ben, for whom the clock has moved until both were away."""
    session = await place.sessions.get((await begun(place, Agreement.of(pace=pace))).game)
    await desert(place.sessions, session)
    return session.record


async def between_games(
    place: Any, first: Callable[..., Awaitable[TableRecord]], pace: Pace = Pace.LIVE
) -> TableRecord:
    """The next game of a match, which nobody has started."""
    record = await first(place, Agreement.of(best_of=3, pace=pace))
    await place.sessions.move(record.game, ADA.user, Resign)
    return await place.store.table_in(20)


HOUR, DAY = 3_600, 86_400


@pytest.mark.parametrize(
    ("table", "kept"),
    [
        (a_lobby, HOUR),
        (partial(a_lobby, with_computer=True), HOUR),
        (partial(between_games, first=begun), HOUR),
        (partial(between_games, first=begun, pace=Pace.SLOW), 2 * DAY),
        (partial(between_games, first=alone), 7 * DAY),
        (alone, 7 * DAY),
        (deserted, DAY),
        (partial(deserted, pace=Pace.SLOW), 7 * DAY),
    ],
)
@leaping
async def test_a_table_that_nobody_touches_is_closed_after_its_time_and_everybody_hears_of_it_once(
    table: Callable[[Any], Awaitable[TableRecord]], kept: int
) -> None:
    async with a_place() as place:
        record = await table(place)
        before = (await place.store.table(record.game)).status
        assert await status_after(place, kept - 1, record) is before
        place.news.games.clear()
        assert await status_after(place, 1, record) is Status.CANCELLED
        assert (await place.store.table(record.game)).timed_out
        assert await status_after(place, kept, record) is Status.CANCELLED
        assert place.news.games == [record.game]


@leaping
async def test_a_seat_that_a_rematch_has_held_for_ten_minutes_is_freed_and_synced() -> None:
    async with a_place() as place:
        first = await begun(place)
        await place.sessions.move(first.game, BEN.user, Resign)
        record = await place.lobbies.rematch(first.game, ADA)
        await status_after(place, 599, record)
        assert (await place.store.table(record.game)).awaited == (BEN.user,)
        place.news.games.clear()
        await status_after(place, 1, record)
        assert (await place.store.table(record.game)).awaited == ()
        assert place.news.games == [record.game]


@leaping
async def test_who_sits_down_or_stands_up_keeps_a_lobby_for_another_hour() -> None:
    async with a_place() as place:
        record = await opened(place.lobbies)
        for act in (place.lobbies.join(record.game, BEN), place.lobbies.leave(record.game, BEN.user)):
            assert await status_after(place, HOUR - 1, record) is Status.GATHERING
            await act
        assert await status_after(place, HOUR - 1, record) is Status.GATHERING


@leaping
async def test_a_game_that_somebody_may_go_on_with_is_left_to_its_clock() -> None:
    async with a_place() as place:
        record = await begun(place)
        assert await status_after(place, 14 * DAY, record) is Status.PLAYING
        await place.sessions.move(record.game, ADA.user, Resign)
        record = await deserted(place)
        await place.sessions.move(record.game, BEN.user, ComeBack)
        assert await status_after(place, 14 * DAY, record) is Status.PLAYING


@leaping
async def test_tables_in_a_server_that_the_bot_has_left_are_none_of_its_business() -> None:
    async with a_place() as place:
        place.presence.listed(0, ())
        assert await status_after(place, 2 * HOUR, await opened(place.lobbies)) is Status.GATHERING


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
        await asyncio.sleep(LOOKS)
        place.store.broken = False
        assert await status_after(place, HOUR, record) is Status.CANCELLED


# Servers that have removed the bot, and places without it


async def called_off(place: Any, venue: Venue = Venue.SERVER) -> TableRecord:
    """A table that was called off when its server removed the bot."""
    record = await gather(place.lobbies, venue=venue)
    await place.sessions.record(record.game)
    return await place.sessions.call_off(record.game)


async def known_of(place: Any, record: TableRecord) -> tuple[int | None, int]:
    """What is known of the table's server and channel, in the store and in memory."""
    await asyncio.sleep(LOOKS)
    known, remembered = await place.store.table(record.game), await place.sessions.record(record.game)
    assert (remembered.guild, remembered.channel) == (known.guild, known.channel)
    return known.guild, known.channel


@leaping
async def test_a_left_server_is_forgotten_after_ninety_days_and_not_before_every_shard_has_told() -> None:
    async with a_place() as place:
        record = await called_off(place)
        await place.store.note_left_servers(frozenset())
        place.presence.expect(2)
        place.presence.listed(0, ())
        place.store.now += 90 * DAY
        assert await known_of(place, record) == (record.guild, record.channel)
        place.presence.listed(1, ())
        place.store.now -= 1
        assert await known_of(place, record) == (record.guild, record.channel)
        place.store.now += 1
        assert (await known_of(place, record))[0] is None


@leaping
async def test_a_server_that_is_back_is_not_forgotten() -> None:
    async with a_place() as place:
        record = await called_off(place)
        await place.store.note_left_servers(frozenset())
        place.presence.listed(0, (record.guild,))
        await place.store.note_left_servers(frozenset({record.guild}))
        place.store.now += 180 * DAY
        assert await known_of(place, record) == (record.guild, record.channel)


@leaping
async def test_a_place_without_the_bot_is_forgotten_thirty_days_after_the_last_play_there() -> None:
    async with a_place() as place:
        record = await called_off(place, Venue.ANYWHERE)
        place.presence.listed(0, ())
        place.store.now += 30 * DAY - 1
        assert await known_of(place, record) == (None, record.channel)
        place.store.now += 1
        assert await known_of(place, record) == (None, 0)


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

    client: Any = SimpleNamespace(fetch_channel=fetch_channel, get_channel=lambda _: None)
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


def follow(place: Any) -> tuple[Standings, StandingsFollower]:
    """The standings, which follow the place's games from now on."""
    standings = standings_in(place.store.database)
    projection = Projection(standings.projection)
    follower = StandingsFollower(projection, standings.people, place.sessions, place.tasks)
    place.sessions.subscribe_to_ends(follower.game_ended)
    return standings, follower


@leaping
async def test_the_standings_catch_up_at_the_start_and_after_each_game_when_the_store_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with a_place() as place:
        await over(place)
        standings, follower = follow(place)
        assert await standings.projection.is_behind()
        follower.start()
        await asyncio.sleep(1)
        assert not await standings.projection.is_behind()
        await over(place)
        assert await standings.projection.is_behind()
        place.store.broken = True
        await asyncio.sleep(2)
        place.store.broken = False
        await asyncio.sleep(10)
        assert not await standings.projection.is_behind()
        assert [each for each in caplog.messages if each.startswith("standings: StoreUnavailable, tried")]


@leaping
async def test_at_the_start_figures_of_an_older_version_are_computed_again() -> None:
    async with a_place() as place:
        await over(place)
        standings, follower = follow(place)
        await Projection(standings.projection).flush()
        await standings.projection.invalidate()
        assert await standings.projection.is_outdated()
        follower.start()
        await asyncio.sleep(10)
        assert not await standings.projection.is_outdated()


@leaping
async def test_at_the_start_they_finish_forgetting_who_was_being_forgotten() -> None:
    async with a_place() as place:
        record = await over(place)
        standings, follower = follow(place)
        await Projection(standings.projection).flush()
        await place.sessions.record(record.game)
        await standings.people.forget(ADA.user)
        follower.start()
        await asyncio.sleep(10)
        assert await standings.people.forget_more() is None
        known = (await place.sessions.record(record.game)).occupants
        assert ADA.user not in {each.user for each in known}
