"""A player's own hand, as an answer: drawn on the pressed message if that is private, else in a new one.

While a press is being answered, the sync leaves the pressed message alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias

import discord

from bot.concurrency.keyed_locks import KeyedLocks
from bot.interactions.answering import Answer
from bot.model.errors import BotError, NotPosted
from bot.model.posts import Post, PostKind
from bot.model.table_record import Status, TableRecord
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.hand import Asked, hand_drawing, promised_hand_drawing
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.moved import moved_drawing
from bot.render.messages.own_table import Begun
from bot.store import Store
from bot.sync.discord_errors import NETWORK, Does, Request, done_after
from bot.sync.live_message import Shown, may_have_arrived
from bot.sync.parts import Sync
from bot.sync.picture_ways import Way, may_be_for_the_picture
from bot.sync.plan import newest_table, url_of
from bot.sync.posts import Posts
from bot.sync.snapshots import heard_by, latest_events
from bot.sync.venues import venue_of
from bot.tables.sessions import Session
from engine import EngineError

_Drawn: TypeAlias = tuple[Drawing, Shown]


class _Draw(Protocol):
    """Draws an answer, with its picture if it has one, or without."""

    async def __call__(self, *, with_picture: bool) -> _Drawn:
        """The drawing, and what its message shows then."""


class HandPanel:
    """The messages that answers draw on."""

    def __init__(self, store: Store, sync: Sync) -> None:
        self._store = store
        self._sync = sync
        self._taps = KeyedLocks()

    @asynccontextmanager
    async def one_tap_at_a_time(self, answer: Answer, game: str) -> AsyncIterator[None]:
        """Serialize one player's taps: each is answered before the next is handled.

        Concurrent answers could overtake each other on their way to Discord, and the latest tap must be drawn
        last.
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
        """Draw the hand on the pressed message if that is private; else in a new message.

        A table in the bot's DM contains its player's hand, and is drawn with it. A game in another place has
        one message with the hand in the DM, which a command moves to the end. The answer itself shows the
        hand only if DMs are closed or the game is over.
        """
        interaction = answer.interaction
        if session.record.is_in_dm and not answer.is_command and not is_private(interaction, session.record):
            await self._show_own_table(answer, session, note, asked)
            return
        version, view = session.game.version, session.game.view(session.seat_of(answer.user))
        in_dm = venue_of(interaction) is Venue.BOT_DM and not session.record.is_in_dm
        likes = await self._store.preferences(answer.user)
        if in_dm:
            self._sync.hands.moved_to_dm(session.record.game, answer.user)
            takes_dms = not likes.dms_closed and not self._sync.dms.has_refused(answer.user)
            if answer.is_command and takes_dms and not session.game.is_over:
                await answer.reply(answer.voice.gettext("Your hand:"))
                self._sync.queue.repost_hand(session.record.game, view.seat)
                return
        table_url = await self._sync.tables.url(session.record)
        chosen = session.choices.get(view.seat, ())

        async def drawn(*, with_picture: bool) -> _Drawn:
            last = None
            if in_dm:
                last = await self._sync.drawings.last_deal(
                    session, view.seat, answer.voice, with_picture=with_picture
                )
            draw = partial(
                session.hands.draw,
                session.record,
                view,
                answer.voice,
                table_url=table_url,
                events=latest_events(session),
                chosen=chosen,
                likes=likes,
                last=last,
                heard=heard_by(session, view.seat),
                dm=in_dm,
            )
            plain = draw()
            drawing = (
                hand_drawing(*draw.args, **draw.keywords, note=note, asked=asked) if note or asked else plain
            )
            # While a player chooses, the sync does not draw over the choice: each tap's answer shows it.
            draft = view.table.deal_number if chosen or asked or note else None
            return drawing, Shown.under(drawing, plain, version=version, draft=draft)

        message: int | None
        if answer.is_command or not is_private(interaction, session.record):
            drawing, shown = await drawn(with_picture=True)
            message = await answer.show(drawing)
        else:
            message = interaction.message.id if interaction.message else None
            shown = await self._redraw(answer, session.record.game, drawn)
        if not in_dm:
            self._follow(answer, session, message, shown)

    async def open_with_hand(self, answer: Answer, record: TableRecord) -> None:
        """Open the table of a game that begins immediately, with the player's hand in this answer.

        So a player alone against computers need not press a button before the first card, and gets no ping.
        The game begins when its first message is posted, before or after this answer. If the answer fails,
        the hand goes to their DM. Raises `NotPosted`.
        """
        game, copies = record.game, self._sync.hands
        drawing = promised_hand_drawing(answer.voice)
        try:
            with copies.promised(game, answer.user):
                state = self._sync.queue.open(game)
                message = await answer.show(drawing)
                if message is not None:
                    shown = Shown(digest=drawing.digest, version=0)
                    copies.opened(game, answer.interaction, message, shown)
        finally:
            self._sync.queue.schedule(game)
        try:
            await self._sync.queue.opened(record, state)
        except NotPosted:
            copies.close(game, answer.user)
            raise

    async def _show_own_table(
        self, answer: Answer, session: Session, note: str | None, asked: Asked | None
    ) -> None:
        """Draw the pressed table; the sync draws one of an earlier deal."""
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

        async def drawn(*, with_picture: bool) -> _Drawn:
            own_table = partial(self._sync.drawings.own_table, session, with_picture=with_picture)
            plain = drawing = await own_table(begun)
            if note or asked:
                drawing = await own_table(replace(begun, note=note, asked=asked))
            draft = deal if begun.chosen or asked or note else None
            return drawing, Shown.under(drawing, plain, version=version, draft=draft)

        await self._redraw(answer, session.record.game, drawn)

    def _follow(self, answer: Answer, session: Session, message: int | None, shown: Shown) -> None:
        """Keep the hand on that message in sync; `None` closes the newest copy, which cannot be edited."""
        game, copies = session.record.game, self._sync.hands
        if message is None:
            copies.close(game, answer.user)
            return
        is_new = copies.opened(game, answer.interaction, message, shown)
        if is_new or session.game.version != shown.version:
            self._sync.queue.schedule(game)  # the copy missed the events since it was drawn

    @asynccontextmanager
    async def answering_on(
        self, answer: Answer, game: str, *, is_question: bool = False, shows: int = 0
    ) -> AsyncIterator[None]:
        """Reserve the pressed message for the answer: the sync does not edit it meanwhile.

        A public message that the sync does not know is an old one of the table, which only a press reaches,
        or a question to all players, or one that the database has lost: it `shows` a deal, or, with 0, the
        result. Where only tokens reach it, a refused press is acknowledged first, so that its token edits the
        message, too.
        """
        interaction = answer.interaction
        message = interaction.message
        if message is None:
            yield
            return
        posts, copies = await self._sync.tables.posts(game), self._sync.hands
        record = await self._sync.tables.record(game)
        is_public = not is_private(interaction, record)
        refusal: BotError | EngineError | None = None
        with self._sync.queue.answering(game):
            await self._sync.queue.receive_press(game, interaction)
            self._sync.queue.note_token(record, answer)
            try:
                with posts.pressed(message.id), copies.pressed(game, interaction):
                    try:
                        yield
                    except (BotError, EngineError) as error:
                        if not (record.is_anywhere and is_public):
                            raise
                        refusal = error
                        with suppress(*NETWORK):  # the refusal follows, and is tried anyway
                            await answer.defer()
                    finally:
                        if record.is_anywhere and answer.holds_message:
                            posts.hold(message.id, interaction)
            finally:
                if record.is_anywhere:
                    self._sync.queue.schedule_with(record, posts)
                elif posts.is_owed(message.id):
                    self._sync.queue.schedule(game)
                if not is_question:
                    self._note_unknown(interaction, record, posts, shows)
        if record.is_anywhere and is_public and not is_question and posts.on(message.id) is None:
            await self._lead_to_table(answer, await self._sync.tables.record(game), posts)
        if refusal is not None:
            raise refusal

    def _note_unknown(
        self, pressed: discord.Interaction, record: TableRecord, posts: Posts, shows: int
    ) -> None:
        """Note a public message of a game in play that is newer than all that the database knows of it.

        It `shows` a deal, or, with 0, the game's result: moves were lost with the database, unless it is one
        whose sending had an unknown outcome.
        """
        message = pressed.message
        if message is None or record.is_anywhere or record.status is not Status.PLAYING:
            return
        newest = max((post.message for post in posts.all(PostKind.TABLE)), default=0)
        is_in_place = message.channel.id == record.channel and not is_private(pressed, record)
        is_known = posts.has_unacknowledged_sends or posts.on(message.id) is not None
        if is_in_place and message.id > newest and not is_known:
            kind, channel = PostKind.TABLE if shows else PostKind.RESULT, record.channel
            self._sync.queue.find(
                Post(game=record.game, kind=kind, deal=shows, channel=channel, message=message.id)
            )

    async def _lead_to_table(self, answer: Answer, record: TableRecord, posts: Posts) -> None:
        """Draw the way to the table, lobby or result on an old message, which no token has reached since.

        An old lobby of a table that was closed says so itself.
        """
        voice = self._sync.voices.of(record.language)
        # The result takes over the table where nothing more can be posted.
        table = newest_table(posts.standing_by_key) or posts.get(PostKind.RESULT)
        if table is None and record.status is Status.CANCELLED:
            drawing = lobby_drawing(record, voice)
        elif (post := table or posts.get(PostKind.LOBBY)) is not None:
            drawing = moved_drawing(url_of(record, post), voice)
        else:
            return
        if answer.holds_message:
            with suppress(*NETWORK):  # the press counts; this message stays as it was
                await answer.redraw(drawing)

    async def redraw(self, answer: Answer, game: str, drawing: Drawing, *, version: int = 0) -> None:
        """Draw on the pressed message; `drawing` shows the game at `version` of its log.

        Every answer to a press at a table draws through here, so that the sync knows the content of each
        message of the game.
        """

        async def drawn(*, with_picture: bool) -> _Drawn:  # noqa: ARG001 -- it has none
            return drawing, Shown.under(drawing, drawing, version=version, draft=None)

        await self._redraw(answer, game, drawn)

    async def _redraw(self, answer: Answer, game: str, draw: _Draw) -> Shown:
        """Draw on the pressed message, without a picture where Discord refuses it in edits."""
        drawn = await draw(with_picture=True)
        pressed = answer.interaction.message
        if pressed is None:
            await answer.redraw(drawn[0])
            return drawn[1]
        posts, message = await self._sync.tables.posts(game), pressed.id
        way = posts.way(message, drawn[0])
        if way is None:
            way, drawn = Way.LEFT_OUT, await draw(with_picture=False)
        has_picture = bool(drawn[0].files)
        try:
            await self._send(answer, game, posts, drawn, way)
        except discord.HTTPException as error:
            if not has_picture or not may_be_for_the_picture(error):
                raise
            drawn = await draw(with_picture=False)
            await self._send(answer, game, posts, drawn, Way.LEFT_OUT)
            posts.note_way(message, way, error)
        else:
            if has_picture:
                posts.note_way(message, way)
        return drawn[1]

    async def _send(self, answer: Answer, game: str, posts: Posts, drawn: _Drawn, way: Way) -> None:
        """Edit the pressed message, its picture carried in that way, and note the outcome."""
        drawing, shown = drawn
        interaction, copies = answer.interaction, self._sync.hands
        assert interaction.message is not None, "it was pressed"
        message = interaction.message.id
        try:
            standing = posts.over(message) or copies.standing(game, interaction)
            listed = posts.files(message) if way is Way.LISTED else ()
            if way is Way.BROUGHT and drawing.has_files_of(standing):
                standing = ""  # brought again
            files = await answer.redraw(drawing, shown=standing, listed=listed)
        except discord.NotFound as error:
            if done_after(Request.ANSWER, error) is not Does.DRAWS_NOTHING:
                raise
            await answer.nothing()
            self._sync.queue.schedule(game)
            return
        except BaseException as error:
            if may_have_arrived(error):
                copies.may_have_drawn(game, interaction, shown)
                await posts.answered(message, interaction, shown, is_certain=False)
                await self._sync.queue.note_answer(game, message, shown, is_certain=False)
            raise
        await posts.answered(message, interaction, shown, files=files)
        await self._sync.queue.note_answer(game, message, shown)


def _deal_in_hand(session: Session) -> int:
    """The number of the deal whose messages are live; the first deal's exist from the cut for it on."""
    return max(session.game.table.deal_number, 1)


def is_private(interaction: discord.Interaction, record: TableRecord) -> bool:
    """True if the pressed message is private: ephemeral, or a hand by DM, but not the table in the DM."""
    message = interaction.message
    if message is None:
        return False
    return message.flags.ephemeral or (venue_of(interaction) is Venue.BOT_DM and not record.is_in_dm)
