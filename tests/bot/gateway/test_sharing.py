"""Effects in a process of gaining or losing a shard's lease."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import pytest

from bot.background.guilds import Guilds
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.gateway.deduplication import InteractionDeduplicator
from bot.gateway.hint_exchange import HintExchange
from bot.gateway.shard_leases import Leases
from bot.gateway.sharded_client import ShardedClient
from bot.gateway.sharing import OwnedShards, Sharing
from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.hints import Hint
from bot.model.open_hands import LentToken, OpenHand
from bot.model.posts import Post, PostKind
from bot.model.shards import Shards
from bot.model.table_record import Agreement, TableRecord
from bot.store import RESTING
from bot.tables.presence import Presence
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import ADA, BEN, room_of
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.fake_sync import fake_sync
from tests.patience import PATIENCE

SHARDS = 4
HERE, THERE = 1, 2
ME, OTHER = 7, 8


def guild_of(shard: int) -> int:
    """A server of that shard."""
    return shard << 22 | 7


def open_hand(game: str) -> OpenHand:
    token = LentToken(message=70, application=9, token="t", is_original=True, expires=0.0, language="fr")
    return OpenHand(game=game, user=ADA.user, token=token, digest="abc", version=4, draft=None)


class Kept:
    """The open hands that are kept for the next process."""

    def __init__(self) -> None:
        self.by_shard: dict[int, Sequence[OpenHand]] = {}
        self.is_out_of_reach = False

    async def keep(self, shard: int, hands: Collection[OpenHand]) -> None:
        if self.is_out_of_reach:
            raise StoreUnavailable
        self.by_shard[shard] = tuple(hands)

    async def take(self, shard: int) -> Sequence[OpenHand]:
        return self.by_shard.pop(shard, ())


class Heard:
    """The other processes' hints."""

    member = ME

    def __init__(self) -> None:
        self.hear: Callable[[Hint], None] = lambda _: None
        self.missed: Callable[[], None] = lambda: None
        self.is_listening = asyncio.Event()

    async def send(self, hint: Hint) -> None:
        """Nobody listens."""

    async def pass_on(self, press: Mapping[str, Any]) -> None:
        """Nobody listens."""

    async def listen(
        self,
        heard: Callable[[Hint], None],
        leases_changed: Callable[[], None],
        missed: Callable[[], None],
        pressed: Callable[[Mapping[str, Any]], None],
    ) -> None:
        self.hear, self.missed = heard, missed
        self.is_listening.set()
        await asyncio.Event().wait()


class Process:
    """One process, with all that hears of its shards."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.sessions, self.lobbies, _ = room_of(self.store)
        self.presence = Presence()
        self.presence.share(SHARDS)
        self.hands, self.hints = Kept(), Heard()
        self.leases: Any = stand_in(Leases, member=ME)
        self.leases.renew.side_effect = StoreUnavailable
        self.tasks = KeyedTasks(passing=(StoreUnavailable,))
        self.did = Mock()
        """All that was done, in order."""
        self.client = self._noted("client", ShardedClient)
        self.gate = self._noted("gate", InteractionDeduplicator)
        self.guilds = self._noted("guilds", Guilds)
        self.sync = fake_sync()
        self.did.attach_mock(self.sync, "sync")
        self.exchange: Any = stand_in(HintExchange)
        self.sync.hands.lend.return_value = []
        self.gate.close.return_value = frozenset({123})
        self.shards = OwnedShards(
            self.client,
            Sharing(
                own=Shards(0, 1, SHARDS),
                leases=self.leases,
                hints=self.hints,
                hands=self.hands,
                turn=AsyncMock(return_value=(0.0, True)),
            ),
            deduplicator=self.gate,
            presence=self.presence,
            guilds=self.guilds,
            sync=self.sync,
            exchange=self.exchange,
            sessions=self.sessions,
            store=self.store,
            tasks=self.tasks,
            first=self.did.first,
            end=self.did.end,
        )

    def _noted(self, name: str, kind: type) -> Any:
        noted = stand_in(kind)
        self.did.attach_mock(noted, name)
        return noted

    async def table_in(self, shard: int) -> TableRecord:
        """A game that has begun there."""
        lobby = await self.lobbies.open(
            guild=guild_of(shard), channel=20 + shard, place="", host=ADA, agreement=Agreement()
        )
        await self.lobbies.join(lobby.game, BEN)
        record = await self.lobbies.start(lobby.game, ADA.user)
        self.sessions.forget(record.game)
        return record

    async def starts(self) -> None:
        """Until it hears the others."""
        self.shards.start()
        async with asyncio.timeout(PATIENCE):
            await self.hints.is_listening.wait()

    def own(self, shard: int) -> None:
        """Let that shard be this process's, connected and looked through."""
        self.presence.listed(shard, [guild_of(shard)])
        self.presence.own(shard)
        self.presence.mark_scanned(shard)

    def changed(self) -> list[str]:
        """The games that were looked up."""
        return [each.args[0] for each in self.exchange.reload.call_args_list]

    def reloaded(self) -> list[str]:
        """The games that were read again."""
        return [each.args[0].game for each in self.exchange.receive.call_args_list]

    async def rests(self, but: int = 0) -> None:
        """Until nothing is done but what is done for ever."""
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks) > but:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


@pytest.fixture
def process() -> Process:
    return Process()


async def test_a_shard_that_comes_is_connected_and_its_presses_are_let_in(process: Process) -> None:
    process.shards.gained(HERE, frozenset({5}))
    await process.rests()

    assert process.did.mock_calls == [
        call.client.open_shard(HERE),
        call.guilds.own(HERE),
        call.gate.open(HERE, frozenset({5})),
    ], "its tables are this process's before a press is answered there"
    process.shards.gained(0, frozenset())
    assert process.did.mock_calls[-1] == call.first()
    await process.tasks.close()


async def test_hands_that_the_process_before_has_lent_are_drawn_here(process: Process) -> None:
    process.hands.by_shard = {HERE: (open_hand("a"), open_hand("b")), THERE: (open_hand("c"),)}
    process.sync.hands.borrow.side_effect = [True, False]
    process.shards.gained(HERE, frozenset())
    await process.rests()

    assert process.sync.hands.borrow.call_args_list == [
        call(open_hand("a"), process.client),
        call(open_hand("b"), process.client),
    ]
    process.sync.queue.schedule.assert_called_once_with("a")
    assert list(process.hands.by_shard) == [THERE]


async def test_a_shard_is_given_up_once_it_is_drained(process: Process) -> None:
    here, there = await process.table_in(HERE), await process.table_in(THERE)
    for record in (here, there):
        await process.sessions.get(record.game)
    process.own(HERE)
    process.own(THERE)
    hand = open_hand(here.game)
    rested = []

    async def come_to_rest(is_meant: Callable[[TableRecord], bool], within: float) -> None:
        rested.append((is_meant(here), is_meant(there), process.presence.rests(here), within > 0))

    def lend(is_meant: Callable[[str], bool]) -> list[OpenHand]:
        assert (is_meant(here.game), is_meant(there.game)) == (True, False)
        return [hand]

    process.sync.queue.drain.side_effect = come_to_rest
    process.sync.hands.lend.side_effect = lend
    assert await process.shards.give_up(HERE) == {123}

    assert rested == [(True, False, True, True)], "nothing begins there while it comes to rest"
    names = [each[0] for each in process.did.mock_calls]
    assert names == ["gate.close", "sync.queue.drain", "sync.hands.lend", "guilds.disown"]
    assert process.hands.by_shard == {HERE: (hand,)}
    process.guilds.disown.assert_called_once_with(HERE)
    process.client.close_shard.assert_not_called()
    await process.shards.leave(HERE)
    process.client.close_shard.assert_awaited_once_with(HERE)


async def test_hands_at_tables_that_are_not_in_memory_are_lent_too(process: Process) -> None:
    """So many games are kept in memory, and no more."""
    games = [(await process.table_in(shard)).game for shard in (HERE, THERE)]
    for game in games:
        process.sessions.forget(game)
    hands = [open_hand(each) for each in (*games, "nosuch")]

    def lend(is_meant: Callable[[str], bool]) -> list[OpenHand]:
        return [each for each in hands if is_meant(each.game)]

    process.sync.hands.lend.side_effect = lend
    await process.shards.give_up(HERE)
    assert process.hands.by_shard == {HERE: (hands[0],)}


async def test_who_ends_says_which_presses_it_has_answered(process: Process) -> None:
    process.shards._keeper._held.add(HERE)
    await process.shards.release()
    process.leases.leave.assert_awaited_once_with({HERE: {123}})


async def test_where_another_process_may_be_by_now_nothing_begins_until_the_shard_is_known_to_be_ones_own(
    process: Process,
) -> None:
    record = await process.table_in(HERE)
    process.shards.gained(HERE, frozenset())
    process.own(HERE)
    process.did.reset_mock()
    process.shards.mark_uncertain(HERE)

    assert process.did.mock_calls == [call.gate.mark_uncertain(HERE)]
    assert process.presence.rests(record)
    await process.rests()


async def test_a_shard_is_given_up_though_its_hands_cannot_be_kept(process: Process) -> None:
    process.sync.hands.lend.return_value = [open_hand("a")]
    process.hands.is_out_of_reach = True

    assert await process.shards.give_up(HERE) == {123}
    process.guilds.disown.assert_called_once_with(HERE)


async def test_a_hint_of_another_process_is_followed_and_its_own_is_not(process: Process) -> None:
    await process.starts()
    process.hints.hear(Hint(game="own", sender=ME))
    process.hints.hear(Hint(game="heard", sender=OTHER))
    await process.rests(but=3)

    assert process.reloaded() == ["heard"]
    await process.tasks.close()


def test_a_hint_is_followed_when_the_database_answers_again() -> None:
    async def hear() -> None:
        process = Process()
        await process.starts()
        process.exchange.receive.side_effect = [StoreUnavailable, None]
        process.hints.hear(Hint(game="a", sender=OTHER))
        await asyncio.sleep(3)
        assert process.reloaded() == ["a", "a"]
        await process.tasks.close()

    run_leaping(hear())


async def test_two_hints_of_one_game_are_both_followed(process: Process) -> None:
    """Each tells something else that was drawn or pressed."""
    await process.starts()
    hints = [Hint(game="a", sender=OTHER, pressed=(seat,)) for seat in (0, 1)]
    for hint in hints:
        process.hints.hear(hint)
    await process.rests(but=3)

    assert [each.args[0] for each in process.exchange.receive.call_args_list] == hints
    await process.tasks.close()


async def test_missed_hints_are_made_up_for_by_the_own_tables_that_are_not_synced(process: Process) -> None:
    here, told, there = [await process.table_in(shard) for shard in (HERE, 3, THERE)]
    process.own(HERE)
    process.own(3)
    await process.store.mark_synced(told.game, told.version)
    resting = Post(game=told.game, kind=PostKind.HAND, channel=5, message=70, drawn=RESTING, seat=0)
    await process.store.keep_post(resting)
    await process.starts()
    process.hints.missed()
    await process.rests(but=3)

    assert process.changed() == [here.game, told.game]
    assert there.game not in process.changed()
    process.exchange.receive.assert_not_called()
    await process.tasks.close()


def test_it_is_looked_again_and_again_as_hints_may_be_lost() -> None:
    async def look() -> None:
        process = Process()
        here = await process.table_in(HERE)
        process.own(HERE)
        await process.starts()
        await asyncio.sleep(25)
        assert process.changed() == [here.game], "what cannot be told, as its channel is shut, is no news"
        await process.sessions.call_off(here.game)
        process.sessions.forget(here.game)
        await asyncio.sleep(25)
        assert process.changed() == [here.game] * 2
        await process.tasks.close()

    run_leaping(look())


async def test_what_is_known_here_is_not_looked_up(process: Process) -> None:
    here = await process.table_in(HERE)
    await process.sessions.get(here.game)
    process.own(HERE)
    await process.starts()
    process.hints.missed()
    await process.rests(but=3)
    assert process.changed() == []

    await process.store.call_off(here.game)
    process.hints.missed()
    await process.rests(but=3)
    assert process.changed() == [here.game]
    await process.tasks.close()


async def test_a_process_whose_work_is_done_ends_and_one_that_was_given_up_with_the_reason(
    process: Process,
) -> None:
    error = LeaseLost()
    process.shards.superseded()
    process.shards.lost(error)
    assert process.did.mock_calls == [call.end(None), call.end(error)]


async def test_the_part_of_the_limit_that_is_a_process_s_own_is_that_of_its_shards(process: Process) -> None:
    assert process.shards.share == 0
    process.shards._keeper._held.add(HERE)
    assert (process.shards.held, process.shards.share) == ({HERE}, 1 / SHARDS)
