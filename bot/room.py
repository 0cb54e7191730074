"""What people can do in the room, however they ask: by a button, a select, a form or a slash command.

Each method does one thing and answers for it. Buttons and commands take the same road, so every button has
its command and both are refused alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import discord
from discord import ui

from bot.announcer import Announcer
from bot.answering import Answer
from bot.errors import BotError, ChannelTaken, NoTable, StaleButton, TooManyTables
from bot.lobby import Lobbies
from bot.permissions import check_permissions
from bot.posts import DRAFT, digest_of
from bot.records import Agreement, Occupant, Post, PostKind, Status, TableRecord
from bot.render.confirm import resign_layout, resigned_layout
from bot.render.hand import hand_layout, past_hand_layout
from bot.render.lobby import lobby_layout
from bot.render.refusals import refusal
from bot.scenes import latest_events, scene_of
from bot.sessions import Session, Sessions
from bot.store import Store
from engine import Card, Cards, EngineError, Move, PlayCard, PlayerView, Resign, Seat


class Room:
    """Everything that players can ask for."""

    def __init__(self, store: Store, sessions: Sessions, lobbies: Lobbies, announcer: Announcer) -> None:
        self.store = store
        self.sessions = sessions
        self.announcer = announcer
        self._lobbies = lobbies

    # Gathering

    async def open_table(self, answer: Answer, agreement: Agreement) -> None:
        """Open a table in the channel; the answer is its lobby.

        Raises `ChannelTaken`, `NotInServer` and `MissingPermissions`.
        """
        interaction = answer.interaction
        check_permissions(interaction)
        record = await self._lobbies.open(
            guild=interaction.guild_id,
            channel=_channel_of(interaction),
            place=interaction.guild.name if interaction.guild else "a private channel",
            host=occupant(interaction.user),
            agreement=agreement,
        )
        await self._post_lobby(answer, record)

    async def rematch(self, answer: Answer, game: str) -> None:
        """Open a table for the same people, or sit down at it if one of them has opened it.

        Raises `NotAtTable`, `ChannelTaken` and `MissingPermissions`.
        """
        check_permissions(answer.interaction)
        try:
            record = await self._lobbies.rematch(game, occupant(answer.interaction.user))
        except ChannelTaken as taken:
            standing = await self.store.table(taken.game)
            if standing.rematch_of != game:
                raise
            record = await self._lobbies.join(taken.game, occupant(answer.interaction.user))
            self.announcer.announce(record.game)
            await answer.tell("You have sat down for the rematch.")
            return
        await self._post_lobby(answer, record)

    async def join(self, answer: Answer, game: str) -> None:
        """Sit down at the table."""
        record = await self._lobbies.join(game, occupant(answer.interaction.user))
        await self._show_lobby(answer, record, "You have sat down.")

    async def leave(self, answer: Answer, game: str) -> None:
        """Stand up from the table."""
        record = await self._lobbies.leave(game, answer.user)
        await self._show_lobby(answer, record, "You have left the table.")

    async def start(self, answer: Answer, game: str) -> None:
        """Begin the game. Raises `MissingPermissions`."""
        check_permissions(answer.interaction)
        record = await self._lobbies.start(game, answer.user)
        await self._show_lobby(answer, record, "The game begins.")

    async def cancel(self, answer: Answer, game: str) -> None:
        """Close the table before the game."""
        may_moderate = answer.interaction.permissions.manage_channels
        record = await self._lobbies.cancel(game, answer.user, may_moderate=may_moderate)
        await self._show_lobby(answer, record, "The table is closed.")

    # Playing

    async def show_hand(self, answer: Answer, game: str) -> None:
        """Show a player his own hand, and nobody else. Raises `NotSeated`.

        Who asks by command may have opened his DMs: they are tried again.
        """
        session = await self._session(answer, game)
        if answer.is_command and session.record.seat_of(answer.user) is not None:
            await self.store.set_dms_closed(answer.user, closed=False)
            self.announcer.announce(game)
        await self._show_private(answer, session)

    async def view(self, answer: Answer, game: str) -> PlayerView:
        """What the player can see who asks. Raises `NotSeated`."""
        session = await self._session(answer, game)
        return session.game.view(session.seat_of(answer.user))

    async def move(
        self, answer: Answer, game: str, make: Callable[[Seat], Move], deal: int | None = None
    ) -> None:
        """Make a move, and show its maker his hand after it.

        On a private hand a refusal is written over the hand, which is fresh again by that.
        """
        session = await self._session(answer, game)
        try:
            session, _ = await self.sessions.move(game, answer.user, make, deal)
        except StaleButton:
            raise
        except EngineError as error:
            if not _is_private(answer.interaction):
                raise
            note = refusal(error, session.record, self.announcer.faces)
            await self._show_private(answer, session, note=note)
            return
        self.announcer.saw(game, answer.user)
        if answer.is_command or _is_private(answer.interaction):
            await self._show_private(answer, session)
        else:
            await answer.nothing()

    async def pick(self, answer: Answer, game: str, deal: int, chosen: Cards) -> None:
        """Show the hand with the cards that its player thinks of laying away."""
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        await self._show_private(answer, session, chosen=chosen)

    async def press_card(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Play a card, or, with muggins, ask first what its player calls for it."""
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        seat = session.seat_of(answer.user)
        if session.game.rules.muggins and card in session.game.legal_moves(seat).playable:
            await self._show_private(answer, session, playing=card)
        else:
            await self.move(answer, game, lambda seat: PlayCard(seat, card), deal)

    async def ask_to_resign(self, answer: Answer, game: str) -> None:
        """Ask a player whether he means to give the game up."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await answer.show(resign_layout(session.record, session.game.table))

    async def resign(self, answer: Answer, game: str) -> None:
        """Give the game up."""
        await self.sessions.move(game, answer.user, Resign)
        if answer.is_command:
            await answer.show(resigned_layout())
        else:
            await answer.redraw(resigned_layout())

    async def try_dm_again(self, answer: Answer, game: str) -> None:
        """Send the hand by DM after all: the player says that it can be delivered now."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await self.store.set_dms_closed(answer.user, closed=False)
        self.announcer.announce(game)
        await answer.tell("Your hand is on its way by DM. If it does not come, your DMs are still closed.")

    async def repost(self, answer: Answer, record: TableRecord) -> None:
        """Post the table anew at the end of the channel, unless it stands there already."""
        channel = answer.interaction.channel
        last = getattr(channel, "last_message_id", None)
        if last is not None and await self.announcer.is_last(record, last):
            await answer.tell("The table is right here, at the end of the channel.")
            return
        self.announcer.repost(record.game)
        await answer.tell("Here comes the table.")

    # Finding the table that is meant

    async def table_here(self, interaction: discord.Interaction) -> TableRecord:
        """The table that a command is about: the channel's, or in a DM the one a player sits at.

        Raises `NoTable` and `TooManyTables`.
        """
        if interaction.guild_id is not None:
            record = await self.store.table_in(_channel_of(interaction))
            if record is None:
                raise NoTable
            return record
        tables = await self.store.tables_of(interaction.user.id)
        if len(tables) > 1:
            tables = await self._waiting_for(tables, interaction.user.id) or tables
        if not tables:
            raise NoTable
        if len(tables) > 1:
            raise TooManyTables(tables)
        return tables[0]

    async def _waiting_for(self, tables: tuple[TableRecord, ...], user: int) -> tuple[TableRecord, ...]:
        """Those of the tables that wait for the person."""
        waiting: list[TableRecord] = []
        for record in tables:
            if record.status is Status.PLAYING:
                session = await self.sessions.get(record.game)
                if record.seat_of(user) in session.game.table.waiting_for:
                    waiting.append(record)
        return tuple(waiting)

    async def game_before(self, interaction: discord.Interaction) -> TableRecord | None:
        """The game that was played last in this channel, if no table is open there now."""
        if interaction.guild_id is None:
            return None
        latest = await self.store.latest_in(_channel_of(interaction))
        return latest if latest is not None and latest.status is Status.OVER else None

    async def session_here(self, interaction: discord.Interaction) -> Session | None:
        """The game in play that a command is about, if there is one; for completing options."""
        try:
            record = await self.table_here(interaction)
        except BotError:
            return None
        return await self.sessions.get(record.game) if record.status is Status.PLAYING else None

    async def agreement_here(self, interaction: discord.Interaction) -> Agreement | None:
        """What was agreed on at the table that is meant, if there is one."""
        try:
            return (await self.table_here(interaction)).agreement
        except (NoTable, TooManyTables):
            return None

    async def _session(self, answer: Answer, game: str) -> Session:
        record = await self.store.table(game)
        answer.record = record
        if record.status in {Status.GATHERING, Status.CANCELLED}:
            raise NoTable(record)
        return await self.sessions.get(game)

    async def _show_private(
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
        view = session.game.view(session.seat_of(answer.user))
        if await self._put_away(answer, session):
            return
        in_dm = interaction.guild_id is None
        draw = partial(
            hand_layout,
            session.record,
            view,
            self.announcer.faces,
            table_url=await self.announcer.table_url(session.record),
            events=latest_events(session),
            dm=in_dm,
            dms_closed=not in_dm and await self.store.dms_closed(answer.user),
        )
        layout = draw(chosen=chosen, playing=playing, note=note)
        if answer.is_command or not _is_private(interaction):
            await answer.show(layout)
        else:
            begun = chosen or playing or note
            await self._redraw(answer, session.record.game, layout, over=draw() if begun else None)

    async def _put_away(self, answer: Answer, session: Session) -> bool:
        """Draw the hand by DM as it was, if its deal ended with this press: the next hand comes by itself."""
        message, game = answer.interaction.message, session.record.game
        posts = await self.announcer.posts(game)
        post = posts.on(message.id) if message is not None else None
        if post is None or post.kind is not PostKind.HAND or post.deal == session.game.table.deal_number:
            return False
        deal = scene_of(session).deal(post.deal)
        kept, laid_away = deal.kept[post.seat], deal.laid_away[post.seat]
        layout = past_hand_layout(session.record, deal.number, kept, laid_away, self.announcer.faces)
        await self._redraw(answer, game, layout)
        return True

    @asynccontextmanager
    async def answering_on(self, interaction: discord.Interaction, game: str) -> AsyncIterator[None]:
        """While an answer is made to a press, the message that was pressed is left to the answer."""
        message = interaction.message
        if message is None:
            yield
            return
        posts = await self.announcer.posts(game)
        with posts.reserved(message.id) as reservation:
            try:
                yield
            finally:
                if posts.is_stale(message.id, reservation):
                    self.announcer.announce(game)

    async def _redraw(
        self, answer: Answer, game: str, layout: ui.LayoutView, *, over: ui.LayoutView | None = None
    ) -> None:
        """Draw the message that was pressed; `over` is what it shows apart from what was begun on it."""
        await answer.redraw(layout)
        message = answer.interaction.message
        if message is not None:
            posts = await self.announcer.posts(game)
            digest = digest_of(layout) if over is None else DRAFT + digest_of(over)
            await posts.drawn_by_answer(message.id, digest)

    async def _post_lobby(self, answer: Answer, record: TableRecord) -> None:
        """The answer itself is the lobby's message, which needs no permission to send one."""
        answer.record = record
        try:
            layout = lobby_layout(record)
            message = await answer.post(layout)
            if message is not None:
                posts = await self.announcer.posts(record.game)
                await posts.adopt(
                    Post(
                        game=record.game,
                        kind=PostKind.LOBBY,
                        channel=record.channel,
                        message=message,
                        drawn=digest_of(layout),
                    )
                )
        finally:
            self.announcer.announce(record.game)

    async def _show_lobby(self, answer: Answer, record: TableRecord, said: str) -> None:
        """The lobby's own message is drawn by the answer to its button, or told by the announcer."""
        self.announcer.saw(record.game, answer.user)
        message = answer.interaction.message
        try:
            if answer.is_command or message is None:
                await answer.tell(said)
                return
            await self._redraw(answer, record.game, lobby_layout(record))
        finally:
            self.announcer.announce(record.game)


def occupant(user: discord.abc.User) -> Occupant:
    """The person as he is called in the server."""
    return Occupant(user.id, user.display_name)


def _channel_of(interaction: discord.Interaction) -> int:
    if interaction.channel_id is None:
        raise NoTable
    return interaction.channel_id


def _is_private(interaction: discord.Interaction) -> bool:
    """Whether the message that was pressed is seen by nobody but the person who pressed."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)
