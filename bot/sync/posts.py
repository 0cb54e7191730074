"""The messages of one game in Discord: posts, edits, reposts and deletes them, and records each in the store.

Every message can be drawn from the log alone, so a deleted one is posted again, with a nonce as its
idempotency key. The digest of the latest drawing is stored, so that an unchanged message is not edited, after
a restart too. Each message's state machine (`live_message`) decides when it is edited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.concurrency.loop_time import loop_time
from bot.model.hints import Drawn
from bot.model.posts import RESTING, SETTLED, Post, PostKind, Slot
from bot.render.drawing import Drawing
from bot.store import Store
from bot.sync.discord_errors import NETWORK, Does, Request, done_after, tell_owner
from bot.sync.discord_internals import files_of
from bot.sync.live_message import (
    Carried,
    IdTransport,
    LiveMessage,
    PictureRefused,
    Shown,
    TokenExpired,
    TokenTransport,
    Wanted,
    deliver,
    edit,
)
from bot.sync.picture_ways import PictureWays, Way
from bot.sync.post_book import PostBook, drawn_on, live_from
from bot.sync.presses import NoToken, Presses

BETWEEN_REPLACEMENTS = 60.0
"""Shortest time (s) between two posts of one table in place of messages that may not be edited."""

_IN_CHANNEL = frozenset({PostKind.LOBBY, PostKind.TABLE, PostKind.RESULT})
"""The kinds that are drawn in the table's channel."""

_ANSWERS_TIMEOUT = 3.0
"""Timeout (s) of waiting for answers; most take less."""

_NOT_DRAWN = frozenset({PostKind.NUDGE, PostKind.SUPERSEDED})
"""The kinds that are never edited, only deleted."""


class EditRefused(discord.DiscordException):
    """Discord refuses to edit a message, in whose place one may be posted in some `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__("edits are refused")
        self.seconds = seconds


def _only(*users: int) -> discord.AllowedMentions:
    """Allowed mentions with which a message notifies these people alone."""
    return discord.AllowedMentions(users=[*map(discord.Object, users)], everyone=False, roles=False)


def _superseded(post: Post) -> Post:
    return replace(post, kind=PostKind.SUPERSEDED, drawn="")


class Posts:
    """The messages of one game."""

    def __init__(
        self,
        game: str,
        client: discord.Client,
        store: Store,
        posts: tuple[Post, ...],
        *,
        ways: PictureWays | None = None,
        has_unacknowledged_sends: bool = False,
        silent: bool = False,
        presses: Presses | None = None,
    ) -> None:
        """Sends may have succeeded without being recorded, if `has_unacknowledged_sends` (after a crash).

        `silent` messages are posted without a notification. With `presses`, only their tokens post and edit.
        """
        self._presses = presses
        self._ways = ways or PictureWays()
        self._is_silent = silent
        self._game = game
        self._client = client
        self._book = PostBook(game, store, posts, is_interrupted=has_unacknowledged_sends)
        self._live: dict[int, LiveMessage] = {}
        """By message id. A pressed message may belong to no game, or not be recorded yet."""
        self._has_unacknowledged_sends = has_unacknowledged_sends or bool(posts)
        self._unacknowledged: set[Slot] = set()
        """Slots of sends with an unknown outcome."""
        self._since = 0
        """Part of all nonces: a message that was lost must not be found by the one in its place."""
        self._refused_edits: dict[int, tuple[float, discord.HTTPException]] = {}
        """By message id: the latest refused edit, and its time (the event loop's, s)."""
        self._replaced_at = -BETWEEN_REPLACEMENTS
        """Time of the latest post in place of a message that may not be edited."""

    def get(self, kind: PostKind, deal: int = 0, seat: int = -1) -> Post | None:
        """The message in that slot, if there is one."""
        return self._book.get(Slot(kind, deal, seat))

    def all(self, kind: PostKind) -> tuple[Post, ...]:
        """All messages of that kind."""
        return tuple([post for post in self._book if post.kind is kind])

    @property
    def standing_by_key(self) -> Mapping[Slot, Post]:
        """The messages by kind, deal and seat: a live view."""
        return self._book.standing

    @property
    def last_deal(self) -> int:
        """The number of the latest deal with a message, 0 for none."""
        return max([post.deal for post in self._book if post.kind is PostKind.TABLE], default=0)

    def on(self, message: int) -> Post | None:
        """The record of the message with that id, if there is one."""
        return self._book.on(message)

    @property
    def is_up_to_date(self) -> bool:
        """True if every message's content is confirmed, up to date and recorded."""
        shown = (post for post in self._book if post.kind not in _NOT_DRAWN)
        return self._book.is_kept and all(map(self._is_up_to_date, shown))

    @property
    def has_unacknowledged_sends(self) -> bool:
        """True if a send may have succeeded without being recorded (crash between send and commit)."""
        return self._has_unacknowledged_sends

    def is_unacknowledged(self, kind: PostKind, deal: int = 0, seat: int = -1) -> bool:
        """True if a send in that slot had an unknown outcome: sending again finds it by its nonce."""
        return Slot(kind, deal, seat) in self._unacknowledged

    def acknowledge_all(self) -> None:
        """Note that a whole sync has succeeded: no send has an unknown outcome."""
        self._has_unacknowledged_sends = False
        self._unacknowledged.clear()

    async def note_synced(self, version: int) -> None:
        """Store that the game is synced up to `version` of its log. Raises `StoreUnavailable`."""
        await self._book.note_synced(version)

    async def distrust_all(self, latest: int, *, has_lost: bool) -> None:
        """Draw everything again from the log, whose last deal is number `latest`.

        If it `has_lost` moves, what is posted from now on is new.
        """
        for post in self._book:
            if self._live_of(post).is_pressed:
                await self.released(post)
        self._book.distrust(after=latest)
        for post in self._book:
            if post.drawn == SETTLED:
                self._live.pop(post.message, None)
        for live in self._live.values():
            live.distrust()
        if has_lost:
            self._since = max([post.message for post in self._book], default=0) % 10**8

    async def adopt(self, found: Post, latest: int) -> bool:
        """Record a message that the database has lost, in place of one for the same deal; true if it is new.

        The plan deletes one of what the log lacks: `latest` is the number of its last deal.
        """
        if self.on(found.message) is not None or 0 < found.deal < latest:
            return False
        before = self._book.get(found.slot)
        if before is not None:
            await self.remove(before)
        await self._book.keep(found)
        return True

    async def take_leave(self, farewell: Drawing) -> None:
        """Edit every message that is not final to its `farewell`, as far as Discord takes it."""
        for post in self._book:
            if post.drawn != SETTLED and post.kind not in _NOT_DRAWN:
                with suppress(*NETWORK):
                    await edit(self._live_of(post), self._by_id(post), farewell, "", self._carried(post))

    def accepts(self, post: Post, version: int, choosing: int | None) -> bool:
        """See `LiveMessage.accepts`."""
        return self._live_of(post).accepts(version, choosing)

    async def draw(
        self, drawing: Drawing, slot: Slot, channel: int, *, version: int, choosing: int | None = None
    ) -> Post:
        """Post the message, or edit it if its content differs.

        `Wanted` explains `version` and `choosing`. Raises `discord.HTTPException` when Discord refuses, and
        `EditRefused`.
        """
        wanted = Wanted(drawing=drawing, version=version, choosing=choosing)
        post = self._book.get(slot)
        if post is None:
            return await self._send(wanted, slot, channel, replacing=None)
        self._live_of(post).want(wanted)
        if await self.flush(post):
            return self._book.get(slot) or post
        if post.kind is PostKind.HAND:
            await self._book.keep(_superseded(post))
        if post.message in self._refused_edits:
            return await self._post_in_its_place(wanted, post)
        return await self._send(wanted, slot, channel, replacing=post)

    async def _post_in_its_place(self, wanted: Wanted, post: Post) -> Post:
        """Post a message in place of one that may not be edited. Raises `EditRefused` if it is too soon."""
        left = self._replaced_at + BETWEEN_REPLACEMENTS - loop_time()
        if left > 0:
            raise EditRefused(left)
        _, error = self._refused_edits.pop(post.message)  # if a post is refused too, it was the channel
        new = await self._send(wanted, post.slot, post.channel, replacing=post)
        self._replaced_at = loop_time()
        tell_owner(Request.EDIT, error)
        return new

    async def flush(self, post: Post) -> bool:
        """Make the edit that is wanted of the message, if any; false if it must be posted again.

        A refused edit is not tried again for a minute: it may be refused for this message alone, so the post
        in its place decides about the channel. Raises `discord.HTTPException` when Discord refuses for
        another reason, and `PictureRefused`.
        """
        if self._has_just_refused(post):
            return False
        live = self._live_of(post)
        await self._book.keep_again()
        try:
            is_drawn = await deliver(live, self._by_id(post), self._carried(post))
        except PictureRefused:
            self._distrust(post)
            raise
        except TokenExpired:
            if self._presses is None or not self._presses.can_post(post.channel):
                raise NoToken from None
            return False
        except discord.HTTPException as error:
            self._note_refused_edit(post, error)
            return False
        if is_drawn:
            if live.way is not None:
                self._ways.taken(post.channel, live.way)
            await self._record(post, live)
        return True

    def _note_refused_edit(self, post: Post, error: discord.HTTPException) -> None:
        """Let the next draw post the message again, or raise the error if that would not help."""
        request = Request.DM if post.kind is PostKind.HAND else Request.EDIT
        does = done_after(request, error)
        if does is Does.POSTS_ANEW:
            self._distrust(post)
            return
        if does is not Does.POSTS_ANEW_SELDOM or self._presses is not None:
            raise error
        self._refused_edits[post.message] = loop_time(), error.with_traceback(None)

    def _has_just_refused(self, post: Post) -> bool:
        """True if Discord has refused an edit of the message less than a minute ago."""
        at, _ = self._refused_edits.get(post.message, (-BETWEEN_REPLACEMENTS, None))
        if loop_time() - at < BETWEEN_REPLACEMENTS:
            return True
        self._refused_edits.pop(post.message, None)
        return False

    def _distrust(self, post: Post) -> None:
        """Forget what the message shows."""
        self._live.pop(post.message, None)
        self._book.note(replace(post, drawn=""))

    @property
    def are_resting(self) -> bool:
        """True if a hand is marked as resting."""
        return any(post.drawn == RESTING for post in self._book)

    async def rest(self, drawing: Drawing, post: Post, *, version: int) -> None:
        """Draw the hand of a game that rests, and mark it as resting.

        Raises `discord.HTTPException` when Discord refuses.
        """
        if post.drawn == RESTING:
            return
        live = self._live_of(post)
        live.want(Wanted(drawing=drawing, version=version))
        if await self.flush(post) and live.standing == drawing.digest:
            await self._book.keep(replace(post, drawn=RESTING))

    async def mark_resting(self, post: Post) -> None:
        """Mark a hand that cannot be edited as resting: it is drawn again when the game resumes."""
        self.abandon(post)
        await self._book.keep(replace(post, drawn=RESTING))

    async def give_up_channel(self, version: int) -> None:
        """Settle the messages of a finished game as they are: its channel takes no edits.

        Raises `StoreUnavailable`.
        """
        for post in tuple(self._book):
            if post.kind is PostKind.NUDGE:
                await self._book.drop(post)
            elif post.kind in _IN_CHANNEL and post.drawn != SETTLED:
                self._live.pop(post.message, None)
                await self._book.keep(replace(post, drawn=SETTLED))
        await self._book.note_synced(version)

    async def replace(
        self,
        drawing: Drawing,
        farewell: Callable[[Post], Awaitable[Drawing]],
        old: Post,
        *,
        version: int,
        calls: Collection[int] = (),
    ) -> Post:
        """Repost the message at the end of its channel, and edit the old one to its `farewell`.

        That is made for the new post, which notifies the people whom it `calls`. Raises
        `discord.HTTPException` when Discord refuses the new one.
        """
        live = self._live_of(old)
        wanted = Wanted(drawing=drawing, version=version)
        new = await self._send(wanted, old.slot, old.channel, replacing=old, calls=calls)
        with suppress(*NETWORK):  # the new one counts
            await edit(live, self._by_id(old), await farewell(new), live.over, self._carried(old))
        return new

    # Pictures

    def way(self, message: int, drawing: Drawing) -> Way | None:
        """The way in which an edit of the message carries the drawing's picture; see `PictureWays.way`."""
        post = self.on(message) if drawing.files else None
        if post is None:
            return Way.LEFT_OUT
        live = self._live_of(post)
        return self._ways.way(post.channel, drawing, live.over, live.files)

    def files(self, message: int) -> tuple[int, ...]:
        """The ids of the message's files; empty if they are unknown, or it is not of the game."""
        post = self.on(message)
        return () if post is None else self._live_of(post).files

    def note_way(self, message: int, way: Way, error: discord.HTTPException | None = None) -> None:
        """Note that Discord has taken an edit of the message, or refused it with that `error`."""
        post = self.on(message)
        if post is None:
            return
        if error is None:
            self._ways.taken(post.channel, way)
        else:
            self._ways.refused(post.channel, way, error)

    def _carried(self, post: Post) -> Carried:
        return partial(self._ways.way, post.channel)

    async def begin(self, line: str, slot: Slot, channel: int, *, calls: int | None = None) -> Post:
        """Post a new message as a line of plain text, for a phone's notification; `draw` then edits it.

        A mention in the line notifies only the person whom it `calls`; an edit never notifies anybody. Raises
        `discord.HTTPException` when Discord refuses.
        """
        new: dict[str, Any] = {"content": line}
        if calls is not None:
            new["allowed_mentions"] = _only(calls)
        return await self._post(new, slot, channel, None, replacing=None)

    async def begin_again(self, line: str, old: Post) -> Post:
        """Post a replacement of a message as a line of plain text; `clear` then deletes the old one.

        Safe against a crash between the two: the old message is first recorded as `SUPERSEDED`, and calling
        this again continues from there.
        """
        await self._book.keep(_superseded(old))
        return await self._post({"content": line}, old.slot, old.channel, None, replacing=old)

    async def become(self, former: Slot, new: Slot) -> None:
        """Move the message in one slot, if there is one, to another slot.

        A crash between the two writes leaves both records, and calling this again continues from there.
        """
        post, there = self._book.get(former), self._book.get(new)
        if post is None:
            return
        if there is None:
            await self._book.keep(replace(post, **new._asdict(), drawn=""))
        await self._book.drop(post)

    async def clear(self, post: Post) -> None:
        """Delete the superseded message that this one replaces, if there is one."""
        superseded = self.get(PostKind.SUPERSEDED, post.deal, post.seat)
        if superseded is not None and superseded.message != post.message:
            await self.remove(superseded)

    async def say(self, text: str, user: int, slot: Slot, channel: int, *, occasion: int) -> None:
        """Post a line that mentions `user` and nobody else, once for each `occasion`."""
        target = self._client.get_partial_messageable(channel)
        nonce = slot.nonce(self._game, occasion)
        message = await target.send(text, allowed_mentions=_only(user), nonce=nonce)
        await self._book.keep(self._posted(slot, channel, message.id))

    async def remove(self, post: Post) -> None:
        """Delete the message, if it still exists and can be reached; one that Discord keeps stays."""
        if self._presses is not None:
            await self._book.drop(post)
            return
        partial = self._client.get_partial_messageable(post.channel).get_partial_message(post.message)
        with suppress(discord.NotFound, discord.Forbidden):  # which says nothing about posts there
            await partial.delete()
        await self._book.drop(post)

    async def settle(self, post: Post) -> None:
        """Mark the message as final if its content is up to date and confirmed."""
        if post.drawn == SETTLED:
            return
        live = self._live_of(post)
        live.token = None
        if live.is_up_to_date and not live.is_pressed:
            await self._book.keep(replace(post, drawn=SETTLED))
            self._live.pop(post.message, None)

    def abandon(self, post: Post) -> None:
        """Drop all edits of the message: it cannot be edited any more."""
        self._live_of(post).abandon()

    # Presses and their answers

    def is_in_use(self, post: Post) -> bool:
        """True if the message was pressed within a token's lifetime (15 minutes)."""
        token = self._live_of(post).token
        return token is not None and token.is_alive

    @property
    def in_use(self) -> frozenset[int]:
        """Ids of the messages for which `is_in_use` is true."""
        return frozenset([post.message for post in self._book if self.is_in_use(post)])

    async def released(self, post: Post) -> None:
        """Wait until no answer to a press on the message is in progress, with a timeout."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANSWERS_TIMEOUT):
                await self._live_of(post).released()

    @contextmanager
    def pressed(self, message: int) -> Iterator[None]:
        """While an answer is made that may edit `message`, nothing else does; check `is_owed` afterwards."""
        live = self._pressable(message)
        try:
            with live.pressed():
                yield
        finally:
            post = self.on(message)
            if not live.is_pressed and (post is None or post.drawn == SETTLED):
                self._live.pop(message, None)

    def hold(self, message: int, interaction: discord.Interaction) -> None:
        """Note a press that was acknowledged without another message: its token edits this one."""
        post = self.on(message)
        if post is not None and post.drawn != SETTLED:
            self._live_of(post).token = TokenTransport(interaction, message)

    def is_owed(self, message: int) -> bool:
        """True if the message needs an edit, or its content is unconfirmed."""
        post = self.on(message)
        if post is None or post.drawn == SETTLED:
            return False
        return not self._is_up_to_date(post) or not self._book.is_kept

    def over(self, message: int) -> str:
        """See `LiveMessage.over`; empty if the message is not of the game."""
        post = self.on(message)
        return "" if post is None else self._live_of(post).over

    async def answered(
        self,
        message: int,
        interaction: discord.Interaction,
        shown: Shown,
        *,
        files: tuple[int, ...] = (),
        is_certain: bool = True,
    ) -> None:
        """Note that an answer has edited the message; its outcome is unknown unless `is_certain`."""
        live, post = self._pressable(message), self.on(message)
        live.files = files
        live.answered(shown, is_certain=is_certain)
        if post is None or post.drawn == SETTLED:
            return
        live.token = TokenTransport(interaction, message)
        drawn = replace(post, drawn=drawn_on(live))
        if live.shown.draft is not None and is_certain:
            # A draft survives a restart, even if the sync's edit may have crossed it.
            await self._book.keep(drawn)
        else:
            self._book.note(drawn)

    def drawn_elsewhere(self, all_drawn: Iterable[Drawn]) -> None:
        """Note the drawings of another process's answers, also on settled messages."""
        for drawn in all_drawn:
            post = self.on(drawn.message)
            if post is not None:
                live = self._live_of(post)
                shown = Shown(digest=drawn.digest, version=drawn.version, draft=drawn.draft)
                live.answered(shown, is_certain=drawn.is_certain)
                self._book.note(replace(post, drawn=drawn_on(live)))

    async def _send(
        self,
        wanted: Wanted,
        slot: Slot,
        channel: int,
        *,
        replacing: Post | None,
        calls: Collection[int] = (),
    ) -> Post:
        new = wanted.drawing.to_send()
        if calls:
            new["allowed_mentions"] = _only(*calls)
        new["silent"] = self._is_silent or slot.kind is PostKind.HAND
        return await self._post(new, slot, channel, wanted, replacing=replacing)

    def _posted(self, slot: Slot, channel: int, message: int, drawn: str = "") -> Post:
        return Post(game=self._game, **slot._asdict(), channel=channel, message=message, drawn=drawn)

    async def _post(
        self,
        new: dict[str, Any],
        slot: Slot,
        channel: int,
        wanted: Wanted | None,
        *,
        replacing: Post | None,
    ) -> Post:
        """Post a message with these arguments: what is `wanted`, or a line of text."""
        if self._presses is not None:
            assert wanted is not None, "a line is mentioned by id"
            return await self._post_by_token(self._presses, new, slot, channel, wanted, replacing=replacing)
        target = self._client.get_partial_messageable(channel)
        # The last eight digits of the replaced message's id keep the nonces of the two apart.
        nonce = slot.nonce(self._game, replacing.message % 10**8 if replacing else self._since)
        may_be_repeated, self._has_unacknowledged_sends = self._has_unacknowledged_sends, True
        self._unacknowledged.add(slot)
        try:
            message = await target.send(**new, nonce=nonce)
        except (discord.Forbidden, discord.NotFound):
            self._has_unacknowledged_sends = may_be_repeated  # nothing was posted
            self._unacknowledged.discard(slot)
            raise
        self._has_unacknowledged_sends = may_be_repeated
        self._unacknowledged.discard(slot)
        if replacing is not None:
            self._live.pop(replacing.message, None)
        live = self._pressable(message.id)
        live.files = files_of(message)
        # Not if it was pressed, and answered, before the response to the send arrived.
        if wanted is not None and not live.shown.digest:
            live.shown = Shown(digest=wanted.drawing.digest, version=wanted.version)
            # The nonce may have found an earlier attempt's message, with an older drawing.
            live.is_certain = not may_be_repeated
        return await self._book.keep(self._posted(slot, channel, message.id, drawn_on(live)))

    async def _post_by_token(
        self,
        presses: Presses,
        new: dict[str, Any],
        slot: Slot,
        channel: int,
        wanted: Wanted,
        *,
        replacing: Post | None,
    ) -> Post:
        """Post with the token of a press, which has no idempotency key.

        After an unknown outcome the next press posts the message again; a press on the other one leads to the
        table.
        """
        with presses.posting():
            posted = await presses.post(channel, new)
            if replacing is not None:
                self._live.pop(replacing.message, None)
            live = self._pressable(posted.message)
            live.files, live.token = posted.files, posted.token
            if not live.shown.digest:
                live.shown = Shown(digest=wanted.drawing.digest, version=wanted.version)
                live.is_certain = True
            return await self._book.keep(self._posted(slot, channel, posted.message, drawn_on(live)))

    async def _record(self, post: Post, live: LiveMessage) -> None:
        """Record the drawing: at once if none was known, or a bot in a crash loop would draw it each time."""
        drawn = replace(post, drawn=drawn_on(live))
        if post.drawn and live.shown.draft is None:
            self._book.note(drawn)
        else:
            await self._book.keep(drawn)

    def _is_up_to_date(self, post: Post) -> bool:
        live = self._live.get(post.message)
        return bool(post.drawn) if live is None else live.is_up_to_date

    def _live_of(self, post: Post) -> LiveMessage:
        live = self._live.get(post.message)
        if live is None:
            live = self._live[post.message] = live_from(post)
        return live

    def _pressable(self, message: int) -> LiveMessage:
        """The message, which may not be recorded yet."""
        post = self.on(message)
        if post is not None:
            return self._live_of(post)
        return self._live.setdefault(message, LiveMessage(Shown(digest="", version=0), is_certain=False))

    def _by_id(self, post: Post) -> IdTransport | None:
        if self._presses is not None:
            return None
        channel = self._client.get_partial_messageable(post.channel)
        return IdTransport(channel.get_partial_message(post.message))
