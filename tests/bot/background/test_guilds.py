"""Servers that the bot leaves and returns to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.background.computer_players import Computers
from bot.background.guilds import Guilds
from bot.background.next_deal import NextDeal
from bot.background.turn_clock import Clock
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import StoreUnavailable
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Agreement, Status, TableRecord
from bot.store.protocol import Judged, every_server
from bot.sync.welcome_message import WelcomeMessage
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, BEN, gather, room_of
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync
from tests.patience import PATIENCE

HERE, ELSEWHERE, GONE = 10, 11, 12


class Outage:
    """A store that is unavailable."""

    def __init__(self) -> None:
        self.asked = 0
        self.ends_after = 1_000

    async def open_tables(self) -> tuple[TableRecord, ...]:
        self.asked += 1
        if self.asked > self.ends_after:
            return ()
        await asyncio.sleep(1)
        raise StoreUnavailable

    async def unsynced(self) -> tuple[Any, ...]:
        return (SimpleNamespace(game="a", guild=HERE),)

    async def forget_servers_but(self, _: frozenset[int], __: object) -> None:
        """There is nothing to forget."""

    async def note_left_servers(self, _: frozenset[int], __: object) -> None:
        """There is nothing to note."""


class Bot:
    """Guilds with fakes of everything that it calls."""

    def __init__(self, store: Any, sessions: Sessions | None = None) -> None:
        self.store = store
        self.presence = Presence()
        self.sync = fake_sync()
        self.clock = stand_in(Clock)
        self.computers = stand_in(Computers)
        self.next_deal = stand_in(NextDeal)
        self.welcome_message = stand_in(WelcomeMessage)
        self.tasks = KeyedTasks(passing=(StoreUnavailable,))
        self.gained = Mock()
        self.guilds = Guilds(
            self.presence,
            store,
            sessions=stand_in(Sessions) if sessions is None else sessions,
            sync=self.sync,
            clock=self.clock,
            computers=self.computers,
            next_deal=self.next_deal,
            welcome_message=self.welcome_message,
            tasks=self.tasks,
            now=lambda: self.store.now,
            gained=self.gained,
        )

    async def looked(self) -> None:
        """Wait until all tables are checked."""
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


def test_tables_are_looked_through_again_until_the_store_is_back(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage()
    outage.ends_after = 2

    async def connect() -> None:
        bot = Bot(outage)
        bot.guilds.listed(0, [HERE])
        await asyncio.sleep(10)
        await bot.tasks.close()
        bot.sync.queue.schedule.assert_called_once_with("a")

    run_leaping(connect())
    assert outage.asked == 3
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


def test_nothing_is_tried_or_said_once_the_bot_stops(caplog: pytest.LogCaptureFixture) -> None:
    """The list of servers may arrive just before the end; the store closes before it is read."""
    outage = Outage()

    async def stop_meanwhile() -> None:
        bot = Bot(outage)
        bot.guilds.listed(0, [HERE])
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
    bot.guilds.listed(0, [HERE])
    await bot.looked()
    bot.clock.go_on.assert_called_once_with(playing.game)
    bot.clock.reset_mock()
    assert not bot.presence.has_left(playing)

    bot.guilds.left(HERE)
    await bot.looked()

    assert bot.presence.has_left(playing)
    assert (await store.table(lobby.game)).status is Status.CANCELLED
    assert (await store.table(playing.game)).status is Status.PLAYING
    bot.sync.queue.schedule.assert_any_call(playing.game)
    bot.clock.go_on.assert_not_called()


@pytest.mark.parametrize("how", ["joined", "available"])
async def test_a_game_goes_on_with_a_whole_turn_when_the_bot_is_back(how: str) -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    playing = await lobbies.start(playing.game, ADA.user)
    bot = Bot(store, sessions)
    bot.guilds.listed(0, [ELSEWHERE])
    await bot.looked()
    assert bot.presence.has_left(playing)

    getattr(bot.guilds, how)(HERE)
    await bot.looked()

    assert not bot.presence.has_left(playing)
    bot.sync.queue.repost.assert_called_once_with(playing.game)
    bot.clock.on_change.assert_called_once_with(playing)
    bot.computers.on_change.assert_called_once_with(playing)
    bot.guilds.available(HERE)
    await bot.looked()
    bot.sync.queue.repost.assert_called_once_with(playing.game)


async def test_a_game_that_has_rested_for_a_month_is_called_off() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    await lobbies.start(playing.game, ADA.user)
    store.now += 31 * 86_400
    bot = Bot(store, sessions)
    bot.guilds.listed(0, [])
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

    bot.guilds.listed(0, [HERE, ELSEWHERE])
    await bot.looked()
    assert [await store.server(each) for each in (HERE, ELSEWHERE, GONE)] == [
        chosen,
        chosen,
        ServerSettings(),
    ]

    bot.guilds.left(HERE)
    await bot.looked()
    assert [await store.server(each) for each in (HERE, ELSEWHERE)] == [ServerSettings(), chosen]


async def test_that_a_server_has_removed_the_bot_is_noted_until_it_is_back() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    record = await gather(lobbies)
    bot = Bot(store, sessions)
    bot.guilds.listed(0, [HERE])
    bot.guilds.left(HERE)
    await bot.looked()
    bot.guilds.joined(HERE)
    await bot.looked()
    assert await store.forget_left_server(2**40) is None

    bot.guilds.left(HERE)
    await bot.looked()
    assert await store.forget_left_server(2**40) == (record.game,)


def guild_of(shard: int) -> int:
    """Id of a server of one of four shards."""
    return shard << 22 | 7


class SlowStore(MemoryStore):
    """A store during whose reading something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], None] = lambda: None
        self.noted: list[tuple[frozenset[int], Judged]] = []

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        self.meanwhile()
        await super().forget_servers_but(guilds, judged)

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        self.noted.append((present, judged))


async def test_servers_of_a_shard_that_comes_or_goes_just_then_keep_everything() -> None:
    store, chosen = SlowStore(), ServerSettings(language="fr")
    for shard in range(4):
        await store.keep_server(guild_of(shard), chosen)
    bot = Bot(store)
    bot.presence.share(4)
    bot.guilds.expect(4)
    for shard, guilds in enumerate(([guild_of(0)], [], [guild_of(2)], [])):
        bot.guilds.listed(shard, guilds)
        if shard != 2:
            bot.guilds.own(shard)

    def meanwhile() -> None:
        bot.guilds.own(2)
        bot.guilds.disown(3)
        store.meanwhile = lambda: None

    store.meanwhile = meanwhile
    await bot.looked()

    kept = [await store.server(guild_of(each)) == chosen for each in range(4)]
    assert kept == [True, False, True, True]
    present, judged = store.noted[0]
    assert present == {guild_of(0)}
    assert [judged(guild_of(each)) for each in range(4)] == [True, True, False, False]


async def tables_in(lobbies: Lobbies, *guilds: int | None) -> list[TableRecord]:
    """A lobby and a game in each server."""
    records = []
    for number, guild in enumerate(guilds):
        for place in (0, 1):
            record = await lobbies.open(
                guild=guild, channel=100 + 2 * number + place, place="", host=ADA, agreement=Agreement()
            )
            record = await lobbies.join(record.game, BEN)
            records.append(await lobbies.start(record.game, ADA.user) if place else record)
    return records


async def test_a_shard_that_is_late_or_lost_calls_nothing_off_and_wakes_its_own_tables() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    tables = await tables_in(lobbies, guild_of(0), guild_of(1), None)
    bot = Bot(store, sessions)
    for guild in (guild_of(0), guild_of(1), GONE << 22):
        await store.keep_server(guild, ServerSettings(language="fr"))

    def went_on() -> set[str]:
        games = {call.args[0] for call in bot.clock.go_on.call_args_list}
        assert games == {call.args[0].game for call in bot.computers.on_change.call_args_list}
        for each in (bot.clock, bot.computers, bot.next_deal):
            each.reset_mock()
        return games

    bot.guilds.expect(4)
    bot.guilds.listed(0, [guild_of(0)])
    await bot.looked()
    assert went_on() == {tables[1].game, tables[5].game}, "direct messages come through the first"
    assert await store.open_tables() == tuple(tables)
    assert await store.server(guild_of(1)) == ServerSettings(language="fr"), "who knows what shard 1 has"

    bot.guilds.listed(1, [guild_of(1)])
    await bot.looked()
    assert went_on() == {tables[3].game}
    bot.guilds.lost(1)
    bot.guilds.listed(2, [])
    await bot.looked()
    assert went_on() == set()
    bot.guilds.resumed(1)
    bot.guilds.listed(3, [])
    await bot.looked()
    assert went_on() == {tables[3].game}
    assert await store.open_tables() == tuple(tables)
    assert await store.server(GONE << 22) == ServerSettings(), "all four have told what they have"


async def test_a_server_that_no_shard_has_listed_and_that_comes_is_one_that_the_bot_was_invited_to() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    [_, playing] = await tables_in(lobbies, guild_of(1))
    bot = Bot(store, sessions)
    bot.guilds.expect(4)
    bot.guilds.listed(1, [guild_of(1)])
    bot.guilds.available(guild_of(1))
    await bot.looked()
    bot.sync.queue.repost.assert_not_called()

    bot.guilds.left(guild_of(1))
    bot.guilds.available(guild_of(1))
    await bot.looked()
    bot.sync.queue.repost.assert_any_call(playing.game)


def test_the_time_that_a_shard_was_offline_is_given_back_once() -> None:
    given: list[tuple[str, float]] = []

    async def lose() -> None:
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        [_, here, _, there] = await tables_in(lobbies, guild_of(0), guild_of(1))
        bot = Bot(store, sessions)
        bot.clock.give_back.side_effect = lambda game, seconds: given.append((game, round(seconds)))
        bot.guilds.expect(2)
        await asyncio.sleep(3)
        bot.guilds.listed(0, [guild_of(0)])
        bot.guilds.listed(1, [guild_of(1)])
        await bot.looked()
        assert given == [(here.game, 3), (there.game, 3)]
        given.clear()

        bot.guilds.lost(1)
        await asyncio.sleep(40)
        bot.guilds.lost(1)
        await asyncio.sleep(2)
        bot.guilds.resumed(1)
        await bot.looked()
        bot.guilds.joined(guild_of(0))
        await bot.looked()
        assert given == [(there.game, 42)]
        given.clear()

        bot.guilds.lost(1)
        await asyncio.sleep(10)
        bot.guilds.resumed(1)
        bot.guilds.lost(1)
        await bot.looked()
        await asyncio.sleep(5)
        bot.guilds.resumed(1)
        await bot.looked()
        assert given == [(there.game, 15)], "also when it is lost again before anybody has looked"

    run_leaping(lose())


async def test_no_table_counts_as_left_before_discord_has_listed_the_servers() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await gather(lobbies)
    presence = Presence()
    presence.left(HERE)
    presence.joined(ELSEWHERE)
    assert not presence.has_left(record)
    presence.listed(0, [ELSEWHERE])
    assert presence.has_left(record)


async def test_the_tables_of_a_shard_come_with_its_lease_and_go_with_it() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    playing = await lobbies.start(playing.game, ADA.user)
    bot = Bot(store, sessions)
    bot.presence.share(1)
    sessions.share(bot.presence.is_elsewhere, lambda _: None)
    bot.guilds.expect(1)
    bot.guilds.listed(0, [HERE])
    await bot.looked()
    assert bot.presence.rests(playing)
    assert bot.presence.guilds is None, "what it hears of is not its own to judge"
    bot.gained.assert_not_called()
    bot.clock.go_on.assert_not_called()
    bot.sync.queue.schedule.assert_not_called()

    bot.guilds.own(0)
    await bot.looked()
    assert not bot.presence.rests(playing)
    assert bot.presence.guilds == {HERE}
    bot.clock.go_on.assert_called_once_with(playing.game)
    bot.sync.queue.expect_unacknowledged_sends.assert_called_with([playing.game])
    bot.sync.queue.schedule.assert_called_once_with(playing.game)
    bot.sync.queue.resume_deferred.assert_called_with()
    bot.guilds.joined(HERE)
    await bot.looked()
    bot.gained.assert_called_once_with()

    await sessions.get(playing.game)
    bot.guilds.disown(0)
    await bot.looked()
    assert bot.presence.rests(playing)
    bot.clock.stop.assert_called_once_with(playing.game)
    bot.computers.stop.assert_called_once_with(playing.game)
    bot.next_deal.stop.assert_called_once_with(playing.game)
    bot.sync.queue.evict.assert_called_once_with(playing.game)


async def test_a_shard_that_is_owned_before_it_is_connected_is_looked_through_when_it_is() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    playing = await gather(lobbies)
    playing = await lobbies.start(playing.game, ADA.user)
    bot = Bot(store, sessions)
    bot.presence.share(1)
    bot.guilds.expect(1)
    bot.guilds.own(0)
    await bot.looked()
    assert bot.presence.rests(playing)
    assert not bot.presence.has_left(playing)
    bot.guilds.joined(ELSEWHERE)
    await bot.looked()
    bot.sync.reset_mock()

    bot.guilds.listed(0, [HERE])
    await bot.looked()
    bot.sync.queue.expect_unacknowledged_sends.assert_called_with([playing.game])
    assert not bot.presence.rests(playing)
    bot.guilds.closed(0)
    assert not bot.presence.is_connected(0)


async def test_what_the_last_owner_left_unsynced_may_have_unacknowledged_sends() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    tables = await tables_in(lobbies, guild_of(0), guild_of(1))
    bot = Bot(store, sessions)
    bot.presence.share(2)
    bot.guilds.expect(2)
    bot.guilds.listed(0, [guild_of(0)])
    bot.guilds.listed(1, [guild_of(1)])
    await bot.looked()
    bot.sync.reset_mock()
    rested = []
    expects = bot.sync.queue.expect_unacknowledged_sends
    expects.side_effect = lambda games: rested.append((games, bot.presence.is_offline(tables[1])))

    bot.guilds.own(0)
    await bot.looked()

    unsynced = [each.game for each in tables[:2]]
    assert rested == [(unsynced, True)]
    assert not bot.presence.is_offline(tables[1])
    assert [call.args[0] for call in bot.sync.queue.schedule.call_args_list] == unsynced
    assert {call.args[0] for call in bot.clock.go_on.call_args_list} == {tables[1].game}


async def test_tables_that_cannot_be_scanned_yet_are_marked_uncertain_later() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    tables = await tables_in(lobbies, guild_of(0))
    bot = Bot(store, sessions)
    bot.presence.share(1)
    bot.guilds.listed(0, [guild_of(0)])
    await bot.looked()
    bot.sync.reset_mock()
    unsynced = store.unsynced

    async def fails_once() -> tuple[TableRecord, ...]:
        store.unsynced = unsynced  # type: ignore[method-assign]
        raise StoreUnavailable

    store.unsynced = fails_once  # type: ignore[method-assign]
    bot.guilds.own(0)
    await bot.looked()
    bot.sync.queue.expect_unacknowledged_sends.assert_called_once_with([each.game for each in tables])
    assert not bot.presence.is_offline(tables[1])


async def test_what_was_read_of_anothers_tables_is_forgotten_when_they_come() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    tables = await tables_in(lobbies, guild_of(0), guild_of(1))
    bot = Bot(store, sessions)
    bot.presence.share(2)
    sessions.share(bot.presence.is_elsewhere, lambda _: None)
    for playing in (tables[1], tables[3]):
        await sessions.get(playing.game)
    bot.guilds.own(1)

    assert sessions.peek(tables[3].game) is None
    assert sessions.peek(tables[1].game) is not None


async def test_the_tables_of_a_shard_that_comes_back_at_once_are_not_evicted() -> None:
    """The process that requested it is gone before the check."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    await tables_in(lobbies, guild_of(0), guild_of(1))
    bot = Bot(store, sessions)
    bot.presence.share(2)
    for shard in (0, 1):
        bot.guilds.listed(shard, [guild_of(shard)])
        bot.guilds.own(shard)
    await bot.looked()

    bot.guilds.disown(0)
    bot.guilds.own(0)
    await bot.looked()
    bot.sync.queue.evict.assert_not_called()
    bot.clock.stop.assert_not_called()


async def test_only_the_tables_of_the_shard_that_goes_are_evicted() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    tables = await tables_in(lobbies, guild_of(0), guild_of(1))
    bot = Bot(store, sessions)
    bot.presence.share(2)
    for shard in (0, 1):
        bot.guilds.listed(shard, [guild_of(shard)])
        bot.guilds.own(shard)
    await bot.looked()
    bot.guilds.disown(1)
    await bot.looked()

    gone = [each.game for each in tables[2:]]
    assert [call.args[0] for call in bot.sync.queue.evict.call_args_list] == gone
    assert [call.args[0] for call in bot.clock.stop.call_args_list] == gone


async def test_a_shard_that_has_gone_before_it_was_connected_is_not_looked_through() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    await tables_in(lobbies, guild_of(0))
    bot = Bot(store, sessions)
    bot.presence.share(1)
    bot.guilds.expect(1)
    bot.guilds.own(0)
    bot.guilds.disown(0)
    await bot.looked()
    bot.guilds.listed(0, [guild_of(0)])
    await bot.looked()

    assert [call.args[0] for call in bot.sync.queue.expect_unacknowledged_sends.call_args_list] == [[], []]
    bot.sync.queue.schedule.assert_not_called()


async def test_a_shard_that_has_gone_and_come_while_the_store_was_read_is_looked_through_again() -> None:
    """Another process may have left work unfinished that the first reading missed."""
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    [_, playing] = await tables_in(lobbies, guild_of(0))
    bot = Bot(store, sessions)
    bot.presence.share(1)
    bot.guilds.listed(0, [guild_of(0)])
    await bot.looked()
    unsynced, unheard = store.unsynced, []

    async def changes_hands() -> tuple[TableRecord, ...]:
        store.unsynced = unsynced  # type: ignore[method-assign]
        found = await unsynced()
        bot.guilds.disown(0)
        bot.guilds.own(0)
        return found

    store.unsynced = changes_hands  # type: ignore[method-assign]
    bot.sync.queue.resume_deferred.side_effect = lambda: unheard.append(bot.presence.is_offline(playing))
    bot.guilds.own(0)
    await bot.looked()

    assert unheard == [True, False]
    bot.clock.go_on.assert_called_once_with(playing.game)


async def test_a_shard_that_has_gone_while_the_store_did_not_answer_is_not_looked_through() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    await tables_in(lobbies, guild_of(0))
    bot = Bot(store, sessions)
    bot.presence.share(1)
    bot.guilds.listed(0, [guild_of(0)])
    await bot.looked()
    bot.sync.reset_mock()
    unsynced = store.unsynced

    async def goes() -> tuple[TableRecord, ...]:
        store.unsynced = unsynced  # type: ignore[method-assign]
        bot.guilds.disown(0)
        raise StoreUnavailable

    store.unsynced = goes  # type: ignore[method-assign]
    bot.guilds.own(0)
    await bot.looked()
    assert {len(call.args[0]) for call in bot.sync.queue.expect_unacknowledged_sends.call_args_list} == {0}


async def test_of_servers_that_another_process_hears_of_nothing_is_judged() -> None:
    store, chosen = MemoryStore(), ServerSettings(language="fr")
    sessions, lobbies, _ = room_of(store)
    here, there = [
        await lobbies.open(guild=guild, channel=guild, place="", host=ADA, agreement=Agreement())
        for guild in (guild_of(0) + 1, guild_of(1))
    ]
    for guild in (guild_of(0) + 1, guild_of(1)):
        await store.keep_server(guild, chosen)
    bot = Bot(store, sessions)
    bot.presence.share(2)
    bot.guilds.listed(0, [guild_of(0)])
    bot.guilds.listed(1, [])
    bot.guilds.own(0)
    bot.guilds.available(guild_of(1))
    await bot.looked()

    assert await store.server(guild_of(0) + 1) == ServerSettings()
    assert await store.server(guild_of(1)) == chosen
    assert (await store.table(here.game)).status is Status.CANCELLED
    await store.cancel(there.game)
    assert await store.forget_left_server(2**40) == (here.game,)
    assert await store.forget_left_server(2**40) == (), "what belongs to the server itself"
    assert await store.forget_left_server(2**40) is None
    bot.welcome_message.invited.assert_not_called()
    bot.guilds.available(guild_of(0) + 2)
    bot.welcome_message.invited.assert_called_once_with(guild_of(0) + 2)


def test_for_the_time_in_which_a_shard_was_not_to_be_connected_nothing_is_given_back() -> None:
    """Another process has run the games meanwhile."""
    given: list[float] = []

    async def come_back() -> None:
        store = MemoryStore()
        sessions, lobbies, _ = room_of(store)
        await tables_in(lobbies, guild_of(1))
        bot = Bot(store, sessions)
        bot.clock.give_back.side_effect = lambda _, seconds: given.append(seconds)
        bot.presence.share(2)
        bot.guilds.expect(2)
        bot.guilds.lost(1)
        bot.guilds.closed(1)
        await asyncio.sleep(500)
        bot.guilds.own(1)
        bot.guilds.listed(1, [guild_of(1)])
        await bot.looked()

    run_leaping(come_back())
    assert given == [0]
