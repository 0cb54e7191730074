"""Live games: one `Session` each, loaded from the store on demand and kept in an LRU cache.

A move runs under the game's lock: decide (pure), append (durable), accept (memory), notify the listeners
(which do not block). If the store fails, nothing has changed. If another process wrote to the log first
(`StaleGame`), the session is reloaded and the move is decided again.

A change whose outcome is unknown (`OutcomeUnknown`, a cancelled call) leaves the game in doubt: its session
is dropped, and as soon as the store answers, the game is compared with it, and the listeners hear of what
stands (`reload`). So nothing that waits for a change waits for ever.

Games are also called off here: a lobby that closes with its channel, players who agree, a moderator, a server
that the bot has left for good.

With several processes on one store, one of them owns a table and syncs its messages, but a press may reach
any. The log's version is the optimistic lock between them. A session of a table that another process owns is
checked against the store before each use.

The cache may evict a session at any time, even in the middle of a move: sessions are loaded under the game's
lock only, so the next reader waits until that move is written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from random import Random, SystemRandom
from typing import TypeAlias, TypeVar, assert_never
from zlib import crc32

from cachetools import LRUCache

from bot.concurrency.keyed_locks import KeyedLocks
from bot.concurrency.keyed_tasks import Key, KeyedTasks
from bot.model.deck import Deck
from bot.model.errors import (
    DamagedGame,
    IdTaken,
    NoSuchGame,
    NoTable,
    NotSeated,
    OutcomeUnknown,
    StaleButton,
    StaleGame,
    StoreError,
)
from bot.model.match import next_game
from bot.model.table_record import OPEN, Explaining, Status, TableRecord, is_deserted
from bot.render.messages.hand_cache import HandCache
from bot.render.text.explaining import Hearing
from bot.store import Store
from bot.store.damage import replayed
from bot.tables import game_ids
from engine import (
    BySubstitute,
    CardNotHeld,
    Cards,
    Chance,
    ChangeComputer,
    ComeBack,
    ComputerChanged,
    CutForFirstDeal,
    CutStarter,
    Deal,
    DealBegan,
    DealEnded,
    Discard,
    Game,
    GameWon,
    Move,
    OwnMove,
    PlayerView,
    PreArranged,
    Seat,
    Stage,
    StandIn,
    TableView,
)
from engine.computer import PLAYER, Level
from engine.fair import FairChance, Secrets
from engine.secret_events import Discarded, LoggedEvent

log = logging.getLogger(__name__)

T = TypeVar("T")

_OVERTAKEN = 3
"""Retries of a move after another process has written to the game's log."""

KEPT = 2_000
"""Capacity of the LRU cache of sessions."""

Listener: TypeAlias = Callable[[TableRecord], None]
"""Receives the record of a table that has changed. Must not block: schedules its work."""


MAY_HAVE_CHANGED: ContextVar[bool] = ContextVar("MAY_HAVE_CHANGED", default=False)
"""True once the running task has held a game's lock for a change without an error.

Nobody may be told then that nothing has changed, whatever fails afterwards.
"""


class Session:
    """A game in play, or just over."""

    def __init__(
        self, record: TableRecord, game: Game, draws: FairChance | None = None, player: str = PLAYER
    ) -> None:
        """`draws` gives the seeds of the computer's moves in a game that can prove them.

        `player` is the version of the computer that the game's terms name.
        """
        self.record = record
        self.game = game
        self._draws = draws
        self._player = player
        self.past_tables: dict[int, TableView] = {}
        """Tables at the end of past deals, by deal number; a cache, filled at the deal's end or first use."""
        self.choices: dict[Seat, Cards] = {}
        """Cards tapped for the crib but not discarded yet, by seat, in the order of the taps."""
        self.hands = HandCache()
        self.hearings: dict[Seat, tuple[int, Hearing]] = {}
        """By seat whose scores are explained: number of logged events heard, and what was heard."""
        self._deal_starts: list[int] = []
        self._scanned = 0
        """Number of events that `deal_starts` has scanned."""
        self.next_game: TableRecord | None = None
        """Next game of the match, once this one has ended; it gathers until it starts."""

    @property
    def deal_starts(self) -> Sequence[int]:
        """Index in the log of each deal's beginning; scans only the events added since the last call."""
        log = self.game.log
        for place in range(self._scanned, len(log)):
            if isinstance(log[place], DealBegan):
                self._deal_starts.append(place)
        self._scanned = len(log)
        return self._deal_starts

    @property
    def computer_is_new(self) -> bool:
        """True if the game's log or its terms name another version of the computer than moves now.

        Always false in a game that cannot prove the computer's moves.
        """
        changes = (each.player for each in reversed(self.game.log) if isinstance(each, ComputerChanged))
        return self._draws is not None and next(changes, self._player) != PLAYER

    def seed_of(self, seat: Seat) -> int:
        """Seed of the computer's next move in this seat; the same after a restart."""
        if self._draws is None:
            return crc32(f"{self.record.game}:{seat}".encode())
        return self._draws.seed(seat, self.game.version)

    def seat_of(self, user: int) -> Seat:
        """The user's seat. Raises `NotSeated`."""
        seat = self.record.seat_of(user)
        if seat is None:
            raise NotSeated(self.record)
        return seat

    def refuse_stale(self, deal: int | None) -> None:
        """Raises `StaleButton` for a button of another deal than the current one.

        A button of a finished game passes: the move itself raises `GameIsOver`, which says more.
        """
        now = self.game.table.deal_number
        if deal is not None and deal != now and not self.game.is_over:
            raise StaleButton(deal, now)


class Sessions:
    """All live games; every move goes through it."""

    def __init__(
        self,
        store: Store,
        chance: Chance,
        *,
        new_secrets: Callable[[], Secrets | None] = lambda: None,
        random: Random | None = None,
        kept: int = KEPT,
        tasks: KeyedTasks | None = None,
    ) -> None:
        """Keep at most `kept` sessions in memory; `tasks` runs the comparisons with the store.

        `new_secrets` gives each new table the secrets that its deck is derived from. Tables without (all
        from before honest decks) are dealt by `chance`. Ids of games come from `random`, by default the
        operating system's generator.
        """
        self.new_secrets = new_secrets
        self.random = random or SystemRandom()
        """The source of ids, and of all chance that no deck decides."""
        self._store = store
        self._chance = chance
        self._listeners: list[Listener] = []
        self._at_ends: list[Listener] = []
        self._at_loads: list[Listener] = []
        self._is_elsewhere: Callable[[TableRecord], bool] = lambda _: False
        self._elsewhere: Listener = lambda _: None
        self._live: LRUCache[str, Session] = LRUCache(kept)
        self._doubted: dict[str, TableRecord | None] = {}
        """By game in doubt: its record as the listeners know it; `None` if that is unknown."""
        self._tasks = KeyedTasks(passing=(StoreError,)) if tasks is None else tasks
        self._locks = KeyedLocks()
        self._throttle = asyncio.Lock()

    def new_id(self) -> str:
        """An id for a new game."""
        return game_ids.new_id(self.random)

    def subscribe(self, listener: Listener) -> None:
        """Call the listener for each change of a game from its beginning on, in the order of subscription.

        That is moves, seats that change hands, and the end, with a result or without. A change in a lobby is
        not published here except its calling off: the caller syncs it.
        """
        self._listeners.append(listener)

    def subscribe_to_ends(self, listener: Listener) -> None:
        """Call the listener for each game that is over or cancelled, after the listeners to all changes."""
        self._at_ends.append(listener)

    def subscribe_to_loads(self, listener: Listener) -> None:
        """Call the listener for each game that is loaded from the store."""
        self._at_loads.append(listener)

    def share(self, is_elsewhere: Callable[[TableRecord], bool], forward: Listener) -> None:
        """Share the tables among processes: changes of one that `is_elsewhere` go to `forward` alone."""
        self._is_elsewhere = is_elsewhere
        self._elsewhere = forward

    async def reload(self, game: str) -> TableRecord | None:
        """Compare a game with the store: reload it, and notify the listeners of what they do not know.

        For a game that another process has changed, and one in doubt, of which every write ends first. The
        listeners are not notified if only messages were touched (no new version, status, seats or thread):
        that would start the turn's clock again. None for a game that is elsewhere, unknown or damaged. Raises
        `StoreUnavailable`; a game in doubt stays so.
        """
        async with self._locks.lock(game):
            is_in_doubt = game in self._doubted
            known = self._doubted[game] if is_in_doubt else self._record_in_memory(game)
            self.forget(game)
            try:
                record = await (self._store.settled if is_in_doubt else self._store.table)(game)
            except (NoSuchGame, DamagedGame) as error:
                self._doubted.pop(game, None)
                if isinstance(error, DamagedGame):
                    self._store.quarantine(error)
                return None
            self._doubted.pop(game, None)
        is_news = known is None or _state_of(known) != _state_of(record)
        if is_news and (is_in_doubt or not self._is_elsewhere(record)):
            self.notify(record)
        return None if self._is_elsewhere(record) else record

    def doubt(self, game: str, known: TableRecord | None = None) -> None:
        """Drop a game that may not be as in memory, and reload it as soon as the store answers.

        `known` is its record as the listeners know it.
        """
        self.forget(game)
        if game not in self._doubted:
            self._doubted[game] = known
            self._compare(game)

    def _compare(self, game: str) -> None:
        async def compared() -> None:
            if game in self._doubted:
                await self.reload(game)

        self._tasks.wake(_key(game), compared)

    def is_known(self, record: TableRecord) -> bool:
        """True if the game is in memory in the record's state."""
        session = self._live.get(record.game)
        return session is not None and _state_of(session.record) == _state_of(record)

    def evict_where(self, is_meant: Callable[[TableRecord], bool]) -> None:
        """Evict all games whose record `is_meant`."""
        for game, session in tuple(self._live.items()):
            if is_meant(session.record):
                self.forget(game)

    def __len__(self) -> int:
        """Number of games in memory."""
        return len(self._live)

    @asynccontextmanager
    async def lock(self, game: str) -> AsyncIterator[None]:
        """Hold the game's lock for a change; one of unknown outcome leaves the game in doubt."""
        async with self._locks.lock(game):
            known = self._record_in_memory(game)
            try:
                yield
            except (OutcomeUnknown, asyncio.CancelledError):
                self.doubt(game, known)
                raise
            MAY_HAVE_CHANGED.set(True)

    async def get(self, game: str) -> Session:
        """Session of a game that has begun, from cache or store.

        Raises `NoSuchGame`, `NoTable` before its beginning, and `DamagedGame`.
        """
        session = self._live.get(game)
        if session is None or self._is_elsewhere(session.record):
            async with self._locks.lock(game):
                session = await self._present(game)
        return session

    async def _present(self, game: str) -> Session:
        """The session, reloaded if it is elsewhere and outdated; the caller holds the lock.

        Raises `NoSuchGame`, `NoTable` before its beginning, and `DamagedGame`.
        """
        session = self._live.get(game)
        if session is None:
            return await self._load(game)
        if not self._is_elsewhere(session.record):
            return session
        record = await self._store.table(game)
        if record.version != session.game.version:
            return await self._load(game)
        session.record = record
        if session.game.table.stage is Stage.DISCARDING:
            session.choices = await self._store.choices(game, session.game.table.deal_number)
        return session

    async def get_throttled(self, game: str) -> Session:
        """The session, as `get` returns it, throttled: for background work, never for the answer to a press.

        After a start every table has such work, and loading a log takes milliseconds. Only one loads at a
        time, followed by a pause of the same length, so a press waits for one load instead of a thousand.
        """
        if game not in self._live:
            async with self._throttle:
                if game not in self._live:
                    loop = asyncio.get_running_loop()
                    began = loop.time()
                    session = await self.get(game)
                    await asyncio.sleep(loop.time() - began)
                    return session
        return await self.get(game)

    def peek(self, game: str) -> Session | None:
        """The session if it is in memory, else None."""
        return self._live.get(game)

    async def in_play(self, game: str) -> Session:
        """The session of a game that was not called off; the caller holds the game's lock.

        Raises `NoTable` and `NoSuchGame`.
        """
        session = await self._present(game)
        if session.record.status is Status.CANCELLED:
            raise NoTable
        return session

    async def record(self, game: str) -> TableRecord:
        """The game's record, from its session or else from the store. Raises `NoSuchGame`."""
        session = self._live.get(game)
        if session is None or self._is_elsewhere(session.record):
            return await self._store.table(game)
        return session.record

    async def is_synced(self, game: str) -> bool:
        """True if the table's synced version is its latest. Raises `NoSuchGame` and `DamagedGame`."""
        record = await self._store.table(game)
        return record.synced >= record.version

    async def begin(self, record: TableRecord, dealer: Seat | None) -> Session:
        """Begin the game of a full lobby and seal its deck; the caller holds the game's lock.

        `dealer` deals first; with None the players cut for it. Raises `StaleGame` if the lobby has changed
        meanwhile, or if its words are dropped because this version of the bot writes their terms otherwise.
        """
        deck = await self._store.deck(record.game)
        terms = None if deck is None else deck.terms(record, dealer)
        if deck is not None and terms is not None and not deck.is_given(terms):
            self.notify(await self._store.drop_words(record.game))
            raise StaleGame(record.game, 0)
        draws = None if deck is None or terms is None else FairChance(deck.secret, terms.sealed)
        game = Game.new(record.agreement.rules, chance=draws or self._chance, dealer=dealer)
        if game.table.stage is Stage.DEALING:
            game.apply(Deal(game.table.dealer))
        record = await self._store.begin(record.game, game.log, terms)
        session = self._keep(Session(record, game, draws, _player_of(deck)))
        await self._cut_automatically(session)
        self.notify(session.record)
        return session

    async def move(
        self, game: str, user: int, make: Callable[[Seat], Move], deal: int | None = None
    ) -> tuple[Session, tuple[LoggedEvent, ...]]:
        """Make the move that `make` builds for the user's seat; returns the session and the new events.

        `deal` is the number of the deal that the pressed button belongs to; another than the current one
        raises `StaleButton`. Raises `NotSeated`, `NoTable` for a game that was called off, `IllegalMove`,
        `GameIsOver`, `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """

        async def moved() -> tuple[Session, tuple[LoggedEvent, ...]]:
            session = await self.in_play(game)
            seat = session.seat_of(user)
            session.refuse_stale(deal)
            events = _decide(session.game, make(seat))
            if events:
                await self._write(session, events)
                events += await self._cut_automatically(session)
            return session, events

        async with self.lock(game):
            session, events = await _unless_overtaken(moved)
        if events:
            self._notify_of(session)
        return session, events

    async def choose(
        self,
        game: str,
        user: int,
        change: Callable[[PlayerView, Cards], Cards],
        deal: int | None = None,
    ) -> Session:
        """Change the cards that the user has tapped for the crib: `change` maps their view and old choice to
        the new.

        The choice is stored; only the player's own `Discard` plays it. Raises as `move` does; then nothing
        has changed.
        """
        async with self.lock(game):
            session = await self.in_play(game)
            seat = session.seat_of(user)
            session.refuse_stale(deal)
            view, before = session.game.view(seat), session.choices.get(seat, ())
            if Discard not in view.legal_moves.kinds:
                session.game.decide(Discard(seat, ()))  # raises the reason for its refusal
            chosen = change(view, before)
            for card in chosen:
                if card not in (*view.hand, *view.discarded):
                    raise CardNotHeld(seat, card)
            if chosen != before:
                await self._store.keep_choice(game, view.table.deal_number, seat, chosen)
                session.choices[seat] = chosen
        return session

    async def move_for(
        self, game: str, move: OwnMove | BySubstitute | StandIn, *, version: int | None = None
    ) -> None:
        """Make a move of the turn clock or of a computer, which chose it at `version`.

        Does nothing if the log has grown since, or if a person has taken the computer's seat back: a move
        chosen for one position is not played in another, nor twice. Raises as `move` does.
        """

        async def moved() -> Session | None:
            session = await self.in_play(game)
            is_the_clocks = isinstance(move, StandIn)
            is_its_own = is_the_clocks or move.seat in session.record.computers
            if version is not None and (session.game.version != version or not is_its_own):
                return None
            events = _decide(session.game, move)
            if not events:
                return None
            await self._write(session, events)
            await self._cut_automatically(session)
            return session

        async with self.lock(game):
            session = await _unless_overtaken(moved)
        if session is not None:
            self._notify_of(session)

    async def to_think(self, game: str) -> Session:
        """The session, for a computer that is about to choose a move in it; the log names its version.

        After an upgrade in the middle of a game the new version is logged first, so that a check knows which
        moves are whose. Nobody is notified: the move that follows does that. Raises as `move` does.
        """

        async def noted() -> Session:
            session = await self.in_play(game)
            if session.computer_is_new and not session.game.is_over:
                await self._write(session, _decide(session.game, ChangeComputer(PLAYER)))
            return session

        async with self.lock(game):
            return await _unless_overtaken(noted)

    async def settle_thread(self, game: str, thread: int | None) -> None:
        """Move the game to a thread of its own, or, with None, note that it gets none.

        Raises `NoTable`, `ChannelTaken`, `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            session = await self.in_play(game)
            record = await self._store.settle_thread(game, thread)
            session.record = replace(session.record, channel=record.channel, thread=record.thread)

    async def deal(self, game: str, *, after: int) -> None:
        """Deal the hand that follows deal number `after`; does nothing if it is dealt already.

        Raises as `move` does.
        """

        async def dealt() -> Session | None:
            session = await self.in_play(game)
            table = session.game.table
            if table.stage is not Stage.DEALING or table.deal_number != after:
                return None
            await self._write(session, session.game.decide(Deal(table.dealer)))
            return session

        async with self.lock(game):
            session = await _unless_overtaken(dealt)
        if session is not None:
            self.notify(session.record)

    async def set_substitute(self, game: str, seats: Collection[Seat], level: Level | None) -> Session:
        """Give all `seats` to a computer of that level in one step, or, with None, back to their people.

        Raises `NoTable`, `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            return await self.set_substitute_locked(game, seats, level)

    async def set_substitute_locked(self, game: str, seats: Collection[Seat], level: Level | None) -> Session:
        """`set_substitute` for a caller that holds the game's lock."""
        session = await self.in_play(game)
        if all(session.record.occupants[seat].level is level for seat in seats):
            return session
        record = await self._store.set_substitute(game, seats, level)
        session.record = replace(session.record, occupants=record.occupants)
        self.notify(session.record)
        return session

    async def explain(self, game: str, user: int, explaining: Explaining) -> TableRecord:
        """Store whether the scores of a table's game are explained to the user, and return its record.

        The listeners are not notified, because the turn's clock goes on: the caller syncs the table. Raises
        `NotSeated`, `NoTable` for a game that was called off, `StaleGame` for one that is over,
        `NoSuchGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            record = await self._store.table(game)
            seat = record.seat_of(user)
            if seat is None:
                raise NotSeated(record)
            if record.status is Status.CANCELLED:
                raise NoTable(record)
            record = await self._store.explain(game, seat, explaining)
            if (session := self._live.get(game)) is not None:
                session.record = replace(session.record, occupants=record.occupants)
        return record

    async def back_in_play(self, game: str, user: int) -> Session:
        """The session, for a person who acts in it.

        Takes their seat back from a substitute first, and wakes a game that everybody had left: there any act
        shows that they are back, while elsewhere only a move does, or a look at the hand would take the right
        to claim the game from those who wait.
        """
        session = await self.get(game)
        seat = session.record.seat_of(user)
        if seat is None or session.record.status is not Status.PLAYING:
            return session
        if seat in session.record.computers:
            session = await self.set_substitute(game, (seat,), None)
        if not session.game.is_over and is_deserted(session.record, session.game.table.absences):
            session, _ = await self.move(game, user, ComeBack)
        return session

    async def call_off(
        self, game: str, *, status: Status | None = None, timed_out: bool = False
    ) -> TableRecord:
        """End a table early: close a lobby, or end a game in play without a result.

        With `status`, only while the table has that status; `timed_out` makes its last message say that its
        time ran out. Raises `NoTable` if it has another status, is over or was called off already,
        `StaleGame`, `NoSuchGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            if status is not None and (await self._store.table(game)).status is not status:
                raise NoTable
            return await self.call_off_locked(game, timed_out=timed_out)

    async def call_off_locked(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """`call_off` for a caller that holds the game's lock."""
        record = await self._store.table(game)
        match record.status:
            case Status.GATHERING:
                record = await self._store.cancel(game, timed_out=timed_out)
            case Status.PLAYING:
                record = await self._store.call_off(game, timed_out=timed_out)
            case Status.OVER | Status.CANCELLED:
                raise NoTable
            case _:
                assert_never(record.status)
        self.forget(game)
        self.notify(record)
        return record

    async def cancel_damaged(self, game: str) -> None:
        """End a damaged (quarantined) game, which frees its channel; its log stays in the store.

        Raises `NoSuchGame` and `StoreUnavailable`.
        """
        async with self.lock(game):
            await self._store.cancel_damaged(game)
            self.forget(game)

    async def changed_elsewhere(self, game: str) -> None:
        """Evict a game that the store itself has changed, and notify the listeners. Raises `NoSuchGame`."""
        async with self.lock(game):
            self.forget(game)
            try:
                record = await self._store.table(game)
            except DamagedGame as error:
                self._store.quarantine(error)
                return
        self.notify(record)

    def _record_in_memory(self, game: str) -> TableRecord | None:
        session = self._live.get(game)
        return None if session is None else session.record

    def forget(self, game: str) -> None:
        """Evict the game from memory."""
        self._live.pop(game, None)

    def notify(self, record: TableRecord) -> None:
        """Notify the listeners of the table's change, or the owning process if that is another."""
        if record.game in self._doubted:
            self._doubted[record.game] = record
        if self._is_elsewhere(record):
            self._elsewhere(record)
            return
        for listener in self._listeners:
            listener(record)
        if record.status not in OPEN:
            for listener in self._at_ends:
                listener(record)

    def _notify_of(self, session: Session) -> None:
        """Notify of the session's change, and once of the next game of its match."""
        self.notify(session.record)
        if (next_game := session.next_game) is not None:
            session.next_game = None
            self.notify(next_game)

    async def _cut_automatically(self, session: Session) -> tuple[LoggedEvent, ...]:
        """Cut for players whose preference is to cut always; returns the events.

        A failure to write them is no error: the move before it is stored, and the player is asked to cut.
        """
        happened: tuple[LoggedEvent, ...] = ()
        try:
            while move := await self._automatic_cut(session):
                events = _decide(session.game, move)
                await self._write(session, events)
                happened += events
        except StoreError:
            log.info("the pack of %s was not cut for its player: the store refused", session.record.game)
        return happened

    async def _automatic_cut(self, session: Session) -> Move | None:
        """The cut that is due from a player who always leaves it to chance."""
        table = session.game.table
        if table.stage not in {Stage.CUTTING_FOR_DEAL, Stage.CUTTING}:
            return None
        cut = CutStarter if table.stage is Stage.CUTTING else CutForFirstDeal
        for seat in table.waiting_for:
            user = session.record.occupants[seat].person
            if user is not None and (await self._store.preferences(user)).always_cut:
                return PreArranged(cut(seat))
        return None

    async def _write(self, session: Session, events: tuple[LoggedEvent, ...]) -> None:
        game, record = session.game, session.record
        over = any(isinstance(event, GameWon) for event in events)
        try:
            version = await self._append(session, events, over=over)
        except (OutcomeUnknown, StaleGame):  # an earlier write, of unknown outcome, may have overtaken it
            self.doubt(record.game, record)
            raise
        ended = next((place for place, event in enumerate(events) if isinstance(event, DealEnded)), None)
        if ended is not None:
            session.past_tables[game.table.deal_number] = game.table_after(events[:ended])
        game.accept(events)
        for event in events:
            if isinstance(event, Discarded):
                session.choices.pop(event.seat, None)
            elif isinstance(event, DealBegan):
                session.choices.clear()
        status = Status.OVER if over else record.status
        session.record = replace(record, version=version, status=status)

    async def _append(self, session: Session, events: tuple[LoggedEvent, ...], *, over: bool) -> int:
        """Append the events; if a match continues after this game, also open the table of its next game."""
        game, record = session.game, session.record
        if not over:
            return await self._store.append(record.game, game.version, events, over=False)
        table = game.table_after(events)
        while True:
            follows = next_game(record, table, self.new_id())
            try:
                version = await self._store.append(
                    record.game,
                    game.version,
                    events,
                    over=True,
                    follows=follows,
                    secrets=self.new_secrets(),
                )
            except IdTaken:
                continue
            except OutcomeUnknown:
                if follows is not None:
                    self.doubt(follows.game)
                raise
            session.next_game = follows
            return version

    async def _load(self, game: str) -> Session:
        """Load the game from the store. Raises `NoSuchGame`, `NoTable` for a lobby, `DamagedGame`."""
        try:
            record = await self._store.table(game)
            if record.version == 0:
                raise NoTable(record)  # a lobby, open or closed: its empty log is no damage
            deck = await self._store.deck(game)
            draws = None
            if deck is not None and deck.sealed is not None:
                draws = FairChance(deck.secret, deck.sealed)
            live = replayed(record, await self._store.log(game), draws or self._chance)
            session = Session(record, live, draws, _player_of(deck))
            if live.table.stage is Stage.DISCARDING:
                session.choices = await self._store.choices(game, live.table.deal_number)
        except DamagedGame as error:
            self._store.quarantine(error)
            raise
        for listener in self._at_loads:
            listener(record)
        if game in self._doubted:
            self._compare(game)  # the store answers
        return self._keep(session)

    def _keep(self, session: Session) -> Session:
        self._live[session.record.game] = session
        return session


async def _unless_overtaken(decide: Callable[[], Awaitable[T]]) -> T:
    """Retry `decide` when another process writes first. Raises `StaleGame` after `_OVERTAKEN` retries."""
    for _ in range(_OVERTAKEN):
        try:
            return await decide()
        except StaleGame:
            continue
    return await decide()


def _key(game: str) -> Key:
    return ("reload", game)


def _player_of(deck: Deck | None) -> str:
    """The version of the computer that the game's terms name."""
    return PLAYER if deck is None else deck.player


def _state_of(record: TableRecord) -> tuple[object, ...]:
    """The parts of a record that matter to listeners: neither message ids nor the synced version."""
    return record.version, record.status, record.occupants, record.thread


def _decide(game: Game, move: Move) -> tuple[LoggedEvent, ...]:
    """The events of the move; the cut that decides the first dealer is followed by the deal, in one step."""
    return game.decide(move, automatic=frozenset() if game.table.deal_number else {Deal})
