"""The desired messages of a table: a pure function of the game and the known facts.

A plan lists them in the order in which they are posted and edited. It holds every rule about messages: which
there are, what they show, and which stay live, move to the end of their channel, ring, are settled or
deleted. It is made again after each step, because a step adds facts: a message's id, a refusal, closed DMs.
`table_sync` carries it out, and `renderer` draws the contents.

- A table in a server has one message a deal in its channel; the last is live, earlier ones are settled.
- Each of its people has one message by DM a game, which shows their hand unless they play at the table.
- A table in the bot's DM is one message, with its player's hand in it.
- A table anywhere else is one message too, since each post takes a follow-up of a press: every deal is drawn
  on the message of the one before, hands are ephemeral, and nobody is mentioned.
- Messages in a channel are posted in order: while one cannot be posted, no later one is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from operator import attrgetter
from typing import TypeAlias

from discord.utils import snowflake_time

from bot.model.posts import SETTLED, Post, PostKind, Slot
from bot.model.preferences import Preferences
from bot.model.table_record import OPEN, OwnThread, Pace, Status, TableRecord, away, is_deserted
from bot.model.venue import Venue
from bot.render.messages.lobby import called_by
from bot.sync.contents import (
    AtTheTable,
    CalledOff,
    CallingLine,
    Content,
    Hand,
    Line,
    Lobby,
    NudgeLine,
    OpenHand,
    OwnTable,
    PastHand,
    Resting,
    Result,
    ResultByDm,
    Table,
    TurnLine,
)
from bot.sync.snapshots import GameSnapshot
from engine import Pegged, PlayerView, Seat, Stage

_OLD = timedelta(minutes=55)
"""Age at which a message is reposted: Discord limits edits of messages older than an hour."""

# Places: each says how its message is reached


@dataclass(frozen=True, slots=True)
class InChannel:
    """A message in a channel, found by its id."""

    channel: int


@dataclass(frozen=True, slots=True)
class ByDm:
    """A message in a user's DM, found by its id; the channel is opened when it is needed."""

    user: int


@dataclass(frozen=True, slots=True)
class ByToken:
    """An ephemeral message to `user`, edited with the token of their interaction."""

    user: int


Where: TypeAlias = InChannel | ByDm | ByToken


# Items of a plan


class Fate(Enum):
    """The state of a message once it shows its content."""

    LIVE = "live"
    """The message is edited while the game continues."""
    SETTLED = "settled"
    """The message is final, and not edited again."""
    RESTING = "resting"
    """The message says that the game rests; it is drawn again when the game resumes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message to post, or to edit."""

    slot: Slot
    where: Where
    content: Content
    fate: Fate = Fate.LIVE
    choosing: int | None = None
    """The deal in which its player has still to discard: a draft of that deal stays."""
    opening: Line | None = None
    """The text with which it is posted, for a phone's notification; `content` is then edited over it."""
    rings: bool = False
    """True if it is reposted with its opening, so that a phone rings, and the old one is deleted."""
    is_of_table: bool = False
    """True for the table or its lobby: when it is reposted, the old message says where it is now."""
    moves: bool = False
    """True if it is reposted there now."""
    below: int | None = None
    """The id of the message that an ephemeral one follows: it is reposted below it."""
    waits_for_answers: bool = False
    """True if answers to presses on it are awaited first, with a timeout."""
    comes_first: bool = False
    """True if it is posted before other messages that link to it, and edited once more after them."""
    calls: tuple[int, ...] = ()
    """The ids of people whom it mentions, and notifies, when it is posted."""
    opens_thread: bool = False
    """True if a thread is opened from it, and the game moves there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A line that mentions one person: never edited, but replaced by the next one in its slot."""

    slot: Slot
    where: InChannel
    line: NudgeLine
    occasion: int
    """Its idempotency key within the slot."""
    done: int
    """Number of its player's acts in the deal: once that grows, the mention is heeded."""


@dataclass(frozen=True, slots=True)
class Becomes:
    """A message that moves to another slot."""

    slot: Slot
    """The new slot."""
    former: Slot
    where: InChannel


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message to delete."""

    slot: Slot
    where: Where


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A message that stays as it is, since it cannot be edited: DMs are closed, or its token has expired."""

    slot: Slot
    where: Where


Item: TypeAlias = Message | Mention | Becomes | Deleted | Abandoned


# Known facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The facts about the person in a seat."""

    likes: Preferences = field(default_factory=Preferences)
    is_at_the_table: bool = False
    """True if they play at the table, not by DM."""
    has_to_press: bool = False
    """True if they play at the table, and have neither an ephemeral hand there nor one on its way."""
    has_open_hand: bool = False
    """True if their ephemeral hand at the table can still be edited."""
    language: str | None = None
    """The language of their ephemeral hand."""
    may_have_hand: bool = False
    """True if a send of their message by DM may have succeeded without being recorded."""
    is_awaiting_dm: bool = False
    """True if their DM channel cannot be opened yet (`direct_messages`)."""
    is_refused_dms: bool = False
    """True if Discord has lately refused a message to them by DM, though they have not closed their DMs."""
    is_using_hand: bool = False
    """True if they have pressed on that message within a token's lifetime."""
    idle: float = 0.0
    """Time (s) since their last press or move."""

    @property
    def takes_no_dms(self) -> bool:
        """True if no message by DM can be posted to them or edited."""
        return self.likes.dms_closed or self.is_refused_dms

    @property
    def is_out_of_reach(self) -> bool:
        """True if no message can be sent to them by DM, or none yet: their hand is behind the button."""
        return self.takes_no_dms or self.is_awaiting_dm


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The facts, apart from the game, from which a plan is made."""

    posts: Mapping[Slot, Post] = field(default_factory=dict)
    """The recorded messages."""
    now: datetime = datetime(2015, 1, 1, tzinfo=UTC)
    people: tuple[Person, ...] = ()
    """By seat."""
    has_pictures: bool = True
    """True if the table has pictures, and Discord has refused none in its channel."""
    has_pictures_by_dm: bool = True
    """True if the table has pictures, and Discord has refused none in its players' DMs."""
    may_write: bool = True
    """False if nothing is sent to the table's channel: its circuit is open, or a send has failed."""
    has_left: bool = False
    """True if the bot was removed from the server: the game rests."""
    is_merging: bool = False
    """True in the debounce window of the table's message; hands are not debounced."""
    can_post: bool = True
    """True if a message can be posted: at a table that only tokens reach, while one has a follow-up left."""
    editable: frozenset[int] | None = None
    """Ids of the messages whose token is valid, at a table that only tokens reach; `None` at any other."""
    has_unacknowledged_sends: bool = False
    """True if a send may have succeeded without being recorded: sending again finds it by its nonce."""
    is_to_be_reposted: bool = False
    """True if the table needs a repost at the end of its channel."""
    hands_to_repost: frozenset[Seat] = frozenset()
    """Seats whose player asked for their hand at the end of their DM."""
    overdue: frozenset[Seat] = frozenset()
    """Seats that have pressed nothing for too long in their turn."""
    called: frozenset[Seat] = frozenset()
    """Seats that were called to their turn."""
    called_after: Mapping[Seat, int] = field(default_factory=dict)
    """By seat: number of its player's acts in the deal at their last mention."""
    reminder_due: int | None = None
    """The time (s since 1970) at which the clock moves, if the players in turn need a reminder."""
    lost_in: int | None = None
    """The deal in hand when the log has gone back, with an older copy of the database in its place."""
    mention_after: float = 0.0
    """Time (s) without a move after which a player of a slow game is mentioned as their turn begins."""

    def post(self, kind: PostKind, deal: int = 0, seat: int = -1) -> Post | None:
        """The message in that slot, if there is one."""
        return self.posts.get(Slot(kind, deal, seat))

    def all(self, kind: PostKind) -> list[Post]:
        """All messages of that kind."""
        return [post for post in self.posts.values() if post.kind is kind]

    def can_edit(self, post: Post | None) -> bool:
        """True if the message can be edited; one that is not posted yet can."""
        return post is None or self.editable is None or post.message in self.editable


def plan(record: TableRecord, snapshot: GameSnapshot | None, known: Known) -> tuple[Item, ...]:
    """The desired messages, in order: of a lobby without a `snapshot`, else of a game."""
    if snapshot is None:
        items: tuple[Item, ...] = () if known.has_left else (*_lost(record, known, 0), *_lobby(record, known))
    elif known.has_left:
        items = tuple(_resting(snapshot, known))
    elif known.is_merging:
        items = tuple(_hands(snapshot, known))
    elif record.status is Status.CANCELLED:
        items = (*_beginning(snapshot, known), *_past_deals(snapshot, known), *_called_off(snapshot, known))
    else:
        items = (*_beginning(snapshot, known), *_past_deals(snapshot, known), *_in_play(snapshot, known))
    if snapshot is not None and not known.has_left and not known.is_merging:
        items = (*_lost(record, known, snapshot.latest), *items)
    return items if known.may_write else tuple(item for item in items if is_private(item))


def is_private(item: Item) -> bool:
    """True for a hand, which does not depend on the state of the table's channel."""
    return not isinstance(item.where, InChannel)


def is_old(post: Post, now: datetime) -> bool:
    """True if Discord is about to limit the message's edits, because of its age."""
    return now - snowflake_time(post.message) > _OLD


def newest_table(posts: Mapping[Slot, Post]) -> Post | None:
    """The table's message of the latest deal, if there is one."""
    tables = [post for post in posts.values() if post.kind is PostKind.TABLE]
    return max(tables, key=attrgetter("deal"), default=None)


def table_url(record: TableRecord, posts: Mapping[Slot, Post]) -> str | None:
    """The URL of the table's newest message."""
    post = newest_table(posts)
    return None if post is None else url_of(record, post)


def url_of(record: TableRecord, post: Post) -> str:
    """The URL of one of the table's messages."""
    server = record.guild or record.outside or "@me"
    return f"https://discord.com/channels/{server}/{post.channel}/{post.message}"


# After the log has gone back


def _lost(record: TableRecord, known: Known, latest: int) -> Iterator[Item]:
    """Messages of what the log lacks, since an older copy of the database is in its place.

    Where only tokens reach the table nothing can be deleted: its one message shows an earlier deal.
    """
    for post in known.all(PostKind.TABLE):
        if post.deal > latest and not record.is_anywhere:
            yield Deleted(Slot(post.kind, post.deal, post.seat), InChannel(post.channel))
    result = known.post(PostKind.RESULT)
    if result is not None and record.status in OPEN:
        if record.is_anywhere and newest_table(known.posts) is None:
            yield Becomes(
                Slot(PostKind.TABLE, max(latest, 1)), Slot(PostKind.RESULT), InChannel(result.channel)
            )
        else:
            yield Deleted(Slot(PostKind.RESULT), InChannel(result.channel))
    for post in () if latest else known.all(PostKind.HAND):
        yield Deleted(Slot(post.kind, post.deal, post.seat), ByDm(record.occupants[post.seat].user or 0))


# Before the first deal


def _lobby(record: TableRecord, known: Known) -> Iterator[Item]:
    """The lobby. Where only tokens reach a closed one, a press on it brings it up to date, and no post."""
    post, is_closed = known.post(PostKind.LOBBY), record.status is Status.CANCELLED
    if is_closed and record.is_anywhere and (post is None or not known.can_edit(post)):
        if post is not None:
            yield Abandoned(Slot(PostKind.LOBBY), InChannel(record.channel))
        return
    called = None if record.is_anywhere else called_by(record)
    yield Message(
        slot=Slot(PostKind.LOBBY),
        where=InChannel(record.channel),
        content=Lobby(),
        fate=Fate.SETTLED if is_closed else Fate.LIVE,
        opening=CallingLine(user=called) if post is None and called is not None else None,
        is_of_table=True,
        moves=post is not None and known.is_to_be_reposted,
    )


def _beginning(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The lobby opens the game's thread, becomes its table, or says that the game has begun.

    It is settled before the table is posted, so that only one of them has buttons.
    """
    record, post = snapshot.record, known.post(PostKind.LOBBY)
    slot = Slot(PostKind.LOBBY)
    if record.thread is OwnThread.WANTED and record.status is Status.PLAYING:
        yield Message(slot=slot, where=InChannel(record.channel), content=Lobby(), opens_thread=True)
    if post is None:
        return
    if record.is_anywhere and record.thread is OwnThread.NONE:
        yield Becomes(Slot(PostKind.TABLE, 1), slot, InChannel(post.channel))
    elif post.drawn != SETTLED:
        yield Message(
            slot=slot,
            where=InChannel(post.channel),
            content=Lobby(),
            fate=Fate.SETTLED,
            waits_for_answers=True,
        )


# Deals that are over


def _past_deals(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The settled message of each earlier deal; one that was never synced is posted."""
    if snapshot.record.is_anywhere:
        yield from _on_one_message(snapshot, known)
        return
    for deal in range(1, snapshot.latest):
        yield from _past_deal(snapshot, known, deal)


def _on_one_message(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The message of an earlier deal, which becomes that of the latest.

    A crash in between, or a message whose token was lost, leaves a record that nothing reaches any more.
    """
    table = newest_table(known.posts)
    if table is None:
        return
    for post in known.all(PostKind.TABLE):
        if post.deal < table.deal:
            yield Deleted(post.slot, InChannel(post.channel))
    if table.deal != snapshot.latest:
        slot = Slot(PostKind.TABLE, snapshot.latest)
        yield Becomes(slot, Slot(PostKind.TABLE, table.deal), InChannel(table.channel))


def _past_deal(snapshot: GameSnapshot, known: Known, deal: int) -> Iterator[Item]:
    """The settled table of a past deal."""
    table = known.post(PostKind.TABLE, deal)
    if table is not None and table.drawn == SETTLED:
        return
    content = Table(
        deal=deal,
        is_open=False,
        has_picture=known.has_pictures,
        behind_button=_behind_button(snapshot, known) if deal == snapshot.latest else (),
    )
    yield Message(
        slot=Slot(PostKind.TABLE, deal),
        where=InChannel(snapshot.record.channel),
        content=content,
        fate=Fate.SETTLED,
        is_of_table=True,
    )


def _past_hand(snapshot: GameSnapshot, known: Known, post: Post) -> Message:
    seat = Seat(post.seat)
    return Message(
        slot=_hand_slot(seat),
        where=ByDm(snapshot.record.occupants[seat].user or 0),
        content=PastHand(seat=seat, deal=snapshot.latest, language=known.people[seat].likes.language),
        fate=Fate.SETTLED,
    )


# Games that are called off, or rest


def _called_off(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The table and the hands are settled as they were, and one message says that there is no result."""
    record, deal = snapshot.record, snapshot.latest
    for post in known.all(PostKind.NUDGE):
        yield Deleted(post.slot, InChannel(post.channel))
    if not record.is_anywhere or known.post(PostKind.RESULT) is None:
        yield from _past_deal(snapshot, known, deal)
    for post in known.all(PostKind.HAND):
        if post.drawn != SETTLED:
            yield _past_hand(snapshot, known, post)
    for view in snapshot.views:
        if known.has_unacknowledged_sends and record.venue is Venue.SERVER:
            yield from _unrecorded_hand(snapshot, known, view.seat)
        user, person = record.occupants[view.seat].user, known.people[view.seat]
        if user is not None and person.has_open_hand:
            content = PastHand(seat=view.seat, deal=deal, language=person.language)
            yield Message(slot=_hand_slot(view.seat), where=ByToken(user), content=content)
    yield from _takes_over(snapshot, known)
    slot, where = Slot(PostKind.RESULT), InChannel(record.channel)
    if known.can_edit(known.post(PostKind.RESULT)):
        yield Message(slot=slot, where=where, content=CalledOff())
    else:
        yield Abandoned(slot, where)


def _takes_over(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The table's message, which becomes the result's where nothing more can be posted.

    A crash in between leaves a record of both, from which it goes on.
    """
    table, result = known.post(PostKind.TABLE, snapshot.latest), known.post(PostKind.RESULT)
    is_needed = not known.can_post if result is None else _are_one(table, result)
    if snapshot.record.is_anywhere and is_needed and table is not None:
        former = Slot(PostKind.TABLE, snapshot.latest)
        yield Becomes(Slot(PostKind.RESULT), former, InChannel(table.channel))


def _are_one(one: Post | None, other: Post | None) -> bool:
    """True if both records are of one message."""
    return one is not None and other is not None and one.message == other.message


def _unrecorded_hand(snapshot: GameSnapshot, known: Known, seat: Seat) -> Iterator[Item]:
    """A hand whose send may have succeeded without being recorded: sending again finds it by its nonce."""
    occupant, person = snapshot.record.occupants[seat], known.people[seat]
    if occupant.person is None or occupant.is_forgotten or person.takes_no_dms:
        return
    if known.post(PostKind.HAND, seat=seat) is None and snapshot.deal(snapshot.latest).kept[seat]:
        content = PastHand(seat=seat, deal=snapshot.latest, language=person.likes.language)
        yield Message(slot=_hand_slot(seat), where=ByDm(occupant.person), content=content, fate=Fate.SETTLED)


def _resting(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The hands say that the game rests, or are settled if it has ended.

    The table's own messages are synced when the bot is back in the server.
    """
    is_in_play = snapshot.record.status is Status.PLAYING
    for post in known.all(PostKind.HAND):
        if post.drawn == SETTLED:
            continue
        if not is_in_play:
            yield _past_hand(snapshot, known, post)
            continue
        seat = Seat(post.seat)
        yield Message(
            slot=_hand_slot(seat),
            where=ByDm(snapshot.record.occupants[seat].user or 0),
            content=Resting(seat=seat, language=known.people[seat].likes.language),
            fate=Fate.RESTING,
        )


# The deal in hand, and the result


def _in_play(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """The table comes first if it needs a post, because the hands link to it; else the hands do.

    Where only tokens reach the table it keeps its buttons until the result is posted: a press may be needed.
    One that can be edited no more is posted again, above the result. After the result nothing is posted
    again, since that would be told twice: a press on the message brings it up to date.
    """
    post, result = known.post(PostKind.TABLE, snapshot.latest), known.post(PostKind.RESULT)
    is_anywhere, is_over = snapshot.record.is_anywhere, snapshot.table.result is not None
    # Without a result it was settled unseen, when its channel was given up.
    is_settled = post is not None and post.drawn == SETTLED and not (is_over and result is None)
    has_become_result = result is not None and (post is None or _are_one(post, result))
    is_told = result is not None and not has_become_result
    is_to_be_told = is_over and result is None
    is_result = is_anywhere and (
        has_become_result or (is_to_be_told and post is not None and not known.can_post)
    )
    is_left = is_told and not known.can_edit(post)
    table = None if is_settled or is_result or is_left else _table(snapshot, known, post)
    is_to_be_posted = table is not None and (post is None or table.moves)
    if table is not None and is_to_be_posted:
        yield replace(table, comes_first=True)
    yield from _hands(snapshot, known)
    comes_last = is_anywhere and is_to_be_told and known.can_post
    if table is not None and not is_to_be_posted and not comes_last:
        yield table
    where = InChannel(snapshot.record.channel)
    if is_over and (known.can_edit(result) or not is_told):
        content = Result(has_picture=known.has_pictures)
        yield from _takes_over(snapshot, known)
        yield Message(slot=Slot(PostKind.RESULT), where=where, content=content)
    if table is not None and not is_to_be_posted and comes_last:
        yield table
    for left in (post, result):
        if is_told and left is not None and left.drawn != SETTLED and not known.can_edit(left):
            yield Abandoned(Slot(left.kind, left.deal), where)
    yield from _mentions(snapshot, known)


def _table(snapshot: GameSnapshot, known: Known, post: Post | None) -> Message:
    record, deal = snapshot.record, snapshot.latest
    is_over, is_told = snapshot.table.result is not None, known.post(PostKind.RESULT) is not None
    is_out_of_reach = is_over and not is_told and not known.can_edit(post)
    is_open = _is_open(snapshot, known) or is_out_of_reach
    is_too_old = post is not None and is_old(post, known.now) and not record.is_anywhere
    calls = tuple(_to_be_called(snapshot, known)) if post is not None else ()
    called = tuple(_called(snapshot, known, calls))
    moves = post is not None and (known.is_to_be_reposted or is_too_old or is_out_of_reach or bool(calls))
    closed = Table(
        deal=deal,
        is_open=False,
        has_picture=known.has_pictures,
        behind_button=_behind_button(snapshot, known),
    )
    content: Content = closed
    has_lost = known.lost_in == deal
    if is_open and record.is_in_dm:
        own = known.people[snapshot.own_view.seat]
        content = OwnTable(likes=own.likes, has_picture=known.has_pictures, has_lost_moves=has_lost)
    elif is_open:
        content = Table(
            deal=deal,
            is_open=True,
            has_picture=known.has_pictures,
            behind_button=closed.behind_button,
            to_press=_to_press(snapshot, known, called=called),
            calls=called,
            has_lost_moves=has_lost,
        )
    return Message(
        slot=Slot(PostKind.TABLE, deal),
        where=InChannel(record.channel),
        content=content,
        fate=Fate.SETTLED if is_over and is_told else Fate.LIVE,
        choosing=_choosing(snapshot.own_view) if is_open and record.is_in_dm else None,
        is_of_table=True,
        moves=moves,
        calls=calls,
    )


def _to_be_called(snapshot: GameSnapshot, known: Known) -> Iterator[int]:
    """People whose turn of slow play begins at a table that only tokens reach.

    A new message may ring there, so the table is posted again and mentions them.
    """
    record, table = snapshot.record, snapshot.table
    if not record.is_anywhere or not known.can_post or table.stage is Stage.DEALING or len(record.people) < 2:
        return
    for seat in table.waiting_for:
        user = record.occupants[seat].person
        if user is not None and _is_to_be_called(snapshot, known, seat):
            yield user


def _called(snapshot: GameSnapshot, known: Known, calls: Collection[int]) -> Iterator[int]:
    """People whom a table that only tokens reach `calls` now, or has called to the turn that they are in.

    Its mention of them stays until they move.
    """
    record = snapshot.record
    for seat in snapshot.table.waiting_for if record.is_anywhere else ():
        user = record.occupants[seat].person
        if user is not None and (user in calls or seat in known.called):
            yield user


def _is_open(snapshot: GameSnapshot, known: Known) -> bool:
    """True if the message of the deal in hand has buttons.

    A show needs none where all play by DM, since they deal there: it is final, and saves an edit at the next
    deal.
    """
    record, table = snapshot.record, snapshot.table
    if table.stage is not Stage.DEALING or record.is_in_dm or away(record, table.absences):
        return table.result is None
    return not all(_plays_by_dm(known, seat) for seat in record.people)


def _plays_by_dm(known: Known, seat: Seat) -> bool:
    """True if the player has recently played on their message by DM, and not at the table since."""
    person = known.people[seat]
    return (
        known.post(PostKind.HAND, seat=seat) is not None
        and person.is_using_hand
        and not person.is_at_the_table
    )


def _behind_button(snapshot: GameSnapshot, known: Known) -> tuple[str, ...]:
    """See `contents.Table.behind_button`."""
    return tuple(
        occupant.name
        for seat, occupant in enumerate(snapshot.record.occupants)
        if occupant.person is not None and known.people[seat].is_out_of_reach
    )


def _to_press(snapshot: GameSnapshot, known: Known, *, called: Collection[int]) -> tuple[str, ...]:
    """See `contents.Table.to_press`; without the people who are `called`."""
    occupants = snapshot.record.occupants
    return tuple(
        occupants[seat].name
        for seat in snapshot.table.waiting_for
        if occupants[seat].person not in {None, *called} and known.people[seat].has_to_press
    )


# Hands


def _hands(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """Each player's hand: the ephemeral one at the table, and their message by DM."""
    url = table_url(snapshot.record, known.posts)
    for view in snapshot.views:
        if known.people[view.seat].has_open_hand:
            yield _open_hand(snapshot, known, view, url)
        if snapshot.record.venue is Venue.SERVER:  # in the bot's DM the hand is part of the table
            yield from _hand_by_dm(snapshot, known, view, url)


def _open_hand(snapshot: GameSnapshot, known: Known, view: PlayerView, url: str | None) -> Message:
    """An ephemeral hand. In live play it is kept below the table's newest message."""
    record, person = snapshot.record, known.people[view.seat]
    user = record.occupants[view.seat].user
    assert user is not None, "a person has opened it"
    table = known.post(PostKind.TABLE, snapshot.latest)
    comes_down = record.agreement.pace is Pace.LIVE and snapshot.table.result is None
    return Message(
        slot=_hand_slot(view.seat),
        where=ByToken(user),
        content=OpenHand(seat=view.seat, likes=person.likes, language=person.language, table_url=url),
        choosing=_choosing(view),
        below=table.message if table and comes_down else None,
    )


def _hand_by_dm(snapshot: GameSnapshot, known: Known, view: PlayerView, url: str | None) -> Iterator[Item]:
    record, seat, person = snapshot.record, view.seat, known.people[view.seat]
    occupant, post = record.occupants[seat], known.post(PostKind.HAND, seat=seat)
    if occupant.user is None or occupant.is_forgotten:
        return
    where, slot = ByDm(occupant.user), _hand_slot(seat)
    if post is not None and person.takes_no_dms:
        yield Abandoned(slot, where)  # until its player opens them, say
        return
    rings = post is not None and (_is_being_replaced(known, post) or _is_to_ring(snapshot, known, seat))
    is_over = snapshot.table.result is not None
    is_elsewhere = person.is_at_the_table and not is_over and not rings
    if post is None and not _is_to_have_hand(snapshot, known, seat, is_idle=is_over or is_elsewhere):
        return
    language, choosing = person.likes.language, None if is_over else _choosing(view)
    content: Content = Hand(
        seat=seat, likes=person.likes, table_url=url, has_picture=known.has_pictures_by_dm
    )
    if is_over:
        content = ResultByDm(
            seat=seat, language=language, table_url=url, has_picture=known.has_pictures_by_dm
        )
    elif is_elsewhere:
        content = AtTheTable(seat=seat, language=language)
    yield Message(
        slot=slot,
        where=where,
        content=content,
        choosing=choosing,
        opening=TurnLine(seat=seat, language=language) if post is None or rings else None,
        rings=rings,
    )


def _is_to_have_hand(snapshot: GameSnapshot, known: Known, seat: Seat, *, is_idle: bool) -> bool:
    """True if a player without a message by DM gets one, or may have an unrecorded one.

    `is_idle` is true if they do not need one: they play at the table, or the game is over.
    """
    person = known.people[seat]
    if person.is_out_of_reach:
        return False
    if person.may_have_hand:
        return True  # else its opening line would stay there for ever
    # Neither the computer nor a player whom it substitutes for gets one.
    if snapshot.record.occupants[seat].person is None:
        return False
    # Sending an unrecorded hand again finds it by its nonce.
    return not is_idle or known.has_unacknowledged_sends


def _is_to_ring(snapshot: GameSnapshot, known: Known, seat: Seat) -> bool:
    """True if the player asked for their hand at the end of their DM, or is overdue and was not called."""
    if seat in known.hands_to_repost:
        return True
    mention = known.post(PostKind.NUDGE, snapshot.latest, seat)
    is_mentioned = mention is not None and not _is_heeded(snapshot, known, mention)
    return seat in known.overdue and seat not in known.called and not is_mentioned


def _is_being_replaced(known: Known, post: Post) -> bool:
    """True if the message is superseded, and its replacement is not recorded."""
    superseded = known.post(PostKind.SUPERSEDED, post.deal, post.seat)
    return superseded is not None and superseded.message == post.message


def _hand_slot(seat: Seat) -> Slot:
    return Slot(PostKind.HAND, 0, seat)


def _choosing(view: PlayerView) -> int | None:
    """The deal in which the player has still to discard."""
    is_choosing = view.table.stage is Stage.DISCARDING and not view.discarded
    return view.table.deal_number if is_choosing else None


# Mentions

_BY_DM = frozenset({Stage.CUTTING_FOR_DEAL, Stage.DISCARDING})
"""The stages in which the first message by DM is posted."""


def _mentions(snapshot: GameSnapshot, known: Known) -> Iterator[Item]:
    """Mentions of players in turn; a mention that was heeded is deleted.

    In live play only the clock's reminder, half-way through a turn, mentions a player. In slow play, where
    that comes after half a day, a player who has been idle is also mentioned as their turn begins, unless
    their hand by DM has rung for it. Nobody is mentioned in a game against computers only.
    """
    record, table, due = snapshot.record, snapshot.table, known.reminder_due
    is_asleep = is_deserted(record, table.absences)
    is_for_several = len(record.people) > 1 and not record.is_anywhere
    # The bot deals automatically.
    is_waiting = is_for_several and table.stage is not Stage.DEALING and not is_asleep
    called = [
        (seat, user)
        for seat in table.waiting_for
        if is_waiting
        and (user := record.occupants[seat].person) is not None
        and (due is not None or _is_to_be_called(snapshot, known, seat))
    ]
    replaced = {Slot(PostKind.NUDGE, snapshot.latest, seat) for seat, _ in called}
    for post in known.all(PostKind.NUDGE):
        slot = post.slot
        if slot not in replaced and (due is not None or _is_heeded(snapshot, known, post)):
            yield Deleted(slot, InChannel(post.channel))
    url = table_url(record, known.posts)
    for seat, user in called:
        yield Mention(
            slot=Slot(PostKind.NUDGE, snapshot.latest, seat),
            where=InChannel(record.channel),
            line=NudgeLine(user=user, table_url=url, due=due),
            # The call at the beginning of a turn and the clock's reminder may be at one version of the log.
            occasion=2 * snapshot.version + (due is not None),
            done=_done_by(seat, snapshot),
        )


def _is_heeded(snapshot: GameSnapshot, known: Known, mention: Post) -> bool:
    """True if its player, or the clock for them, has moved since, or it is no longer their turn."""
    seat, table = Seat(mention.seat), snapshot.table
    is_waited_for = (
        seat in table.waiting_for
        and snapshot.record.occupants[seat].person is not None
        and table.stage is not Stage.DEALING
    )
    if mention.deal != snapshot.latest or not is_waited_for:
        return True
    done = _done_by(seat, snapshot)
    return known.called_after.get(seat, done) != done


def _is_to_be_called(snapshot: GameSnapshot, known: Known, seat: Seat) -> bool:
    if snapshot.record.agreement.pace is Pace.LIVE or seat in known.called:
        return False
    mention = known.post(PostKind.NUDGE, snapshot.latest, seat)
    if mention is not None and not _is_heeded(snapshot, known, mention):
        return False
    if known.people[seat].idle < known.mention_after:
        return False
    # The first message by DM has rung for its player.
    has_new_hand = snapshot.latest <= 1 and known.post(PostKind.HAND, seat=seat) is not None
    return not (snapshot.table.stage in _BY_DM and has_new_hand)


def _done_by(seat: Seat, snapshot: GameSnapshot) -> int:
    """Number of acts of the seat's player, or the clock for them, in the deal; others may peg for it."""
    events = snapshot.deal(snapshot.latest).events
    return sum(getattr(event, "seat", None) == seat for event in events if not isinstance(event, Pegged))
