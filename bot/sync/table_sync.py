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
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TypeAlias, assert_never

import discord

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.posts import Post, PostKind, Slot
from bot.model.table_record import Board, Occupant, TableRecord
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.ban_gate import banned_for
from bot.sync.bumping import Bumping
from bot.sync.circuit_breaker import CircuitBreaker
from bot.sync.contents import Content, Line, Lobby, Moved, as_text
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
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.live_message import PictureRefused, Wanted
from bot.sync.picture_ways import PictureWays, Way, may_be_for_the_picture
from bot.sync.plan import (
    Abandoned,
    Becomes,
    ByDm,
    ByToken,
    Deleted,
    Fate,
    InChannel,
    Item,
    Known,
    Mention,
    Message,
    Person,
    Where,
    is_private,
    plan,
    url_of,
)
from bot.sync.posts import EditRefused, Posts
from bot.sync.presses import CameBackPrivate, NoToken, Presses
from bot.sync.renderer import Renderer
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import Pacing, TableState
from bot.sync.threads import Threads
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Seat

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What every part of the sync uses."""

    client: discord.Client
    store: Store
    sessions: Sessions
    presence: Presence
    tasks: KeyedTasks
    voices: Voices
    renderer: Renderer
    open_hands: EphemeralHands
    presses: Presses
    breaker: CircuitBreaker
    dms: DirectMessages
    threads: Threads
    bumping: Bumping
    pacing: Pacing
    schedule: Callable[[str], None]
    """Queues the sync of a game, without blocking."""
    answers: Counter[str] = field(default_factory=Counter)
    """By game: the number of answers in progress."""
    ways: PictureWays = field(default_factory=PictureWays)
    began: float
    """Time of the bot's start on `Pacing.clock` (s), which stands in for unknown times of moves."""
    has_pictures: bool
    """False with PICTURES=false: every table is text."""

    def draws_pictures(self, record: TableRecord) -> bool:
        """True if the table has pictures, unless Discord refuses them."""
        return self.has_pictures and record.agreement.board is Board.PICTURES


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


class TableSync:
    """One sync of a lobby or a game."""

    def __init__(
        self,
        services: Services,
        record: TableRecord,
        snapshot: GameSnapshot | None,
        *,
        posts: Posts,
        state: TableState,
        fixed: Known,
    ) -> None:
        """`snapshot` is `None` for a lobby; `fixed` has the facts that do not change during a sync."""
        self._services = services
        self.record = record
        self.snapshot = snapshot
        self.posts = posts
        self._open_hands = services.open_hands
        self._dms = services.dms
        self._state = state
        self.fixed = fixed
        self.is_to_be_reposted = fixed.is_to_be_reposted
        """True while the table waits for its repost at the end of the channel."""
        self._rung: set[Seat] = set()
        self._due: int | None = None
        """`reminder_due` of the latest plan."""
        self.outcome = Outcome(is_shut=not fixed.may_write)
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
    def game(self) -> str:
        """The id of its game."""
        return self.record.game

    @property
    def version(self) -> int:
        """The version of its log that is drawn."""
        return self.record.version if self.snapshot is None else self.snapshot.version

    @property
    def may_write(self) -> bool:
        """True if the table's channel takes messages, as far as is known."""
        return not self.outcome.is_shut and not self._is_held_up

    async def run(self) -> None:
        """Reconcile the table's messages, until nothing is left to do. Raises `StoreUnavailable`."""
        items = await self._planned()
        while (item := self._next_of(items)) is not None:
            await self._try(item)
            if self._has_new_facts:
                items = await self._planned()
        for error in self.outcome.failures:
            log.warning("a message of %s could not be drawn: %s", self.game, described(error))
        self._state.hands_to_repost -= self.fixed.hands_to_repost
        is_reminded = self.snapshot is not None and not self.fixed.is_merging and self.may_write
        if is_reminded and self._state.reminder_due == self._due:
            self._state.reminder_due = None

    async def _planned(self) -> tuple[Item, ...]:
        return plan(self.record, self.snapshot, await self._gather())

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
            self._has_new_facts = True  # nothing more may be planned there
        if is_finished:
            self._done[key] = item
        else:
            self._has_new_facts = True

    def _note(self, item: Item, error: Exception) -> None:
        if isinstance(error, NoToken):
            self.outcome.waits_for_press = True
            self.outcome.came_back_private |= isinstance(error, CameBackPrivate)
        elif isinstance(error, EditRefused):
            self.outcome.held_for, self._is_held_up = error.seconds, True
        else:
            self._note_refusal(item, error)

    def _note_refusal(self, item: Item, error: Exception) -> None:
        does = None if is_private(item) else done_after(Request.POST, error)
        if does is Does.CALLS_OFF:
            self.outcome.place_is_gone = True
        elif does is not None:
            tell_owner(Request.POST, error)
            self.outcome.is_shut, self.outcome.is_closed_dm = True, does is Does.WAITS_FOR_PERSON
        else:
            # Its traceback refers to this frame, and would keep the table until the next garbage collection.
            self.outcome.failures.append(error.with_traceback(None))
            if not is_private(item) and is_transient(error):
                self._is_held_up = True

    async def _carry_out(self, item: Item, done: Item | None) -> bool:
        """Carry the item out; false if the next plan continues it."""
        match item:
            case Message(where=ByToken(user=user)):
                await self._by_token(item, user)
                self._has_new_facts = False
            case Message() if done is not None and _is_settled_now(item, done):
                if (post := self.posts.get(*item.slot)) is not None:
                    await self.posts.settle(post)
            case Message():
                return await self._by_id(item)
            case Mention():
                await self._mention(item)
            case Becomes(slot=slot, former=former):
                await self.posts.become(former, slot)
                self._failed = {each for each in self._failed if each[1] != slot}  # it need not be posted now
            case Deleted(slot=slot):
                if (post := self.posts.get(*slot)) is not None:
                    await self.posts.remove(post)
            case Abandoned(slot=slot):
                if (post := self.posts.get(*slot)) is not None:
                    self.posts.abandon(post)
            case _:
                assert_never(item)
        return True

    # By token

    async def _by_token(self, message: Message, user: int) -> None:
        """Schedule the edit of an ephemeral message, which has its own task."""
        game, version = self.game, self.version
        if not self._open_hands.accepts(game, user, version, message.choosing):
            return
        drawing = await self._drawn(message.content)
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
        post = self.posts.get(*message.slot)
        if message.fate is Fate.RESTING and post is not None:
            # The person may share no server with the bot; a press is still answered, with the reason.
            await self.posts.mark_resting(post)
        elif message.fate is Fate.SETTLED and post is not None:
            self.posts.abandon(post)
            await self.posts.settle(post)  # old buttons do no harm
        else:
            if post is not None:
                self.posts.abandon(post)
            await self._dms.refused(user, error)
            self._done.pop((ByToken, message.slot), None)  # the ephemeral hand gets a button to reopen DMs

    async def _show(self, message: Message) -> bool:
        """Post, edit or repost the message; false if the next plan continues it."""
        posts, version, old = self.posts, self.version, self.posts.get(*message.slot)
        if old is not None and message.waits_for_answers:
            await posts.released(old)
        if old is not None and message.fate is Fate.RESTING:
            await posts.rest(await self._drawn(message.content), old, version=version)
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
            self.is_to_be_reposted = False
        if message.opens_thread:
            await self._open_thread(post)
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
        line = self._line(opening)
        if old is not None:
            self._rang(Seat(message.slot.seat))
            await self.posts.begin_again(line, old)
            return
        calls = getattr(opening, "user", None)
        channel = await self._channel(message)
        try:
            await self.posts.begin(line, message.slot, channel, calls=calls)
        except discord.NotFound as error:
            if error.code not in GONE or not isinstance(message.where, ByDm):
                raise
            # The stored channel is unknown: it is that of another bot with the same database, say.
            channel = await self._dms.open(message.where.user, self.game)
            await self.posts.begin(line, message.slot, channel, calls=calls)

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
        drawing, text = await self._drawn(message.content), as_text(message.content)
        if text is None or not drawing.files:
            return await send(message, drawing)
        way: Way | None = None
        if post is not None and send == self._edit:
            way = self.posts.way(post.message, drawing)
            if way is None:
                return await send(message, await self._drawn(text))
        try:
            return await send(message, drawing)
        except PictureRefused:  # an answer has changed the message meanwhile
            return await send(message, await self._drawn(text))
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
        old = self.posts.get(*message.slot)
        is_tried_anew = old is not None and message.is_of_table and not is_forbidden
        if is_tried_anew:
            with suppress(discord.HTTPException):
                shown = await self._move(message, await self._drawn(message.content))
                if way is not None:
                    self.posts.note_way(shown.message, way, error)
                return shown
        shown = await send(message, await self._drawn(text))
        # Discord has taken the text, so it was the picture.
        if way is not None and not is_forbidden and not is_tried_anew:
            self.posts.note_way(shown.message, way, error)
            return shown
        by_dm = isinstance(message.where, ByDm)
        what = "hands are" if by_dm else "a table is"
        log.warning("%s told without pictures: %s", what, described(error))
        if by_dm:
            self._state.has_pictures_by_dm = False
        else:
            self._state.has_pictures = False
        self._has_new_facts = True
        return shown

    async def _edit(self, message: Message, drawing: Drawing) -> Post:
        channel, old = await self._channel(message), self.posts.get(*message.slot)
        post = await self.posts.draw(
            drawing, message.slot, channel, version=self.version, choosing=message.choosing
        )
        self._has_new_facts = old is None or old.message != post.message or message.comes_first
        return post

    async def _move(self, message: Message, drawing: Drawing) -> Post:
        old = self.posts.get(*message.slot)
        assert old is not None, "a message that moves stands"
        version = self.version
        post = await self.posts.replace(drawing, self._farewell, old, version=version, calls=message.calls)
        self.is_to_be_reposted = False
        if message.calls:
            self._called(message.calls)
        return post

    async def _farewell(self, new: Post) -> Drawing:
        """The last content of a message that the `new` one has replaced."""
        return await self._drawn(Moved(url=url_of(self.record, new)))

    async def _channel(self, message: Message) -> int:
        """The message's channel. By DM it is that of the person's other messages, if any."""
        slot, where = message.slot, message.where
        match where:
            case InChannel(channel=channel):
                return channel
            case ByDm(user=user):
                standing = (post for post in self.posts.all(slot.kind) if post.seat == slot.seat)
                post = self.posts.get(*slot) or next(standing, None)
                return post.channel if post is not None else await self._dms.channel(user, self.game)
            case ByToken():
                raise AssertionError("an ephemeral message has no id")
            case _:
                assert_never(where)

    async def _mention(self, mention: Mention) -> None:
        slot, line = mention.slot, mention.line
        if (old := self.posts.get(*slot)) is not None:
            await self.posts.remove(old)
        channel = mention.where.channel
        await self.posts.say(self._line(line), line.user, slot, channel, occasion=mention.occasion)
        self._state.called_after[Seat(slot.seat)] = mention.done
        self._state.turns.called(Seat(slot.seat))

    # Facts

    async def _gather(self) -> Known:
        """Read the known facts. Raises `StoreUnavailable`."""
        services, state, fixed = self._services, self._state, self.fixed
        self._due = state.reminder_due
        is_anywhere = self.record.is_anywhere
        draws_pictures = services.draws_pictures(self.record)
        people: tuple[Person, ...] = ()
        if self.snapshot is not None:
            people = tuple(
                [await self._person(Seat(seat), each) for seat, each in enumerate(self.record.occupants)]
            )
        return replace(
            fixed,
            posts=self.posts.standing_by_key,
            now=DISCORD_TIME.utcnow(),
            people=people,
            has_pictures=draws_pictures and state.has_pictures and fixed.has_pictures,
            has_pictures_by_dm=draws_pictures and state.has_pictures_by_dm,
            may_write=self.may_write,
            can_post=not is_anywhere or services.presses.can_post(self.record.channel),
            editable=self.posts.in_use if is_anywhere else None,
            has_unacknowledged_sends=self.posts.has_unacknowledged_sends,
            is_to_be_reposted=self.is_to_be_reposted,
            hands_to_repost=fixed.hands_to_repost - self._rung,
            overdue=fixed.overdue - self._rung,
            called=state.turns.all_called,
            called_after=state.called_after,
            reminder_due=state.reminder_due,
            mention_after=services.pacing.mention_after,
            lost_in=state.lost_in,
        )

    async def _person(self, seat: Seat, occupant: Occupant) -> Person:
        user, services, game = occupant.user, self._services, self.record.game
        if user is None:
            return Person()
        open_hands, post = services.open_hands, self.posts.get(PostKind.HAND, seat=seat)
        pacing, state = services.pacing, self._state
        seen = max(state.moved_at.get(user, services.began), state.turns.pressed_at.get(seat, services.began))
        if self.record.is_anywhere:
            open_hands.found_at_the_table(game, user)
        return Person(
            likes=await services.store.preferences(user),
            is_at_the_table=open_hands.is_at_the_table(game, user),
            has_to_press=occupant.level is None and open_hands.has_to_press(game, user),
            has_open_hand=open_hands.is_open(game, user),
            language=open_hands.language(game, user),
            may_have_hand=self.posts.is_unacknowledged(PostKind.HAND, seat=seat),
            is_awaiting_dm=post is None and services.dms.is_awaited(user),
            is_refused_dms=services.dms.has_refused(user),
            is_using_hand=post is not None and self.posts.is_in_use(post),
            idle=pacing.clock() - seen,
        )

    async def _drawn(self, content: Content | Moved) -> Drawing:
        """Draw a message. Raises `StoreUnavailable`."""
        renderer = self._services.renderer
        if isinstance(content, Moved):
            return renderer.moved(self.record, content)
        if self.snapshot is None:
            assert isinstance(content, Lobby), "there is no game yet"
            return renderer.lobby(self.record)
        return await renderer.draw(self.snapshot, content, self._state)

    def _line(self, line: Line) -> str:
        return self._services.renderer.line(self.record, self.snapshot, line)

    async def _open_thread(self, lobby: Post) -> None:
        """Open a thread from the lobby. Raises network errors and `StoreUnavailable`."""
        services, record = self._services, self.record
        await services.threads.move_into(record, lobby, services.voices.of(record.language))
        self.record = await services.threads.settled(record)
        if self.snapshot is not None:
            self.snapshot = replace(self.snapshot, record=self.record)

    def _rang(self, seat: Seat) -> None:
        """Note a rung hand. Unless it resumes an interrupted repost, its player plays by DM from now on."""
        self._rung.add(seat)
        if seat in self.fixed.overdue:
            self._state.turns.called(seat)
        user = self.record.occupants[seat].user
        if user is not None and seat in self.fixed.hands_to_repost | self.fixed.overdue:
            self._open_hands.moved_to_dm(self.game, user)

    def _called(self, users: Collection[int]) -> None:
        for user in users:
            if (seat := self.record.seat_of(user)) is not None:
                self._state.turns.called(seat)


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
