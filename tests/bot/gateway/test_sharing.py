"""Effects in a process of gaining or losing a shard's lease."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.utils import utcnow

from bot.background.guilds import Guilds
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.gateway.deduplication import InteractionDeduplicator
from bot.gateway.hint_exchange import HintExchange
from bot.gateway.shard_leases import Leases
from bot.gateway.sharded_client import ShardedClient
from bot.gateway.sharing import OpenHands, OwnedShards, SharedHints, Sharing
from bot.model.errors import LeaseLost, StoreUnavailable
from bot.model.hints import Hint
from bot.model.open_hands import LentToken, OpenHand
from bot.model.posts import RESTING, Post, PostKind
from bot.model.shards import Shards
from bot.model.table_record import Agreement, TableRecord
from bot.sync.ephemeral_hands import EphemeralHands
from bot.tables.presence import Presence
from tests.bot.leaping_loop import leaping
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
    """Ada's hand at that table, which can be drawn for some minutes."""
    expires = utcnow().timestamp() + 600
    token = LentToken(message=70, application=9, token="t", is_original=True, expires=expires, language="fr")
    return OpenHand(game=game, user=ADA.user, token=token, digest="abc", version=4, draft=None)


class Process:
    """One process, with all that hears of its shards."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.sessions, self.lobbies, _ = room_of(self.store)
        self.presence = Presence()
        self.presence.share(SHARDS)
        self.lent: dict[int, Sequence[OpenHand]] = {}
        """By shard: the open hands that are kept for the next process."""
        self.hands: Any = stand_in(OpenHands)
        self.hands.keep.side_effect = lambda shard, hands: self.lent.update({shard: tuple(hands)})
        self.hands.take.side_effect = lambda shard: self.lent.pop(shard, ())
        self.hints: Any = stand_in(SharedHints)
        self.hints.listen.side_effect = _listens
        self.leases: Any = stand_in(Leases, member=ME, lasts=6.0)
        self.leases.renew.side_effect = StoreUnavailable
        self.tasks = KeyedTasks(passing=(StoreUnavailable,))
        self.said: list[str] = []
        """All that was done, in order."""
        self.received: list[Hint] = []
        self.reloaded: list[str] = []
        """Games that were looked up."""
        self.outages = 0
        """The number of hints that cannot be followed, as the database does not answer."""
        self.ended: list[Exception | None] = []
        self.client = ShardedClient(intents=discord.Intents.none())
        self.gate = InteractionDeduplicator(
            SHARDS,
            lambda press: self.said.append(f"answers {press['id']}"),
            lambda: 0.0,
            is_in=lambda _: True,
            pass_on=lambda _: None,
        )
        self.sync = fake_sync()
        self.sync.hands = EphemeralHands(self.sync.queue.schedule)
        self.sync.queue.schedule.side_effect = lambda game: self.said.append(f"syncs {game}")
        guilds: Any = stand_in(Guilds)
        guilds.own.side_effect = lambda shard: self.said.append(f"owns {shard}")
        guilds.disown.side_effect = lambda shard: self.said.append(f"disowns {shard}")
        exchange: Any = stand_in(HintExchange)
        exchange.receive.side_effect, exchange.reload.side_effect = self._receive, self._reload
        self.shards = OwnedShards(
            self.client,
            Sharing(
                own=Shards(0, 1, SHARDS), leases=self.leases, hints=self.hints, hands=self.hands, turn=_now
            ),
            deduplicator=self.gate,
            presence=self.presence,
            guilds=guilds,
            sync=self.sync,
            exchange=exchange,
            sessions=self.sessions,
            store=self.store,
            tasks=self.tasks,
            first=lambda: self.said.append("is first"),
            end=self.ended.append,
        )

    async def _receive(self, hint: Hint) -> None:
        self.received.append(hint)
        if self.outages:
            self.outages -= 1
            raise StoreUnavailable

    async def _reload(self, game: str) -> None:
        self.reloaded.append(game)

    async def table_in(self, shard: int) -> TableRecord:
        """A game that has begun there."""
        lobby = await self.lobbies.open(
            guild=guild_of(shard), channel=20 + shard, place="", host=ADA, agreement=Agreement()
        )
        await self.lobbies.join(lobby.game, BEN)
        record = await self.lobbies.start(lobby.game, ADA.user)
        self.sessions.forget(record.game)
        return record

    def has_open(self, *hands: OpenHand) -> None:
        """Let these hands be open here."""
        for hand in hands:
            assert self.sync.hands.borrow(hand, self.client)

    def hears(self, press: int, shard: int = HERE) -> None:
        """Let somebody press something there."""
        self.gate.receive({"id": str(press), "guild_id": str(guild_of(shard))})

    async def starts(self) -> tuple[Callable[[Hint], None], Callable[[], None]]:
        """Until it listens: what it does with a hint of another process, and when it has missed some."""
        self.shards.start()
        async with asyncio.timeout(PATIENCE):
            while not self.hints.listen.call_count:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)
        hear, _, missed, _ = self.hints.listen.call_args.args
        return hear, missed

    def own(self, shard: int) -> None:
        """Let that shard be this process's, connected and looked through."""
        self.presence.listed(shard, [guild_of(shard)])
        self.presence.own(shard)
        self.presence.mark_scanned(shard)

    async def rests(self, but: int = 0) -> None:
        """Until nothing is done but what is done for ever."""
        async with asyncio.timeout(PATIENCE):
            while len(self.tasks) > but:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)


async def _listens(*_: object) -> None:
    await asyncio.Event().wait()


async def _now(*_: float) -> tuple[float, bool]:
    """Turns to identify that are all free."""
    return 0.0, True


@pytest.fixture
def process() -> Process:
    return Process()


async def test_a_shard_that_comes_is_connected_and_its_presses_are_let_in(process: Process) -> None:
    process.hears(5)
    process.hears(6)
    process.shards.gained(HERE, frozenset({5}))
    await process.rests()

    assert process.client.wanted == {HERE}
    assert process.said == ["owns 1", "answers 6"], "its tables are this process's before a press is answered"
    process.shards.gained(0, frozenset())
    assert process.said[-1] == "is first"
    await process.tasks.close()


async def test_hands_that_the_process_before_has_lent_are_drawn_here(process: Process) -> None:
    expired = replace(open_hand("b"), token=replace(open_hand("b").token, expires=0.0))
    process.lent = {HERE: (open_hand("a"), expired), THERE: (open_hand("c"),)}
    process.shards.gained(HERE, frozenset())
    await process.rests()

    assert [process.sync.hands.is_open(game, ADA.user) for game in "abc"] == [True, False, False]
    assert process.said == ["owns 1", "syncs a"]
    assert list(process.lent) == [THERE]


async def test_a_shard_is_given_up_once_it_is_drained(process: Process) -> None:
    here, there = await process.table_in(HERE), await process.table_in(THERE)
    for record in (here, there):
        await process.sessions.get(record.game)
    process.own(HERE)
    process.own(THERE)
    process.client.open_shard(HERE)
    process.gate.open(HERE, frozenset())
    process.hears(1)
    hand = open_hand(here.game)
    process.has_open(hand, open_hand(there.game))

    async def drain(is_meant: Callable[[TableRecord], bool], within: float) -> None:
        assert (is_meant(here), is_meant(there), within > 0) == (True, False, True)
        assert process.presence.rests(here), "nothing begins there while it comes to rest"
        assert process.lent == {}
        process.hears(2)
        process.said.append("is drained")

    process.sync.queue.drain.side_effect = drain
    assert await process.shards.give_up(HERE) == {1}

    assert process.said == ["answers 1", "is drained", "disowns 1"]
    assert process.lent == {HERE: (hand,)}
    assert process.client.wanted == {HERE}, "a successor's answers may still come through it"
    await process.shards.leave(HERE)
    assert process.client.wanted == set()


async def test_hands_at_tables_that_are_not_in_memory_are_lent_too(process: Process) -> None:
    """So many games are kept in memory, and no more."""
    games = [(await process.table_in(shard)).game for shard in (HERE, THERE)]
    for game in games:
        process.sessions.forget(game)
    hands = [open_hand(each) for each in (*games, "nosuch")]
    process.has_open(*hands)
    await process.shards.give_up(HERE)
    assert process.lent == {HERE: (hands[0],)}


async def test_the_shards_of_a_process_are_its_part_of_the_limit_and_it_says_at_its_end_what_it_answered(
    process: Process,
) -> None:
    assert process.shards.share == 0
    leases = [SimpleNamespace(shard=shard, member=ME, claimed_by=None, handled=()) for shard in (0, HERE)]
    process.leases.renew.side_effect = None
    process.leases.renew.return_value = SimpleNamespace(leases=leases, members={})
    process.leases.take.return_value = {}
    await process.starts()
    await process.rests(but=3)
    assert (process.shards.held, process.shards.share) == ({0, HERE}, 2 / SHARDS)

    process.hears(1)
    await process.shards.release()
    process.leases.leave.assert_awaited_once_with({0: frozenset(), HERE: frozenset({1})})
    await process.tasks.close()


async def test_where_another_process_may_be_by_now_nothing_begins_until_the_shard_is_known_to_be_ones_own(
    process: Process,
) -> None:
    record = await process.table_in(HERE)
    process.shards.gained(HERE, frozenset())
    process.own(HERE)
    process.shards.mark_uncertain(HERE)
    process.hears(1)

    assert process.said == ["owns 1"], "and no press is answered at once"
    assert process.client.wanted == {HERE}
    assert process.presence.rests(record)
    await process.rests()


async def test_a_shard_is_given_up_though_its_hands_cannot_be_kept(process: Process) -> None:
    process.has_open(open_hand((await process.table_in(HERE)).game))
    process.hands.keep.side_effect = StoreUnavailable

    assert await process.shards.give_up(HERE) == set()
    assert process.said == ["disowns 1"]


async def test_a_hint_of_another_process_is_followed_and_its_own_is_not(process: Process) -> None:
    hear, _ = await process.starts()
    hear(Hint(game="own", sender=ME))
    hear(Hint(game="heard", sender=OTHER))
    await process.rests(but=3)

    assert [each.game for each in process.received] == ["heard"]
    await process.tasks.close()


@leaping
async def test_a_hint_is_followed_when_the_database_answers_again() -> None:
    process = Process()
    hear, _ = await process.starts()
    process.outages = 1
    hint = Hint(game="a", sender=OTHER)
    hear(hint)
    await asyncio.sleep(3)
    assert process.received == [hint, hint]
    await process.tasks.close()


async def test_two_hints_of_one_game_are_both_followed(process: Process) -> None:
    """Each tells something else that was drawn or pressed."""
    hear, _ = await process.starts()
    hints = [Hint(game="a", sender=OTHER, pressed=(seat,)) for seat in (0, 1)]
    for hint in hints:
        hear(hint)
    await process.rests(but=3)

    assert process.received == hints
    await process.tasks.close()


async def test_missed_hints_are_made_up_for_by_the_own_tables_that_are_not_synced(process: Process) -> None:
    here, told, there = [await process.table_in(shard) for shard in (HERE, 3, THERE)]
    process.own(HERE)
    process.own(3)
    await process.store.mark_synced(told.game, told.version)
    resting = Post(game=told.game, kind=PostKind.HAND, channel=5, message=70, drawn=RESTING, seat=0)
    await process.store.keep_post(resting)
    _, missed = await process.starts()
    missed()
    await process.rests(but=3)

    assert process.reloaded == [here.game, told.game]
    assert there.game not in process.reloaded
    assert process.received == []
    await process.tasks.close()


@leaping
async def test_it_is_looked_again_and_again_as_hints_may_be_lost() -> None:
    process = Process()
    here = await process.table_in(HERE)
    process.own(HERE)
    await process.starts()
    await asyncio.sleep(25)
    assert process.reloaded == [here.game], "what cannot be told, as its channel is shut, is no news"
    await process.sessions.call_off(here.game)
    process.sessions.forget(here.game)
    await asyncio.sleep(25)
    assert process.reloaded == [here.game] * 2
    await process.tasks.close()


async def test_what_is_known_here_is_not_looked_up(process: Process) -> None:
    here = await process.table_in(HERE)
    await process.sessions.get(here.game)
    process.own(HERE)
    _, missed = await process.starts()
    missed()
    await process.rests(but=3)
    assert process.reloaded == []

    await process.store.call_off(here.game)
    missed()
    await process.rests(but=3)
    assert process.reloaded == [here.game]
    await process.tasks.close()


async def test_a_process_whose_work_is_done_ends_and_one_that_was_given_up_with_the_reason(
    process: Process,
) -> None:
    error = LeaseLost()
    process.shards.superseded()
    process.shards.lost(error)
    assert process.ended == [None, error]
