"""Tables in memory: the state of each table in play, and the messages of every game that is in use.

A state is evicted once its game has ended and its messages are in sync. A later press there, to review the
game, say, reads the game's messages again, and holds them while it is answered. Those of the games that ended
last are kept: if the end is lost with the database, they are drawn again.
"""

from __future__ import annotations

from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.concurrency.loop_time import loop_time
from bot.model.posts import Post, PostKind
from bot.model.table_record import OPEN, Status, TableRecord
from bot.render.messages.by_dm import at_the_table_drawing
from bot.sync.plan import table_url
from bot.sync.posts import Posts
from bot.sync.table_state import TableState
from bot.sync.table_sync import Services

_ENDED = 200
"""Limit of games whose messages are kept after their end."""

_KEPT = 600.0
"""Time (s) for which they are kept: an older copy of the database may bring the game back."""


class OpenTables:
    """States and messages, by game."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._states: dict[str, TableState] = {}
        self._posts: WeakValueDictionary[str, Posts] = WeakValueDictionary()
        """The messages in use; a state holds those of its game."""
        self._ended: TTLCache[str, Posts] = TTLCache(_ENDED, _KEPT, loop_time)

    def __contains__(self, game: str) -> bool:
        return game in self._states

    def get(self, game: str) -> TableState | None:
        """The table's state, if there is one."""
        return self._states.get(game)

    def state(self, game: str) -> TableState:
        """The table's state; a new one if there is none."""
        return self._states.setdefault(game, TableState())

    def put_back(self, game: str, state: TableState) -> None:
        """Restore a popped state, unless there is a new one."""
        self._states.setdefault(game, state)

    def pop(self, game: str) -> TableState | None:
        """Drop the table's state, and return it."""
        state = self._states.pop(game, None)
        if state is not None and state.posts is not None:
            self._ended[game] = state.posts
        return state

    def forget_ended(self) -> None:
        """Forget the messages of games that ended some minutes ago."""
        self._ended.expire()

    def drop_posts(self, game: str) -> None:
        """Drop the table's messages; the next sync reads them from the store. Holders keep theirs."""
        self._ended.pop(game, None)
        self._posts.pop(game, None)

    def posts_in_use(self, game: str) -> Posts | None:
        """The game's messages, if they are in use."""
        return self._posts.get(game)

    async def posts(self, game: str) -> Posts:
        """The game's messages. Raises `NoSuchGame` and `StoreUnavailable`."""
        posts = self._posts.get(game)
        if posts is not None and not await self._may_be_outdated(game):
            return posts
        standing = await self._services.store.posts(game)
        record = await self._services.sessions.record(game)
        posts, is_elsewhere = self._posts.get(game), self._services.presence.is_elsewhere(record)
        if posts is None or (is_elsewhere and not self._services.answers[game]):
            state = self._states.get(game)
            posts = Posts(
                game,
                self._services.client,
                self._services.store,
                standing,
                ways=self._services.ways,
                has_unacknowledged_sends=is_elsewhere
                or (state is not None and state.has_unacknowledged_sends),
                silent=record.is_in_dm,  # every message there follows a press of its one person
                presses=self._services.presses if record.is_anywhere else None,
            )
            self._posts[game] = posts
            if not is_elsewhere:
                await self._find_who_plays_at_the_table(record, standing)
        if record.status in OPEN and not is_elsewhere:
            self.state(game).posts = posts
        return posts

    async def record(self, game: str) -> TableRecord:
        """The game's record. Raises `NoSuchGame` and `StoreUnavailable`."""
        return await self._services.sessions.record(game)

    async def url(self, record: TableRecord) -> str | None:
        """The URL of the table's message. Raises `NoSuchGame` and `StoreUnavailable`."""
        posts = await self.posts(record.game)
        return table_url(record, posts.standing_by_key)

    async def _may_be_outdated(self, game: str) -> bool:
        """True if another process owns the table, and may have drawn since the messages were read."""
        if self._services.answers[game]:
            return False
        return self._services.presence.is_elsewhere(await self._services.sessions.record(game))

    async def _find_who_plays_at_the_table(self, record: TableRecord, standing: tuple[Post, ...]) -> None:
        """Restore after a restart which players play at the table, from the digests of their messages by DM.

        A digest can be outdated: such a player's message by DM says that they play at the table, and has a
        button that brings the hand back.
        """
        for post in standing:
            user = record.occupants[post.seat].user if 0 <= post.seat < len(record.occupants) else None
            if post.kind is not PostKind.HAND or user is None or record.status is not Status.PLAYING:
                continue
            language = (await self._services.store.preferences(user)).language or record.language
            if post.drawn == at_the_table_drawing(record, self._services.voices.of(language)).digest:
                self._services.open_hands.found_at_the_table(record.game, user)
