"""Tells the tables: one task for each table with news, which draws until there is no more.

It draws the newest state only, so edits merge by themselves when a table moves faster than Discord allows.
What it draws follows from the log alone: after a crash or an outage the rest is told once, in order, and
nothing else remembers anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

import discord

from bot.delivery.bumping import Burials
from bot.delivery.discord_errors import described, passes_by_itself
from bot.delivery.mentions import Caller
from bot.delivery.open_hands import OpenHands
from bot.delivery.posts import Posts
from bot.delivery.snapshots import GameScene, scene_of
from bot.delivery.sync import Telling, noted, table_url
from bot.delivery.sync_hands import Hands
from bot.model.errors import BotError
from bot.model.table_record import Status, TableRecord
from bot.render.text.faces import Faces
from bot.store import Store
from bot.tables.sessions import Session
from engine import EngineError

log = logging.getLogger(__name__)

_RETRY_FIRST, _RETRY_LAST = 1.0, 15.0
"""Seconds between attempts when Discord or the store fails: doubled from the first to the last."""

_SHUT = 15.0
"""Seconds for which a channel is not tried again that the bot may not write to."""


class Announcer:
    """Keeps every table's messages up to date."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        load: Callable[[str], Awaitable[Session]],
        forget: Callable[[str], None],
        close_table: Callable[[TableRecord], Awaitable[None]],
        *,
        record: Callable[[str], Awaitable[TableRecord]],
        caller: Caller,
        burials: Burials,
        rests: Callable[[TableRecord], bool],
    ) -> None:
        """`load` gives the session of a game; `forget` is told when nothing of it is left to tell.

        `record` gives the address card of any table; `close_table` ends one whose channel is gone. Of a
        table that `rests` only hands are drawn.
        """
        self._close_table = close_table
        self.faces = Faces()
        self.open_hands = OpenHands()
        self._record = record
        self._client = client
        self._store = store
        self._load = load
        self._forget = forget
        self._caller = caller
        self._burials = burials
        self._rests = rests
        self._posts: dict[str, Posts] = {}
        self._shut_until: dict[str, float] = {}
        self._news: dict[str, asyncio.Event] = {}
        self._reposts: set[str] = set()
        self._doubtful: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def announce(self, game: str) -> None:
        """There is news at that table. Only queues."""
        if self._is_closed:
            return
        self._news.setdefault(game, asyncio.Event()).set()
        if game not in self._tasks:
            self._tasks[game] = asyncio.create_task(self._tell(game), name=f"tell {game}")

    def doubt(self, games: Iterable[str]) -> None:
        """Messages of these may stand that we know nothing of: they were still to be told of at the start."""
        self._doubtful.update(games)

    def repost(self, game: str) -> None:
        """Post the table anew at the end of its channel. Only queues."""
        self._reposts.add(game)
        self.announce(game)

    def saw(self, game: str, user: int) -> None:
        """That person has just moved at that table, and need not be called."""
        self._caller.saw(game, user)

    def remind(self, game: str, due: int) -> None:
        """Call whoever is waited for: at `due`, in seconds since 1970, the clock moves. Only queues."""
        self._caller.remind(game, due)
        self.announce(game)

    async def posts(self, game: str) -> Posts:
        """The messages of a game."""
        if game not in self._posts:
            standing = await self._store.posts(game)
            posts = Posts(game, self._client, self._store, standing, uncertain=game in self._doubtful)
            self._posts.setdefault(game, posts)
        return self._posts[game]

    async def table_url(self, record: TableRecord) -> str | None:
        """Where the table's message stands."""
        return table_url(record, await self.posts(record.game))

    async def close(self) -> None:
        """Stop telling. What was not told is told at the next start."""
        self._is_closed = True
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.open_hands.stop()

    async def _tell(self, game: str) -> None:
        """Draw until there is no more news; nothing is awaited between seeing that and being done."""
        pause = _RETRY_FIRST
        news = self._news[game]
        try:
            while news.is_set():
                news.clear()
                if await self._is_told(game):
                    pause = _RETRY_FIRST
                    continue
                try:
                    async with asyncio.timeout(pause):
                        await news.wait()
                except TimeoutError:
                    news.set()
                    pause = min(2 * pause, _RETRY_LAST)
        finally:
            self._news.pop(game, None)
            self._tasks.pop(game, None)

    async def _is_told(self, game: str) -> bool:
        """Bring the table up to date; false when something failed that may not fail the next time."""
        try:
            return await self._bring_up_to_date(game)
        except EngineError:
            log.exception("the log of %s cannot be told", game)
        except BotError as error:
            log.warning("%s is told later: %s", game, described(error))
            return False
        return True

    async def _bring_up_to_date(self, game: str) -> bool:
        record = await self._record(game)
        posts = await self.posts(game)
        repost = game in self._reposts
        self._reposts.discard(game)
        now = asyncio.get_running_loop().time()
        is_shut = now < self._shut_until.get(game, 0.0)
        is_lobby = record.status is Status.GATHERING or not record.version
        scene = None if is_lobby else scene_of(await self._load(game))
        if self._rests(record):
            return await self._tell_resting(scene, posts)
        repost |= posts.are_resting
        if scene is not None and not is_shut:
            repost |= await self._burials.is_buried(scene, posts)
        telling = self._telling(posts, repost=repost, is_shut=is_shut)
        if scene is None:
            await telling.tell_lobby(record)
        else:
            await telling.tell_game(scene, self._caller)
        version = scene.version if scene else 0
        noted(game, telling.failures)
        if telling.is_shut and not is_shut:
            self._shut_until[game] = now + _SHUT
        if telling.place_is_gone and record.status in {Status.GATHERING, Status.PLAYING}:
            await self._close_table(record)
            return True
        if telling.failures or telling.is_shut:
            if repost:
                self._reposts.add(game)
            return not telling.may_help_to_try_again
        return await self._all_told(record, posts, version)

    async def _tell_resting(self, scene: GameScene | None, posts: Posts) -> bool:
        """Say in the hands that the game rests. The table's own messages are told when the bot is back."""
        if scene is None:
            return True
        if scene.record.status is not Status.PLAYING:
            self.open_hands.forget(scene.record.game)
        telling = self._telling(posts, repost=False, is_shut=True)
        await telling.tell_resting(scene)
        noted(scene.record.game, telling.failures)
        return not any(map(passes_by_itself, telling.failures))

    def _telling(self, posts: Posts, *, repost: bool, is_shut: bool) -> Telling:
        hands = Hands(self._client, self._store, posts, self.open_hands, self.faces)
        return Telling(self._store, posts, hands, self.faces, repost=repost, is_shut=is_shut)

    async def _all_told(self, record: TableRecord, posts: Posts, version: int) -> bool:
        """Everything is drawn; false when a drawing is uncertain and must be made once more."""
        if not posts.is_up_to_date:
            return False  # after a pause: what cannot be drawn must not be tried without end
        posts.nothing_is_uncertain()
        if version:
            await posts.told(version)
        if record.status in {Status.OVER, Status.CANCELLED} and not self._news[record.game].is_set():
            self._posts.pop(record.game, None)
            self.open_hands.forget(record.game)
            self._shut_until.pop(record.game, None)
            self._doubtful.discard(record.game)
            self._forget(record.game)
        return True

    async def is_last(self, record: TableRecord) -> bool:
        """Whether the table's message, or a later one of ours, ends its channel."""
        return await self._burials.is_last(record.channel, await self.posts(record.game))
