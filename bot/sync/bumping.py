"""Bumping: a table that has scrolled out of sight is posted again at the end of its channel.

A bot without the message intent receives no events for other people's messages, so it polls the channel's
last message id: at most once in 30 s, only after a move, and never in rapid play.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import discord
from discord.utils import snowflake_time

from bot.model.posts import PostKind
from bot.sync.discord_errors import NETWORK
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.posts import Posts
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import TableState, Watched

_MIN_AGE = timedelta(minutes=2)
"""Shortest time between two posts of one table."""

_POLL = 30.0
"""Shortest time (s) between two polls of one table's channel."""

_IN_CHANNEL = (PostKind.LOBBY, PostKind.TABLE, PostKind.RESULT, PostKind.NUDGE)


class Bumping:
    """Decides whether a sync bumps its table."""

    def __init__(self, client: discord.Client, *, lull: float, clock: Callable[[], float]) -> None:
        """Play is rapid while moves are less than `lull` (s) apart; `clock` counts seconds."""
        self._client = client
        self._lull = lull
        self._clock = clock

    async def is_to_be_bumped(self, snapshot: GameSnapshot, posts: Posts, state: TableState) -> bool:
        """True if the table has moved since the last sync, and other messages follow it in its channel."""
        now, before = self._clock(), state.watched
        if before is not None and before.version == snapshot.version:
            return False
        polled_at = before.polled_at if before else None
        watched = state.watched = Watched(snapshot.version, now, polled_at)
        is_rapid = before is not None and now - before.moved_at < self._lull
        if is_rapid or snapshot.table.result or (polled_at is not None and now - polled_at < _POLL):
            return False
        return await self._is_out_of_sight(snapshot, posts, watched)

    async def _is_out_of_sight(self, snapshot: GameSnapshot, posts: Posts, watched: Watched) -> bool:
        table = posts.get(PostKind.TABLE, snapshot.latest)
        if table is None or DISCORD_TIME.utcnow() - snowflake_time(table.message) < _MIN_AGE:
            return False
        watched.polled_at = watched.moved_at
        last = await self._last_message(table.channel)
        return last is not None and last > _last_of_ours(posts)

    async def _last_message(self, channel: int) -> int | None:
        """The id of the channel's last message, by a request: discord.py caches it only on connecting."""
        try:
            found = await self._client.fetch_channel(channel)
        except NETWORK:
            return None  # the sync's own request to the channel fails too, and handles it
        return getattr(found, "last_message_id", None)


def _last_of_ours(posts: Posts) -> int:
    return max((post.message for kind in _IN_CHANNEL for post in posts.all(kind)), default=0)
