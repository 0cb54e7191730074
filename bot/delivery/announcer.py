"""Brings every table's messages up to date with its log: one background task for each table with news.

A telling draws the newest state only, so edits coalesce when a table moves faster than Discord allows. In
quick play they do so by intent: the first telling after a quiet time is made at once, and for a moment after
each the table's message waits, while the hands are told. Where one person plays the computer, what they did
waits for its reply, and both are one edit: they see their own move in their hand. A count that has ended is
told before the next card, whose count stands there instead.

What a telling draws follows from the log alone: after a crash or an outage the rest is told once, in order,
and nothing else remembers anything. A telling that could not be finished is retried with back-off, and at
once when there is news.

Where several processes share the shards, a table is told by its owner alone. What is pressed elsewhere is
answered there; then the owner is sent a hint, with what the answer has drawn. While an answer is being made
its owner is told nothing, so that the two do not draw on one message at once.

What is known of a table is kept while there is something to tell of it. When its game has ended, and that is
told, all of it goes. Somebody may still press a button there later, to review the game, say: what is read of
its messages for them lives as long as their press.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

import discord

from bot.concurrency.keyed_tasks import Key, KeyedTasks, RetryLater
from bot.delivery.access import BETWEEN_REFUSALS, Access, Knowledge, Verdict
from bot.delivery.bumping import Bumping
from bot.delivery.direct_messages import DirectMessages
from bot.delivery.discord_errors import described
from bot.delivery.ephemeral_hands import EphemeralHands
from bot.delivery.gallery import Gallery
from bot.delivery.game_ends import GameEnds
from bot.delivery.illustrator import Illustrator
from bot.delivery.live_message import Shown
from bot.delivery.plan import table_url
from bot.delivery.posts import Posts
from bot.delivery.renderer import Renderer
from bot.delivery.snapshots import GameSnapshot, snapshot_of
from bot.delivery.table_state import Pacing, TableState
from bot.delivery.table_sync import Circumstances, Services, TableSync
from bot.delivery.threads import Threads
from bot.model.errors import BotError, DamagedGame, NoSuchGame, NoTable, StaleGame
from bot.model.hints import Drawn, Hint
from bot.model.posts import Post, PostKind
from bot.model.table_record import OPEN, Status, TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.by_dm import at_the_table_drawing
from bot.render.messages.last_deal import LastDeal
from bot.render.messages.own_table import Begun
from bot.render.text.voice import Voice, Voices
from bot.standings.rated_games import RatedGames
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import EngineError, Seat, Stage, TableView

log = logging.getLogger(__name__)

_LOOKS_AGAIN = 0.02
"""Seconds between two looks at whether a telling has ended."""

_TELLING = "tell"
"""What the keys of tables that are told begin with."""

_A_MOMENT = 0.2
"""Seconds after which it is asked again whether another table in the server has been told."""


class Hints(Protocol):
    """Sends hints to the other processes."""

    @property
    def member(self) -> int:
        """The number of this process."""

    async def send(self, hint: Hint) -> None:
        """Tell them. Raises `StoreUnavailable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """How many tables show less than their logs have, or may do so."""

    telling: int
    """Those that are being told now, or in a moment, with what else comes until then."""
    retried: int
    """Those of which something could not be told, and is tried again."""
    put_off: int
    """Those that are told when their shard is connected again."""


class Announcer:
    """Keeps every table's messages up to date."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        sessions: Sessions,
        presence: Presence,
        tasks: KeyedTasks,
        *,
        lobbies: Lobbies,
        knowledge: Knowledge,
        voices: Voices,
        pacing: Pacing,
        rated: RatedGames,
        pictures: bool = True,
        merge: float = 0.0,
        reply: float = 0.0,
    ) -> None:
        """Where the bot has left only hands are drawn, and nothing where it hears nothing.

        Without `pictures` tables are all text.

        Edits of one table that come within `merge` seconds are one; the computer takes `reply` seconds to
        play a card.
        """
        self._pictures = pictures
        self._merge = merge
        self._merges_replies = reply < merge
        self._pacing = pacing
        self.voices = voices
        self.ephemeral_hands = EphemeralHands(self.announce)
        self._gallery = Gallery()
        self._illustrator = Illustrator(self._gallery)
        self._renderer = Renderer(store, voices, self._illustrator, GameEnds(self._gallery, rated, store))
        self._services = Services(
            store=store,
            voices=voices,
            renderer=self._renderer,
            open_hands=self.ephemeral_hands,
            dms=DirectMessages(client, store),
            threads=Threads(client, sessions),
            pacing=pacing,
            began=pacing.clock(),
            has_pictures=pictures,
        )
        self._client = client
        self._lobbies = lobbies
        self._store = store
        self._sessions = sessions
        self._presence = presence
        self._tasks = tasks
        self.access = Access(knowledge, tasks, self.announce)
        self._bumping = Bumping(client, lull=pacing.lull, clock=pacing.clock)
        self._tables: dict[str, TableState] = {}
        self._posts: WeakValueDictionary[str, Posts] = WeakValueDictionary()
        """All that somebody uses; those in `_tables` are kept."""
        self._hints: Hints | None = None
        self._answering: Counter[str] = Counter()
        """By game: the presses that are being answered."""
        self._withheld: set[str] = set()
        """Games of which the owner is told when the answers there are made."""
        self._telling_now: dict[str, TableRecord] = {}
        """By game: the tables that are just being told."""
        self._put_off: set[str] = set()
        """Games of which something is to be told as soon as their shard is connected."""

    @property
    def illustrator(self) -> Illustrator | None:
        """What draws pictures; `None` where all is told in text."""
        return self._illustrator if self._pictures else None

    def prepare(self) -> None:
        """Draw what all pictures of cards are made of. Only queues."""
        if self._pictures:
            self._tasks.wake(("pictures",), self._illustrator.prepare)

    def heard(self, record: TableRecord) -> None:
        """Something happened in that game. Only queues."""
        self.announce(record.game)

    def announce(self, game: str) -> None:
        """There is news at that table. Only queues."""
        self._tasks.wake(_key(game), partial(self._tell, game))

    def share(self, hints: Hints) -> None:
        """Other processes tell tables too: send them hints."""
        self._hints = hints

    async def heard_elsewhere(self, hint: Hint) -> None:
        """Another process has changed a game, and has answered there. Raises `StoreUnavailable`."""
        posts = self._posts.get(hint.game)
        if posts is not None:
            posts.drawn_elsewhere(hint.drawn)  # at once, before anything else is drawn
        record = await self._sessions.reload(hint.game)
        if record is None:
            return
        if posts is None and hint.drawn:
            # Nobody knows them here, perhaps as the game is over: the answer may have crossed its end.
            posts = await self.posts(hint.game)
            posts.drawn_elsewhere(hint.drawn)
        if posts is not None:
            self._table(hint.game).posts = posts  # until that is told
        for seat in map(Seat, hint.pressed):
            user = record.occupants[seat].user if seat < len(record.occupants) else None
            self._table(hint.game).turns.pressed(seat, self._pacing.clock())
            if user is not None:
                self._table(hint.game).moved_at[user] = self._pacing.clock()
                self.ephemeral_hands.left_the_table(hint.game, user)
        if hint.coming_down or hint.is_to_be_reposted:
            table = self._table(hint.game)
            table.is_to_be_reposted |= hint.is_to_be_reposted
            table.coming_down |= set(map(Seat, hint.coming_down))
        self._let_in(hint.game)
        self.announce(hint.game)

    async def changed_elsewhere(self, game: str) -> None:
        """Another process has changed a game, and no hint was heard of it. Raises `StoreUnavailable`."""
        if await self._sessions.reload(game) is not None:
            self.announce(game)

    @contextmanager
    def answering(self, game: str) -> Iterator[None]:
        """While an answer to a press there is made, another process that owns the table is told nothing."""
        self._answering[game] += 1
        try:
            yield
        finally:
            self._answering[game] -= 1
            if not self._answering[game]:
                del self._answering[game]
                table = self._tables.get(game, TableState())
                if table.pressed or table.drawn or game in self._withheld:
                    self.announce(game)

    async def answered(self, game: str, message: int, shown: Shown, *, is_certain: bool = True) -> None:
        """An answer has drawn on that message, or may have: another process that owns the table hears it."""
        if self._hints is None:
            return
        if self._presence.is_elsewhere(await self._sessions.record(game)):
            self._table(game).drawn[message] = Drawn(
                message=message,
                digest=shown.digest,
                version=shown.version,
                draft=shown.draft,
                is_certain=is_certain,
            )

    async def come_to_rest(self, is_meant: Callable[[TableRecord], bool], within: float) -> None:
        """Let nothing be told any more at tables that are another process's in a moment.

        What is being told has so many seconds to come to its end, and is then broken off: its requests may
        wait for their turn, and would come after those of the next process.
        """
        until = asyncio.get_running_loop().time() + within
        while any(map(is_meant, self._telling_now.values())) and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- tellings end within moments
            await asyncio.sleep(_LOOKS_AGAIN)
        for game in [game for game, record in self._telling_now.items() if is_meant(record)]:
            self._tasks.stop(_key(game))

    async def pass_on_all(self, within: float) -> None:
        """Wait until the owners of other processes' tables have been told, for so many seconds at most."""
        until = asyncio.get_running_loop().time() + within
        while self.behind.telling and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- as above
            await asyncio.sleep(_LOOKS_AGAIN)

    def let_go_elsewhere(self, game: str) -> None:
        """The table is another process's from now on: keep nothing of it."""
        self._put_off.discard(game)
        self._posts.pop(game, None)
        self._let_go(game)

    def go_on(self) -> None:
        """A shard is connected again: tell what was put off until it is. Only queues."""
        games, self._put_off = self._put_off, set()
        for game in games:
            self.announce(game)

    def server_changed(self, guild: int) -> None:
        """Discord tells of a server: its channels are known from now on."""
        self.access.changed(guild)

    def opened(self, game: str) -> None:
        """Somebody has opened that table, and looks for it. Only queues."""
        self._table(game)
        self._let_in(game)
        self.announce(game)

    def doubt(self, games: Iterable[str]) -> None:
        """Messages of these may stand that we know nothing of: they were still to be told of at the start."""
        for game in games:
            self._table(game).has_unacknowledged_sends = True

    def repost(self, game: str) -> None:
        """Post the table once more, at the end of its channel. Only queues."""
        self._table(game).is_to_be_reposted = True
        self._let_in(game)
        self.announce(game)

    def bring_hand_down(self, game: str, seat: Seat) -> None:
        """Post that player's hand by DM once more at the end of their DM, where they asked. Only queues."""
        self._table(game).turns.pressed(seat, self._pacing.clock())
        self._table(game).coming_down.add(seat)
        self._let_in(game)
        self.announce(game)

    def saw(self, game: str, user: int) -> None:
        """That person has just moved at that table, and need not be called."""
        self._table(game).moved_at[user] = self._pacing.clock()
        self._let_in(game)

    async def pressed(self, game: str, press: discord.Interaction) -> None:
        """Somebody has pressed something there: they are looking, and their token can be used.

        Raises `NoSuchGame`.
        """
        record = await self._sessions.record(game)
        seat = record.seat_of(press.user.id)
        self._let_in(game)
        if self._hints is not None and self._presence.is_elsewhere(record):
            table = self._table(game)  # its owner hears of the press when it is answered
            if seat is not None:
                table.pressed.add(seat)
            return
        if seat is not None:
            if game in self._tables:
                self._table(game).turns.pressed(seat, self._pacing.clock())
            if press.guild_id is not None:
                self.ephemeral_hands.heard(game, press)

    async def last_deal(self, session: Session, seat: Seat, voice: Voice) -> LastDeal | None:
        """What the last deal came to, for the head of a player's message by DM."""
        record = session.record
        return await self._renderer.last_deals.of(
            self._tables.get(record.game) or TableState(),
            record,
            session.game.table,
            lambda number: snapshot_of(session).deal(number),
            seat=seat,
            voice=voice,
            has_picture=self._has_pictures_by_dm(record),
        )

    def remind(self, game: str, due: int) -> None:
        """Call everybody who is waited for: at `due`, in seconds since 1970, the clock moves. Only queues."""
        self._table(game).reminder_due = due
        self.announce(game)

    @property
    def behind(self) -> Behind:
        """What is still to be told."""
        tables = sum(key[0] == _TELLING for key in self._tasks)
        retried = self._tasks.failing(_TELLING)
        return Behind(telling=tables - retried, retried=retried, put_off=len(self._put_off))

    async def posts(self, game: str) -> Posts:
        """The messages of a game. Raises `NoSuchGame`."""
        posts = self._posts.get(game)
        if posts is not None and not await self._is_elsewhere(game):
            return posts
        standing = await self._store.posts(game)
        record = await self._sessions.record(game)
        posts = self._posts.get(game)  # somebody else may have read them meanwhile
        if posts is None or (self._presence.is_elsewhere(record) and not self._answering[game]):
            is_elsewhere = self._presence.is_elsewhere(record)  # where its owner may have drawn meanwhile
            is_doubtful = is_elsewhere or (
                game in self._tables and self._tables[game].has_unacknowledged_sends
            )
            posts = Posts(
                game,
                self._client,
                self._store,
                standing,
                uncertain=is_doubtful,
                silent=record.is_in_dm,  # there all news follows what its one person has just pressed
            )
            self._posts[game] = posts
            if not is_elsewhere:
                await self._find_who_plays_at_the_table(record, standing)
        if record.status in OPEN and not self._presence.is_elsewhere(record):
            self._table(game).posts = posts
        return posts

    async def _find_who_plays_at_the_table(self, record: TableRecord, standing: tuple[Post, ...]) -> None:
        """Know after a restart who plays at the table: their message by DM says so.

        What is drawn there is not trusted after a crash, but it was when it was kept, and who plays where
        changes seldom. Who has gone to their DM since is told where to press, and has a button there.
        """
        for post in standing:
            user = record.occupants[post.seat].user if 0 <= post.seat < len(record.occupants) else None
            if post.kind is not PostKind.HAND or user is None or record.status is not Status.PLAYING:
                continue
            language = (await self._store.preferences(user)).language or record.language
            if post.drawn == at_the_table_drawing(record, self.voices.of(language)).digest:
                self.ephemeral_hands.found_at_the_table(record.game, user)

    async def table_url(self, record: TableRecord) -> str | None:
        """Where the table's message stands."""
        posts = await self.posts(record.game)
        return table_url(record, posts.standing_by_key)

    async def own_table(self, session: Session, begun: Begun) -> Drawing:
        """The table in its player's own DM, with what they have `begun` on it."""
        table = self._tables.get(session.record.game)
        has_picture = self._services.draws_pictures(session.record) and (table is None or table.has_pictures)
        return await self._renderer.own_table(snapshot_of(session), begun, has_picture=has_picture)

    async def close(self) -> None:
        """Draw no more. What was not told is told at the next start."""
        await self.ephemeral_hands.stop()
        self._gallery.close()

    def _let_in(self, game: str) -> None:
        """Somebody has pressed something at that table, of which something may be to tell."""
        if game in self._tables:
            self.access.pressed(game)

    def _table(self, game: str) -> TableState:
        return self._tables.setdefault(game, TableState())

    async def _tell(self, game: str) -> None:
        """Tell the table once. Raises `RetryLater` when something failed that may not fail the next time."""
        try:
            record = await self._sessions.record(game)
            if self._hints is not None and self._presence.is_elsewhere(record):
                await self._pass_on(game)
                return
            if self._presence.is_unheard(record):
                self._put_off.add(game)  # nobody there can press anything, nor Discord take much
                return
            if not record.version and record.goes_on_in_match and _key(str(record.rematch_of)) in self._tasks:
                raise RetryLater(_A_MOMENT)  # it comes below the result of the game before
            self._telling_now[game] = record
            try:
                is_told = await self._bring_up_to_date(record)
            finally:
                self._telling_now.pop(game, None)
        except EngineError as error:
            # Without its message, which may name a card.
            log.error("the log of %s cannot be told: %s", game, type(error).__name__)  # noqa: TRY400
            return
        except NoSuchGame:
            self._tables.pop(game, None)
            return
        except DamagedGame as error:
            self._store.quarantine(error)
            self._tables.pop(game, None)
            return
        except BotError as error:
            log.warning("%s is told later: %s", game, described(error))
            raise RetryLater from None
        if not is_told:
            raise RetryLater
        if record.status not in OPEN and not self._tasks.is_wanted_again(_key(game)):
            self._let_go(game)

    async def _is_elsewhere(self, game: str) -> bool:
        if self._hints is None or self._answering[game]:
            return False  # while a press is answered, its messages stay as they were read for it
        return self._presence.is_elsewhere(await self._sessions.record(game))

    async def _pass_on(self, game: str) -> None:
        """Tell the table's owner what is to be told, unless an answer is being made."""
        if self._hints is None:
            return
        if self._answering[game]:
            self._withheld.add(game)
            return
        self._withheld.discard(game)
        table = self._tables.pop(game, TableState())
        hint = Hint(
            game=game,
            sender=self._hints.member,
            is_to_be_reposted=table.is_to_be_reposted,
            coming_down=tuple(sorted(table.coming_down)),
            pressed=tuple(sorted(table.pressed)),
            drawn=tuple(table.drawn.values()),
        )
        try:
            await self._hints.send(hint)
        except BotError:
            self._tables.setdefault(game, table)
            raise
        self.access.forget(game)

    async def _bring_up_to_date(self, record: TableRecord) -> bool:
        """Draw what is not as it should be; false when that is to be tried again."""
        game = record.game
        posts, table = await self.posts(game), self._table(game)
        table.posts = posts
        is_lobby = record.status is Status.GATHERING or not record.version
        snapshot = None if is_lobby else await self._snapshot(record, posts)
        if snapshot is not None:
            await self._rest_a_moment(snapshot, posts, table)
        if self._presence.has_left(record):
            circumstances = Circumstances(may_write=False, has_left=True)
            sync = TableSync(
                self._services, record, snapshot, posts=posts, state=table, circumstances=circumstances
            )
            await sync.run()
            return not sync.outcome.may_help_to_try_again
        return await self._sync(record, snapshot, posts, table)

    async def _sync(
        self, record: TableRecord, snapshot: GameSnapshot | None, posts: Posts, table: TableState
    ) -> bool:
        """Draw a lobby or a game; false when that is to be tried again."""
        verdict = self._may_try(record)
        repost, table.is_to_be_reposted = table.is_to_be_reposted or posts.are_resting, False
        sync: TableSync | None = None
        is_through = False
        try:
            if snapshot is not None and verdict is not Verdict.SHUT:
                repost |= await self._bumping.is_to_be_bumped(snapshot, posts, table)
            sync = TableSync(
                self._services,
                record,
                snapshot,
                posts=posts,
                state=table,
                circumstances=self._circumstances(snapshot, table, verdict, is_to_be_reposted=repost),
            )
            await self._run(sync, posts, table)
            is_through = True
        finally:
            outcome = sync.outcome if sync is not None else None
            if verdict is not Verdict.SHUT:
                self.access.end(
                    record,
                    is_refused=outcome is not None and outcome.is_shut,
                    is_told=is_through and outcome is not None and not outcome.failures,
                    by_itself=outcome is None or not outcome.is_closed_dm,
                )
        outcome = sync.outcome
        if outcome.place_is_gone and record.status in OPEN:
            with suppress(NoTable, StaleGame):  # it was closed, or ended, in the meantime
                await self._sessions.call_off(record.game)
            return True
        if outcome.failures or outcome.is_shut:
            table.is_to_be_reposted |= sync.is_to_be_reposted
            if outcome.may_help_to_try_again:
                return False
            if outcome.is_shut and record.status not in OPEN:
                await posts.give_up_channel(snapshot.version if snapshot is not None else 0)
            return True
        # After a pause: what cannot be drawn must not be tried without end, and never where no channel is.
        if not posts.is_up_to_date and not outcome.place_is_gone:
            return False
        posts.acknowledge_all()
        if snapshot is not None:
            await posts.told(snapshot.version)
        return True

    def _circumstances(
        self, snapshot: GameSnapshot | None, table: TableState, verdict: Verdict, *, is_to_be_reposted: bool
    ) -> Circumstances:
        overdue: frozenset[Seat] = frozenset()
        if snapshot is not None:
            now = self._pacing.clock()
            table.turns.waits_for(_turns_of_people(snapshot), now)
            overdue = table.turns.take(self._pacing.ring_after, now)
        return Circumstances(
            may_write=verdict is not Verdict.SHUT,
            # A picture that is refused is followed by the same as text: two refusals of one attempt.
            may_send_pictures=verdict is not Verdict.PROBE,
            is_to_be_reposted=is_to_be_reposted,
            coming_down=frozenset(table.coming_down),
            overdue=overdue,
        )

    def _may_try(self, record: TableRecord) -> Verdict:
        """Whether the table's channel may be tried. Raises `RetryLater` when that is not decided yet."""
        match verdict := self.access.ask(record):
            case Verdict.WAIT:
                raise RetryLater(_A_MOMENT)
            case Verdict.LATER:
                raise RetryLater(BETWEEN_REFUSALS)
            case _:
                return verdict

    async def _run(self, sync: TableSync, posts: Posts, table: TableState) -> None:
        """Draw a lobby or a game, and see to what follows from it."""
        game, drawn_before = sync.game, _table_as_drawn(posts)
        await sync.run()
        if sync.snapshot is None:
            if sync.record.begins and posts.get(PostKind.LOBBY) is not None:
                await self._lobbies.begin_posted(game)
        elif self._ring_due_in(game) is not None and _ringing_key(game) not in self._tasks:
            self._tasks.wake(_ringing_key(game), partial(self._ring, game))
        if _table_as_drawn(posts) != drawn_before:
            table.merges_until = asyncio.get_running_loop().time() + self._merge

    def _ring_due_in(self, game: str) -> float | None:
        """Delay (s) before somebody at that table is to be called."""
        table = self._tables.get(game)
        return None if table is None else table.turns.due_in(self._pacing.ring_after, self._pacing.clock())

    async def _snapshot(self, record: TableRecord, posts: Posts) -> GameSnapshot:
        """The game as it stands. Raises `DamagedGame` where a message is kept of a deal to come."""
        snapshot = snapshot_of(await self._sessions.get(record.game))
        if posts.last_deal > snapshot.latest:
            people = frozenset(each.user for each in record.occupants if each.user is not None)
            raise DamagedGame(record.game, "its messages", "a later deal", guild=record.guild, people=people)
        return snapshot

    async def _rest_a_moment(self, snapshot: GameSnapshot, posts: Posts, table: TableState) -> None:
        """Tell the hands alone while the table's message waits for more. Raises `RetryLater`, to go on."""
        record, now = snapshot.record, asyncio.get_running_loop().time()
        left = max(table.merges_until, self._reply_due(snapshot, table)) - now
        is_asked_for = table.is_to_be_reposted or bool(table.coming_down)
        if left <= 0 or record.status is not Status.PLAYING or is_asked_for:
            return
        if _has_ended_a_count(snapshot.table) or self._presence.has_left(record):
            return
        if posts.get(PostKind.TABLE, snapshot.latest) is None:
            return
        circumstances = Circumstances(may_write=False, is_merging=True)
        await TableSync(
            self._services, record, snapshot, posts=posts, state=table, circumstances=circumstances
        ).run()
        raise RetryLater(left)

    def _reply_due(self, snapshot: GameSnapshot, table: TableState) -> float:
        """Until when, in the loop's time, the computer's reply is worth waiting for."""
        if not self._merges_replies or not _waits_for_a_reply(snapshot):
            table.reply_since = None
            return 0.0
        if table.reply_since is None:
            table.reply_since = asyncio.get_running_loop().time()
        return table.reply_since + self._merge

    async def _ring(self, game: str) -> None:
        """Wait until somebody is to be called, if that is not yet, and let it be done."""
        while (seconds := self._ring_due_in(game)) is not None:
            if not seconds:
                self.announce(game)
                return
            await asyncio.sleep(seconds)

    def _has_pictures_by_dm(self, record: TableRecord) -> bool:
        table = self._tables.get(record.game)
        return self._services.draws_pictures(record) and (table is None or table.has_pictures_by_dm)

    def _let_go(self, game: str) -> None:
        """The game has ended, and that is told as far as it can be: keep nothing of it."""
        self._tables.pop(game, None)
        self.ephemeral_hands.forget(game)
        self._tasks.stop(_ringing_key(game))
        self.access.forget(game)
        self._sessions.forget(game)


def _key(game: str) -> Key:
    return (_TELLING, game)


def _ringing_key(game: str) -> Key:
    return ("ring", game)


def _table_as_drawn(posts: Posts) -> str:
    """What the table's newest message shows, as far as is known."""
    table = posts.newest_table
    return table.drawn if table is not None else ""


def _turns_of_people(snapshot: GameSnapshot) -> dict[Seat, int]:
    """Whom other people wait for, with the number of their turn; the next deal comes by itself."""
    record, people = snapshot.record, snapshot.record.people
    if record.status is not Status.PLAYING or len(people) <= 1 or snapshot.table.stage is Stage.DEALING:
        return {}
    return {seat: snapshot.turn_of(seat) for seat in snapshot.table.waiting_for if seat in people}


_WITHOUT_REPLY = frozenset({Stage.DISCARDING, Stage.DEALING, Stage.OVER})
"""When the computer takes longer than for a card, or does not move."""


def _waits_for_a_reply(snapshot: GameSnapshot) -> bool:
    """Whether one person plays computers, and one of those plays next, as soon as it plays a card."""
    record, table = snapshot.record, snapshot.table
    if record.is_in_dm or len(record.people) != 1 or table.stage in _WITHOUT_REPLY:
        return False
    return bool(table.waiting_for) and not record.people.intersection(table.waiting_for)


def _has_ended_a_count(table: TableView) -> bool:
    """Whether the last count stands on the table, with its go or 31, until the next card is played."""
    return table.stage is Stage.PLAYING and not table.series and bool(table.past_series)
