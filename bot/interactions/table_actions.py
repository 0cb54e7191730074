"""What people can do at a table, however they ask: by a button, a select, a modal or a slash command.

Each method does one thing and answers the interaction. Buttons and commands call the same methods, so every
button has its command and both are refused alike. Ending a game early and substitutes have modules of their
own.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.delivery.announcer import Announcer
from bot.delivery.permissions import check_permissions
from bot.interactions.answering import Answer
from bot.interactions.hand_panel import HandPanel, is_private
from bot.interactions.lookup import TableLookup, channel_of
from bot.model.errors import ChannelTaken, NoTable, StaleButton, TableRests
from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.resign import resign_drawing, resigned_drawing
from bot.render.text.refusals import refusal
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Session, Sessions
from engine import Card, Cards, EngineError, Move, PlayCard, PlayerView, Resign, Seat
from engine.computer import Level


class TableActions:
    """Opening and joining tables, seeing one's hand, and moves."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        announcer: Announcer,
        *,
        rests: Callable[[TableRecord], bool],
    ) -> None:
        """At a table that `rests` nobody moves, but anybody may resign."""
        self._rests = rests
        self.store = store
        self.sessions = sessions
        self.announcer = announcer
        self.lookup = TableLookup(store, sessions)
        self.hand_panel = HandPanel(store, announcer)
        self._lobbies = lobbies

    # Gathering

    async def open_table(self, answer: Answer, agreement: Agreement, computers: Level | None = None) -> None:
        """Open a table in the channel, beginning with its lobby.

        With `computers` the other seats are computers of that level, and the game begins. Raises
        `ChannelTaken`, `NotInServer` and `MissingPermissions`.
        """
        interaction = answer.interaction
        check_permissions(interaction)
        record = await self._lobbies.open(
            guild=interaction.guild_id,
            channel=channel_of(interaction),
            place=interaction.guild.name if interaction.guild else "a private channel",
            host=occupant(interaction.user),
            agreement=agreement,
            computers=computers,
            language=str(interaction.guild_locale or interaction.locale),
        )
        await self._remember_language(answer)
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
        await self._remember_language(answer)
        await self._show_lobby(answer, record, "You have sat down.")

    async def leave(self, answer: Answer, game: str) -> None:
        """Stand up from the table."""
        record = await self._lobbies.leave(game, answer.user)
        await self._show_lobby(answer, record, "You have left the table.")

    async def add_computer(self, answer: Answer, game: str, level: Level) -> None:
        """Seat a computer in the lobby."""
        record = await self._lobbies.add_computer(game, answer.user, level)
        await self._show_lobby(answer, record, "A computer has sat down.")

    async def remove_computer(self, answer: Answer, game: str) -> None:
        """Send a computer away from the lobby."""
        record = await self._lobbies.remove_computer(game, answer.user)
        await self._show_lobby(answer, record, "A computer has left the table.")

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
        """Show a player their own hand, and nobody else. Raises `NotSeated`.

        A player who asks by command may have opened their DMs: they are tried again.
        """
        session = await self._session(answer, game)
        if answer.is_command and session.record.seat_of(answer.user) is not None:
            await self.store.prefer(answer.user, dms_closed=False)
            self.announcer.announce(game)
        await self.hand_panel.show_hand(answer, session)

    async def view(self, answer: Answer, game: str) -> PlayerView:
        """What the player can see who asks. Raises `NotSeated`."""
        session = await self._session(answer, game)
        return session.game.view(session.seat_of(answer.user))

    async def move(
        self, answer: Answer, game: str, make: Callable[[Seat], Move], deal: int | None = None
    ) -> None:
        """Make a move, and show its player their hand after it.

        On a private hand a refusal is written over the hand, which is fresh again by that.
        """
        session = await self._session(answer, game)
        try:
            session, _ = await self.sessions.move(game, answer.user, make, deal)
        except StaleButton:
            raise
        except EngineError as error:
            if not is_private(answer.interaction):
                raise
            note = refusal(error, session.record, answer.voice)
            await self.hand_panel.show_hand(answer, session, note=note)
            return
        self.announcer.saw(game, answer.user)
        if answer.is_command or is_private(answer.interaction):
            await self.hand_panel.show_hand(answer, session)
        else:
            await answer.nothing()

    async def pick(self, answer: Answer, game: str, deal: int, chosen: Cards) -> None:
        """Show the hand with the cards that its player thinks of discarding."""
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        await self.hand_panel.show_hand(answer, session, chosen=chosen)

    async def press_card(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Play a card, or, with muggins, ask first what its player calls for it."""
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        seat = session.seat_of(answer.user)
        if session.game.rules.muggins and card in session.game.legal_moves(seat).playable:
            await self.hand_panel.show_hand(answer, session, playing=card)
        else:
            await self.move(answer, game, lambda seat: PlayCard(seat, card), deal)

    async def ask_to_resign(self, answer: Answer, game: str) -> None:
        """Ask a player whether they mean to resign."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await answer.show(resign_drawing(session.record, session.game.table))

    async def resign(self, answer: Answer, game: str) -> None:
        """Resign."""
        await self.sessions.move(game, answer.user, Resign)
        if answer.is_command:
            await answer.show(resigned_drawing())
        else:
            await self.hand_panel.redraw(answer, game, resigned_drawing())

    async def try_dm_again(self, answer: Answer, game: str) -> None:
        """Send the hand by DM after all: the player says that it can be delivered now."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await self.store.prefer(answer.user, dms_closed=False)
        self.announcer.announce(game)
        await answer.tell("Your hand is on its way by DM. If it does not come, your DMs are still closed.")

    async def repost(self, answer: Answer, record: TableRecord) -> None:
        """Post the table again at the end of the channel, unless it stands there already."""
        is_here = answer.interaction.channel_id == record.channel
        if is_here and await self.announcer.is_last(record):
            await answer.tell("The table is right here, at the end of the channel.")
            return
        self.announcer.repost(record.game)
        await answer.tell("Here comes the table.")

    async def _session(self, answer: Answer, game: str) -> Session:
        record = await self.sessions.record(game)
        answer.record = record
        if record.status in {Status.GATHERING, Status.CANCELLED}:
            raise NoTable(record)
        if self._rests(record) and record.status is Status.PLAYING:
            raise TableRests(record)
        if record.seat_of(answer.user) is not None:
            await self._remember_language(answer)
        return await self.sessions.back_in_play(game, answer.user)

    async def _remember_language(self, answer: Answer) -> None:
        """Speak to that player in direct messages as their Discord speaks to them now."""
        language = str(answer.interaction.locale)
        if (await self.store.preferences(answer.user)).language != language:
            await self.store.prefer(answer.user, language=language)

    async def _post_lobby(self, answer: Answer, record: TableRecord) -> None:
        """The lobby is no answer: one that was lost on its way could not be told from one never made."""
        answer.record = record
        self.announcer.announce(record.game)
        if answer.is_command:
            await answer.tell("Here comes your table.")
        else:
            await answer.nothing()

    async def _show_lobby(self, answer: Answer, record: TableRecord, said: str) -> None:
        """The lobby's own message is drawn by the answer to its button, or told by the announcer."""
        self.announcer.saw(record.game, answer.user)
        message = answer.interaction.message
        try:
            if answer.is_command or message is None:
                await answer.tell(said)
                return
            await self.hand_panel.redraw(answer, record.game, lobby_drawing(record))
        finally:
            self.announcer.announce(record.game)


def occupant(user: discord.abc.User) -> Occupant:
    """The person, with the name that they have in the server."""
    return Occupant(user.id, user.display_name)
