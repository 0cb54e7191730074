"""The private hands of one game, as one telling draws them: each to its player alone, by DM.

All raise `discord.HTTPException` when Discord will not have them, but for a closed door, which is remembered.
"""

from __future__ import annotations

import discord

from bot.delivery.discord_errors import CLOSED_DMS
from bot.delivery.open_hands import OpenHands, sight_of
from bot.delivery.post_book import DRAFT
from bot.delivery.posts import Posts, is_old
from bot.delivery.snapshots import DealScene, GameScene
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.render.messages.ending_early import resting_layout
from bot.render.messages.hand import hand_layout, past_hand_layout
from bot.render.text.faces import Faces
from bot.store import Store
from engine import PlayerView, Seat, Stage


class Hands:
    """Draws hands."""

    def __init__(
        self, client: discord.Client, store: Store, posts: Posts, copies: OpenHands, faces: Faces
    ) -> None:
        self._client = client
        self._store = store
        self._posts = posts
        self._copies = copies
        self._faces = faces

    async def rest(self, scene: GameScene, post: Post) -> None:
        """Say in a hand that the game rests."""
        try:
            await self._posts.rest(resting_layout(scene.record), post)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            # Without a common server he may be out of reach; a press still tells him why.

    async def put_away(self, scene: GameScene, deal: DealScene, post: Post) -> None:
        """Let a hand show what it was, without a button: its deal is over."""
        kept, discarded = deal.kept[post.seat], deal.discarded[post.seat]
        layout = past_hand_layout(scene.record, deal.number, kept, discarded, self._faces)
        try:
            drawn = await self._posts.draw(layout, Place(PostKind.HAND, post.channel, post.deal, post.seat))
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            self._posts.excuse(post)
            drawn = post  # nobody can change it now, and it holds nothing that can be pressed to harm
        await self._posts.settle(drawn)

    async def find_lost(self, scene: GameScene, deal: DealScene, seat: Seat) -> None:
        """Put a hand away that the bot posted and then fell, before it knew: its nonce finds it."""
        occupant = scene.record.occupants[seat]
        user = occupant.person
        if user is None or occupant.is_forgotten:
            return
        if self._posts.get(PostKind.HAND, deal.number, seat) or not deal.kept[seat]:
            return
        if await self._store.dms_closed(user):
            return
        place = Place(PostKind.HAND, await self._dm_channel(seat, user), deal.number, seat)
        layout = past_hand_layout(
            scene.record, deal.number, deal.kept[seat], deal.discarded[seat], self._faces
        )
        try:
            post = await self._posts.draw(layout, place)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            await self._store.set_dms_closed(user, closed=True)
            return
        await self.put_away(scene, deal, post)

    async def draw(self, scene: GameScene, deal: DealScene, view: PlayerView, table_url: str | None) -> None:
        """The hand of the deal that is played, for its player."""
        occupant = scene.record.occupants[view.seat]
        post, user = self._posts.get(PostKind.HAND, scene.latest, view.seat), occupant.user
        if user is None or occupant.is_forgotten or (post is None and occupant.person is None):
            return  # the computer reads no messages, and for whom it plays is not looking
        is_past = scene.table.result is not None and not self._posts.is_uncertain
        if post is None and (is_past or await self._store.dms_closed(user)):
            return
        if post is not None and self._posts.is_ahead(post, scene.version):
            return
        if post is not None and post.drawn.startswith(DRAFT) and _is_choosing(view):
            return  # what he has chosen so far must stay there while others discard
        layout = hand_layout(
            scene.record, view, self._faces, table_url=table_url, events=deal.events, dm=True
        )
        try:
            channel = post.channel if post else await self._dm_channel(view.seat, user)
            await self._draw_on(layout, Place(PostKind.HAND, channel, scene.latest, view.seat), post)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            if post is not None:
                self._posts.excuse(post)
            await self._store.set_dms_closed(user, closed=True)

    async def follow(
        self, scene: GameScene, deal: DealScene, view: PlayerView, table_url: str | None
    ) -> None:
        """The copy of a hand that its player has opened at the table, if it can still be drawn on."""
        game, user = scene.record.game, scene.record.occupants[view.seat].user
        if user is None or not self._copies.is_open(game, user):
            return
        layout = hand_layout(
            scene.record,
            view,
            self._faces,
            table_url=table_url,
            events=deal.events,
            dm=False,
            dms_closed=await self._store.dms_closed(user),
        )
        choosing = deal.number if _is_choosing(view) else None
        self._copies.want(game, user, sight_of(layout, scene.version, choosing=choosing))

    def put_away_copy(self, scene: GameScene, deal: DealScene, seat: Seat) -> None:
        """Let such a copy show what the hand was, without a button: the game is called off."""
        game, user = scene.record.game, scene.record.occupants[seat].user
        if user is not None and self._copies.is_open(game, user):
            kept, discarded = deal.kept[seat], deal.discarded[seat]
            layout = past_hand_layout(scene.record, deal.number, kept, discarded, self._faces)
            self._copies.want(game, user, sight_of(layout, scene.version))

    async def _draw_on(self, layout: Drawing, place: Place, post: Post | None) -> None:
        if post is not None and is_old(post):
            await self._posts.replace(layout, layout, post)
        else:
            await self._posts.draw(layout, place)

    async def _dm_channel(self, seat: Seat, user: int) -> int:
        """Where the player's hands come: as in the deals before, else asked of Discord."""
        for post in self._posts.all(PostKind.HAND):
            if post.seat == seat:
                return post.channel
        channel = await self._client.create_dm(discord.Object(user))
        return channel.id


def _is_choosing(view: PlayerView) -> bool:
    return view.table.stage is Stage.DISCARDING and not view.discarded
