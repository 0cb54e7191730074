"""Live games: one `Session` each, loaded from the store on demand and kept in an LRU cache.

Here moves, the log and memory meet, in this order and under the game's lock: decide (pure), append
(durable), accept (memory), tell the subscribers (who only queue). If the store fails nothing has changed. If
another process wrote to the log, the session is read again, and what was pressed is decided again.

Calling a game off is done here too, for any reason: a lobby that is closed with its channel, players
who agree, a moderator, a server that the bot has left for good.

Where several processes play on one store, a table is told by one of them, and a press may still reach
another. The log's version decides: who was overtaken reads the game again, and decides again. Of a table
that is another's nothing in memory is trusted before the store was asked.

The cache may drop any session at any time, one in the middle of a move too: a session is only read from the
store under the game's lock, so nobody reads before that move is written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar, assert_never

from cachetools import LRUCache

from bot.concurrency.keyed_locks import KeyedLocks
from bot.model.errors import (
    DamagedGame,
    IdTaken,
    NoSuchGame,
    NoTable,
    NotSeated,
    StaleButton,
    StaleGame,
    StoreError,
)
from bot.model.match import next_game
from bot.model.table_record import Status, TableRecord
from bot.render.messages.hand_cache import HandCache
from bot.store import Store
from bot.store.damage import replayed
from bot.tables import game_ids
from engine import (
    CardNotHeld,
    Cards,
    Chance,
    CutForFirstDeal,
    CutStarter,
    Deal,
    DealBegan,
    DealEnded,
    Discard,
    Game,
    GameWon,
    Move,
    PlayerView,
    PreArranged,
    Seat,
    Stage,
    StandIn,
    TableView,
)
from engine.computer import Level
from engine.fair import FairChance
from engine.secret_events import Discarded, LoggedEvent

log = logging.getLogger(__name__)

T = TypeVar("T")

_OVERTAKEN = 3
"""How often a move is decided again, because another process has moved in the game meanwhile."""

KEPT = 2_000
"""Sessions kept in memory; the least recently used is dropped, and read again when asked for."""

Listener: TypeAlias = Callable[[TableRecord], None]
"""What is told the record of a table to which something has happened. It must only queue."""


class Session:
    """One game being played, or just over."""

    def __init__(self, record: TableRecord, game: Game) -> None:
        self.record = record
        self.game = game
        self.past_tables: dict[int, TableView] = {}
        """By deal: the table at its end; a cache, filled when a deal ends, or when it is drawn."""
        self.choices: dict[Seat, Cards] = {}
        """By seat: the cards tapped for the crib and not discarded yet, in the order of the taps."""
        self.hands = HandCache()
        self._deal_starts: list[int] = []
        self._looked_through = 0
        """Events of the log in which deals were looked for."""
        self.next_game: TableRecord | None = None
        """Where the game has just ended: the table of the next game of its match, which gathers."""

    @property
    def deal_starts(self) -> Sequence[int]:
        """Where in the log each deal begins; a log only grows."""
        log = self.game.log
        for place in range(self._looked_through, len(log)):
            if isinstance(log[place], DealBegan):
                self._deal_starts.append(place)
        self._looked_through = len(log)
        return self._deal_starts

    def seat_of(self, user: int) -> Seat:
        """Where `user` sits. Raises `NotSeated`."""
        seat = self.record.seat_of(user)
        if seat is None:
            raise NotSeated(self.record)
        return seat

    def refuse_stale(self, deal: int | None) -> None:
        """Raises `StaleButton` for a button of another deal than the one that is being played.

        When the game is over there is none, and that is said instead.
        """
        now = self.game.table.deal_number
        if deal is not None and deal != now and not self.game.is_over:
            raise StaleButton(deal, now)


class Sessions:
    """All live games, and the only way to move in one."""

    def __init__(
        self,
        store: Store,
        chance: Chance,
        *,
        new_secret: Callable[[], bytes | None] = lambda: None,
        kept: int = KEPT,
    ) -> None:
        """At most so many sessions are `kept` in memory.

        The cards of each new table follow from a `new_secret`; those of tables without one, as are all from
        before honest decks, come from `chance`.
        """
        self.new_secret = new_secret
        self._store = store
        self._chance = chance
        self._listeners: list[Listener] = []
        self._is_elsewhere: Callable[[TableRecord], bool] = lambda _: False
        self._elsewhere: Listener = lambda _: None
        self._live: LRUCache[str, Session] = LRUCache(kept)
        self._locks = KeyedLocks()
        self._unhurried = asyncio.Lock()

    def subscribe(self, listener: Listener) -> None:
        """Tell that listener of everything that happens to a game from its beginning on: in this order.

        That is moves, seats that change hands, and the end, with a result or without. What happens in a
        lobby is told by who does it, but for its being called off.
        """
        self._listeners.append(listener)

    def share(self, is_elsewhere: Callable[[TableRecord], bool], told: Listener) -> None:
        """Other processes play too: a table that `is_elsewhere` is another's, which `told` tells."""
        self._is_elsewhere = is_elsewhere
        self._elsewhere = told

    async def heard_of(self, game: str) -> TableRecord | None:
        """Another process has changed the game, or drawn on its messages: read it again, if it is this one's.

        What has happened is told, but not that somebody has only looked, which begins nobody's turn anew. Its
        record; nothing for one that is elsewhere, or unknown, or damaged.
        """
        async with self.lock(game):
            before = self._live.get(game)
            self.forget(game)
            try:
                record = await self._store.table(game)
            except NoSuchGame:
                return None
            except DamagedGame as error:
                self._store.set_aside(error)
                return None
        if self._is_elsewhere(record):
            return None
        if before is None or _state_of(before.record) != _state_of(record):
            self.tell(record)
        return record

    def is_known(self, record: TableRecord) -> bool:
        """Whether the game is in memory as the record has it."""
        session = self._live.get(record.game)
        return session is not None and _state_of(session.record) == _state_of(record)

    def forget_where(self, is_meant: Callable[[TableRecord], bool]) -> None:
        """Drop all games from memory whose record `is_meant`."""
        for game, session in tuple(self._live.items()):
            if is_meant(session.record):
                self.forget(game)

    def __len__(self) -> int:
        """How many games are in memory."""
        return len(self._live)

    def lock(self, game: str) -> asyncio.Lock:
        """The lock under which everything is done that changes the game."""
        return self._locks.lock(game)

    async def get(self, game: str) -> Session:
        """The session of a game that has begun. Raises `NoSuchGame`."""
        session = self._live.get(game)
        if session is None or self._is_elsewhere(session.record):
            async with self.lock(game):
                session = await self._present(game)
        return session

    async def _present(self, game: str) -> Session:
        """The game as it is, for who holds its lock. Raises `NoSuchGame` and `DamagedGame`."""
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

    async def unhurried(self, game: str) -> Session:
        """What `get` gives, for work that is not the answer to anybody. Raises as `get` does.

        After a start there is such work at every table, and to read and to replay a log takes milliseconds.
        So one is read at a time, and the next after a rest of the same length: a press waits for one of
        them, and not for a thousand.
        """
        if game not in self._live:
            async with self._unhurried:
                if game not in self._live:
                    loop = asyncio.get_running_loop()
                    began = loop.time()
                    session = await self.get(game)
                    await asyncio.sleep(loop.time() - began)
                    return session
        return await self.get(game)

    def peek(self, game: str) -> Session | None:
        """The session, if it is in memory."""
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
        """The game's address card: that of its session, or else as the store has it. Raises `NoSuchGame`."""
        session = self._live.get(game)
        if session is None or self._is_elsewhere(session.record):
            return await self._store.table(game)
        return session.record

    async def is_told(self, game: str) -> bool:
        """Whether its table shows all that has happened. Raises `NoSuchGame` and `DamagedGame`."""
        record = await self._store.table(game)
        return record.told >= record.version

    async def begin(self, record: TableRecord, dealer: Seat | None) -> Session:
        """Begin the game of a full lobby, and seal its deck; the caller holds the game's lock.

        `dealer` deals first, or else the players cut for it. Raises `StaleGame` when the lobby
        has changed meanwhile.
        """
        deck = await self._store.deck(record.game)
        terms = None if deck is None else deck.terms(record, dealer)
        chance = self._chance
        if deck is not None and terms is not None:
            chance = FairChance(record.game, deck.secret, terms.seal)
        game = Game.new(record.agreement.rules, chance=chance, dealer=dealer)
        if game.table.stage is Stage.DEALING:
            game.apply(Deal(game.table.dealer))
        record = await self._store.begin(record.game, game.log, terms)
        session = self._keep(Session(record, game))
        await self._go_on(session)
        self.tell(session.record)
        return session

    async def move(
        self, game: str, user: int, make: Callable[[Seat], Move], deal: int | None = None
    ) -> tuple[Session, tuple[LoggedEvent, ...]]:
        """Let `user` make the move that `make` gives for their seat; what happened.

        `deal` is the one a button was made for: another is refused with `StaleButton`. Raises
        `NotSeated`, `NoTable` for a game that was called off, `IllegalMove`, `GameIsOver`,
        `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """

        async def moved() -> tuple[Session, tuple[LoggedEvent, ...]]:
            session = await self.in_play(game)
            seat = session.seat_of(user)
            session.refuse_stale(deal)
            events = _decide(session.game, make(seat))
            if events:
                await self._write(session, events)
                events += await self._go_on(session)
            return session, events

        async with self.lock(game):
            session, events = await _unless_overtaken(moved)
        if events:
            self._tell_of(session)
        return session, events

    async def choose(
        self,
        game: str,
        user: int,
        change: Callable[[PlayerView, Cards], Cards],
        deal: int | None = None,
    ) -> Session:
        """Let `user` choose cards for the crib: `change` gives the choice from their view and that before.

        It is kept, and discarded by nobody but the player. Raises as `move` does; then nothing has changed.
        """
        async with self.lock(game):
            session = await self.in_play(game)
            seat = session.seat_of(user)
            session.refuse_stale(deal)
            view, before = session.game.view(seat), session.choices.get(seat, ())
            if Discard not in view.legal_moves.kinds:
                session.game.decide(Discard(seat, ()))  # which says why it is refused
            chosen = change(view, before)
            for card in chosen:
                if card not in (*view.hand, *view.discarded):
                    raise CardNotHeld(seat, card)
            if chosen != before:
                await self._store.keep_choice(game, view.table.deal_number, seat, chosen)
                session.choices[seat] = chosen
        return session

    async def move_for(self, game: str, move: Move, *, version: int | None = None) -> None:
        """Make a move that nobody has pressed: the clock's, or the computer's, chosen at `version`.

        Nothing happens when the log has not so many events any more, or the computer's seat is back in a
        person's hands: what was chosen for one position is not played in another, nor twice. Raises as
        `move` does.
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
            await self._go_on(session)
            return session

        async with self.lock(game):
            session = await _unless_overtaken(moved)
        if session is not None:
            self._tell_of(session)

    async def settle_thread(self, game: str, thread: int | None) -> None:
        """Let the game go on in that thread of its own, or, with `None`, note that it gets none.

        Raises `NoTable`, `ChannelTaken`, `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            session = await self.in_play(game)
            record = await self._store.settle_thread(game, thread)
            session.record = replace(session.record, channel=record.channel, thread=record.thread)

    async def deal(self, game: str, *, after: int) -> None:
        """Deal the hand that follows the deal of number `after`; nothing, if somebody has dealt it before.

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
            self.tell(session.record)

    async def hand_over(self, game: str, seats: Collection[Seat], level: Level | None) -> Session:
        """Let the computer play the seats of people, all at once, or, with `None`, give them back.

        Raises `NoTable`, `StaleGame` and `StoreUnavailable`; then nothing has changed.
        """
        async with self.lock(game):
            return await self.hand_over_locked(game, seats, level)

    async def hand_over_locked(self, game: str, seats: Collection[Seat], level: Level | None) -> Session:
        """Do what `hand_over` does, for a caller that holds the game's lock."""
        session = await self.in_play(game)
        if all(session.record.occupants[seat].level is level for seat in seats):
            return session
        record = await self._store.hand_over(game, seats, level)
        session.record = replace(session.record, occupants=record.occupants)
        self.tell(session.record)
        return session

    async def back_in_play(self, game: str, user: int) -> Session:
        """The session, for somebody who does something in it: who had a substitute is back by that."""
        session = await self.get(game)
        seat = session.record.seat_of(user)
        is_covered = seat is not None and seat in session.record.computers
        if seat is None or not is_covered or session.record.status is not Status.PLAYING:
            return session
        return await self.hand_over(game, (seat,), None)

    async def call_off(
        self, game: str, *, status: Status | None = None, timed_out: bool = False
    ) -> TableRecord:
        """End a table before its time: close a lobby, or end a game in play without a result.

        With a `status` it is only done while the table has it; `timed_out` says that its time was over, which
        its last message tells. Raises `NoTable` when it has another, or is
        over or called off already, `StaleGame`, `NoSuchGame` and `StoreUnavailable`; then nothing has
        changed.
        """
        async with self.lock(game):
            if status is not None and (await self._store.table(game)).status is not status:
                raise NoTable
            return await self.call_off_locked(game, timed_out=timed_out)

    async def call_off_locked(self, game: str, *, timed_out: bool = False) -> TableRecord:
        """Do what `call_off` does, for a caller that holds the game's lock."""
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
        self.tell(record)
        return record

    async def put_away(self, game: str) -> None:
        """End a game that cannot be read: its channel is free for another, and nothing of it is deleted.

        Raises `NoSuchGame` and `StoreUnavailable`.
        """
        async with self.lock(game):
            await self._store.put_away(game)
            self.forget(game)

    async def changed_elsewhere(self, game: str) -> None:
        """The store has changed the game by itself: drop what is in memory, and tell. Raises `NoSuchGame`."""
        async with self.lock(game):
            self.forget(game)
            try:
                record = await self._store.table(game)
            except DamagedGame as error:
                self._store.set_aside(error)
                return
        self.tell(record)

    def forget(self, game: str) -> None:
        """Drop the game from memory: it is over and told, or was changed elsewhere."""
        self._live.pop(game, None)

    def tell(self, record: TableRecord) -> None:
        """Tell all who listen that something has happened at that table, or else whose table it is."""
        if self._is_elsewhere(record):
            self._elsewhere(record)
            return
        for listener in self._listeners:
            listener(record)

    def _tell_of(self, session: Session) -> None:
        """Tell of what happened in the game, and once of the next of its match."""
        self.tell(session.record)
        if (next_game := session.next_game) is not None:
            session.next_game = None
            self.tell(next_game)

    async def _go_on(self, session: Session) -> tuple[LoggedEvent, ...]:
        """Cut for players who always want that; what happened.

        If it cannot be written they are asked like anybody: the move before it stands.
        """
        happened: tuple[LoggedEvent, ...] = ()
        try:
            while move := await self._cut_wished_for(session):
                events = _decide(session.game, move)
                await self._write(session, events)
                happened += events
        except StoreError:
            log.info("the pack of %s was not cut for its player: the store refused", session.record.game)
        return happened

    async def _cut_wished_for(self, session: Session) -> Move | None:
        """The cut that a player leaves to chance for good, if one is due."""
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
        except StaleGame:
            self.forget(record.game)
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
        """Write the events, and with the end of a game in a match that goes on, the table of the next."""
        game, record = session.game, session.record
        if not over:
            return await self._store.append(record.game, game.version, events, over=False)
        table = game.table_after(events)
        while True:
            follows = next_game(record, table, game_ids.new_id())
            try:
                version = await self._store.append(
                    record.game,
                    game.version,
                    events,
                    over=True,
                    follows=follows,
                    secret=self.new_secret(),
                )
            except IdTaken:
                continue
            session.next_game = follows
            return version

    async def _load(self, game: str) -> Session:
        """Read the game from the store. Raises `NoSuchGame` and `DamagedGame`."""
        try:
            record = await self._store.table(game)
            deck, chance = await self._store.deck(game), self._chance
            if deck is not None and deck.seal is not None:
                chance = FairChance(game, deck.secret, deck.seal)
            live = replayed(record, await self._store.log(game), chance)
            session = Session(record, live)
            if live.table.stage is Stage.DISCARDING:
                session.choices = await self._store.choices(game, live.table.deal_number)
        except DamagedGame as error:
            self._store.set_aside(error)
            raise
        return self._keep(session)

    def _keep(self, session: Session) -> Session:
        self._live[session.record.game] = session
        return session


async def _unless_overtaken(decide: Callable[[], Awaitable[T]]) -> T:
    """Decide and write; again, where another process has written first. Raises `StaleGame` in the end."""
    for _ in range(_OVERTAKEN):
        try:
            return await decide()
        except StaleGame:
            continue
    return await decide()


def _state_of(record: TableRecord) -> tuple[object, ...]:
    """What of a game, if it changes, concerns more than who looks."""
    return record.version, record.status, record.occupants, record.thread


def _decide(game: Game, move: Move) -> tuple[LoggedEvent, ...]:
    """What would happen; with the cut that settles who deals the first hand is dealt, in one step."""
    return game.decide(move, automatic=frozenset() if game.table.deal_number else {Deal})
