"""A player's own hand, as an answer: drawn where it was pressed, if that is private, else shown afresh.

While the answer to a press is made, the pressed message is left to it: the announcer draws around it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import discord

from bot.delivery.announcer import Announcer
from bot.delivery.open_hands import Sight
from bot.delivery.post_book import DRAFT
from bot.delivery.snapshots import latest_events, scene_of
from bot.interactions.answering import Answer
from bot.model.posts import PostKind
from bot.render.drawing import Drawing
from bot.render.messages.hand import hand_layout, past_hand_layout
from bot.store import Store
from bot.tables.sessions import Session
from engine import Card, Cards


class Panels:
    """The messages that answers draw on."""

    def __init__(self, store: Store, announcer: Announcer) -> None:
        self._store = store
        self._announcer = announcer

    async def show_hand(
        self,
        answer: Answer,
        session: Session,
        *,
        note: str | None = None,
        chosen: Cards = (),
        playing: Card | None = None,
    ) -> None:
        """Draw the hand where it was pressed, if that is private; else show it afresh."""
        interaction = answer.interaction
        game, version = session.record.game, session.game.version
        view = session.game.view(session.seat_of(answer.user))
        if await self._put_away(answer, session):
            return
        in_dm = interaction.guild_id is None
        draw = partial(
            hand_layout,
            session.record,
            view,
            self._announcer.faces,
            table_url=await self._announcer.table_url(session.record),
            events=latest_events(session),
            dm=in_dm,
            dms_closed=not in_dm and await self._store.dms_closed(answer.user),
        )
        layout = draw(chosen=chosen, playing=playing, note=note)
        plain = draw() if chosen or playing or note else layout
        message: int | None
        if answer.is_command or not is_private(interaction):
            message = await answer.show(layout)
        else:
            message = interaction.message.id if interaction.message else None
            await self.redraw(answer, game, layout, version=version, over=None if plain is layout else plain)
        if not in_dm:
            choice = view.table.deal_number if chosen else None
            sight = Sight(drawing=layout, digest=plain.digest, version=version, choice=choice)
            self._follow(answer, session, message, sight)

    def _follow(self, answer: Answer, session: Session, message: int | None, sight: Sight) -> None:
        """Let the copy on that message follow the game; without one, the newest copy is out of reach."""
        game = session.record.game
        if message is None:
            self._announcer.open_hands.close(game, answer.user)
            return
        is_new = self._announcer.open_hands.opened(game, answer.interaction, message, sight)
        if is_new or session.game.version != sight.version:
            self._announcer.announce(game)  # what has happened meanwhile has passed the copy by

    async def _put_away(self, answer: Answer, session: Session) -> bool:
        """Draw the hand by DM as it was, if its deal ended with this press: the next hand comes by itself."""
        message, game = answer.interaction.message, session.record.game
        posts = await self._announcer.posts(game)
        post = posts.on(message.id) if message is not None else None
        if post is None or post.kind is not PostKind.HAND or post.deal == session.game.table.deal_number:
            return False
        deal = scene_of(session).deal(post.deal)
        kept, discarded = deal.kept[post.seat], deal.discarded[post.seat]
        layout = past_hand_layout(session.record, deal.number, kept, discarded, self._announcer.faces)
        await self.redraw(answer, game, layout, version=session.game.version)
        return True

    @asynccontextmanager
    async def answering_on(self, interaction: discord.Interaction, game: str) -> AsyncIterator[None]:
        """While an answer is made to a press, the message that was pressed is left to the answer."""
        message = interaction.message
        if message is None:
            yield
            return
        posts, copies = await self._announcer.posts(game), self._announcer.open_hands
        try:
            with posts.reserved(message.id) as reservation, copies.reserved(game, interaction):
                yield
        finally:
            if posts.is_stale(message.id, reservation):
                self._announcer.announce(game)

    async def redraw(
        self,
        answer: Answer,
        game: str,
        drawing: Drawing,
        *,
        version: int = 0,
        over: Drawing | None = None,
    ) -> None:
        """Draw the message that was pressed, with what the game is at `version` of its log.

        `over` is what it shows apart from what was begun on it.
        """
        message, posts = answer.interaction.message, await self._announcer.posts(game)
        post = posts.on(message.id) if message is not None else None
        await answer.redraw(drawing, shown=post.drawn if post is not None else "")
        if message is not None:
            digest = drawing.digest if over is None else DRAFT + over.digest
            posts.answered(message.id, answer.interaction, version)
            await posts.drawn_by_answer(message.id, digest)


def is_private(interaction: discord.Interaction) -> bool:
    """Whether the message that was pressed is seen by nobody but the person who pressed."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)
