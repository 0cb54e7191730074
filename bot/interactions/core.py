"""The running parts of the table that features are built on."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.interactions.actions import App
from bot.interactions.table_actions import TableActions
from bot.render.text.voice import Voices
from bot.standings.projection import Projection
from bot.store.opening import Opened
from bot.sync.parts import Sync
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from bot.tables.worker import Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The parts of one bot; `now` returns Discord's time (s since 1970)."""

    client: App
    database: Opened
    tasks: KeyedTasks
    voices: Voices
    worker: Worker
    sessions: Sessions
    lobbies: Lobbies
    presence: Presence
    projection: Projection
    sync: Sync
    tables: TableActions
    now: Callable[[], float]
    banned: AbstractSet[int]
    """Ids of people and servers whom the bot's owner has banned."""
