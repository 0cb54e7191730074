"""One sync of a game with Discord: every message of it brought to what the log says, each by itself.

What fails is noted and the rest is drawn all the same: a channel that cannot be written to keeps nobody from
their hand, and one player's closed DMs keep no other player from the table. When a sync is made, and made
again, is the announcer's business.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.delivery.direct_messages import DirectMessages
from bot.delivery.discord_errors import CLOSED_DMS, GONE, TROUBLE, described, passes_by_itself
from bot.delivery.ephemeral_hands import EphemeralHands
from bot.delivery.game_ends import GameEnds
from bot.delivery.illustrator import Illustrator
from bot.delivery.last_deals import LastDeals
from bot.delivery.live_message import Wanted
from bot.delivery.mentions import Mentions
from bot.delivery.picture_fallback import PictureFallback
from bot.delivery.posts import Posts, is_old, place_of
from bot.delivery.snapshots import DealSnapshot, GameSnapshot
from bot.delivery.threads import Threads
from bot.model.posts import Place, Post, PostKind
from bot.model.preferences import Preferences
from bot.model.table_record import OwnThread, Pace, Status, TableRecord, away
from bot.render.drawing import Drawing
from bot.render.messages.by_dm import at_the_table_drawing, ringing_line
from bot.render.messages.ending_early import called_off_drawing, resting_drawing
from bot.render.messages.hand import past_hand_drawing
from bot.render.messages.lobby import called_by, calling_line, lobby_drawing
from bot.render.messages.own_table import Begun, own_table_drawing
from bot.render.messages.result import result_dm_drawing, result_drawing
from bot.render.messages.show import show_drawing
from bot.render.messages.table import table_drawing
from bot.render.text.automatic import clock_discarded
from bot.render.text.voice import Voice, Voices
from bot.store import SETTLED, Store
from engine import PlayerView, Seat, Stage

log = logging.getLogger(__name__)


class GameSync:
    """Draws one game, or one lobby, and notes what could not be drawn."""

    def __init__(
        self,
        record: TableRecord,
        store: Store,
        posts: Posts,
        hands: HandSync,
        voice: Voice,
        *,
        threads: Threads,
        illustrator: Illustrator,
        ends: GameEnds,
        is_shut: bool,
        has_pictures: bool = True,
    ) -> None:
        """`is_shut` says that the channel is not to be tried (`bot.delivery.access`).

        Unless it `has_pictures`, everything is text.
        """
        self._threads = threads
        self.record = record
        self._illustrator = illustrator
        self._ends = ends
        self._pictures = PictureFallback(are_taken=has_pictures, what="a table is")
        self._store = store
        self._posts = posts
        self._voice = voice
        self.repost = False
        """Whether the table is to be posted again at the end of its channel."""
        self._hands = hands
        self.failures: list[Exception] = []
        self.is_shut = is_shut
        """Whether the bot may not write in the table's channel."""
        self.is_closed_dm = False
        """Whether it is a DM whose person cannot be written to, which only they can change."""
        self._is_held_up = False
        """Whether something is to be tried again before anything else is drawn in the table's channel."""
        self.place_is_gone = False
        """Whether the channel of the table is not there any more."""

    @property
    def has_pictures(self) -> bool:
        """Whether Discord takes our pictures in the table's channel."""
        return self._pictures.are_taken

    @property
    def has_pictures_by_dm(self) -> bool:
        """Whether Discord takes our pictures in the players' DMs."""
        return self._hands.has_pictures

    @property
    def may_help_to_try_again(self) -> bool:
        """Whether something failed that may pass by itself; a shut channel is the business of `Access`."""
        return any(map(passes_by_itself, self.failures))

    async def tell_lobby(self, record: TableRecord) -> None:
        """Draw the lobby of a table that gathers, or that was closed."""
        await self._try_here(self._lobby(record))

    async def tell_game(
        self, snapshot: GameSnapshot, mentions: Mentions, ringing: Collection[Seat] = ()
    ) -> None:
        """Draw a game: what is over, the table, the hands, and whom it waits for.

        The hands of the seats that are `ringing`, or that asked for it, are posted by DM once more.
        """
        if snapshot.record.thread is OwnThread.WANTED and snapshot.record.status is Status.PLAYING:
            await self._try_here(self._open_thread(snapshot.record))
            snapshot = replace(snapshot, record=await self._threads.settled(snapshot.record))
        if snapshot.record.begins and snapshot.record.thread is OwnThread.NONE:
            await self._try_here(self._posts.become(PostKind.LOBBY, PostKind.TABLE, deal=1))
        await self._try_here(self._begun(snapshot))
        for number in range(1, snapshot.latest):
            if not self._posts.is_put_away(number):
                await self._past_deal(snapshot, snapshot.deal(number))
        if snapshot.record.status is Status.CANCELLED:
            await self._called_off(snapshot)
            return
        deal = snapshot.deal(snapshot.latest)
        table = self._posts.get(PostKind.TABLE, deal.number)
        if table is None or self._is_to_be_posted_anew(table):
            await self._try_here(self._table(snapshot, deal))  # first, because the hands lead to it
        await self._draw_hands(snapshot, deal, ringing)
        await self._try_here(self._table(snapshot, deal))
        if snapshot.table.result is not None:
            await self._try_here(self._result(snapshot, deal))
        await self._try_here(mentions.call(snapshot, self._posts, self._voice, self._url(snapshot)))

    async def own_table(self, snapshot: GameSnapshot, begun: Begun) -> Drawing:
        """The table in its player's own DM, with what they have `begun` on it."""
        return await self._own_table(snapshot, begun, has_picture=self.has_pictures)

    async def tell_hands(self, snapshot: GameSnapshot) -> None:
        """Draw the hands of the deal in hand, and nothing at the table."""
        await self._draw_hands(snapshot, snapshot.deal(snapshot.latest), ())

    async def tell_resting(self, snapshot: GameSnapshot) -> None:
        """Say in the hands that the game rests, or put them away if it has ended meanwhile."""
        deal, is_in_play = snapshot.deal(snapshot.latest), snapshot.record.status is Status.PLAYING
        for post in self._posts.all(PostKind.HAND):
            if post.deal in {0, deal.number} and post.drawn != SETTLED:
                rest = (
                    self._hands.rest(snapshot, post)
                    if is_in_play
                    else self._hands.put_away(snapshot, deal, post)
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
                self.is_closed_dm = error.code in CLOSED_DMS
            self._is_held_up = passes_by_itself(error)
        return is_drawn

    async def _lobby(self, record: TableRecord) -> None:
        drawing = lobby_drawing(record, self._voice)
        post = self._posts.get(PostKind.LOBBY)
        if post is not None and self.repost:
            farewell = lobby_drawing(
                record, self._voice, closing=self._voice.say("The table has moved down the channel.")
            )
            post = await self._posts.replace(drawing, farewell, post, version=record.version)
        else:
            place, called = Place(PostKind.LOBBY, record.channel), called_by(record)
            if post is None and called is not None:
                await self._posts.begin(calling_line(record, called, self._voice), place, calls=called)
            post = await self._posts.draw(drawing, place, version=record.version)
        if record.status is Status.CANCELLED:
            await self._posts.settle(post)

    async def _open_thread(self, record: TableRecord) -> None:
        """Open the game's own thread from its lobby, which is posted for it if there was none."""
        lobby, place = lobby_drawing(record, self._voice), Place(PostKind.LOBBY, record.channel)
        post = await self._posts.draw(lobby, place, version=record.version)
        await self._threads.move_into(record, post, self._voice)

    async def _begun(self, snapshot: GameSnapshot) -> None:
        """The lobby says that the game has begun before the table comes: one at a time can be used."""
        post = self._posts.get(PostKind.LOBBY)
        if post is not None and post.drawn != SETTLED:
            await self._posts.released(post)
            drawing = lobby_drawing(snapshot.record, self._voice)
            place = Place(PostKind.LOBBY, post.channel)
            await self._posts.settle(await self._posts.draw(drawing, place, version=snapshot.version))

    async def _past_deal(self, snapshot: GameSnapshot, deal: DealSnapshot) -> None:
        """The deal is over: its message shows what it came to, its hands are put away."""
        table, is_told = self._posts.get(PostKind.TABLE, deal.number), True
        if table is None or table.drawn != SETTLED:
            is_told = await self._try_here(self._draw_deal(snapshot, deal, open=False))
        for post in self._posts.all(PostKind.HAND):
            if post.deal == deal.number and post.drawn != SETTLED:
                is_told &= await self._try(self._hands.put_away(snapshot, deal, post))
        if is_told and (table := self._posts.get(PostKind.TABLE, deal.number)):
            await self._try(self._posts.settle(table))

    async def _called_off(self, snapshot: GameSnapshot) -> None:
        """The game ended without a result: the table and the hands are put away, and it is said once."""
        for post in self._posts.all(PostKind.NUDGE):
            await self._try_here(self._posts.remove(post))
        deal = snapshot.deal(snapshot.latest)
        await self._past_deal(snapshot, deal)
        for post in self._posts.all(PostKind.HAND):
            if post.drawn != SETTLED:
                await self._try(self._hands.put_away(snapshot, deal, post))
        for view in snapshot.views:
            if self._posts.is_uncertain and not snapshot.record.is_in_dm:
                await self._try(self._hands.find_lost(snapshot, deal, view.seat))
            self._hands.put_away_copy(snapshot, deal, view.seat)
        head = await self._store.head(snapshot.record.game)
        drawing = called_off_drawing(snapshot.record, snapshot.table, self._voice, head=head)
        place = Place(PostKind.RESULT, snapshot.record.channel)
        await self._try_here(self._posts.draw(drawing, place, version=snapshot.version))

    async def _table(self, snapshot: GameSnapshot, deal: DealSnapshot) -> None:
        """The message of the deal in hand."""
        post = self._posts.get(PostKind.TABLE, deal.number)
        if post is not None and post.drawn != SETTLED and self._is_to_be_posted_anew(post):
            await self._post_anew(snapshot, deal, post)
            self.repost = False
        elif post is None or post.drawn != SETTLED:
            await self._draw_deal(snapshot, deal, open=self._is_open(snapshot))

    def _is_open(self, snapshot: GameSnapshot) -> bool:
        """Whether somebody is to press on the message of the deal in hand.

        A show is shown as it stays, without an edit when the next hand is dealt, where all play by DM: there
        they deal.
        """
        record, table = snapshot.record, snapshot.table
        if table.stage is not Stage.DEALING or record.is_in_dm or away(record, table.absences):
            return table.result is None
        return not all(self._hands.is_played_by_dm(snapshot, seat) for seat in record.people)

    async def _draw_deal(self, snapshot: GameSnapshot, deal: DealSnapshot, *, open: bool) -> None:  # noqa: A002 -- as in `table_drawing`
        """Draw the message of a deal, with its picture, or without one where Discord does not take it.

        A picture that an edit cannot replace is tried once more with a new message.
        """
        place = Place(PostKind.TABLE, snapshot.record.channel, deal.number)
        choosing = _choosing(snapshot.own_view) if open and snapshot.record.is_in_dm else None
        standing = self._posts.get(PostKind.TABLE, deal.number)
        await self._pictures.draw(
            partial(self._deal_drawing, snapshot, deal, open=open),
            partial(self._posts.draw, place=place, version=snapshot.version, choosing=choosing),
            again=partial(self._post_anew, snapshot, deal, standing) if standing is not None else None,
        )

    async def _post_anew(self, snapshot: GameSnapshot, deal: DealSnapshot, post: Post) -> Post:
        """Post the message of the deal in hand at the end of the channel."""
        drawing = await self._deal_drawing(snapshot, deal, open=self._is_open(snapshot))
        farewell = await self._deal_drawing(snapshot, deal, open=False)
        return await self._posts.replace(drawing, farewell, post, version=snapshot.version)

    async def _deal_drawing(
        self,
        snapshot: GameSnapshot,
        deal: DealSnapshot,
        *,
        open: bool,  # noqa: A002 -- as in `table_drawing`
        has_picture: bool = True,
    ) -> Drawing:
        """The table of a deal, and once its play is over the show."""
        record, voice, has_picture = snapshot.record, self._voice, has_picture and self.has_pictures
        is_in_hand = deal.number == snapshot.latest
        if open and record.is_in_dm:
            view = snapshot.own_view
            likes = await self._store.preferences(snapshot.record.host)
            begun = Begun(chosen=snapshot.choices.get(view.seat, ()), likes=likes)
            return await self._own_table(snapshot, begun, has_picture=has_picture)
        table = snapshot.table if is_in_hand and snapshot.table.stage is Stage.DEALING else deal.table
        if deal.is_shown:
            show = await self._illustrator.show(record, table, deal.events, voice) if has_picture else None
            return show_drawing(record, table, deal.events, voice, open=open, show=show)
        return table_drawing(
            record,
            table,
            deal.events,
            voice,
            open=open,
            board=await self._illustrator.board(record, table, voice) if has_picture else None,
            hand_behind_button=await self._behind_button(snapshot) if is_in_hand else (),
            to_press_my_hand=self._to_press(snapshot) if is_in_hand and open else (),
        )

    async def _own_table(self, snapshot: GameSnapshot, begun: Begun, *, has_picture: bool) -> Drawing:
        record, voice, view = snapshot.record, self._voice, snapshot.own_view
        deal, picture = snapshot.deal(snapshot.latest), None
        if has_picture and deal.is_shown:
            picture = await self._illustrator.show(record, view.table, deal.events, voice)
        elif has_picture:
            picture = await self._illustrator.board(record, view.table, voice)
        return own_table_drawing(record, view, deal.events, voice, begun=begun, picture=picture)

    async def _result(self, snapshot: GameSnapshot, deal: DealSnapshot) -> None:
        place = Place(PostKind.RESULT, snapshot.record.channel)
        await self._pictures.draw(
            partial(self._result_drawing, snapshot),
            partial(self._posts.draw, place=place, version=snapshot.version),
        )
        table = self._posts.get(PostKind.TABLE, deal.number)
        if table is not None:
            await self._posts.settle(table)

    async def _result_drawing(self, snapshot: GameSnapshot, *, has_picture: bool) -> Drawing:
        record, table, voice = snapshot.record, snapshot.table, self._voice
        end = await self._ends.of(snapshot)
        picture = None
        if has_picture:
            picture = await self._illustrator.result(record, table, end.chances, voice)
        if record.is_in_dm:
            seat = snapshot.own_view.seat
            return result_dm_drawing(record, table, end, voice, seat=seat, table_url=None, picture=picture)
        return result_drawing(record, table, end, voice, picture=picture)

    async def _behind_button(self, snapshot: GameSnapshot) -> tuple[str, ...]:
        """The names of those whose hand cannot come by DM."""
        behind = [
            occupant.name
            for view, occupant in zip(snapshot.views, snapshot.record.occupants, strict=True)
            if occupant.person is not None
            and self._posts.get(PostKind.HAND, seat=view.seat) is None
            and (await self._store.preferences(occupant.person)).dms_closed
        ]
        return tuple(behind)

    def _to_press(self, snapshot: GameSnapshot) -> tuple[str, ...]:
        """The names of those whose turn it is, and who see no hand until they press for it."""
        names = (
            snapshot.record.occupants[seat].name
            for seat in snapshot.table.waiting_for
            if self._hands.has_to_press(snapshot, seat)
        )
        return tuple(names)

    async def _draw_hands(
        self, snapshot: GameSnapshot, deal: DealSnapshot, ringing: Collection[Seat]
    ) -> None:
        """Every private hand, but of those who cannot be written to."""
        for view in snapshot.views:
            rings = view.seat in ringing
            await self._try(self._hands.follow(snapshot, deal, view, self._url(snapshot)))
            if not snapshot.record.is_in_dm:  # there the table has the hand in it
                await self._try(self._hands.draw(snapshot, deal, view, self._url(snapshot), rings=rings))

    def _is_to_be_posted_anew(self, table: Post) -> bool:
        return self.repost or is_old(table)

    def _url(self, snapshot: GameSnapshot) -> str | None:
        return table_url(snapshot.record, self._posts)


class HandSync:
    """Draws the private hands of one game: each to its player alone, by DM and on the copy that is open.

    By DM a player has one message a game. It is drawn for those who play there; to those who play at the
    table it says so, and stays as it is. All raise `discord.HTTPException` when Discord refuses, except for
    closed DMs, which are remembered.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        posts: Posts,
        copies: EphemeralHands,
        voices: Voices,
        *,
        last_deals: LastDeals,
        illustrator: Illustrator,
        ends: GameEnds,
        has_pictures: bool,
    ) -> None:
        """With `has_pictures` the last deal's show and the result are pictures."""
        self._illustrator = illustrator
        self._ends = ends
        self._dms = DirectMessages(client, store)
        self._store = store
        self._posts = posts
        self._copies = copies
        self._voices = voices
        self._last_deals = last_deals
        self._pictures = PictureFallback(are_taken=has_pictures, what="hands are")

    @property
    def has_pictures(self) -> bool:
        """Whether Discord takes our pictures by DM."""
        return self._pictures.are_taken

    async def rest(self, snapshot: GameSnapshot, post: Post) -> None:
        """Say in a hand that the game rests."""
        try:
            drawing = resting_drawing(snapshot.record, await self._by_dm(snapshot, post.seat))
            await self._posts.rest(drawing, post, version=snapshot.version)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            # Without a common server the player may be out of reach; a press still says why.
            await self._posts.rest_unseen(post)

    async def put_away(self, snapshot: GameSnapshot, deal: DealSnapshot, post: Post) -> None:
        """Let a hand show what it was, without a button: its deal is over, or the game called off."""
        drawing = self._past_hand(snapshot, deal, Seat(post.seat), await self._by_dm(snapshot, post.seat))
        try:
            drawn = await self._posts.draw(drawing, place_of(post), version=snapshot.version)
            await self._posts.clear(drawn)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            self._posts.abandon(post)
            drawn = post  # nobody can change it now, and it holds nothing that can be pressed to harm
        await self._posts.settle(drawn)

    async def find_lost(self, snapshot: GameSnapshot, deal: DealSnapshot, seat: Seat) -> None:
        """Put a hand away that was posted just before a crash and is not in the book: its nonce finds it."""
        occupant = snapshot.record.occupants[seat]
        user = occupant.person
        if user is None or occupant.is_forgotten or not deal.kept[seat]:
            return
        if self._posts.get(PostKind.HAND, seat=seat) or (await self._store.preferences(user)).dms_closed:
            return
        place = Place(PostKind.HAND, await self._dm_channel(seat, user), seat=seat)
        drawing = self._past_hand(snapshot, deal, seat, await self._by_dm(snapshot, seat))
        try:
            post = await self._posts.draw(drawing, place, version=snapshot.version)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            await self._store.prefer(user, dms_closed=True)
            return
        await self.put_away(snapshot, deal, post)

    async def draw(
        self,
        snapshot: GameSnapshot,
        deal: DealSnapshot,
        view: PlayerView,
        table_url: str | None,
        *,
        rings: bool = False,
    ) -> None:
        """A player's message by DM. If it `rings`, it is posted once more, and the old one deleted."""
        record, version = snapshot.record, snapshot.version
        post, user = self._posts.get(PostKind.HAND, seat=view.seat), record.occupants[view.seat].user
        if rings and post is not None and user is not None:
            self._copies.left_the_table(record.game, user)
        if user is None or not await self._is_reached_by_dm(snapshot, view.seat, post):
            return
        rings = post is not None and (rings or self._posts.is_being_replaced(post))
        choosing = _choosing(view)
        try:
            if post is not None and not rings and not self._posts.accepts(post, version, choosing):
                await self._posts.catch_up(post)  # nothing but what an answer should have drawn
                return
            voice = await self._by_dm(snapshot, view.seat)
            if post is None:
                post = await self._begin_hand(view.seat, user, ringing_line(view, voice))
            elif rings:
                post = await self._posts.begin_again(ringing_line(view, voice), post)
            if snapshot.table.result is not None:
                post = await self._result(snapshot, view.seat, post, table_url, voice)
            elif self._is_elsewhere(snapshot, view.seat):
                drawing = at_the_table_drawing(record, voice)
                post = await self._posts.draw(drawing, place_of(post), version=version, choosing=choosing)
            else:
                post = await self._draw_hand(snapshot, view, table_url, post, voice=voice)
            await self._posts.clear(post)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            if post is not None:
                self._posts.abandon(post)
            await self._store.prefer(user, dms_closed=True)
            await self.follow(snapshot, deal, view, table_url)  # it offers the way back to them

    async def _is_reached_by_dm(self, snapshot: GameSnapshot, seat: Seat, post: Post | None) -> bool:
        """Whether the seat's player has a message by DM to draw on, or needs one."""
        occupant, is_over = snapshot.record.occupants[seat], snapshot.table.result is not None
        if occupant.user is None or occupant.is_forgotten:
            return False
        if post is None:
            if self._posts.may_stand(PostKind.HAND, seat=seat):
                return True  # or a line that calls for the first cut would stand there for ever
            # The computer reads no messages, and a player whom it substitutes for is not looking.
            if occupant.person is None:
                return False
            # A hand that was posted just before a crash is found by its nonce.
            if (is_over or self._is_elsewhere(snapshot, seat)) and not self._posts.is_uncertain:
                return False
        if not (await self._store.preferences(occupant.user)).dms_closed:
            return True
        if post is not None:
            self._posts.abandon(post)  # until its player says that they are open
        return False

    def _is_elsewhere(self, snapshot: GameSnapshot, seat: Seat) -> bool:
        """Whether the seat's player plays at the table."""
        user = snapshot.record.occupants[seat].user
        if user is None or snapshot.table.result is not None:
            return False
        return self._copies.is_at_the_table(snapshot.record.game, user)

    async def _result(
        self, snapshot: GameSnapshot, seat: Seat, post: Post, table_url: str | None, voice: Voice
    ) -> Post:
        """What the message becomes when the game is over, with a picture where Discord takes it."""
        return await self._pictures.draw(
            partial(self._result_drawing, snapshot, seat, table_url, voice),
            partial(self._posts.draw, place=place_of(post), version=snapshot.version),
        )

    async def _result_drawing(
        self,
        snapshot: GameSnapshot,
        seat: Seat,
        table_url: str | None,
        voice: Voice,
        *,
        has_picture: bool,
    ) -> Drawing:
        record, table = snapshot.record, snapshot.table
        end, picture = await self._ends.of(snapshot), None
        if has_picture:
            picture = await self._illustrator.result(record, table, end.chances, voice)
        return result_dm_drawing(record, table, end, voice, seat=seat, table_url=table_url, picture=picture)

    async def _draw_hand(
        self, snapshot: GameSnapshot, view: PlayerView, table_url: str | None, post: Post, *, voice: Voice
    ) -> Post:
        """The hand below the last deal, with its picture, or without one where Discord does not take it."""
        return await self._pictures.draw(
            partial(self._hand, snapshot, view, table_url, voice),
            partial(
                self._posts.draw, place=place_of(post), version=snapshot.version, choosing=_choosing(view)
            ),
        )

    async def _hand(
        self,
        snapshot: GameSnapshot,
        view: PlayerView,
        table_url: str | None,
        voice: Voice,
        *,
        has_picture: bool,
    ) -> Drawing:
        record, user = snapshot.record, snapshot.record.occupants[view.seat].user
        last = await self._last_deals.of(
            record, snapshot.table, snapshot.deal, view.seat, voice, has_picture=has_picture
        )
        return snapshot.hands.draw(
            record,
            view,
            voice,
            table_url=table_url,
            events=snapshot.deal(snapshot.latest).events,
            chosen=snapshot.choices.get(view.seat, ()),
            likes=Preferences() if user is None else await self._store.preferences(user),
            last=last,
            dm=True,
        )

    async def follow(
        self, snapshot: GameSnapshot, deal: DealSnapshot, view: PlayerView, table_url: str | None
    ) -> None:
        """The copy of a hand that its player has opened at the table, if it can still be drawn on.

        In live play it comes down below the table's newest message.
        """
        record = snapshot.record
        game, user = record.game, record.occupants[view.seat].user
        choosing = _choosing(view)
        if user is None or not self._copies.accepts(game, user, snapshot.version, choosing):
            return
        drawing = snapshot.hands.draw(
            record,
            view,
            self._voices.of(self._copies.language(game, user)),
            table_url=table_url,
            events=deal.events,
            chosen=snapshot.choices.get(view.seat, ()),
            likes=await self._store.preferences(user),
            dm=False,
        )
        wanted = Wanted(drawing=drawing, version=snapshot.version, choosing=choosing)
        table = self._posts.get(PostKind.TABLE, deal.number)
        is_to_come = record.agreement.pace is Pace.LIVE and snapshot.table.result is None
        self._copies.want(game, user, wanted, below=table.message if table and is_to_come else None)

    def is_played_by_dm(self, snapshot: GameSnapshot, seat: Seat) -> bool:
        """Whether the seat's player has lately played on their message by DM, and not at the table since."""
        post = self._posts.get(PostKind.HAND, seat=seat)
        return post is not None and self._posts.is_in_use(post) and not self._is_elsewhere(snapshot, seat)

    def has_to_press(self, snapshot: GameSnapshot, seat: Seat) -> bool:
        """Whether a player plays at the table, and has no copy there that follows any more."""
        user = snapshot.record.occupants[seat].person
        return user is not None and self._copies.has_to_press(snapshot.record.game, user)

    def put_away_copy(self, snapshot: GameSnapshot, deal: DealSnapshot, seat: Seat) -> None:
        """Let such a copy show what the hand was, without a button: the game is called off."""
        game, user = snapshot.record.game, snapshot.record.occupants[seat].user
        if user is not None and self._copies.is_open(game, user):
            voice = self._voices.of(self._copies.language(game, user))
            drawing = self._past_hand(snapshot, deal, seat, voice)
            self._copies.want(game, user, Wanted(drawing=drawing, version=snapshot.version))

    def _past_hand(self, snapshot: GameSnapshot, deal: DealSnapshot, seat: Seat, voice: Voice) -> Drawing:
        kept, discarded = deal.kept[seat], deal.discarded[seat]
        by_clock = clock_discarded(deal.events, seat)
        return past_hand_drawing(snapshot.record, deal.number, kept, discarded, voice, by_clock=by_clock)

    async def _by_dm(self, snapshot: GameSnapshot, seat: int) -> Voice:
        """How the player is spoken to in direct messages: as Discord spoke to them when seen last."""
        user = snapshot.record.occupants[seat].user
        known = (await self._store.preferences(user)).language if user is not None else None
        return self._voices.of(known or snapshot.record.language)

    async def _begin_hand(self, seat: Seat, user: int, line: str) -> Post:
        """Post a player's message by DM as a line of text."""
        place = Place(PostKind.HAND, await self._dm_channel(seat, user), seat=seat)
        try:
            return await self._posts.begin(line, place)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            # The kept channel is not there any more: it was of another bot, say, with the same database.
            return await self._posts.begin(line, replace(place, channel=await self._dms.open(user)))

    async def _dm_channel(self, seat: Seat, user: int) -> int:
        """Where the player's hand comes: as before, if one ever came, else asked of Discord."""
        for post in self._posts.all(PostKind.HAND):
            if post.seat == seat:
                return post.channel
        return await self._dms.channel(user)


def table_url(record: TableRecord, posts: Posts) -> str | None:
    """Where the table's newest message stands."""
    post = posts.newest_table
    if post is None:
        return None
    return f"https://discord.com/channels/{record.guild or '@me'}/{post.channel}/{post.message}"


def noted(game: str, failures: list[Exception]) -> None:
    """Write into the log what could not be drawn."""
    for error in failures:
        log.warning("a message of %s could not be drawn: %s", game, described(error))


def _choosing(view: PlayerView) -> int | None:
    """The deal in which the player has still to discard."""
    is_choosing = view.table.stage is Stage.DISCARDING and not view.discarded
    return view.table.deal_number if is_choosing else None
