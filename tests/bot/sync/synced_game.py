"""A game with its sync, on a wall in place of Discord."""

from __future__ import annotations

import asyncio
import time
from typing import Self

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.posts import Posts
from bot.sync.table_state import Pacing
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from tests.bot.answered import drawn
from tests.bot.seating import ADA, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import NothingIsShut, Wall
from tests.patience import PATIENCE


class SyncedGame:
    """A game with its sync."""

    def __init__(
        self, store: Store, sessions: Sessions, game: str, wall: Wall, *, pictures: bool = False
    ) -> None:
        self.store, self.sessions, self.wall, self.game = store, sessions, wall, game
        self.tasks, self.knowledge, self.presence = KeyedTasks(), NothingIsShut(), Presence()
        self.now = 0.0
        """Time of `Pacing.clock` (s)."""
        unrated = stand_in(RatedGames)
        unrated.changes.return_value = ()
        self.sync = Sync.of(
            wall.client(),
            store,
            sessions,
            self.presence,
            self.tasks,
            lobbies=Lobbies(store, sessions, now=time.time),
            knowledge=self.knowledge,
            voices=Voices(),
            pacing=Pacing(clock=lambda: self.now, ring_after=180.0, mention_after=60.0, lull=60.0),
            rated=unrated,
            pictures=pictures,
        )

    @classmethod
    async def begun(cls, agreement: Agreement | None = None, *, pictures: bool = False) -> Self:
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store, agreement)
        return cls(store, sessions, session.record.game, Wall(), pictures=pictures)

    def fallen(self, *, is_interrupted: bool = True) -> SyncedGame:
        """The same game in a new process, after a fall in the midst of a sync."""
        risen = SyncedGame(self.store, self.sessions, self.game, self.wall)
        if is_interrupted:
            risen.sync.queue.expect_unacknowledged_sends([self.game])
        return risen

    async def sync_once(self) -> bool:
        """Sync the game once; false if a retry is needed, which is left to the test."""
        queue = self.sync.queue
        queue.schedule(self.game)
        async with asyncio.timeout(PATIENCE):
            while queue.backlog.syncing:  # noqa: ASYNC110 -- what is waited for has no event
                await asyncio.sleep(0)
        is_retried = bool(queue.backlog.retried)
        self.tasks.stop(("sync", self.game))
        return not is_retried

    async def sync_until_done(self) -> None:
        """Sync it as often as it is needed: what Discord may have taken is drawn once more."""
        for _ in range(5):
            if await self.sync_once():
                return
        raise AssertionError("it is retried without end")

    async def sync_with_copies(self) -> None:
        """Sync it, and wait until all hands at the table are drawn."""
        assert await self.sync_once()
        await drawn(self.sync.hands)

    async def play_a_deal(self) -> None:
        session = await self.sessions.get(self.game)
        deal = session.game.table.deal_number
        while session.game.table.deal_number == deal and not session.game.is_over:
            seat = session.game.table.waiting_for[0]
            move = session.game.legal_moves(seat).moves[0]
            user = session.record.occupants[seat].user or 0
            await self.sessions.move(self.game, user, lambda _, move=move: move)

    async def move_once(self) -> int:
        """Move for the first player in turn, and return the next user in turn."""
        session = await self.sessions.get(self.game)
        seat = session.game.table.waiting_for[0]
        user = session.record.occupants[seat].user or 0
        move = session.game.legal_moves(seat).moves[0]
        session, _ = await self.sessions.move(self.game, user, lambda _: move)
        return session.record.occupants[session.game.table.waiting_for[0]].user or 0

    async def posts(self) -> Posts:
        """Its messages."""
        return await self.sync.tables.posts(self.game)

    async def hand(self) -> Post:
        """The host's message by DM."""
        seat = (await self.sessions.get(self.game)).seat_of(ADA.user)
        post = (await self.posts()).get(PostKind.HAND, seat=seat)
        assert post is not None
        return post

    async def table(self, deal: int = 1) -> Post:
        """The message of that deal in the channel."""
        post = (await self.posts()).get(PostKind.TABLE, deal)
        assert post is not None
        return post
