"""Wires the parts of the sync to each other."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.sync.answer_drawings import AnswerDrawings
from bot.sync.bumping import Bumping
from bot.sync.circuit_breaker import CircuitBreaker, Knowledge
from bot.sync.direct_messages import DirectMessages
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.game_ends import GameEnds
from bot.sync.illustrator import Illustrator
from bot.sync.open_tables import OpenTables
from bot.sync.picture_cache import PictureCache
from bot.sync.presses import Presses
from bot.sync.queue import SyncQueue
from bot.sync.renderer import Renderer
from bot.sync.syncer import TableSyncer
from bot.sync.table_state import Pacing
from bot.sync.table_sync import Services
from bot.sync.threads import Threads
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """The parts that other packages use."""

    queue: SyncQueue
    tables: OpenTables
    hands: EphemeralHands
    presses: Presses
    breaker: CircuitBreaker
    dms: DirectMessages
    drawings: AnswerDrawings
    voices: Voices
    illustrator: Illustrator | None
    """`None` with PICTURES=false."""
    pictures: PictureCache
    tasks: KeyedTasks

    @classmethod
    def of(
        cls,
        client: discord.Client,
        store: Store,
        sessions: Sessions,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        knowledge: Knowledge,
        voices: Voices,
        pacing: Pacing,
        rated: RatedGames,
        pictures: bool = True,
        merge: float = 0.0,
        reply: float = 0.0,
    ) -> Sync:
        """Wire the parts.

        Without `pictures` all tables are text. `merge` is the debounce window (s) of a table's message,
        `reply` the time (s) that the computer takes to play a card.
        """

        def schedule(game: str) -> None:
            queue.schedule(game)

        cache = PictureCache()
        illustrator = Illustrator(cache)
        services = Services(
            client=client,
            store=store,
            sessions=sessions,
            presence=presence,
            tasks=tasks,
            voices=voices,
            renderer=Renderer(store, voices, illustrator, GameEnds(cache, rated, store)),
            open_hands=EphemeralHands(schedule),
            presses=Presses(),
            breaker=CircuitBreaker(knowledge, tasks, schedule),
            dms=DirectMessages(client, store, tasks, schedule),
            threads=Threads(client, sessions),
            bumping=Bumping(client, lull=pacing.lull, clock=pacing.clock),
            pacing=pacing,
            schedule=schedule,
            began=pacing.clock(),
            has_pictures=pictures,
        )
        tables = OpenTables(services)
        queue = SyncQueue(services, tables, TableSyncer(services, tables, merge=merge, reply=reply))
        return cls(
            queue=queue,
            tables=tables,
            hands=services.open_hands,
            presses=services.presses,
            breaker=services.breaker,
            dms=services.dms,
            drawings=AnswerDrawings(services, tables),
            voices=voices,
            illustrator=illustrator if pictures else None,
            pictures=cache,
            tasks=tasks,
        )

    def prepare(self) -> None:
        """Schedule the drawing of all card faces, from which pictures are composed."""
        if self.illustrator is not None:
            self.tasks.wake(("pictures",), self.illustrator.prepare)

    async def close(self) -> None:
        """Stop drawing. Unsynced tables are synced after the next start."""
        await self.hands.stop()
        self.pictures.close()
