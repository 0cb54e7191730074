"""The actions at a table, for buttons, selects, modals and slash commands.

Each method does one thing and answers the interaction. Buttons and commands call the same methods, so every
button has its command, with the same refusals. Ending a game early and substitutes have modules of their own.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord
from cachetools import LRUCache

from bot.interactions.answering import Answer
from bot.interactions.hand_panel import HandPanel, is_private
from bot.interactions.lookup import TableLookup, channel_of
from bot.interactions.members import Members
from bot.interactions.rule_forms import rule_form
from bot.model.colours import Colour
from bot.model.crib_choice import with_card, without_card
from bot.model.errors import (
    AlreadySeated,
    ChannelTaken,
    NoTable,
    Refused,
    ShutElsewhere,
    StaleButton,
    StaleGame,
    StoreError,
    TableFull,
    TableRefusal,
    TableRests,
)
from bot.model.rule_forms import RulesTopic, filled_in
from bot.model.rule_settings import Setting, changed, with_preset
from bot.model.server_settings import ServerSettings
from bot.model.table_record import (
    Agreement,
    Board,
    Explaining,
    Occupant,
    OwnThread,
    Status,
    TableRecord,
)
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.declined import bot_not_called, not_called
from bot.render.messages.explaining import explaining_drawing, what_was_that_drawing
from bot.render.messages.hand import Asked
from bot.render.messages.lobby import lobby_drawing
from bot.render.messages.own_seat import own_seat_drawing
from bot.render.messages.resign import resign_drawing, resigned_drawing
from bot.render.messages.rules_panel import rules_panel_drawing, rules_selects_drawing
from bot.render.messages.table import plays_drawing
from bot.render.text.explaining import heard_so_far
from bot.render.text.refusals import refusal, stale_note
from bot.render.text.rules import rules_drawing
from bot.render.text.voice import Voice
from bot.store import Store
from bot.sync.parts import Sync
from bot.sync.permissions import check_external, check_opener, check_permissions, check_thread, is_shut
from bot.sync.snapshots import events_of, snapshot_of
from bot.sync.venues import guild_of, venue_of
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Session, Sessions
from engine import (
    Card,
    Cards,
    CountAloud,
    CutForFirstDeal,
    CutStarter,
    Deal,
    EngineError,
    Move,
    PlayCard,
    PlayerView,
    Resign,
    Seat,
    Stage,
    TableView,
)
from engine.computer import Level

_CHALLENGERS = 200
"""Limit of challenges whose refusal is a follow-up to the challenger's command (LRU)."""


class TableActions:
    """The actions in a lobby and in a game in play."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        sync: Sync,
        *,
        rests: Callable[[TableRecord], bool],
        usual_level: Callable[[int], Awaitable[Level]],
    ) -> None:
        """At a table that `rests`, nobody can move or ask for a rematch; players may resign.

        `usual_level` is the computer's level for a person who has chosen none.
        """
        self._rests = rests
        self._usual_level = usual_level
        self.store = store
        self.sessions = sessions
        self.sync = sync
        self.lookup = TableLookup(store, sessions)
        self.hand_panel = HandPanel(store, sync)
        self._members = Members()
        self._lobbies = lobbies
        self.challengers: LRUCache[str, Answer] = LRUCache(_CHALLENGERS)
        """By game, the answer to the person who invited others; empty after a restart."""

    # Gathering

    async def open_table(
        self,
        answer: Answer,
        agreement: Agreement,
        computers: Level | None = None,
        *,
        calls: discord.abc.User | None = None,
        board: Board | None = None,
        thread: bool = False,
    ) -> None:
        """Open a table in the channel, as a lobby, or as a game that begins immediately.

        Language and board are the server's settings; `board` overrides the latter. With `thread`, the game
        moves to a thread of its own when it begins.

        With `computers`, computers of that level take the other seats and the game begins. In the bot's DM it
        always does, against the person's usual level if none is chosen, unless another game is unfinished
        there, which is posted again.

        The lobby mentions the person whom it `calls`, and keeps a seat for them. If they decline the user's
        challenges, for good or for now, it invites nobody, and only the user is told why. Calling the bot
        itself means its computer; other bots are not invited, which a note says.

        Raises `ChannelTaken`, `NOT_IN_SERVER`, `MAY_NOT_WRITE`, `NO_THREADS`, `NotPosted`, and what
        `check_permissions` raises.
        """
        interaction = answer.interaction
        check_opener(interaction)
        venue = venue_of(interaction)
        if venue is Venue.BOT_DM:
            if calls is not None and not calls.bot and calls.id != answer.user:
                raise Refused(TableRefusal.NOT_IN_SERVER)
            calls, computers = None, computers or await self._usual_level(answer.user)
            standing = await self.store.table_in(channel_of(interaction))
            waits = standing is not None and standing.goes_on_in_match  # the match's next game has not begun
            if standing is not None and standing.status is Status.GATHERING and not waits:
                # It was opened and has not begun: the store was unavailable in between.
                await self._post_lobby(answer, await self._lobbies.start(standing.game, answer.user))
                return
            if standing is not None:
                self.sync.queue.repost(standing.game)
                end = answer.voice.command("crib end")
                await answer.reply(
                    answer.voice.gettext("Your game here isn't over yet. {end} ends it.", end=end)
                )
                return
        if (unseen := await self._unseen(interaction)) is not None:
            await self._post_lobby(answer, unseen)
            return
        if thread:
            check_thread(interaction)
        if calls is not None and calls.id == interaction.application_id:
            calls, computers = None, computers or await self._usual_level(answer.user)
        called = calls if calls is not None and calls.id != answer.user and not calls.bot else None
        guild = guild_of(interaction)
        settings = ServerSettings() if guild is None else await self.store.server(guild)
        record = await self._lobbies.open(
            guild=guild,
            channel=channel_of(interaction),
            place=interaction.guild.name if interaction.guild and guild is not None else "",
            host=occupant(interaction.user),
            agreement=replace(agreement, board=board or settings.board),
            computers=computers,
            language=settings.language or str(interaction.guild_locale or interaction.locale),
            thread=OwnThread.WANTED if thread else OwnThread.NONE,
            called=called.id if called is not None else None,
            venue=venue,
            outside=interaction.guild_id if venue is Venue.ANYWHERE else None,
        )
        await self._remember_language(answer)
        if calls is not None and calls.bot:
            await self._post_lobby(answer, record, bot_not_called(calls.display_name, answer.voice))
        elif called is None or record.status is not Status.GATHERING:
            await self._post_lobby(answer, record)
        elif record.called is None:
            said = await self._not_called(answer, called.id, called.display_name)
            await self._post_lobby(answer, record, said)
        else:
            self.challengers[record.game] = answer
            await self._post_lobby(answer, record)

    async def _unseen(self, interaction: discord.Interaction) -> TableRecord | None:
        """The channel's lobby that nobody can see, where only tokens reach it.

        The bot died, or Discord failed, between opening it and posting it, and nothing is posted unasked.
        """
        if venue_of(interaction) is not Venue.ANYWHERE:
            return None
        standing = await self.store.table_in(channel_of(interaction))
        if standing is None or standing.status is not Status.GATHERING:
            return None
        return None if (await self.sync.tables.posts(standing.game)).standing_by_key else standing

    async def rematch(self, answer: Answer, game: str, level: Level | None = None) -> None:
        """Open a table for the same people, whose seats it holds, or join it if one of them has opened it.

        With a `level`, which who plays alone may choose, computers of that level take the other seats.

        The table is in the channel of the game before; a user in another channel, such as a DM, gets a link
        to it. In an unfinished match, the next game begins. Raises `NotAtTable`, `TableRests`,
        `ChannelTaken`, `MAY_NOT_WRITE`, `ShutElsewhere`, `NotPosted`, and what `check_permissions` raises.
        """
        before = await self.sessions.record(game)
        is_elsewhere = answer.interaction.channel_id != before.channel
        person = occupant(answer.interaction.user)
        if not is_elsewhere:
            check_opener(answer.interaction)
        else:
            self._check_from_afar(answer, before)
            if (seat := before.seat_of(answer.user)) is not None:
                # In direct messages the user's name in the server is unknown.
                person = replace(person, name=before.occupants[seat].name)
        channel = f"<#{before.channel}>"
        try:
            record = await self._lobbies.rematch(game, person, level)
        except ChannelTaken as taken:
            standing = await self.store.table(taken.game)
            if standing.rematch_of != game:
                if not is_elsewhere:
                    raise
                await answer.reply(
                    answer.voice.gettext("There's another table in {channel} now.", channel=channel)
                )
                return
            if standing.goes_on_in_match:
                record = await self._lobbies.start(taken.game, answer.user)
                said = answer.voice.gettext("The next game has begun in {channel}.", channel=channel)
            else:
                record = await self._lobbies.join(taken.game, person)
                said = answer.voice.gettext("You joined the rematch in {channel}.", channel=channel)
            self.sync.queue.schedule(record.game)
            await answer.reply(said)
            return
        self.challengers[record.game] = answer
        left_out = await self._left_out(answer, before, record)
        if not is_elsewhere:
            await self._post_lobby(answer, record, "\n".join(left_out) or None)
            return
        answer.record = record
        await self.sync.queue.opened(record, self.sync.queue.open(record.game))
        if record.status is Status.PLAYING:
            said = answer.voice.gettext("Your rematch has begun in {channel}.", channel=channel)
        else:
            said = answer.voice.gettext("Your rematch is open in {channel}.", channel=channel)
        await answer.reply("\n".join((said, *left_out)))

    async def _left_out(self, answer: Answer, before: TableRecord, rematch: TableRecord) -> list[str]:
        """Why the rematch holds no seat for people of the game `before`, a sentence for each."""
        if rematch.status is not Status.GATHERING:
            return []
        there = {each.user for each in (*rematch.occupants, *rematch.held)}
        return [
            await self._not_called(answer, each.user, each.name)
            for each in before.occupants
            if each.user is not None and each.user not in there and not each.is_forgotten
        ]

    async def _not_called(self, answer: Answer, user: int, name: str) -> str:
        """Why the answer's user cannot call that person now."""
        until = await self.store.declined_until(user, answer.user)
        return not_called(name, answer.voice, until=math.inf if until is None else until)

    def _check_from_afar(self, answer: Answer, before: TableRecord) -> None:
        """Raises what keeps a rematch from being opened from another channel."""
        if before.is_anywhere:
            raise Refused(TableRefusal.ONLY_THERE)
        if self._rests(before):
            raise TableRests(before)
        if is_shut(answer.interaction.client, before.channel):
            raise ShutElsewhere(before.channel)

    async def join(self, answer: Answer, game: str) -> None:
        """Seat the user; without a free seat, or if they have one, show the panel of their seat."""
        try:
            record = await self._lobbies.join(game, occupant(answer.interaction.user))
        except (AlreadySeated, TableFull):
            await self.open_seat(answer, game)
            return
        await self._remember_language(answer)
        await self._show_lobby(answer, record, answer.voice.gettext("You joined the table."))

    async def table_of(self, answer: Answer, *, to_look: bool = False) -> TableRecord:
        """The table that a command is about, whose messages may need the command's token.

        Unless the command is `to_look` only, raises what `require_member` raises; and what
        `TableLookup.table` raises.
        """
        record = await self.lookup.table(answer.interaction)
        if not to_look:
            await self.require_member(answer, record.game)
        self.sync.queue.note_token(record, answer)
        return record

    async def require_member(self, answer: Answer, game: str) -> None:
        """Require that somebody who presses in a DM may play in the table's server; see `Members.require`."""
        if answer.interaction.guild_id is None:
            record = await self.sessions.record(game)
            await self._members.require(answer.interaction.client, record, answer.user)

    async def open_seat(self, answer: Answer, game: str) -> None:
        """Show the panel of the user's own seat in the lobby."""
        record = await self.sessions.record(game)
        await self._show_panel(answer, record, await self._own_seat(answer, record))

    async def explain(self, answer: Answer, game: str, explaining: Explaining) -> None:
        """Explain the scores of a table's game to the user from now on, or no more.

        Raises what `Sessions.explain` raises.
        """
        record = await self.sessions.explain(game, answer.user, explaining)
        answer.record = record
        seat = record.seat_of(answer.user)
        assert seat is not None, "only a player can choose"
        self.sync.queue.schedule(game)
        if record.status is Status.GATHERING and not answer.is_command:
            await self._show_panel(answer, record, await self._own_seat(answer, record))
        else:
            await self._show_panel(answer, record, explaining_drawing(record, seat, answer.voice))

    async def explain_last(self, answer: Answer, game: str) -> None:
        """Tell the user about the last thing that happened in their game. Raises `NotSeated`."""
        session = await self._session(answer, game)
        seat = session.seat_of(answer.user)
        heard = heard_so_far(snapshot_of(session).everything, seat)
        await answer.show(
            what_was_that_drawing(session.record, session.game.table, heard, seat, answer.voice)
        )

    async def leave(self, answer: Answer, game: str) -> None:
        """Leave the lobby."""
        record = await self._lobbies.leave(game, answer.user)
        await self._show_lobby(answer, record, answer.voice.gettext("You left the table."))

    async def add_computer(self, answer: Answer, game: str, level: Level) -> None:
        """Seat a computer in the lobby."""
        record = await self._lobbies.add_computer(game, answer.user, level)
        await self._show_lobby(answer, record, answer.voice.gettext("The computer joined the table."))

    async def remove_computer(self, answer: Answer, game: str) -> None:
        """Remove a computer from the lobby."""
        record = await self._lobbies.remove_computer(game, answer.user)
        await self._show_lobby(answer, record, answer.voice.gettext("The computer left the table."))

    async def choose_colour(self, answer: Answer, game: str, colour: Colour) -> None:
        """Choose the colour of the user's side."""
        record = await self._lobbies.choose_colour(game, answer.user, colour)
        await self._show_lobby(answer, record, None)

    async def choose_partner(self, answer: Answer, game: str, partner: Seat) -> None:
        """Choose the user's partner, who sits opposite."""
        record = await self._lobbies.choose_partner(game, answer.user, partner)
        await self._show_lobby(answer, record, None)

    async def open_rules(self, answer: Answer, game: str) -> None:
        """Show the rules. Before the game the host can change them."""
        record = await self.sessions.record(game)
        await self._show_panel(answer, record, _rules_for(record, answer, rules_panel_drawing))

    async def open_selects(self, answer: Answer, game: str, setting: Setting | None = None) -> None:
        """Show the rules, for the host with selects; `setting` is opened with its values."""
        record = await self.sessions.record(game)
        drawing = _rules_for(record, answer, partial(rules_selects_drawing, setting=setting))
        await self._show_panel(answer, record, drawing)

    async def open_form(self, answer: Answer, game: str, topic: RulesTopic) -> None:
        """Open a topic's form for the host, and show anybody else the rules."""
        record = await self.sessions.record(game)
        if _may_set_rules(record, answer.user):
            await answer.ask(rule_form(record, topic, answer.voice))
        else:
            await self._show_panel(answer, record, rules_drawing(record.agreement, answer.voice))

    async def fill_in(self, answer: Answer, game: str, answers: Mapping[str, str]) -> None:
        """Agree on a submitted form. Raises what `filled_in` and `Lobbies.agree` raise."""
        record = await self._lobbies.agree(game, answer.user, lambda agreed: filled_in(agreed, answers))
        await self._show_rules(answer, record, rules_panel_drawing(record, answer.voice))

    async def choose_rules(self, answer: Answer, game: str, preset: str) -> None:
        """Agree on a rule set. Raises what `Lobbies.agree` raises."""
        record = await self._lobbies.agree(game, answer.user, lambda agreed: with_preset(agreed, preset))
        await self._show_rules(answer, record, rules_selects_drawing(record, answer.voice))

    async def set_rule(self, answer: Answer, game: str, setting: Setting, value: str) -> None:
        """Agree on one setting. Raises what `Lobbies.agree` raises."""
        record = await self._lobbies.agree(game, answer.user, lambda agreed: changed(agreed, setting, value))
        await self._show_rules(answer, record, rules_selects_drawing(record, answer.voice, setting))

    async def start(self, answer: Answer, game: str) -> None:
        """Begin the game. Raises what `check_permissions` and `Lobbies.start` raise."""
        check_permissions(answer.interaction)
        record = await self._lobbies.start(game, answer.user)
        await self._show_lobby(answer, record, answer.voice.gettext("The game begins."))

    async def cancel(self, answer: Answer, game: str) -> None:
        """Close the table before the game."""
        may_moderate = answer.interaction.permissions.manage_channels
        record = await self._lobbies.cancel(game, answer.user, may_moderate=may_moderate)
        await self._show_lobby(answer, record, answer.voice.gettext("Table closed."))

    # Playing

    async def show_hand(self, answer: Answer, game: str) -> None:
        """Show a player their own hand, in private. Raises `NotSeated`.

        After a command, hands are sent by DM again, as the player may have opened their DMs.
        """
        session = await self._session(answer, game)
        await self.hand_panel.show_hand(answer, session)
        if answer.is_command and session.record.seat_of(answer.user) is not None:
            await self.sync.dms.try_again(answer.user)
            self.sync.queue.schedule(game)

    async def view(self, answer: Answer, game: str) -> PlayerView:
        """The user's view of the game. Raises `NotSeated`."""
        session = await self._session(answer, game)
        return session.game.view(session.seat_of(answer.user))

    async def move(
        self, answer: Answer, game: str, make: Callable[[Seat], Move], deal: int | None = None
    ) -> None:
        """Make a move, and show the player their hand after it.

        On a private hand, a refusal is drawn above the current hand.
        """
        session = await self._session(answer, game)
        try:
            session, _ = await self.sessions.move(game, answer.user, make, deal)
        except EngineError as error:
            await self._refuse(answer, session, error)
            return
        self.sync.queue.note_move(game, answer.user)
        await self._show_after_move(answer, session)

    async def deal(self, answer: Answer, game: str, deal: int | None = None) -> None:
        """Deal the hand after number `deal`, on the dealer's behalf: everybody at the table may.

        No effect if it was dealt concurrently.
        """
        session = await self._session(answer, game)

        def make(seat: Seat) -> Move:
            table = session.game.table
            return Deal(table.dealer if table.stage is Stage.DEALING else seat)

        try:
            await self.move(answer, game, make, deal)
        except StaleButton:
            if not _has_just_begun(session.game.table, after=deal):
                raise
            await self._show_after_move(answer, session)

    async def count(
        self, answer: Answer, game: str, points: int, *, deal: int | None = None, which: int | None = None
    ) -> None:
        """Count the hand or crib with number `which` (from 1) in the show.

        Raises `StaleGame` if another is due now.
        """
        session = await self._session(answer, game)

        def make(seat: Seat) -> Move:
            if which not in {None, len(session.game.table.shown)}:
                raise StaleGame(game, session.game.version)
            return CountAloud(seat, points)

        await self.move(answer, game, make, deal)

    async def pick(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Choose a card for the crib; after the discard, show the hand instead."""

        def change(view: PlayerView, before: Cards) -> Cards:
            is_made = bool(view.discarded) and not before
            return before if is_made else with_card(before, card, wanted=view.table.rules.discarded)

        await self._choose(answer, game, deal, change)

    async def put_back(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Put a chosen card back into the hand."""
        await self._choose(answer, game, deal, lambda _, before: without_card(before, card))

    async def choose_again(self, answer: Answer, game: str, deal: int) -> None:
        """Make the discarded cards the choice for the crib, to choose again."""
        await self._choose(answer, game, deal, lambda view, _: view.discarded)

    async def press_card(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Play a card; under muggins, first ask the player how many points they claim for it.

        The question is asked for every card but the first of a count, which never scores. So it does not give
        away whether a card scores.
        """
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        seat, table = session.seat_of(answer.user), session.game.table
        if not table.rules.muggins:
            await self.move(answer, game, lambda seat: PlayCard(seat, card), deal)
        elif table.series and card in session.game.legal_moves(seat).playable:
            await self.hand_panel.show_hand(answer, session, asked=Asked(card))
        else:
            await self.move(answer, game, lambda seat: PlayCard(seat, card, 0), deal)

    async def ask_for_more(self, answer: Answer, game: str, deal: int, card: Card) -> None:
        """Show the less common numbers of points for a card, which have no button at first."""
        session = await self._session(answer, game)
        session.refuse_stale(deal)
        await self.hand_panel.show_hand(answer, session, asked=Asked(card, more=True))

    async def cut(
        self,
        answer: Answer,
        game: str,
        place: int | None = None,
        deal: int | None = None,
        *,
        exactly: bool = False,
    ) -> None:
        """Cut the pack, for the starter or for the first deal, after `place` cards or at a random place.

        In the cut for the deal no two players cut at the same place: unless `exactly`, the nearest free place
        is used. If the cut for the deal has just ended, the hand that followed it is shown.
        """
        session = await self._session(answer, game)

        def make(seat: Seat) -> Move:
            if session.game.table.stage is not Stage.CUTTING_FOR_DEAL:
                return CutStarter(seat, place)
            left = session.game.legal_moves(seat).places
            if place is None or exactly or not left:
                return CutForFirstDeal(seat, place)
            return CutForFirstDeal(seat, min(left, key=lambda each: abs(each - place)))

        try:
            await self.move(answer, game, make, deal)
        except StaleButton:
            if deal or not _has_just_begun(session.game.table, after=deal):
                raise
            await self._show_after_move(answer, session)

    async def always_cut(self, answer: Answer, game: str, deal: int | None = None, *, always: bool) -> None:
        """Set whether the starter is cut for this player automatically, now and from now on."""
        session = await self._session(answer, game)
        seat = session.seat_of(answer.user)
        await self.store.prefer(answer.user, always_cut=always)
        if always and session.game.legal_moves(seat).kinds & {CutStarter, CutForFirstDeal}:
            await self.cut(answer, game, deal=deal)
        else:
            await self.hand_panel.show_hand(answer, session)

    async def _choose(
        self, answer: Answer, game: str, deal: int, change: Callable[[PlayerView, Cards], Cards]
    ) -> None:
        async with self.hand_panel.one_tap_at_a_time(answer, game):
            session = await self._session(answer, game)
            try:
                session = await self.sessions.choose(game, answer.user, change, deal)
            except EngineError as error:
                await self._refuse(answer, session, error)
            else:
                await self.hand_panel.show_hand(answer, session)

    async def ask_to_resign(self, answer: Answer, game: str) -> None:
        """Ask the player to confirm the resignation."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await answer.show(resign_drawing(session.record, session.game.table, answer.voice))

    async def resign(self, answer: Answer, game: str) -> None:
        """Resign."""
        await self.sessions.move(game, answer.user, Resign)
        if answer.is_command:
            await answer.show(resigned_drawing(answer.voice))
        else:
            await self.hand_panel.redraw(answer, game, resigned_drawing(answer.voice))

    async def try_dm_again(self, answer: Answer, game: str) -> None:
        """Send the hand by DM again: the player says that their DMs are open now."""
        session = await self._session(answer, game)
        session.seat_of(answer.user)
        await self.sync.dms.try_again(answer.user)
        self.sync.hands.moved_to_dm(game, answer.user)
        self.sync.queue.schedule(game)
        await answer.reply(
            answer.voice.gettext(
                "Your hand is on its way by DM. If it doesn't come, your DMs are still closed."
            )
        )

    async def play_by_play(self, answer: Answer, game: str, deal: int) -> None:
        """Show every call of a deal's play. Raises `NoSuchGame`."""
        record = await self.store.table(game)
        events = events_of(await self.store.log(game), deal)
        await answer.show(plays_drawing(record, events, answer.voice))

    async def repost(self, answer: Answer, record: TableRecord) -> None:
        """Post the table again at the end of the channel, even if no known message is below it.

        The user's own ephemeral messages may be, which the gateway does not report. Raises what
        `check_permissions` raises.
        """
        here = answer.interaction.channel_id == record.channel
        if here:
            check_permissions(answer.interaction)
        if here and record.is_anywhere:
            check_external(answer.interaction)
            answer.posts_table = True
            self.sync.queue.note_token(record, answer)
            self.sync.queue.repost(record.game)
            await answer.given()
            if not answer.is_given:
                await answer.reply(answer.voice.gettext("Your table:"))
            return
        self.sync.queue.repost(record.game)
        there = answer.voice.gettext(
            "The table is at the bottom of {channel}.", channel=f"<#{record.channel}>"
        )
        await answer.reply(answer.voice.gettext("Your table:") if here else there)

    async def _show_after_move(self, answer: Answer, session: Session) -> None:
        """Show the hand after a move; on a public message only acknowledge, as the table shows the move."""
        if answer.is_command or _has_hand(answer, session):
            await self.hand_panel.show_hand(answer, session)
        else:
            await answer.nothing()

    async def redraw_outdated(self, answer: Answer, game: str, error: StaleButton) -> None:
        """Redraw a private hand of an earlier deal with the current one, and a note above it.

        Such a hand is outdated if its token was lost in a restart or has expired. Raises `error` if the
        pressed message does not show the user's hand.
        """
        session = await self._session(answer, game)
        is_players = session.record.seat_of(answer.user) is not None
        if not is_players or not is_private(answer.interaction, session.record):
            raise error
        await self._refuse(answer, session, error)

    async def _refuse(self, answer: Answer, session: Session, error: EngineError | StaleButton) -> None:
        """Draw the refusal above a private hand. Raises it again if the pressed message has no hand."""
        if answer.is_command or not _has_hand(answer, session):
            raise error
        if isinstance(error, StaleButton):
            note = stale_note(error, answer.voice)
        else:
            note = refusal(error, session.record, answer.voice)
        await self.hand_panel.show_hand(answer, session, note=note)

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
        """Store the language of the user's client, for direct messages to them.

        What the user has asked for is done already, so a failure is no error: the next press stores it.
        """
        language = str(answer.interaction.locale)
        with suppress(StoreError):
            if (await self.store.preferences(answer.user)).language == language:
                return
            await self.store.prefer(answer.user, language=language)

    async def _post_lobby(self, answer: Answer, record: TableRecord, said: str | None = None) -> None:
        """Post the lobby through the sync, not as the answer: the outcome of a lost answer is unknown.

        Raises `NotPosted` if Discord refuses it.
        """
        answer.record = record
        if record.is_anywhere:
            await self._post_by_token(answer, record, said)
            return
        if record.status is Status.PLAYING and record.thread is not OwnThread.WANTED and not record.is_in_dm:
            await self.hand_panel.open_with_hand(answer, record)
            return
        await self.sync.queue.opened(record, self.sync.queue.open(record.game))
        if said is None:
            await answer.nothing()
        else:
            await answer.reply(said)

    async def _post_by_token(self, answer: Answer, record: TableRecord, said: str | None) -> None:
        """Let the sync post the table as the answer, or below the pressed message; the hand follows it.

        Raises `NotPosted` if it came back private.
        """
        answer.posts_table = True
        self.sync.queue.note_token(record, answer)
        await self.sync.queue.opened(record, self.sync.queue.open(record.game))
        if record.status is Status.PLAYING:
            await self.hand_panel.show_hand(answer, await self.sessions.get(record.game))
        elif said is not None:
            await answer.reply(said)
        elif not answer.is_given:
            await answer.nothing()

    async def _show_lobby(self, answer: Answer, record: TableRecord, said: str | None) -> None:
        """Draw the lobby in the answer to its own button, else by the sync.

        On a private panel, the answer redraws the panel with the note `said`.
        """
        self.sync.queue.note_move(record.game, answer.user)
        message = answer.interaction.message
        try:
            if answer.is_command or message is None:
                await answer.reply(said or answer.voice.gettext("Done."))
            elif record.is_anywhere and record.status is Status.PLAYING:
                await answer.nothing()  # the table takes the lobby's place
            elif is_private(answer.interaction, record):
                panel = await self._own_seat(answer, record, said)
                await self.hand_panel.redraw(answer, record.game, panel)
            else:
                voice = self.sync.voices.of(record.language)
                await self.hand_panel.redraw(answer, record.game, lobby_drawing(record, voice))
        finally:
            self.sync.queue.schedule(record.game)

    async def _own_seat(self, answer: Answer, record: TableRecord, note: str | None = None) -> Drawing:
        seat = record.seat_of(answer.user)
        is_open = seat is not None and record.status is Status.GATHERING
        has_chosen = seat is not None and record.occupants[seat].explaining in {
            Explaining.ON,
            Explaining.OFF,
        }
        is_newcomer = is_open and not has_chosen and await self.store.is_newcomer(answer.user)
        return own_seat_drawing(record, answer.user, answer.voice, note=note, is_newcomer=is_newcomer)

    async def _show_rules(self, answer: Answer, record: TableRecord, panel: Drawing) -> None:
        """Show the rules' panel after a change, and sync the lobby, which shows them too."""
        try:
            await self._show_panel(answer, record, panel)
        finally:
            self.sync.queue.schedule(record.game)

    async def _show_panel(self, answer: Answer, record: TableRecord, drawing: Drawing) -> None:
        """Draw a private panel on the pressed message if that is private, else in a new message."""
        if answer.is_command or not is_private(answer.interaction, record):
            await answer.show(drawing)
        else:
            await self.hand_panel.redraw(answer, record.game, drawing)


def _may_set_rules(record: TableRecord, user: int) -> bool:
    """True for the host before the game; the rules of a match are settled."""
    is_open = record.status is Status.GATHERING and not record.goes_on_in_match
    return is_open and record.host == user


def _rules_for(
    record: TableRecord, answer: Answer, panel: Callable[[TableRecord, Voice], Drawing]
) -> Drawing:
    """The rules to read, or for somebody who may set them, that panel."""
    if _may_set_rules(record, answer.user):
        return panel(record, answer.voice)
    return rules_drawing(record.agreement, answer.voice)


def _has_hand(answer: Answer, session: Session) -> bool:
    """True if the pressed message shows a hand: a private one, or a table in the bot's DM."""
    return is_private(answer.interaction, session.record) or session.record.is_in_dm


def _has_just_begun(table: TableView, *, after: int | None) -> bool:
    """True if the deal after number `after` was just dealt, so that a press for it was late."""
    is_fresh = table.stage is Stage.DISCARDING and not any(table.has_discarded)
    return is_fresh and after == table.deal_number - 1


def occupant(user: discord.abc.User) -> Occupant:
    """The occupant of a user, with their name in the server."""
    return Occupant(user.id, user.display_name)
