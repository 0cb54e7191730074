"""A player's own hand, as an answer: drawn where it was pressed, if that is private, else shown afresh.

While the answer to a press is made, the pressed message is left to it: the sync draws around it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import discord

from bot.concurrency.keyed_locks import KeyedLocks
from bot.interactions.answering import Answer
from bot.model.posts import PostKind
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.hand import Asked, hand_drawing, promised_hand_drawing
from bot.render.messages.own_table import Begun
from bot.store import Store
from bot.sync.live_message import Shown, may_have_arrived
from bot.sync.parts import Sync
from bot.sync.snapshots import latest_events
from bot.tables.sessions import Session

_UNKNOWN_MESSAGE = 10008
"""Discord's code for a message that is gone."""


class HandPanel:
    """The messages that answers draw on."""

    def __init__(self, store: Store, sync: Sync) -> None:
        self._store = store
        self._sync = sync
        self._taps = KeyedLocks()

    @asynccontextmanager
    async def one_tap_at_a_time(self, answer: Answer, game: str) -> AsyncIterator[None]:
        """Of one player's quick taps each is answered before the next is looked at.

        So what is drawn last is what was tapped last: answers that are under way at once may overtake each
        other on their way to Discord.
        """
        async with self._taps.lock(f"{game}:{answer.user}"):
            yield

    async def show_hand(
        self,
        answer: Answer,
        session: Session,
        *,
        note: str | None = None,
        asked: Asked | None = None,
    ) -> None:
        """Draw the hand where it was pressed, if that is private; else show it afresh.

        In the bot's DM a table has its player's hand in it, and is drawn with it. Of a game that is played
        elsewhere one message there has the hand: a command brings it down to the end of the DM. Only where
        the bot could not write, and after the last move, the answer itself shows what there is to see.
        """
        interaction = answer.interaction
        if session.record.is_in_dm and not answer.is_command and not is_private(interaction, session.record):
            await self._show_own_table(answer, session, note, asked)
            return
        version, view = session.game.version, session.game.view(session.seat_of(answer.user))
        in_dm = interaction.guild_id is None and not session.record.is_in_dm
        likes, last = await self._store.preferences(answer.user), None
        if in_dm:
            self._sync.hands.left_the_table(session.record.game, answer.user)
            if answer.is_command and not likes.dms_closed and not session.game.is_over:
                await answer.tell(answer.voice.gettext("Your hand:"))
                self._sync.queue.bring_hand_down(session.record.game, view.seat)
                return
            last = await self._sync.drawings.last_deal(session, view.seat, answer.voice)
        table_url = await self._sync.tables.url(session.record)
        draw = partial(
            session.hands.draw,
            session.record,
            view,
            answer.voice,
            table_url=table_url,
            events=latest_events(session),
            chosen=(chosen := session.choices.get(view.seat, ())),
            likes=likes,
            last=last,
            dm=in_dm,
        )
        plain = draw()
        drawing = (
            hand_drawing(*draw.args, **draw.keywords, note=note, asked=asked) if note or asked else plain
        )
        # While a player chooses, nothing is drawn over the choice: every tap is answered with it.
        draft = view.table.deal_number if chosen or asked or note else None
        shown = Shown.under(drawing, plain, version=version, draft=draft)
        message: int | None
        if answer.is_command or not is_private(interaction, session.record):
            message = await answer.show(drawing)
        else:
            message = interaction.message.id if interaction.message else None
            await self._redraw(answer, session.record.game, drawing, shown)
        if not in_dm:
            self._follow(answer, session, message, shown)

    async def open_with_hand(self, answer: Answer, record: TableRecord) -> None:
        """Open the table of a game that begins at once, with its hand on the answer, as if opened there.

        So who plays alone against computers presses nothing before their first card, and nothing rings. The
        game begins when its first message stands, which may be before this answer or after it; without this
        answer the hand goes to their DM.
        """
        game, copies = record.game, self._sync.hands
        drawing = promised_hand_drawing(answer.voice)
        try:
            with copies.promised(game, answer.user):
                self._sync.queue.open(game)
                message = await answer.show(drawing)
                if message is not None:
                    shown = Shown(digest=drawing.digest, version=0)
                    copies.opened(game, answer.interaction, message, shown)
        finally:
            self._sync.queue.schedule(game)

    async def _show_own_table(
        self, answer: Answer, session: Session, note: str | None, asked: Asked | None
    ) -> None:
        """Draw the table that was pressed; one of a deal that is over by now is drawn by the sync."""
        message, version = answer.interaction.message, session.game.version
        posts = await self._sync.tables.posts(session.record.game)
        post = posts.on(message.id) if message is not None else None
        view = session.game.view(session.seat_of(answer.user))
        deal = view.table.deal_number
        if post is None or post.kind is not PostKind.TABLE or post.deal != _deal_in_hand(session):
            await answer.nothing()
            return
        begun = Begun(
            chosen=session.choices.get(view.seat, ()),
            likes=await self._store.preferences(answer.user),
        )
        plain = drawing = await self._sync.drawings.own_table(session, begun)
        if note or asked:
            drawing = await self._sync.drawings.own_table(session, replace(begun, note=note, asked=asked))
        draft = deal if begun.chosen or asked or note else None
        shown = Shown.under(drawing, plain, version=version, draft=draft)
        await self._redraw(answer, session.record.game, drawing, shown)

    def _follow(self, answer: Answer, session: Session, message: int | None, shown: Shown) -> None:
        """Let the copy on that message follow the game; without one, the newest copy is out of reach."""
        game, copies = session.record.game, self._sync.hands
        if message is None:
            copies.close(game, answer.user)
            return
        is_new = copies.opened(game, answer.interaction, message, shown)
        if is_new or session.game.version != shown.version:
            self._sync.queue.schedule(game)  # what has happened meanwhile has passed the copy by

    @asynccontextmanager
    async def answering_on(self, interaction: discord.Interaction, game: str) -> AsyncIterator[None]:
        """While an answer is made to a press, the message that was pressed is left to the answer."""
        message = interaction.message
        if message is None:
            yield
            return
        posts, copies = await self._sync.tables.posts(game), self._sync.hands
        with self._sync.queue.answering(game):
            await self._sync.queue.receive_press(game, interaction)
            try:
                with posts.pressed(message.id), copies.pressed(game, interaction):
                    yield
            finally:
                if posts.is_owed(message.id):
                    self._sync.queue.schedule(game)

    async def redraw(self, answer: Answer, game: str, drawing: Drawing, *, version: int = 0) -> None:
        """Draw the message that was pressed, with what the game is at `version` of its log.

        Every answer to a press at a table draws through here: where a message of the game was pressed, the
        sync must know that it does not show what was drawn there.
        """
        shown = Shown.under(drawing, drawing, version=version, draft=None)
        await self._redraw(answer, game, drawing, shown)

    async def _redraw(self, answer: Answer, game: str, drawing: Drawing, shown: Shown) -> None:
        interaction, copies = answer.interaction, self._sync.hands
        if interaction.message is None:
            await answer.redraw(drawing)
            return
        posts, message = await self._sync.tables.posts(game), interaction.message.id
        try:
            standing = posts.standing(message) or copies.standing(game, interaction)
            await answer.redraw(drawing, shown=standing)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            await answer.nothing()  # it was a copy that has just come down below the table, where it is drawn
            self._sync.queue.schedule(game)
            return
        except BaseException as error:
            if may_have_arrived(error):
                copies.may_have_drawn(game, interaction, shown)
                await posts.answered(message, interaction, shown, is_certain=False)
                await self._sync.queue.note_answer(game, message, shown, is_certain=False)
            raise
        await posts.answered(message, interaction, shown)
        await self._sync.queue.note_answer(game, message, shown)


def _deal_in_hand(session: Session) -> int:
    """The deal whose messages are drawn on: those of the first are there while the players cut for it."""
    return max(session.game.table.deal_number, 1)


def is_private(interaction: discord.Interaction, record: TableRecord) -> bool:
    """True if the message that was pressed is private and about that table, but not the table's own.

    Only the person who pressed sees it: an ephemeral message, or a hand by DM.
    """
    message = interaction.message
    if message is None:
        return False
    return message.flags.ephemeral or (interaction.guild_id is None and not record.is_in_dm)
