"""One telling of a game: every message of it brought to what the log says, each by itself.

What fails is noted and the rest is drawn all the same: a channel that cannot be written to keeps nobody
from his hand, and one closed door no other player from the table.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

import discord

from bot.delivery.discord_errors import GONE, TROUBLE, described, passes_by_itself
from bot.delivery.mentions import Caller
from bot.delivery.posts import Posts, is_old
from bot.delivery.snapshots import DealScene, GameScene
from bot.delivery.sync_hands import Hands
from bot.model.posts import Place, Post, PostKind
from bot.model.table_record import Status, TableRecord
from bot.render.messages.ending_early import called_off_layout
from bot.render.messages.lobby import lobby_layout
from bot.render.messages.result import result_layout
from bot.render.messages.show import show_layout
from bot.render.messages.table import table_layout
from bot.render.text.faces import Faces
from bot.store import SETTLED, Store
from engine import Stage

log = logging.getLogger(__name__)


class Telling:
    """Draws one game, or one lobby, and notes what could not be drawn."""

    def __init__(
        self, store: Store, posts: Posts, hands: Hands, faces: Faces, *, repost: bool, is_shut: bool
    ) -> None:
        """With `repost` the table is posted anew at the end of its channel.

        `is_shut` says that the channel refused us a moment ago, and is not to be tried.
        """
        self._store = store
        self._posts = posts
        self._faces = faces
        self._repost = repost
        self._private = hands
        self.failures: list[Exception] = []
        self.is_shut = is_shut
        """Whether the bot may not write in the table's channel."""
        self._is_held_up = False
        """Whether something is to be tried again before anything else is drawn in the table's channel."""
        self.place_is_gone = False
        """Whether the channel of the table is not there any more."""

    @property
    def may_help_to_try_again(self) -> bool:
        """Whether something failed that may pass by itself."""
        return self.is_shut or any(map(passes_by_itself, self.failures))

    async def tell_lobby(self, record: TableRecord) -> None:
        """Draw the lobby of a table that gathers, or that was closed."""
        await self._try_here(self._lobby(record))

    async def tell_game(self, scene: GameScene, caller: Caller) -> None:
        """Draw a game: what is over, the table, the hands, and whom it waits for."""
        await self._try_here(self._begun(scene))
        for number in range(1, scene.latest):
            if not self._posts.is_put_away(number):
                await self._past_deal(scene, scene.deal(number))
        if scene.record.status is Status.CANCELLED:
            await self._called_off(scene)
            return
        deal = scene.deal(scene.latest)
        table = self._posts.get(PostKind.TABLE, deal.number)
        if table is None or self._is_to_be_posted_anew(table):
            await self._try_here(self._table(scene, deal))  # first, because the hands lead to it
        await self._hands(scene, deal)
        await self._try_here(self._table(scene, deal))
        await self._try_here(self._show(scene, deal))
        if scene.table.result is not None:
            await self._try_here(self._result(scene, deal))
        await self._try_here(caller.call(scene, self._posts, self._url(scene)))

    async def tell_resting(self, scene: GameScene) -> None:
        """Say in the hands that the game rests, or put them away if it has ended meanwhile."""
        deal, is_in_play = scene.deal(scene.latest), scene.record.status is Status.PLAYING
        for post in self._posts.all(PostKind.HAND):
            if post.deal == deal.number and post.drawn != SETTLED:
                rest = (
                    self._private.rest(scene, post)
                    if is_in_play
                    else self._private.put_away(scene, deal, post)
                )
                await self._try(rest)

    async def _try(self, drawing: Coroutine[Any, Any, object]) -> bool:
        """Draw, and note what went wrong; whether nothing did."""
        try:
            await drawing
        except discord.NotFound as error:
            if error.code in GONE:
                self.place_is_gone = True
            else:
                self.failures.append(error)
            return False
        except TROUBLE as error:
            self.failures.append(error)
            return False
        return True

    async def _try_here(self, drawing: Coroutine[Any, Any, object]) -> bool:
        """Draw in the table's channel, in order: what comes after a failure that may pass waits for it.

        Nothing is tried where we have just been refused: every refusal counts for Discord.
        """
        if self.is_shut or self._is_held_up:
            drawing.close()
            return False
        failed_before = len(self.failures)
        is_drawn = await self._try(drawing)
        for error in self.failures[failed_before:]:
            if isinstance(error, discord.Forbidden):
                log.warning("a table's channel may not be written to: %s", described(self.failures.pop()))
                self.is_shut = True
            self._is_held_up = passes_by_itself(error)
        return is_drawn

    async def _lobby(self, record: TableRecord) -> None:
        layout = lobby_layout(record)
        post = self._posts.get(PostKind.LOBBY)
        if post is not None and self._repost:
            farewell = lobby_layout(record, closing="The table has moved down the channel.")
            post = await self._posts.replace(layout, farewell, post)
        else:
            post = await self._posts.draw(layout, Place(PostKind.LOBBY, record.channel))
        if record.status is Status.CANCELLED:
            await self._posts.settle(post)

    async def _begun(self, scene: GameScene) -> None:
        """The lobby says that the game has begun."""
        post = self._posts.get(PostKind.LOBBY)
        if post is not None and post.drawn != SETTLED:
            layout = lobby_layout(scene.record)
            await self._posts.settle(await self._posts.draw(layout, Place(PostKind.LOBBY, post.channel)))

    async def _past_deal(self, scene: GameScene, deal: DealScene) -> None:
        """The deal is over: its table loses its buttons, its show is told, its hands are put away."""
        table, is_told = self._posts.get(PostKind.TABLE, deal.number), True
        if table is None or table.drawn != SETTLED:
            layout = table_layout(scene.record, deal.table, deal.events, self._faces, open=False)
            place = Place(PostKind.TABLE, scene.record.channel, deal.number)
            is_told = await self._try_here(self._posts.draw(layout, place))
        is_told &= await self._try_here(self._show(scene, deal))
        for post in self._posts.all(PostKind.HAND):
            if post.deal == deal.number and post.drawn != SETTLED:
                is_told &= await self._try(self._private.put_away(scene, deal, post))
        if self._posts.is_uncertain:
            for view in scene.views:
                is_told &= await self._try(self._private.find_lost(scene, deal, view.seat))
        if is_told and (table := self._posts.get(PostKind.TABLE, deal.number)):
            await self._try(self._posts.settle(table))

    async def _called_off(self, scene: GameScene) -> None:
        """The game ended without a result: the table and the hands are put away, and it is said once."""
        for post in self._posts.all(PostKind.NUDGE):
            await self._try_here(self._posts.remove(post))
        deal = scene.deal(scene.latest)
        await self._past_deal(scene, deal)
        for view in scene.views:
            self._private.put_away_copy(scene, deal, view.seat)
        layout = called_off_layout(scene.record, scene.table)
        await self._try_here(self._posts.draw(layout, Place(PostKind.RESULT, scene.record.channel)))

    async def _table(self, scene: GameScene, deal: DealScene) -> None:
        """The table of the deal in hand."""
        record, is_over = scene.record, scene.table.result is not None
        table = scene.table if scene.table.stage is Stage.DEALING else deal.table
        layout = table_layout(
            record,
            table,
            deal.events,
            self._faces,
            open=not is_over,
            hand_behind_button=await self._behind_button(scene),
        )
        post = self._posts.get(PostKind.TABLE, deal.number)
        if post is not None and post.drawn != SETTLED and self._is_to_be_posted_anew(post):
            farewell = table_layout(record, table, deal.events, self._faces, open=False)
            post = await self._posts.replace(layout, farewell, post)
            self._repost = False
        elif post is None or post.drawn != SETTLED:
            post = await self._posts.draw(layout, Place(PostKind.TABLE, record.channel, deal.number))

    async def _show(self, scene: GameScene, deal: DealScene) -> None:
        if deal.is_shown:
            layout = show_layout(scene.record, deal.table, deal.events, self._faces)
            await self._posts.draw(layout, Place(PostKind.SHOW, scene.record.channel, deal.number))

    async def _result(self, scene: GameScene, deal: DealScene) -> None:
        layout = result_layout(scene.record, scene.table, deal.events, self._faces)
        await self._posts.draw(layout, Place(PostKind.RESULT, scene.record.channel))
        table = self._posts.get(PostKind.TABLE, deal.number)
        if table is not None:
            await self._posts.settle(table)

    async def _behind_button(self, scene: GameScene) -> tuple[str, ...]:
        """The names of those whose hand cannot come by DM."""
        behind = [
            occupant.name
            for view, occupant in zip(scene.views, scene.record.occupants, strict=True)
            if occupant.person is not None
            and self._posts.get(PostKind.HAND, scene.latest, view.seat) is None
            and await self._store.dms_closed(occupant.person)
        ]
        return tuple(behind)

    async def _hands(self, scene: GameScene, deal: DealScene) -> None:
        """Every private hand, but of those who cannot be written to."""
        for view in scene.views:
            await self._try(self._private.follow(scene, deal, view, self._url(scene)))
            await self._try(self._private.draw(scene, deal, view, self._url(scene)))

    def _is_to_be_posted_anew(self, table: Post) -> bool:
        return self._repost or is_old(table)

    def _url(self, scene: GameScene) -> str | None:
        return table_url(scene.record, self._posts)


def table_url(record: TableRecord, posts: Posts) -> str | None:
    """Where the table's newest message stands."""
    tables = posts.all(PostKind.TABLE)
    if not tables:
        return None
    post = max(tables, key=lambda each: each.deal)
    return f"https://discord.com/channels/{record.guild or '@me'}/{post.channel}/{post.message}"


def noted(game: str, failures: list[Exception]) -> None:
    """Write into the log what could not be drawn."""
    for error in failures:
        log.warning("a message of %s could not be drawn: %s", game, described(error))
