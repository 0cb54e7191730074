"""One sync of one table: gathers the known facts, plans, and reconciles. `syncer` and `queue` schedule it."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass, replace

import discord

from bot.model.posts import Post, PostKind
from bot.model.table_record import Board, Occupant, TableRecord
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from bot.store import Store
from bot.sync.contents import Content, Line, Lobby, Moved
from bot.sync.direct_messages import DirectMessages
from bot.sync.discord_errors import described
from bot.sync.discord_time import DISCORD_TIME
from bot.sync.ephemeral_hands import EphemeralHands
from bot.sync.plan import Item, Known, Mention, Person, plan, url_of
from bot.sync.posts import Posts
from bot.sync.presses import Presses
from bot.sync.reconcile import Outcome, Reconciler
from bot.sync.renderer import Renderer
from bot.sync.snapshots import GameSnapshot
from bot.sync.table_state import Pacing, TableState
from bot.sync.threads import Threads
from engine import Seat

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services that every sync uses."""

    store: Store
    voices: Voices
    renderer: Renderer
    open_hands: EphemeralHands
    dms: DirectMessages
    threads: Threads
    pacing: Pacing
    presses: Presses
    began: float
    """Time of the bot's start on `Pacing.clock` (s), which stands in for unknown times of moves."""
    has_pictures: bool
    """False with PICTURES=false: every table is text."""

    def draws_pictures(self, record: TableRecord) -> bool:
        """True if the table has pictures, unless Discord refuses them."""
        return self.has_pictures and record.agreement.board is Board.PICTURES


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The facts that do not change during a sync; `Known` explains them."""

    may_write: bool = True
    """False if the circuit of the table's channel is open."""
    may_send_pictures: bool = True
    """False for a probe of the table's channel."""
    has_left: bool = False
    is_merging: bool = False
    is_to_be_reposted: bool = False
    hands_to_repost: frozenset[Seat] = frozenset()
    overdue: frozenset[Seat] = frozenset()


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
        circumstances: Circumstances,
    ) -> None:
        """`snapshot` is `None` for a lobby."""
        self._services = services
        self.record = record
        self.snapshot = snapshot
        self.posts = posts
        self._state = state
        self._circumstances = circumstances
        self.is_to_be_reposted = circumstances.is_to_be_reposted
        """True while the table waits for its repost at the end of the channel."""
        self._rung: set[Seat] = set()
        self._due: int | None = None
        """`reminder_due` of the latest plan."""
        self.outcome = Outcome(is_shut=not circumstances.may_write)

    @property
    def is_merging(self) -> bool:
        """See `Known.is_merging`."""
        return self._circumstances.is_merging

    async def run(self) -> None:
        """Reconcile the table's messages. Raises `StoreUnavailable`."""
        services = self._services
        reconciler = Reconciler(self, self.posts, services.open_hands, services.dms, self.outcome)
        await reconciler.run(self._planned)
        for error in self.outcome.failures:
            log.warning("a message of %s could not be drawn: %s", self.game, described(error))
        self._state.hands_to_repost -= self._circumstances.hands_to_repost
        is_reminded = (
            self.snapshot is not None and not self._circumstances.is_merging and reconciler.may_write
        )
        if is_reminded and self._state.reminder_due == self._due:
            self._state.reminder_due = None

    async def _planned(self, may_write: bool) -> tuple[Item, ...]:  # noqa: FBT001 -- see `Planned`
        return plan(self.record, self.snapshot, await self._gather(may_write=may_write))

    async def _gather(self, *, may_write: bool) -> Known:
        """Read the known facts. Raises `StoreUnavailable`."""
        services, state, circumstances = self._services, self._state, self._circumstances
        self._due = state.reminder_due
        is_anywhere = self.record.is_anywhere
        draws_pictures = services.draws_pictures(self.record)
        people: tuple[Person, ...] = ()
        if self.snapshot is not None:
            people = tuple(
                [await self._person(Seat(seat), each) for seat, each in enumerate(self.record.occupants)]
            )
        return Known(
            posts=self.posts.standing_by_key,
            now=DISCORD_TIME.utcnow(),
            people=people,
            has_pictures=draws_pictures and state.has_pictures and circumstances.may_send_pictures,
            has_pictures_by_dm=draws_pictures and state.has_pictures_by_dm,
            may_write=may_write,
            has_left=circumstances.has_left,
            is_merging=circumstances.is_merging,
            can_post=not is_anywhere or services.presses.can_post(self.record.channel),
            editable=self.posts.in_use if is_anywhere else None,
            has_unacknowledged_sends=self.posts.has_unacknowledged_sends,
            is_to_be_reposted=self.is_to_be_reposted,
            hands_to_repost=circumstances.hands_to_repost - self._rung,
            overdue=circumstances.overdue - self._rung,
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

    # The reconciler's `Subject`

    @property
    def game(self) -> str:
        """See `Subject.game`."""
        return self.record.game

    @property
    def version(self) -> int:
        """See `Subject.version`."""
        return self.record.version if self.snapshot is None else self.snapshot.version

    async def draw(self, content: Content | Moved) -> Drawing:
        """See `Subject.draw`."""
        renderer = self._services.renderer
        if isinstance(content, Moved):
            return renderer.moved(self.record, content)
        if self.snapshot is None:
            assert isinstance(content, Lobby), "there is no game yet"
            return renderer.lobby(self.record)
        return await renderer.draw(self.snapshot, content, self._state)

    def url(self, post: Post) -> str:
        """See `Subject.url`."""
        return url_of(self.record, post)

    def line(self, line: Line) -> str:
        """See `Subject.line`."""
        return self._services.renderer.line(self.record, self.snapshot, line)

    async def open_thread(self, lobby: Post) -> None:
        """See `Subject.open_thread`."""
        services, record = self._services, self.record
        await services.threads.move_into(record, lobby, services.voices.of(record.language))
        self.record = await services.threads.settled(record)
        if self.snapshot is not None:
            self.snapshot = replace(self.snapshot, record=self.record)

    async def dm_was_refused(self, user: int, error: discord.HTTPException) -> None:
        """See `Subject.dm_was_refused`."""
        await self._services.dms.refused(user, error)

    def pictures_are_refused(self, *, by_dm: bool) -> None:
        """See `Subject.pictures_are_refused`."""
        if by_dm:
            self._state.has_pictures_by_dm = False
        else:
            self._state.has_pictures = False

    def rang(self, seat: int) -> None:
        """See `Subject.rang`. Unless it resumes an interrupted repost, the player plays by DM from now on."""
        self._rung.add(Seat(seat))
        if Seat(seat) in self._circumstances.overdue:
            self._state.turns.called(Seat(seat))
        user = self.record.occupants[seat].user
        is_meant = Seat(seat) in self._circumstances.hands_to_repost | self._circumstances.overdue
        if user is not None and is_meant:
            self._services.open_hands.moved_to_dm(self.game, user)

    def moved(self) -> None:
        """See `Subject.moved`."""
        self.is_to_be_reposted = False

    def called(self, users: Collection[int]) -> None:
        """See `Subject.called`."""
        for user in users:
            if (seat := self.record.seat_of(user)) is not None:
                self._state.turns.called(seat)

    def mentioned(self, mention: Mention) -> None:
        """See `Subject.mentioned`."""
        seat = Seat(mention.slot.seat)
        self._state.called_after[seat] = mention.done
        self._state.turns.called(seat)
