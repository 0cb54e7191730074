"""Makes Discord show what a plan says: one item, what it teaches, and the plan made anew.

It knows slots, transports, failures and pictures that are refused, and nothing of cribbage. A sync goes once
through the plan: what changes behind it is left to the next sync. What fails is noted and the rest goes on:
closed DMs keep nobody else from the table. Only in a channel messages come in order: after a failure that may
pass nothing more is sent there, and nothing after a refusal, since every refusal counts for Discord.

The transport belongs to the place: messages in channels and DMs are reached by their id (`posts`), ephemeral
ones by the token of an interaction (`ephemeral_hands`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol, TypeAlias, assert_never

import discord

from bot.model.posts import Place, Post
from bot.render.drawing import Drawing
from bot.sync.contents import Content, Line, as_text
from bot.sync.direct_messages import DirectMessages
from bot.sync.discord_errors import CLOSED_DMS, GONE, TROUBLE, described, passes_by_itself
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import Wanted
from bot.sync.plan import (
    Abandoned,
    Becomes,
    ByDm,
    ByToken,
    Deleted,
    Fate,
    InChannel,
    Item,
    Mention,
    Message,
    Slot,
    Where,
    is_private,
)
from bot.sync.posts import Posts

log = logging.getLogger(__name__)

_FOR_PICTURES = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})


class Subject(Protocol):
    """The table whose messages are reconciled: what to draw, and who hears what was learned."""

    @property
    def game(self) -> str:
        """The id of its game."""

    @property
    def version(self) -> int:
        """The version of its log that is drawn."""

    async def draw(self, content: Content) -> Drawing:
        """Draws a message. Raises `StoreUnavailable`."""

    def line(self, line: Line) -> str:
        """Writes a line of text."""

    async def open_thread(self, lobby: Post) -> None:
        """Opens a thread from the lobby. Raises network errors and `StoreUnavailable`."""

    async def dms_are_closed(self, user: int) -> None:
        """Hears that nobody can write to that person. Raises `StoreUnavailable`."""

    def pictures_are_refused(self, *, by_dm: bool) -> None:
        """Hears that Discord does not take a picture there."""

    def rang(self, seat: int) -> None:
        """Hears that a message by DM is posted once more."""

    def moved(self) -> None:
        """Hears that the table, or its lobby, stands at the end of its channel."""

    def mentioned(self, mention: Mention) -> None:
        """Hears that a player was mentioned."""


Planned: TypeAlias = Callable[[bool], Awaitable[tuple[Item, ...]]]
"""Makes the next plan; its argument is true if the table's channel can be written to, as far as is known."""

_ItemKey: TypeAlias = tuple[type[Where], Slot]


@dataclass
class Outcome:
    """Result of a sync: what was learned of the table's channel, and what failed."""

    is_shut: bool
    """True if the bot may not write in the table's channel."""
    is_closed_dm: bool = False
    """True if that is a DM whose person cannot be written to, which only they can change."""
    place_is_gone: bool = False
    """True if the table's channel is not there any more."""
    failures: list[Exception] = field(default_factory=list)

    @property
    def may_help_to_try_again(self) -> bool:
        """True if a failure may pass by itself; a shut channel is the business of the circuit breaker."""
        return any(map(passes_by_itself, self.failures))


class Reconciler:
    """One sync of one table."""

    def __init__(
        self,
        subject: Subject,
        posts: Posts,
        open_hands: EphemeralHands,
        dms: DirectMessages,
        outcome: Outcome,
    ) -> None:
        """Writes down in the `outcome` what it learns; a channel that is shut is not tried."""
        self._subject = subject
        self._posts = posts
        self._open_hands = open_hands
        self._dms = dms
        self._outcome = outcome
        self._is_held_up = False
        """True if something is to be tried again before anything else is sent to the table's channel."""
        self._done: dict[_ItemKey, Item] = {}
        self._failed: set[_ItemKey] = set()
        self._posted_anew: set[_ItemKey] = set()
        """Messages that were moved, or rang: each is posted once more at most once in a sync."""

    @property
    def may_write(self) -> bool:
        """True if the table's channel can be written to, as far as is known."""
        return not self._outcome.is_shut and not self._is_held_up

    async def run(self, planned: Planned) -> None:
        """Carry out what is `planned`, until nothing is left to do."""
        while (item := self._next_of(await planned(self.may_write))) is not None:
            await self._try(item)

    def _next_of(self, items: Iterable[Item]) -> Item | None:
        """The first item that is left, if there is one."""
        return next(filter(self._is_left, items), None)

    def _is_left(self, item: Item) -> bool:
        """True if the item was not carried out yet."""
        key = _key(item)
        done = self._done.get(key)
        return key not in self._failed and (
            done is None or type(done) is not type(item) or _is_settled_now(item, done)
        )

    async def _try(self, item: Item) -> None:
        """Carry out one item, and note what went wrong."""
        key, is_finished = _key(item), True
        try:
            is_finished = await self._carry_out(item, self._done.get(key))
        except TROUBLE as error:
            self._failed.add(key)
            self._note(item, error)
        if is_finished:
            self._done[key] = item

    def _note(self, item: Item, error: Exception) -> None:
        if isinstance(error, discord.NotFound) and error.code in GONE:
            self._outcome.place_is_gone = True
        elif isinstance(error, discord.Forbidden) and not is_private(item):
            log.warning("a table's channel may not be written to: %s", described(error))
            self._outcome.is_shut, self._outcome.is_closed_dm = True, error.code in CLOSED_DMS
        else:
            # Its traceback refers to this frame, and would keep the table until the next garbage collection.
            self._outcome.failures.append(error.with_traceback(None))
            if not is_private(item) and passes_by_itself(error):
                self._is_held_up = True

    async def _carry_out(self, item: Item, done: Item | None) -> bool:
        """Carry the item out; false if more of it is to follow, by another plan."""
        match item:
            case Message(where=ByToken(user=user)):
                await self._by_token(item, user)
            case Message() if done is not None and _is_settled_now(item, done):
                if (post := self._posts.get(*item.slot.key)) is not None:
                    await self._posts.settle(post)
            case Message():
                return await self._by_id(item)
            case Mention():
                await self._mention(item)
            case Becomes(slot=slot, former=former):
                await self._posts.become(former.kind, slot.kind, deal=slot.deal)
            case Deleted(slot=slot):
                if (post := self._posts.get(*slot.key)) is not None:
                    await self._posts.remove(post)
            case Abandoned(slot=slot):
                if (post := self._posts.get(*slot.key)) is not None:
                    self._posts.abandon(post)
            case _:
                assert_never(item)
        return True

    # By token

    async def _by_token(self, message: Message, user: int) -> None:
        """Let an ephemeral message show its content; it is drawn by a task of its own."""
        game, version = self._subject.game, self._subject.version
        if not self._open_hands.accepts(game, user, version, message.choosing):
            return
        drawing = await self._subject.draw(message.content)
        wanted = Wanted(drawing=drawing, version=version, choosing=message.choosing)
        self._open_hands.want(game, user, wanted, below=message.below)

    # By id

    async def _by_id(self, message: Message) -> bool:
        try:
            return await self._show(message)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS or not isinstance(message.where, ByDm):
                raise
            await self._give_up(message, message.where.user)
            return True

    async def _give_up(self, message: Message, user: int) -> None:
        """Nobody can write to the person: their message stays as it is."""
        post = self._posts.get(*message.slot.key)
        if message.fate is Fate.RESTING and post is not None:
            # Without a common server the player may be out of reach; a press still says why.
            await self._posts.rest_unseen(post)
        elif message.fate is Fate.SETTLED and post is not None:
            self._posts.abandon(post)
            await self._posts.settle(post)  # it holds nothing that can be pressed to harm
        else:
            if post is not None:
                self._posts.abandon(post)
            await self._subject.dms_are_closed(user)
            self._done.pop((ByToken, message.slot), None)  # a copy at the table offers the way back

    async def _show(self, message: Message) -> bool:
        posts, version, choosing = self._posts, self._subject.version, message.choosing
        post = posts.get(*message.slot.key)
        if post is not None and message.waits_for_answers:
            await posts.released(post)
        if message.fate is Fate.RESTING and post is not None:
            await posts.rest(await self._subject.draw(message.content), post, version=version)
            return True
        is_anew = post is not None and _key(message) not in self._posted_anew
        if is_anew and (message.moves or message.rings):
            self._posted_anew.add(_key(message))
        if post is not None and message.moves and is_anew:
            post = await self._draw(message, post, self._move)
        else:
            if (
                post is not None
                and not (message.rings and is_anew)
                and not posts.accepts(post, version, choosing)
            ):
                await posts.flush(post)  # nothing but what an answer should have drawn
                return True
            if message.opening is not None and (post is None or is_anew):
                await self._begin(message, message.opening, post)
                return False  # its player may have come to the table meanwhile
            standing, post = post, await self._draw(message, post, self._edit)
            if standing is None and message.farewell is not None:
                self._subject.moved()
        if message.opens_thread:
            await self._subject.open_thread(post)
            return False
        await posts.clear(post)
        if message.fate is Fate.SETTLED:
            await posts.settle(post)
        return not message.comes_first

    async def _begin(self, message: Message, opening: Line, old: Post | None) -> None:
        """Post the message as a line of text, over which its content is drawn."""
        line = self._subject.line(opening)
        if old is not None:
            self._subject.rang(message.slot.seat)
            await self._posts.begin_again(line, old)
            return
        calls = getattr(opening, "user", None)
        place = await self._place(message)
        try:
            await self._posts.begin(line, place, calls=calls)
        except discord.NotFound as error:
            if error.code not in GONE or not isinstance(message.where, ByDm):
                raise
            # The kept channel is not there any more: it was of another bot, say, with the same database.
            channel = await self._dms.open(message.where.user)
            await self._posts.begin(line, Place(place.kind, channel, place.deal, place.seat), calls=calls)

    async def _draw(
        self,
        message: Message,
        post: Post | None,
        send: Callable[[Message, Drawing], Awaitable[Post]],
    ) -> Post:
        """Draw the content, or its text alternative where Discord does not take the picture.

        A picture that an edit cannot replace is tried once more with a new message.
        """
        drawing = await self._subject.draw(message.content)
        try:
            return await send(message, drawing)
        except discord.HTTPException as error:
            text = as_text(message.content)
            if text is None or not drawing.files or not _may_be_for_the_picture(error):
                raise
            if post is not None and message.farewell is not None and error.status != HTTPStatus.FORBIDDEN:
                with suppress(discord.HTTPException):
                    return await self._move(message, drawing)
            shown = await send(message, await self._subject.draw(text))
            # Only now is it certain that the picture was the trouble.
            by_dm = isinstance(message.where, ByDm)
            what = "hands are" if by_dm else "a table is"
            log.warning("%s told without pictures: %s", what, described(error))
            self._subject.pictures_are_refused(by_dm=by_dm)
            return shown

    async def _edit(self, message: Message, drawing: Drawing) -> Post:
        place = await self._place(message)
        return await self._posts.draw(
            drawing, place, version=self._subject.version, choosing=message.choosing
        )

    async def _move(self, message: Message, drawing: Drawing) -> Post:
        old = self._posts.get(*message.slot.key)
        assert old is not None, "a message that moves stands"
        assert message.farewell is not None, "the old one says so"
        farewell = await self._subject.draw(message.farewell)
        post = await self._posts.replace(drawing, farewell, old, version=self._subject.version)
        self._subject.moved()
        return post

    async def _place(self, message: Message) -> Place:
        """The slot in its channel: that of the message which stands there, for one by DM."""
        slot, where = message.slot, message.where
        match where:
            case InChannel(channel=channel):
                return Place(slot.kind, channel, slot.deal, slot.seat)
            case ByDm(user=user):
                standing = (post for post in self._posts.all(slot.kind) if post.seat == slot.seat)
                post = self._posts.get(*slot.key) or next(standing, None)
                channel = post.channel if post is not None else await self._dms.channel(user)
                return Place(slot.kind, channel, slot.deal, slot.seat)
            case ByToken():
                raise AssertionError("an ephemeral message has no id")
            case _:
                assert_never(where)

    async def _mention(self, mention: Mention) -> None:
        slot, line = mention.slot, mention.line
        if (old := self._posts.get(*slot.key)) is not None:
            await self._posts.remove(old)
        place = Place(slot.kind, mention.where.channel, slot.deal, slot.seat)
        await self._posts.say(self._subject.line(line), line.user, place, occasion=mention.occasion)
        self._subject.mentioned(mention)


def _key(item: Item) -> _ItemKey:
    return type(item.where), item.slot


def _is_settled_now(item: Item, done: Item) -> bool:
    """True if the message shows its last state already, and is only to be settled."""
    return (
        isinstance(item, Message)
        and isinstance(done, Message)
        and item.fate is Fate.SETTLED
        and done.fate is Fate.LIVE
        and not done.opens_thread
    )


def _may_be_for_the_picture(error: discord.HTTPException) -> bool:
    """True if the same message might be taken without its picture."""
    if error.code in CLOSED_DMS:
        return False
    return error.status in _FOR_PICTURES or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
