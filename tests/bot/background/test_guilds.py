"""Servers and shards that come and go: which tables rest, which go on, and what is kept of a server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
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
from bot.store.left_servers import Judged, every_server
from bot.sync.welcome_message import WelcomeMessage
from bot.tables.presence import Presence
from tests.bot.leaping_loop import leaping
from tests.bot.seating import ADA, BEN, room_of
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync
from tests.patience import PATIENCE

HERE, ELSEWHERE, GONE = 10, 11, 12
FRENCH = ServerSettings(language="fr")


def guild_of(shard: int) -> int:
    """Id of a server of one of four shards."""
    return shard << 22 | 7


class SlowStore(MemoryStore):
    """A store during whose reading something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: dict[str, Callable[[], Awaitable[None]]] = {}
        """By method: what happens once while it is at work, which may be an error."""
        self.noted: list[tuple[frozenset[int], Judged]] = []

    async def open_tables(self) -> tuple[TableRecord, ...]:
        found = await super().open_tables()
        await self._happens("open_tables")
        return found

    async def unsynced(self) -> tuple[TableRecord, ...]:
        found = await super().unsynced()
        await self._happens("unsynced")
        return found

    async def forget_servers_but(self, guilds: frozenset[int], judged: Judged = every_server) -> None:
        await self._happens("forget_servers_but")
        await super().forget_servers_but(guilds, judged)

    async def note_left_servers(self, present: frozenset[int], judged: Judged = every_server) -> None:
        self.noted.append((present, judged))
        await super().note_left_servers(present, judged)

    async def _happens(self, method: str) -> None:
        if (event := self.meanwhile.pop(method, None)) is not None:
            await event()


class Bot:
    """Guilds with a store in memory, and stand-ins for the parts that they call."""

    def __init__(self) -> None:
        self.store = SlowStore()
        self.sessions, self.lobbies, _ = room_of(self.store)
        self.presence = Presence()
        self.sync = fake_sync()
        self.tasks = KeyedTasks(passing=(StoreUnavailable,))
        self.parts = Mock()
        self.clock = stand_in(Clock)
        made: dict[str, Any] = {
            "clock": self.clock,
            "computers": stand_in(Computers),
            "next_deal": stand_in(NextDeal),
            "welcome_message": stand_in(WelcomeMessage),
        }
        for name, part in ({"queue": self.sync.queue} | made).items():
            self.parts.attach_mock(part, name)
        self.guilds = Guilds(
            self.presence,
            self.store,
            sessions=self.sessions,
            sync=self.sync,
            tasks=self.tasks,
            now=lambda: self.store.now,
            gained=self.parts.gained,
            **made,
        )

    @classmethod
    def sharing(cls, shards: int) -> Bot:
        """One of several processes, which has no shard yet."""
        bot = cls()
        bot.presence.share(shards)
        bot.sessions.share(bot.presence.is_elsewhere, lambda _: None)
        bot.guilds.expect(shards)
        return bot

    async def tables(self, *guilds: int | None) -> list[TableRecord]:
        """A lobby and a game of Ada's and Ben's in each server."""
        records = []
        for number, guild in enumerate(guilds):
            for place in (0, 1):
                record = await self.lobbies.open(
                    guild=guild, channel=100 + 2 * number + place, place="", host=ADA, agreement=Agreement()
                )
                record = await self.lobbies.join(record.game, BEN)
                records.append(await self.lobbies.start(record.game, ADA.user) if place else record)
        return records

    async def listed(self, *lists: Iterable[int], own: Iterable[int] = ()) -> None:
        """Each shard in turn has listed its servers, and this process has got its own ones."""
        for shard, guilds in enumerate(lists):
            self.guilds.listed(shard, guilds)
        for shard in own:
            self.guilds.own(shard)
        await self.looked()

    async def looked(self) -> None:
        """Wait until all tables are checked."""
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks):  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)

    def asked(self, what: str) -> list[Any]:
        """The games, or other first arguments, with which a method of a part was called since `forget`."""
        firsts = [(call.args or (None,))[0] for call in self.parts.mock_calls if call[0] == what]
        return [each.game if isinstance(each, TableRecord) else each for each in firsts]

    def went_on(self) -> list[str]:
        """The games whose clock, computers and next deal have gone on since it was asked last."""
        games = self.asked("clock.go_on")
        assert games == self.asked("computers.on_change") == self.asked("next_deal.on_change")
        self.forget()
        return games

    def forget(self) -> None:
        self.parts.reset_mock()

    async def has(self, *guilds: int) -> list[bool]:
        """Whether each server's settings are kept."""
        return [await self.store.server(each) == FRENCH for each in guilds]

    async def status(self, record: TableRecord) -> Status:
        return (await self.store.table(record.game)).status


@leaping
async def test_tables_are_looked_through_again_until_the_store_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bot = Bot()
    [lobby, _] = await bot.tables(HERE)
    bot.store.broken = True
    bot.guilds.listed(0, [HERE])
    await asyncio.sleep(2)
    assert bot.asked("queue.schedule") == []
    bot.store.broken = False
    await asyncio.sleep(10)
    assert bot.asked("queue.schedule")[0] == lobby.game
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    await bot.tasks.close()


@leaping
async def test_nothing_is_tried_or_said_once_the_bot_stops(caplog: pytest.LogCaptureFixture) -> None:
    """The list of servers may arrive just before the end; the store closes before it is read."""
    bot = Bot()

    async def closes() -> None:
        await asyncio.sleep(1)
        raise StoreUnavailable

    bot.store.meanwhile["open_tables"] = closes
    bot.guilds.listed(0, [HERE])
    await asyncio.sleep(0.5)
    await bot.tasks.close()
    before = bot.store.database.calls
    bot.guilds.joined(ELSEWHERE)
    await asyncio.sleep(100)
    assert bot.store.database.calls == before
    assert caplog.records == []


@pytest.mark.parametrize("how", ["joined", "available"])
async def test_a_game_goes_on_with_a_whole_turn_when_the_bot_is_back(how: str) -> None:
    bot = Bot()
    [_, playing] = await bot.tables(HERE)
    await bot.listed([ELSEWHERE])
    assert bot.presence.has_left(playing)

    getattr(bot.guilds, how)(HERE)
    await bot.looked()

    assert not bot.presence.has_left(playing)
    for begun in ("queue.repost", "clock.on_change", "computers.on_change"):
        assert bot.asked(begun) == [playing.game]
    bot.guilds.available(HERE)
    await bot.looked()
    assert bot.asked("queue.repost") == [playing.game], "and once"


async def test_a_server_that_is_back_while_its_shard_is_offline_goes_on_when_that_is_back() -> None:
    bot = Bot()
    [_, playing] = await bot.tables(guild_of(1))
    bot.guilds.expect(2)
    await bot.listed([], [])
    bot.guilds.lost(1)
    bot.guilds.joined(guild_of(1))
    await bot.looked()
    assert bot.asked("queue.repost") == []
    bot.guilds.resumed(1)
    await bot.looked()
    assert bot.asked("queue.repost") == bot.asked("clock.on_change") == [playing.game]


async def test_a_game_that_has_rested_for_a_month_is_called_off() -> None:
    bot = Bot()
    [_, playing] = await bot.tables(HERE)
    bot.store.now += 31 * 86_400
    await bot.listed([])
    assert await bot.status(playing) is Status.CANCELLED


async def test_settings_go_with_the_server_also_with_one_that_was_left_while_the_bot_was_off() -> None:
    bot = Bot()
    for guild in (HERE, ELSEWHERE, GONE):
        await bot.store.keep_server(guild, FRENCH)
    bot.guilds.joined(HERE)
    await bot.looked()
    assert await bot.has(GONE) == [True], "Discord has not listed the servers yet"
    await bot.listed([HERE, ELSEWHERE])
    assert await bot.has(HERE, ELSEWHERE, GONE) == [True, True, False]
    bot.guilds.left(HERE)
    await bot.looked()
    assert await bot.has(HERE, ELSEWHERE) == [False, True]


async def test_that_a_server_has_removed_the_bot_is_noted_until_it_is_back() -> None:
    bot = Bot()
    tables = await bot.tables(HERE)
    await bot.store.call_off(tables[1].game)
    await bot.listed([HERE])
    bot.guilds.left(HERE)
    await bot.looked()
    bot.guilds.joined(HERE)
    await bot.looked()
    assert await bot.store.forget_left_server(2**40) is None

    bot.guilds.left(HERE)
    await bot.looked()
    assert set(await bot.store.forget_left_server(2**40) or ()) == {each.game for each in tables}


async def test_servers_of_a_shard_that_comes_or_goes_just_then_keep_everything() -> None:
    bot = Bot.sharing(4)
    for shard in range(4):
        await bot.store.keep_server(guild_of(shard), FRENCH)

    async def meanwhile() -> None:
        bot.guilds.own(2)
        bot.guilds.disown(3)

    bot.store.meanwhile["forget_servers_but"] = meanwhile
    await bot.listed([guild_of(0)], [], [guild_of(2)], [], own=(0, 1, 3))

    assert await bot.has(*map(guild_of, range(4))) == [True, False, True, True]
    present, judged = bot.store.noted[0]
    assert present == {guild_of(0)}
    assert [judged(guild_of(each)) for each in range(4)] == [True, True, False, False]


async def test_a_shard_that_is_late_or_lost_calls_nothing_off_and_wakes_its_own_tables() -> None:
    bot = Bot()
    tables = await bot.tables(guild_of(0), guild_of(1), None)
    for guild in (guild_of(1), GONE << 22):
        await bot.store.keep_server(guild, FRENCH)

    bot.guilds.expect(4)
    await bot.listed([guild_of(0)])
    assert bot.went_on() == [tables[1].game, tables[5].game], "direct messages come through the first"
    assert await bot.store.open_tables() == tuple(tables)
    assert await bot.has(guild_of(1)) == [True], "who knows what shard 1 has"

    bot.guilds.listed(1, [guild_of(1)])
    await bot.looked()
    assert bot.went_on() == [tables[3].game]
    bot.guilds.lost(1)
    bot.guilds.listed(2, [])
    await bot.looked()
    assert bot.went_on() == []
    bot.guilds.resumed(1)
    bot.guilds.listed(3, [])
    await bot.looked()
    assert bot.went_on() == [tables[3].game]
    assert await bot.store.open_tables() == tuple(tables)
    assert await bot.has(GONE << 22) == [False], "all four have told what they have"


async def test_a_server_that_no_shard_has_listed_and_that_comes_is_one_that_the_bot_was_invited_to() -> None:
    bot = Bot()
    [_, playing] = await bot.tables(guild_of(1))
    bot.guilds.expect(4)
    bot.guilds.listed(1, [guild_of(1)])
    bot.guilds.available(guild_of(1))
    await bot.looked()
    assert bot.asked("queue.repost") == []
    bot.guilds.left(guild_of(1))
    bot.guilds.available(guild_of(1))
    await bot.looked()
    assert playing.game in bot.asked("queue.repost")


@leaping
async def test_the_time_that_a_shard_was_offline_is_given_back_once() -> None:
    given: list[tuple[str, float]] = []
    bot = Bot()
    [_, here, _, there] = await bot.tables(guild_of(0), guild_of(1))
    bot.clock.give_back.side_effect = lambda game, seconds: given.append((game, round(seconds)))
    bot.guilds.expect(2)
    await asyncio.sleep(3)
    await bot.listed([guild_of(0)], [guild_of(1)])
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


@leaping
async def test_for_the_time_in_which_a_shard_was_not_to_be_connected_nothing_is_given_back() -> None:
    """Another process has run the games meanwhile."""
    given: list[float] = []
    bot = Bot.sharing(2)
    await bot.tables(guild_of(1))
    bot.clock.give_back.side_effect = lambda _, seconds: given.append(seconds)
    bot.guilds.lost(1)
    bot.guilds.closed(1)
    await asyncio.sleep(500)
    bot.guilds.own(1)
    bot.guilds.listed(1, [guild_of(1)])
    await bot.looked()
    assert given == [0]


async def test_no_table_counts_as_left_before_discord_has_listed_the_servers() -> None:
    bot = Bot()
    [lobby, _] = await bot.tables(HERE)
    bot.presence.left(HERE)
    bot.presence.joined(ELSEWHERE)
    assert not bot.presence.has_left(lobby)
    bot.presence.listed(0, [ELSEWHERE])
    assert bot.presence.has_left(lobby)


async def test_the_tables_of_a_shard_come_with_its_lease_and_go_with_it() -> None:
    bot = Bot.sharing(1)
    [lobby, playing] = await bot.tables(HERE)
    await bot.listed([HERE])
    assert bot.presence.rests(playing)
    assert bot.presence.guilds is None, "what it hears of is not its own to judge"
    assert bot.asked("gained") == bot.asked("queue.schedule") == bot.went_on() == []

    bot.guilds.own(0)
    await bot.looked()
    assert not bot.presence.rests(playing)
    assert bot.presence.guilds == {HERE}
    both = [lobby.game, playing.game]
    assert bot.asked("queue.expect_unacknowledged_sends")[-1] == bot.asked("queue.schedule") == both
    assert len(bot.asked("queue.resume_deferred")) == len(bot.asked("gained")) == 1
    assert bot.went_on() == [playing.game]
    bot.guilds.joined(HERE)
    await bot.looked()
    assert bot.asked("gained") == []

    await bot.sessions.get(playing.game)
    bot.guilds.disown(0)
    await bot.looked()
    assert bot.presence.rests(playing)
    for stopped in ("clock.stop", "computers.stop", "next_deal.stop", "queue.evict"):
        assert bot.asked(stopped) == both


async def test_a_shard_that_is_owned_before_it_is_connected_is_looked_through_when_it_is() -> None:
    bot = Bot.sharing(1)
    [lobby, playing] = await bot.tables(HERE)
    bot.guilds.own(0)
    await bot.looked()
    assert bot.presence.rests(playing)
    assert not bot.presence.has_left(playing)
    bot.guilds.joined(ELSEWHERE)
    await bot.looked()
    await bot.listed([HERE])
    assert bot.asked("queue.expect_unacknowledged_sends")[-1] == [lobby.game, playing.game]
    assert not bot.presence.rests(playing)
    bot.guilds.closed(0)
    assert not bot.presence.is_connected(0)


async def test_what_the_last_owner_left_unsynced_may_have_unacknowledged_sends() -> None:
    bot = Bot.sharing(2)
    tables = await bot.tables(guild_of(0), guild_of(1))
    await bot.listed([guild_of(0)], [guild_of(1)])
    bot.forget()
    rested = []
    expects = bot.sync.queue.expect_unacknowledged_sends
    expects.side_effect = lambda games: rested.append((games, bot.presence.is_offline(tables[1])))

    bot.guilds.own(0)
    await bot.looked()

    unsynced = [each.game for each in tables[:2]]
    assert rested == [(unsynced, True)]
    assert not bot.presence.is_offline(tables[1])
    assert bot.asked("queue.schedule") == unsynced
    assert bot.went_on() == [tables[1].game]


async def test_tables_that_cannot_be_scanned_yet_are_marked_uncertain_later() -> None:
    bot = Bot.sharing(1)
    tables = await bot.tables(guild_of(0))
    await bot.listed([guild_of(0)])
    bot.forget()

    async def fails() -> None:
        raise StoreUnavailable

    bot.store.meanwhile["unsynced"] = fails
    bot.guilds.own(0)
    await bot.looked()
    assert bot.asked("queue.expect_unacknowledged_sends") == [[each.game for each in tables]]
    assert not bot.presence.is_offline(tables[1])


async def test_what_was_read_of_anothers_tables_is_forgotten_when_they_come() -> None:
    bot = Bot.sharing(2)
    [_, here, _, there] = await bot.tables(guild_of(0), guild_of(1))
    for playing in (here, there):
        await bot.sessions.get(playing.game)
    bot.guilds.own(1)
    assert bot.sessions.peek(there.game) is None
    assert bot.sessions.peek(here.game) is not None


@pytest.mark.parametrize("comes_back", [True, False])
async def test_only_the_tables_of_the_shard_that_goes_are_evicted_unless_it_comes_back_at_once(
    *, comes_back: bool
) -> None:
    """The process that requested it may be gone before the check."""
    bot = Bot.sharing(2)
    tables = await bot.tables(guild_of(0), guild_of(1))
    await bot.listed([guild_of(0)], [guild_of(1)], own=(0, 1))
    bot.guilds.disown(1)
    if comes_back:
        bot.guilds.own(1)
    await bot.looked()
    gone = [] if comes_back else [each.game for each in tables[2:]]
    assert bot.asked("queue.evict") == bot.asked("clock.stop") == gone


async def test_a_shard_that_has_gone_before_it_was_connected_is_not_looked_through() -> None:
    bot = Bot.sharing(1)
    await bot.tables(guild_of(0))
    bot.guilds.own(0)
    bot.guilds.disown(0)
    await bot.looked()
    await bot.listed([guild_of(0)])
    assert bot.asked("queue.expect_unacknowledged_sends") == [[], []]
    assert bot.asked("queue.schedule") == []


async def test_a_shard_that_has_gone_and_come_while_the_store_was_read_is_looked_through_again() -> None:
    """Another process may have left work unfinished that the first reading missed."""
    bot = Bot.sharing(1)
    [_, playing] = await bot.tables(guild_of(0))
    await bot.listed([guild_of(0)])
    unheard: list[bool] = []

    async def changes_hands() -> None:
        bot.guilds.disown(0)
        bot.guilds.own(0)

    bot.store.meanwhile["unsynced"] = changes_hands
    bot.sync.queue.resume_deferred.side_effect = lambda: unheard.append(bot.presence.is_offline(playing))
    bot.guilds.own(0)
    await bot.looked()
    assert unheard == [True, False]
    assert bot.went_on() == [playing.game]


async def test_a_shard_that_has_gone_while_the_store_did_not_answer_is_not_looked_through() -> None:
    bot = Bot.sharing(1)
    await bot.tables(guild_of(0))
    await bot.listed([guild_of(0)])
    bot.forget()

    async def goes() -> None:
        bot.guilds.disown(0)
        raise StoreUnavailable

    bot.store.meanwhile["unsynced"] = goes
    bot.guilds.own(0)
    await bot.looked()
    assert not any(bot.asked("queue.expect_unacknowledged_sends"))


async def test_of_servers_that_another_process_hears_of_nothing_is_judged() -> None:
    bot = Bot.sharing(2)
    left, others = guild_of(0) + 1, guild_of(1)
    here, resting, there, playing = await bot.tables(left, others)
    for guild in (left, others):
        await bot.store.keep_server(guild, FRENCH)
    bot.guilds.available(others)
    await bot.listed([guild_of(0)], [], own=[0])

    assert await bot.has(left, others) == [False, True]
    assert [await bot.status(each) for each in (here, there)] == [Status.CANCELLED, Status.GATHERING]
    await bot.store.cancel(there.game)
    for game in (resting.game, playing.game):
        await bot.store.call_off(game)
    assert set(await bot.store.forget_left_server(2**40) or ()) == {here.game, resting.game}
    assert await bot.store.forget_left_server(2**40) == (), "what belongs to the server itself"
    assert await bot.store.forget_left_server(2**40) is None
    assert bot.asked("welcome_message.invited") == []
    bot.guilds.available(guild_of(0) + 2)
    assert bot.asked("welcome_message.invited") == [guild_of(0) + 2]
