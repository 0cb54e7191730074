"""Bumping: a table that has scrolled out of sight is posted again at the end of its channel.

Discord tells a bot without privileged intents of no message but its own, so it is asked where the channel
ends: rarely, only when somebody has moved, and never in rapid play, which nobody wants to see jump.
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

_STANDS = timedelta(minutes=2)
"""The least time between two posts of a table, in seconds."""

_ASK_AGAIN = 30.0
"""Seconds in which Discord is asked at most once about one table."""

_IN_CHANNEL = (PostKind.LOBBY, PostKind.TABLE, PostKind.SHOW, PostKind.RESULT, PostKind.NUDGE)


class Bumping:
    """Knows which table is to be bumped."""

    def __init__(self, client: discord.Client, *, lull: float, clock: Callable[[], float]) -> None:
        """Play is rapid as long as moves are less than `lull` apart, in seconds of `clock`."""
        self._client = client
        self._lull = lull
        self._clock = clock

    async def is_to_be_bumped(self, snapshot: GameSnapshot, posts: Posts, state: TableState) -> bool:
        """True if the move that is now to be synced finds its table above other talk."""
        now, before = self._clock(), state.watched
        if before is not None and before.version == snapshot.version:
            return False
        asked = before.asked if before else None
        watched = state.watched = Watched(snapshot.version, now, asked)
        is_rapid = before is not None and now - before.moved < self._lull
        if is_rapid or snapshot.table.result or (asked is not None and now - asked < _ASK_AGAIN):
            return False
        return await self._is_below_talk(snapshot, posts, watched)

    async def _is_below_talk(self, snapshot: GameSnapshot, posts: Posts, watched: Watched) -> bool:
        table = posts.get(PostKind.TABLE, snapshot.latest)
        if table is None or DISCORD_TIME.utcnow() - snowflake_time(table.message) < _STANDS:
            return False
        watched.asked = watched.moved
        last = await self._last_message(table.channel)
        return last is not None and last > _last_of_ours(posts)

    async def _last_message(self, channel: int) -> int | None:
        """Asked of Discord: what discord.py remembers of the channel is from when the bot connected."""
        try:
            found = await self._client.fetch_channel(channel)
        except NETWORK:
            return None  # the next request to that channel meets the same trouble, and says so
        return getattr(found, "last_message_id", None)


def _last_of_ours(posts: Posts) -> int:
    return max((post.message for kind in _IN_CHANNEL for post in posts.all(kind)), default=0)
