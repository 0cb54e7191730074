"""Reconciles Discord with a plan: carries out its first unfinished item, and plans again if that added facts.

It knows slots, transports, failures and refused pictures, and nothing of cribbage. A sync carries out each
item once; an item that changes afterwards is left to the next sync. A failed item does not stop the others,
so closed DMs do not hold up the table. Only messages in a channel keep their order: after a transient failure
nothing more is sent there, and nothing after a refused post, since Discord counts refusals. A refused edit
says nothing of posts (`posts`). `discord_errors` has what each refusal means.

The transport follows from the place: messages in channels and DMs are edited by their id (`posts`), ephemeral
ones with an interaction's token (`ephemeral_hands`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol, TypeAlias, assert_never

import discord

from bot.model.posts import Place, Post
from bot.render.drawing import Drawing
from bot.sync.ban_gate import banned_for
from bot.sync.contents import Content, Line, Moved, as_text
from bot.sync.direct_messages import DirectMessages, DmAwaited
from bot.sync.discord_errors import (
    GONE,
    TROUBLE,
    Does,
    Request,
    described,
    done_after,
    is_transient,
    tell_owner,
)
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import PictureRefused, Wanted
from bot.sync.picture_ways import Way, may_be_for_the_picture
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
from bot.sync.posts import EditRefused, Posts
from bot.sync.presses import CameBackPrivate, NoToken

log = logging.getLogger(__name__)


class Subject(Protocol):
    """The table whose messages are reconciled: it draws them, and notes outcomes."""

    @property
    def game(self) -> str:
        """The id of its game."""

    @property
    def version(self) -> int:
        """The version of its log that is drawn."""

    async def draw(self, content: Content | Moved) -> Drawing:
        """Draw a message. Raises `StoreUnavailable`."""

    def url(self, post: Post) -> str:
        """The URL of a message."""

    def line(self, line: Line) -> str:
        """Write a line of text."""

    async def open_thread(self, lobby: Post) -> None:
        """Open a thread from the lobby. Raises network errors and `StoreUnavailable`."""

    async def dm_was_refused(self, user: int, error: discord.HTTPException) -> None:
        """Note that Discord has refused a message by DM to the person. Raises `StoreUnavailable`."""

    def pictures_are_refused(self, *, by_dm: bool) -> None:
        """Note that Discord refuses pictures there."""

    def rang(self, seat: int) -> None:
        """Note that the seat's message by DM is reposted."""

    def moved(self) -> None:
        """Note that the table, or its lobby, was posted at the end of its channel."""

    def called(self, users: Collection[int]) -> None:
        """Note that the table was posted with mentions of these people."""

    def mentioned(self, mention: Mention) -> None:
        """Note that a player was mentioned."""


Planned: TypeAlias = Callable[[bool], Awaitable[tuple[Item, ...]]]
"""Makes the next plan; the argument is `Reconciler.may_write`."""

_ItemKey: TypeAlias = tuple[type[Where], Slot]


@dataclass
class Outcome:
    """The outcome of a sync: the state of the table's channel, and the failures."""

    is_shut: bool
    """True if the bot may not write in the table's channel."""
    is_closed_dm: bool = False
    """True if that channel is a DM that its person has closed."""
    waits_for_press: bool = False
    """True if no token is left that could show something; the next press brings one."""
    came_back_private: bool = False
    """True if Discord showed a message to the person alone whose press was to post it."""
    place_is_gone: bool = False
    """True if the table's channel is deleted."""
    held_for: float | None = None
    """Time (s) until a message may be posted in place of one that may not be edited, if that is awaited."""
    failures: list[Exception] = field(default_factory=list)

    @property
    def is_through(self) -> bool:
        """True if Discord has taken all messages, or the channel is shut."""
        return not self.failures and self.held_for is None

    @property
    def retried_after(self) -> float | None:
        """Time (s) before which a retry is useless, if it is known: while the address is banned, say."""
        return max(filter(None, (self.held_for, *map(banned_for, self.failures))), default=None)

    @property
    def is_retriable(self) -> bool:
        """True if a failure is transient; the circuit breaker probes a channel that is shut."""
        return any(map(is_transient, self.failures))


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
        """Results go to `outcome`; if its channel is shut already, nothing is sent there."""
        self._subject = subject
        self._posts = posts
        self._open_hands = open_hands
        self._dms = dms
        self._outcome = outcome
        self._is_held_up = False
        """True if a send to the table's channel needs a retry before any other."""
        self._done: dict[_ItemKey, Item] = {}
        self._failed: set[_ItemKey] = set()
        self._reposted: set[_ItemKey] = set()
        """Messages that were moved, or rang: each is reposted at most once in a sync."""
        self._has_new_facts = False
        """True if the last step may have changed what is planned: all but the edit of a live message.

        A press meanwhile can change it, too, and schedules a sync of its own. Planning after each step would
        take an eighth of an action's time.
        """

    @property
    def may_write(self) -> bool:
        """True if the table's channel takes messages, as far as is known."""
        return not self._outcome.is_shut and not self._is_held_up

    async def run(self, planned: Planned) -> None:
        """Carry out what is `planned`, until nothing is left to do."""
        items = await planned(self.may_write)
        while (item := self._next_of(items)) is not None:
            await self._try(item)
            if self._has_new_facts:
                items = await planned(self.may_write)

    def _next_of(self, items: Iterable[Item]) -> Item | None:
        """The first item that is left, if there is one."""
        return next(filter(self._is_left, items), None)

    def _is_left(self, item: Item) -> bool:
        """True if the item is not carried out yet."""
        key = _key(item)
        done = self._done.get(key)
        return key not in self._failed and (
            done is None or type(done) is not type(item) or _is_settled_now(item, done)
        )

    async def _try(self, item: Item) -> None:
        """Carry out one item, and note its failure."""
        key, is_finished = _key(item), True
        self._has_new_facts = True
        try:
            is_finished = await self._carry_out(item, self._done.get(key))
        except TROUBLE as error:
            self._failed.add(key)
            self._note(item, error)
        if is_finished:
            self._done[key] = item
        else:
            self._has_new_facts = True

    def _note(self, item: Item, error: Exception) -> None:
        if isinstance(error, NoToken):
            self._outcome.waits_for_press = True
            self._outcome.came_back_private |= isinstance(error, CameBackPrivate)
        elif isinstance(error, EditRefused):
            self._outcome.held_for, self._is_held_up = error.seconds, True
        else:
            self._note_refusal(item, error)

    def _note_refusal(self, item: Item, error: Exception) -> None:
        does = None if is_private(item) else done_after(Request.POST, error)
        if does is Does.CALLS_OFF:
            self._outcome.place_is_gone = True
        elif does is not None:
            tell_owner(Request.POST, error)
            self._outcome.is_shut, self._outcome.is_closed_dm = True, does is Does.WAITS_FOR_PERSON
        else:
            # Its traceback refers to this frame, and would keep the table until the next garbage collection.
            self._outcome.failures.append(error.with_traceback(None))
            if not is_private(item) and is_transient(error):
                self._is_held_up = True

    async def _carry_out(self, item: Item, done: Item | None) -> bool:
        """Carry the item out; false if the next plan continues it."""
        match item:
            case Message(where=ByToken(user=user)):
                await self._by_token(item, user)
                self._has_new_facts = False
            case Message() if done is not None and _is_settled_now(item, done):
                if (post := self._posts.get(*item.slot.key)) is not None:
                    await self._posts.settle(post)
            case Message():
                return await self._by_id(item)
            case Mention():
                await self._mention(item)
            case Becomes(slot=slot, former=former):
                await self._posts.become(former.key, slot.key)
                self._failed = {each for each in self._failed if each[1] != slot}  # it need not be posted now
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
        """Schedule the edit of an ephemeral message, which has its own task."""
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
        except DmAwaited:
            return True  # the next plan has it at the table
        except discord.HTTPException as error:
            if not isinstance(message.where, ByDm) or done_after(Request.DM, error) is None:
                raise
            await self._give_up(message, message.where.user, error)
            return True

    async def _give_up(self, message: Message, user: int, error: discord.HTTPException) -> None:
        """Leave the message as it is: Discord takes none by DM to the person."""
        post = self._posts.get(*message.slot.key)
        if message.fate is Fate.RESTING and post is not None:
            # The person may share no server with the bot; a press is still answered, with the reason.
            await self._posts.mark_resting(post)
        elif message.fate is Fate.SETTLED and post is not None:
            self._posts.abandon(post)
            await self._posts.settle(post)  # old buttons do no harm
        else:
            if post is not None:
                self._posts.abandon(post)
            await self._subject.dm_was_refused(user, error)
            self._done.pop((ByToken, message.slot), None)  # the ephemeral hand gets a button to reopen DMs

    async def _show(self, message: Message) -> bool:
        """Post, edit or repost the message; false if the next plan continues it."""
        posts, version, old = self._posts, self._subject.version, self._posts.get(*message.slot.key)
        if old is not None and message.waits_for_answers:
            await posts.released(old)
        if old is not None and message.fate is Fate.RESTING:
            await posts.rest(await self._subject.draw(message.content), old, version=version)
            return True
        is_repost = self._is_repost(message, old)
        if old is not None and not is_repost and not posts.accepts(old, version, message.choosing):
            with suppress(PictureRefused):
                await posts.flush(old)  # an answer's drawing, if its outcome is unknown
            self._has_new_facts = False
            return True
        moves = is_repost and message.moves
        if message.opening is not None and not moves and (old is None or is_repost):
            await self._begin(message, message.opening, old)
            return False  # its player may have come to the table in the meantime
        post = await self._draw(message, old, self._move if moves else self._edit)
        if old is None and message.is_of_table:
            self._subject.moved()
        if message.opens_thread:
            await self._subject.open_thread(post)
            return False
        await posts.clear(post)
        if message.fate is Fate.SETTLED:
            await posts.settle(post)
            self._has_new_facts = True
        # Once it stands, the rest is planned again; a plan that wants it moved for ever must end, too.
        return not (message.comes_first and (old is None or is_repost))

    def _is_repost(self, message: Message, old: Post | None) -> bool:
        """True if the message needs a repost, the first time in this sync."""
        if old is None or not (message.moves or message.rings) or _key(message) in self._reposted:
            return False
        self._reposted.add(_key(message))
        return True

    async def _begin(self, message: Message, opening: Line, old: Post | None) -> None:
        """Post the message as a line of text, which its content is then edited over."""
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
            # The stored channel is unknown: it is that of another bot with the same database, say.
            channel = await self._dms.open(message.where.user, self._subject.game)
            await self._posts.begin(line, Place(place.kind, channel, place.deal, place.seat), calls=calls)

    async def _draw(
        self,
        message: Message,
        post: Post | None,
        send: Callable[[Message, Drawing], Awaitable[Post]],
    ) -> Post:
        """Draw the content, or its text alternative if Discord refuses the picture.

        A picture that Discord refuses in an edit is first tried in a new message; `picture_ways` learns from
        it.
        """
        drawing, text = await self._subject.draw(message.content), as_text(message.content)
        if text is None or not drawing.files:
            return await send(message, drawing)
        way: Way | None = None
        if post is not None and send == self._edit:
            way = self._posts.way(post.message, drawing)
            if way is None:
                return await send(message, await self._subject.draw(text))
        try:
            return await send(message, drawing)
        except PictureRefused:  # an answer has changed the message meanwhile
            return await send(message, await self._subject.draw(text))
        except discord.HTTPException as error:
            if not may_be_for_the_picture(error):
                raise
            return await self._draw_refused(message, way, send, error)

    async def _draw_refused(
        self,
        message: Message,
        way: Way | None,
        send: Callable[[Message, Drawing], Awaitable[Post]],
        error: discord.HTTPException,
    ) -> Post:
        """Draw a content of which Discord has refused the picture, in that way if it was an edit."""
        text = as_text(message.content)
        assert text is not None, "it has a picture"
        is_forbidden = error.status == HTTPStatus.FORBIDDEN
        old = self._posts.get(*message.slot.key)
        is_tried_anew = old is not None and message.is_of_table and not is_forbidden
        if is_tried_anew:
            with suppress(discord.HTTPException):
                shown = await self._move(message, await self._subject.draw(message.content))
                if way is not None:
                    self._posts.note_way(shown.message, way, error)
                return shown
        shown = await send(message, await self._subject.draw(text))
        # Discord has taken the text, so it was the picture.
        if way is not None and not is_forbidden and not is_tried_anew:
            self._posts.note_way(shown.message, way, error)
            return shown
        by_dm = isinstance(message.where, ByDm)
        what = "hands are" if by_dm else "a table is"
        log.warning("%s told without pictures: %s", what, described(error))
        self._subject.pictures_are_refused(by_dm=by_dm)
        self._has_new_facts = True
        return shown

    async def _edit(self, message: Message, drawing: Drawing) -> Post:
        place, old = await self._place(message), self._posts.get(*message.slot.key)
        post = await self._posts.draw(
            drawing, place, version=self._subject.version, choosing=message.choosing
        )
        self._has_new_facts = old is None or old.message != post.message or message.comes_first
        return post

    async def _move(self, message: Message, drawing: Drawing) -> Post:
        old = self._posts.get(*message.slot.key)
        assert old is not None, "a message that moves stands"
        version = self._subject.version
        post = await self._posts.replace(drawing, self._farewell, old, version=version, calls=message.calls)
        self._subject.moved()
        if message.calls:
            self._subject.called(message.calls)
        return post

    async def _farewell(self, new: Post) -> Drawing:
        """The last content of a message that the `new` one has replaced."""
        return await self._subject.draw(Moved(url=self._subject.url(new)))

    async def _place(self, message: Message) -> Place:
        """The message's slot and channel. By DM it is the channel of the person's other messages, if any."""
        slot, where = message.slot, message.where
        match where:
            case InChannel(channel=channel):
                return Place(slot.kind, channel, slot.deal, slot.seat)
            case ByDm(user=user):
                standing = (post for post in self._posts.all(slot.kind) if post.seat == slot.seat)
                post = self._posts.get(*slot.key) or next(standing, None)
                channel = (
                    post.channel if post is not None else await self._dms.channel(user, self._subject.game)
                )
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
    """True if the message was drawn in this sync, and is now to be settled."""
    return (
        isinstance(item, Message)
        and isinstance(done, Message)
        and item.fate is Fate.SETTLED
        and done.fate is Fate.LIVE
        and not done.opens_thread
    )
