"""Tells the table: keeps its messages, and each player's private hand, as the log says they should be.

One task for each table with news. It draws the newest table only, so edits merge by themselves when a
table moves faster than Discord allows. What it draws follows from the log alone: after a crash or an
outage the rest is told once, in order, and nothing else remembers anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.errors import StoreUnavailable
from bot.posts import Posts
from bot.records import Post, PostKind, Status, TableRecord
from bot.render.faces import Faces
from bot.render.hand import hand_layout, past_hand_layout
from bot.render.lobby import lobby_layout
from bot.render.nudge import nudge
from bot.render.partings import called_off_layout
from bot.render.result import result_layout
from bot.render.show import show_layout
from bot.render.table import table_layout
from bot.scenes import DealScene, GameScene, scene_of
from bot.sessions import Session
from bot.store import SETTLED, Store
from engine import EngineError, PlayerView, Seat, Stage

log = logging.getLogger(__name__)

CLOSED_DMS = frozenset({50007, 50278})
"""Discord's codes for a person who cannot be written to."""

_RETRY_FIRST, _RETRY_LAST = 2.0, 60.0
"""Seconds between attempts when Discord or the store fails: doubled from the first to the last."""


class Announcer:
    """Keeps every table's messages up to date."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        load: Callable[[str], Awaitable[Session]],
        *,
        mention_after: float,
        clock: Callable[[], float],
    ) -> None:
        """`mention_after` is in seconds of `clock`: who has not acted for so long is mentioned."""
        self.faces = Faces()
        self._client = client
        self._store = store
        self._load = load
        self._mention_after = mention_after
        self._clock = clock
        self._began = clock()
        self._acted: dict[int, float] = {}
        self._posts: dict[str, Posts] = {}
        self._news: set[str] = set()
        self._reposts: set[str] = set()
        self._reminders: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def announce(self, game: str) -> None:
        """There is news at that table. Only queues."""
        self._news.add(game)
        if game not in self._tasks:
            self._tasks[game] = asyncio.create_task(self._tell(game), name=f"tell {game}")

    def repost(self, game: str) -> None:
        """Post the table anew at the end of its channel. Only queues."""
        self._reposts.add(game)
        self.announce(game)

    def saw(self, user: int) -> None:
        """That person has just acted, and need not be called."""
        self._acted[user] = self._clock()

    def remind(self, game: str, due: int) -> None:
        """Call whoever is waited for: at `due`, in seconds since 1970, the clock moves. Only queues."""
        self._reminders[game] = due
        self.announce(game)

    async def posts(self, game: str) -> Posts:
        """The messages of a game."""
        if game not in self._posts:
            standing = await self._store.posts(game)
            self._posts.setdefault(game, Posts(game, self._client, self._store, standing))
        return self._posts[game]

    async def table_url(self, record: TableRecord) -> str | None:
        """Where the table's message stands."""
        posts = await self.posts(record.game)
        tables = posts.all(PostKind.TABLE)
        return _url(record, max(tables, key=lambda post: post.deal)) if tables else None

    async def close(self) -> None:
        """Stop telling. What was not told is told at the next start."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _tell(self, game: str) -> None:
        """Draw until there is no more news; nothing is awaited between seeing that and being done."""
        pause = _RETRY_FIRST
        try:
            while game in self._news:
                self._news.discard(game)
                if await self._is_told(game):
                    pause = _RETRY_FIRST
                    continue
                self._news.add(game)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _RETRY_LAST)
        finally:
            self._tasks.pop(game, None)

    async def _is_told(self, game: str) -> bool:
        """Bring the table up to date; false when Discord or the store failed, and may not the next time."""
        try:
            await self._bring_up_to_date(game)
        except EngineError:
            log.exception("the log of %s cannot be told", game)
        except discord.Forbidden as error:
            log.warning("the table of %s may not be drawn until permissions change: %s", game, error.code)
        except discord.NotFound as error:
            log.warning("the place of %s is gone: %s", game, error.code)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreUnavailable) as error:
            log.warning("%s is told later: %s", game, type(error).__name__)
            return False
        return True

    async def _bring_up_to_date(self, game: str) -> None:
        record = await self._store.table(game)
        posts = await self.posts(game)
        match record.status:
            case Status.GATHERING:
                await self._draw_lobby(record, posts)
            case Status.CANCELLED if not record.version:
                await self._draw_lobby(record, posts)
            case _:
                scene = scene_of(await self._load(game))
                await self._draw_game(scene, posts)
                await self._store.told(game, scene.version)

    async def _draw_lobby(self, record: TableRecord, posts: Posts) -> None:
        layout = lobby_layout(record)
        post = posts.get(PostKind.LOBBY)
        if post is not None and record.game in self._reposts:
            self._reposts.discard(record.game)
            farewell = lobby_layout(record, closing="The table has moved down the channel.")
            post = await posts.replace(layout, farewell, post)
        else:
            post = await posts.draw(layout, kind=PostKind.LOBBY, channel=record.channel)
        if record.status is Status.CANCELLED:
            await posts.settle(post)

    async def _draw_game(self, scene: GameScene, posts: Posts) -> None:
        lobby = posts.get(PostKind.LOBBY)
        if lobby is not None and lobby.drawn != SETTLED:
            drawn = await posts.draw(lobby_layout(scene.record), kind=PostKind.LOBBY, channel=lobby.channel)
            await posts.settle(drawn)
        for number in range(1, scene.latest):
            table = posts.get(PostKind.TABLE, number)
            if table is None or table.drawn != SETTLED:
                await self._draw_past_deal(scene, scene.deal(number), posts)
        if scene.record.status is Status.CANCELLED:
            await self._draw_called_off(scene, posts)
            return
        await self._draw_latest_deal(scene, posts)
        await self._draw_nudges(scene, posts)

    async def _draw_called_off(self, scene: GameScene, posts: Posts) -> None:
        """The game ended without a result: the table and the hands are put away, and it is said once."""
        for post in posts.all(PostKind.NUDGE):
            await posts.remove(post)
        await self._draw_past_deal(scene, scene.deal(scene.latest), posts)
        layout = called_off_layout(scene.record, scene.table)
        await posts.draw(layout, kind=PostKind.RESULT, channel=scene.record.channel)

    async def _draw_past_deal(self, scene: GameScene, deal: DealScene, posts: Posts) -> None:
        """The deal is over: its table loses its buttons, its show is told, its hands are put away."""
        record = scene.record
        table = table_layout(record, deal.table, deal.events, self.faces, open=False)
        kept = await posts.draw(table, kind=PostKind.TABLE, channel=record.channel, deal=deal.number)
        await self._draw_show(scene, deal, posts)
        for post in posts.all(PostKind.HAND):
            if post.deal == deal.number and post.drawn != SETTLED:
                hand, gone = deal.kept[post.seat], deal.laid_away[post.seat]
                layout = past_hand_layout(record, deal.number, hand, gone, self.faces)
                await self._edit_hand(post, layout, posts)
        await posts.settle(kept)

    async def _draw_latest_deal(self, scene: GameScene, posts: Posts) -> None:
        """A new table is posted before the hands, which lead to it; later the hands go first."""
        record, deal = scene.record, scene.deal(scene.latest)
        if posts.get(PostKind.TABLE, deal.number) is None:
            await self._draw_table(scene, deal, posts, await self._behind_button(scene, posts))
        await self._draw_hands(scene, deal, posts)
        post = await self._draw_table(scene, deal, posts, await self._behind_button(scene, posts))
        await self._draw_show(scene, deal, posts)
        if scene.table.result is not None:
            result = result_layout(record, scene.table, deal.events, self.faces)
            await posts.draw(result, kind=PostKind.RESULT, channel=record.channel)
            await posts.settle(post)

    async def _draw_table(
        self, scene: GameScene, deal: DealScene, posts: Posts, behind: tuple[str, ...]
    ) -> Post:
        record = scene.record
        table = scene.table if scene.table.stage is Stage.DEALING else deal.table
        is_open = scene.table.result is None
        layout = table_layout(record, table, deal.events, self.faces, open=is_open, hand_behind_button=behind)
        old = posts.get(PostKind.TABLE, deal.number)
        if old is None or record.game not in self._reposts:
            self._reposts.discard(record.game)
            return await posts.draw(layout, kind=PostKind.TABLE, channel=record.channel, deal=deal.number)
        farewell = table_layout(record, table, deal.events, self.faces, open=False)
        post = await posts.replace(layout, farewell, old)
        self._reposts.discard(record.game)
        return post

    async def _draw_show(self, scene: GameScene, deal: DealScene, posts: Posts) -> None:
        if deal.is_shown:
            layout = show_layout(scene.record, deal.table, deal.events, self.faces)
            await posts.draw(layout, kind=PostKind.SHOW, channel=scene.record.channel, deal=deal.number)

    async def _behind_button(self, scene: GameScene, posts: Posts) -> tuple[str, ...]:
        """The names of those whose hand cannot come by DM."""
        behind = [
            occupant.name
            for view, occupant in zip(scene.views, scene.record.occupants, strict=True)
            if posts.get(PostKind.HAND, scene.latest, view.seat) is None
            and await self._store.dms_closed(occupant.user)
        ]
        return tuple(behind)

    async def _draw_hands(self, scene: GameScene, deal: DealScene, posts: Posts) -> None:
        """Bring every private hand up to date, but for those who cannot be written to."""
        url = await self.table_url(scene.record)
        for view, occupant in zip(scene.views, scene.record.occupants, strict=True):
            post = posts.get(PostKind.HAND, scene.latest, view.seat)
            if post is None and (scene.table.result or await self._store.dms_closed(occupant.user)):
                continue
            if post is not None and post.drawn and _is_choosing(view):
                continue
            layout = hand_layout(scene.record, view, self.faces, table_url=url, events=deal.events, dm=True)
            try:
                channel = post.channel if post else await self._dm_channel(occupant.user)
                await posts.draw(
                    layout, kind=PostKind.HAND, channel=channel, deal=scene.latest, seat=view.seat
                )
            except discord.Forbidden as error:
                if error.code not in CLOSED_DMS:
                    raise
                await self._store.set_dms_closed(occupant.user, closed=True)

    async def _edit_hand(self, post: Post, layout: discord.ui.LayoutView, posts: Posts) -> None:
        try:
            drawn = await posts.draw(
                layout, kind=PostKind.HAND, channel=post.channel, deal=post.deal, seat=post.seat
            )
            await posts.settle(drawn)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            await posts.settle(post)

    async def _dm_channel(self, user: int) -> int:
        channel = await self._client.create_dm(discord.Object(user))
        return channel.id

    async def _draw_nudges(self, scene: GameScene, posts: Posts) -> None:
        """Call a player who is waited for and has not just been playing; take back old calls.

        A reminder of the clock calls everybody who is waited for, and once more who was called.
        """
        waiting = scene.table.waiting_for
        due = self._reminders.pop(scene.record.game, None)
        for post in posts.all(PostKind.NUDGE):
            if due is not None or post.seat not in waiting or post.deal != scene.latest:
                await posts.remove(post)
        for seat in waiting:
            user = scene.record.occupants[seat].user
            if due is None and not self._is_to_be_called(scene, seat, user, posts):
                continue
            url = await self.table_url(scene.record)
            await posts.say(
                nudge(user, scene.table, scene.record, url, due=due),
                user,
                kind=PostKind.NUDGE,
                channel=scene.record.channel,
                deal=scene.latest,
                seat=seat,
            )

    def _is_to_be_called(self, scene: GameScene, seat: Seat, user: int, posts: Posts) -> bool:
        idle = self._clock() - self._acted.get(user, self._began)
        if idle < self._mention_after or posts.get(PostKind.NUDGE, scene.latest, seat):
            return False
        # A new hand that has come by DM calls a player just as well.
        has_new_hand = posts.get(PostKind.HAND, scene.latest, seat) is not None
        return not (scene.table.stage is Stage.LAYING_AWAY and has_new_hand)


def _is_choosing(view: PlayerView) -> bool:
    """Whether the player has still to lay away: what he has chosen in his hand's message must stay there."""
    return view.table.stage is Stage.LAYING_AWAY and not view.laid_away


def _url(record: TableRecord, post: Post) -> str:
    return f"https://discord.com/channels/{record.guild or '@me'}/{post.channel}/{post.message}"
