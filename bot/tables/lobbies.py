"""Lobbies: people gather at a table, agree on the rules and start the game; rematches and matches follow it.

A lobby and its game are one row of the store, so a channel has one or the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.model.colours import Colour
from bot.model.deck import Deck
from bot.model.errors import (
    AlreadyBegun,
    AlreadySeated,
    DamagedGame,
    IdTaken,
    MatchGoesOn,
    NoComputer,
    NoDeck,
    NoSuchGame,
    NoTable,
    NotAtTable,
    NotCalled,
    NotEnoughPlayers,
    NotHost,
    SeatHeld,
    StaleButton,
    StaleGame,
    TableFull,
    TablesEnough,
)
from bot.model.match import games_won, next_dealer
from bot.model.table_record import Agreement, Occupant, OwnThread, Status, TableRecord, computer_at
from bot.model.venue import Venue
from bot.store import Store
from bot.tables.sessions import Sessions
from engine import Seat
from engine.computer import Level, family_of

MOST_GATHERING = 10
"""Limit of lobbies per person, so that nobody fills a server's channels with them."""

MOST_LIVE = 20
"""Limit of games in play per person."""


class Lobbies:
    """All tables that gather, and the step from lobby to game."""

    def __init__(self, store: Store, sessions: Sessions, *, now: Callable[[], float]) -> None:
        """`now` returns Unix time (s), like the store."""
        self._now = now
        self._store = store
        self._sessions = sessions

    async def open(
        self,
        *,
        guild: int | None,
        channel: int,
        place: str,
        host: Occupant,
        agreement: Agreement,
        computers: Level | None = None,
        language: str = "en",
        called: int | None = None,
        thread: OwnThread = OwnThread.NONE,
        venue: Venue = Venue.SERVER,
        outside: int | None = None,
    ) -> TableRecord:
        """Open a table in the channel, with its host seated, in `language`.

        The lobby invites `called` to play and holds a seat for them (`Pace.seat_held`), unless they decline
        the host's challenges or were called by them a moment ago: then it is open to all.

        With `computers` that level takes every other seat and the game begins, unless the host gives words
        (`Preferences.waits_for_word`); with `called` too, one seat is kept for them and the game waits.

        Raises `ChannelTaken`, `TablesEnough`, and `NoComputerFamily` for rules that the computer does not
        play.
        """
        assert host.user is not None, "a table is a person's"
        if computers is not None:
            family_of(agreement.rules)  # raises for rules that it does not play
        begins = computers is not None and called is None
        await self._require_room(host, gathers=not begins)
        occupants: tuple[Occupant, ...] = (host,)
        taken = agreement.players if begins else agreement.players - 1
        while computers is not None and len(occupants) < taken:
            occupants = (*occupants, computer_at(computers, occupants))
        record = await self._keep(
            TableRecord(
                game=self._sessions.new_id(),
                guild=guild,
                channel=channel,
                place=place,
                host=host.user,
                status=Status.GATHERING,
                agreement=agreement,
                occupants=occupants,
                language=language,
                called=called,
                thread=thread,
                venue=venue,
                outside=outside,
            )
        )
        if not begins or await self._waits_for_word(record):
            return record
        return await self.start(record.game, host.user)

    async def seat_all(self, record: TableRecord) -> TableRecord:
        """Open this full table under its own id and begin its game. Idempotent: a retry after a crash
        resumes.

        For games that a schedule pairs (club nights): the people are not asked, and the limits of tables do
        not apply. Raises `ChannelTaken`.
        """
        try:
            kept = await self._store.table(record.game)
        except NoSuchGame:
            try:
                kept = await self._opened(record)
            except IdTaken:  # another process has just opened it
                kept = await self._store.table(record.game)
        if kept.status is Status.GATHERING:
            async with self._sessions.lock(record.game):
                kept = await self._store.table(record.game)
                if kept.status is Status.GATHERING:
                    kept = await self._begin(kept)
        return kept

    async def note(self, game: str, user: int) -> str:
        """The digits that a seated player notes before they give a word, as the game would begin now.

        Raises `AlreadyBegun`, `NotAtTable`, `NotEnoughPlayers` while seats are free, and `NoDeck` for a table
        older than honest decks.
        """
        async with self._sessions.lock(game):
            record, dealer, deck = await self._to_be_sealed(game, user)
            return deck.note(record, dealer, _seat_of(record, user))

    async def give_word(self, game: str, user: int, word: str, note: str) -> TableRecord:
        """Add the word of a seated player to the deck, as the last one; it replaces their earlier one.

        Raises as `note` does, and `StaleGame` if the table is no longer the one of their note.
        """
        async with self._sessions.lock(game):
            record, dealer, deck = await self._to_be_sealed(game, user)
            seat = _seat_of(record, user)
            if deck.note(record, dealer, seat) != note:
                raise StaleGame(game, record.version)
            terms = deck.with_word(seat, word).terms(record, dealer)
            return await self._store.keep_word(record, seat, word, terms)

    async def _to_be_sealed(self, game: str, user: int) -> tuple[TableRecord, Seat | None, Deck]:
        """The full table as its game would begin now, with its first dealer if settled, and its deck."""
        record = await self._gathering(game)
        if record.seat_of(user) is None:
            raise NotAtTable(record)
        deck = await self._store.deck(game)
        if deck is None:
            raise NoDeck(record)
        if len(record.occupants) < record.agreement.players:
            raise NotEnoughPlayers(record)
        record, dealer = await self._settled(record)
        return record, dealer, deck

    async def begin_broken_off(self, after: float = 0.0) -> None:
        """Begin the games in the bot's DM that a crash left between opening and beginning.

        In a DM, only a match between two games gathers for longer, and a table whose person gives words.
        Other tables that still gather after `after` seconds are begun; the delay spares those that somebody
        is opening at this moment.
        """
        broken_off = [
            record
            for record in await self._store.open_tables()
            if record.is_in_dm and record.status is Status.GATHERING
            if not record.goes_on_in_match
            if not await self._waits_for_word(record)
        ]
        if broken_off:
            await asyncio.sleep(after)
        for record in broken_off:
            # A table without enough players never begins; another may have begun or closed since the query.
            with suppress(
                *(NotEnoughPlayers, NotAtTable, TablesEnough, DamagedGame),
                *(AlreadyBegun, NoSuchGame, NoTable, StaleGame),
            ):
                await self.start(record.game, record.host)

    async def join(self, game: str, person: Occupant) -> TableRecord:
        """Seat a person. A rematch begins automatically once everybody of the game before has sat down again,
        unless one of them gives words (`Preferences.waits_for_word`).

        Raises `AlreadyBegun`, `AlreadySeated`, `TableFull`, `SeatHeld` and `TablesEnough`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(person.user) is not None:
                raise AlreadySeated(record)
            if len(record.occupants) == record.agreement.players:
                raise TableFull(record)
            self._require_unheld(record, person.user)
            await self._require_room(person)
            before = await self._before(record)
            if before is not None:
                person = _as_at(person, before)
            record = await self._seat(record, (*record.occupants, person))
            return await self._begin(record) if await self._begins_by_itself(record) else record

    async def leave(self, game: str, user: int) -> TableRecord:
        """Free the person's seat; the next player becomes host, and the last to leave closes the table.

        Between two games of a match, leaving ends the match. Raises `AlreadyBegun` and `NotAtTable`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if record.goes_on_in_match:
                return await self._cancel(record)
            staying = tuple(each for each in record.occupants if each.user != user)
            if all(each.user is None for each in staying):
                return await self._cancel(record)
            return await self._seat(record, staying)

    async def decline(self, game: str, user: int) -> TableRecord:
        """Free the seat that is held for that person, who declines its host's challenges for a time; from the
        host, free all that are held.

        Raises `AlreadyBegun`, `AlreadySeated` if the person has sat down, and `NotCalled` for everybody else
        for whom none is held.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.awaited and user == record.host:
                return await self._store.free_seats(game)
            if user in record.awaited:
                return await self._store.refuse(game, user)
            if record.seat_of(user) is not None:
                raise AlreadySeated(record)
            raise NotCalled(record)

    async def decline_for_good(self, user: int, challenger: int | None) -> list[str]:
        """Block challenges to `user` from that person, or from everybody (`None`).

        Their lobbies that invite `user` open to everybody; returns the ids of those games.
        """
        await self._store.decline(user, challenger)
        if challenger is None:
            tables = await self._store.open_tables()
        else:
            tables = await self._store.tables_of(challenger)
        opened = []
        for record in tables:
            if user in record.awaited and challenger in {None, record.host}:
                # The lobby has begun or closed meanwhile, or they sit in it: nothing is left to decline.
                with suppress(AlreadyBegun, AlreadySeated, DamagedGame, NoTable, NotCalled, StaleGame):
                    await self.decline(record.game, user)
                    opened.append(record.game)
        return opened

    async def add_computer(self, game: str, user: int, level: Level) -> TableRecord:
        """Seat a computer; every seated player may.

        Raises `AlreadyBegun`, `NotAtTable`, `TableFull`, `SeatHeld`, and `NoComputerFamily` for rules that it
        does not play.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if len(record.occupants) == record.agreement.players:
                raise TableFull(record)
            self._require_unheld(record)
            family_of(record.agreement.rules)  # raises for rules that it does not play
            computer = computer_at(level, record.occupants)
            return await self._seat(record, (*record.occupants, computer))

    async def remove_computer(self, game: str, user: int) -> TableRecord:
        """Unseat the computer that was seated last; every seated player may.

        Raises `AlreadyBegun`, `MatchGoesOn`, `NotAtTable` and `NoComputer`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game, is_to_change=True)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if not record.computers:
                raise NoComputer(record)
            last = max(record.computers)
            return await self._seat(record, (*record.occupants[:last], *record.occupants[last + 1 :]))

    async def free_held_seats(self, game: str) -> None:
        """Free the held seats once their time is over, and notify the listeners.

        Does nothing until then, or if none is held. Raises `AlreadyBegun` and `NoTable`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.awaited and not record.holds_seats(self._now()):
                self._sessions.notify(await self._store.free_seats(game))

    async def choose_colour(self, game: str, user: int, colour: Colour) -> TableRecord:
        """Set the colour of the user's side; does nothing if another side has it.

        Raises `AlreadyBegun` and `NotAtTable`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            seat = record.seat_of(user)
            if seat is None:
                raise NotAtTable(record)
            side = record.agreement.rules.side_of(seat)
            ours = record.agreement.rules.seats_of(side)
            if colour in record.colours_taken(side):
                return record
            chosen = (
                replace(each, colour=colour) if place in ours else each
                for place, each in enumerate(record.occupants)
            )
            return await self._store.seat(game, tuple(chosen), record.host, before=record.occupants)

    async def choose_partner(self, game: str, user: int, partner: Seat) -> TableRecord:
        """Seat that person or computer opposite `user`, in a game of partners.

        Raises `AlreadyBegun`, `MatchGoesOn`, `NotAtTable`, and `StaleButton` while seats are free.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game, is_to_change=True)
            seat = record.seat_of(user)
            if seat is None:
                raise NotAtTable(record)
            rules, seated = record.agreement.rules, list(record.occupants)
            if not rules.partners or partner == seat or len(seated) < rules.seats:
                raise StaleButton(0, 0)
            opposite = (seat + rules.sides) % rules.seats
            seated[opposite], seated[partner] = seated[partner], seated[opposite]
            return await self._store.seat(game, seated, record.host, before=record.occupants)

    async def agree(self, game: str, user: int, change: Callable[[Agreement], Agreement]) -> TableRecord:
        """Apply `change` to the agreement; only the host may.

        Raises `AlreadyBegun`, `MatchGoesOn`, `NotHost`, `TableFull` if more people are seated than would
        play, `NumberOutOfRange`, `RulesError`, and `NoComputerFamily` for rules that a seated computer does
        not play.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game, is_to_change=True)
            if record.host != user:
                raise NotHost(record)
            agreement = change(record.agreement)
            if len(record.occupants) > agreement.players:
                raise TableFull(record)
            if record.computers:
                family_of(agreement.rules)  # raises for rules that it does not play
            return await self._store.agree(game, agreement)

    async def start(self, game: str, user: int) -> TableRecord:
        """Begin the game. A player with a substitute in a match takes their seat back by starting its next
        game.

        Raises `AlreadyBegun`, `NotAtTable`, `NotEnoughPlayers` and `TablesEnough`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if len(record.occupants) < record.agreement.players:
                raise NotEnoughPlayers(record)
            for each in record.occupants:
                if each.user is not None:
                    await self._require_room(each, gathers=False)
            if record.seat_of(user) in record.computers:
                back = (replace(each, level=None) if each.user == user else each for each in record.occupants)
                record = await self._store.seat(game, tuple(back), record.host, before=record.occupants)
            return await self._begin(record)

    async def cancel(self, game: str, user: int, *, may_moderate: bool) -> TableRecord:
        """Close the table; every seated player and every moderator may.

        Raises `AlreadyBegun` and `NotAtTable`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None and not may_moderate:
                raise NotAtTable(record)
            return await self._cancel(record)

    async def rematch(self, game: str, person: Occupant, level: Level | None = None) -> TableRecord:
        """Open a table for the same people and rules. Raises `NotAtTable`, `ChannelTaken`, `TablesEnough`.

        It holds the seats of the others for them (`Pace.seat_held`), but for those who decline the person's
        challenges. Computers agree automatically, so a game alone against them begins immediately,
        unless the person gives words.
        With a `level`, a new game against computers of that level begins; raises `StaleButton` unless the
        person played alone.
        """
        before = await self._store.table(game)
        if before.status is not Status.OVER:
            raise StaleButton(0, 0)
        if before.seat_of(person.user) is None:
            raise NotAtTable(before)
        assert person.user is not None, "the computer asks for nothing"
        if level is not None:
            if sum(each.user is not None for each in before.occupants) > 1:
                raise StaleButton(0, 0)
            return await self.open(
                guild=before.guild,
                venue=before.venue,
                outside=before.outside,
                channel=before.channel,
                place=before.place,
                host=_as_at(person, before),
                agreement=before.agreement,
                computers=level,
                language=before.language,
            )
        await self._require_room(person)
        computers = (each for each in before.occupants if each.user is None)
        host, person = person.user, _as_at(person, before)
        record = await self._keep(
            replace(
                before,
                game=self._sessions.new_id(),
                host=host,
                status=Status.GATHERING,
                occupants=(person, *computers),
                won_before=(),
                match=None,
                match_before=(),
                called=None,
                held=tuple(
                    replace(each, level=None)
                    for each in before.occupants
                    if each.user not in {None, host} and not each.is_forgotten
                ),
                thread=OwnThread.NONE,  # it is played in the same channel or thread as the game before
                rematch_of=game,
                version=0,
                synced=0,
            )
        )
        async with self._sessions.lock(record.game):
            return await self._begin(record) if await self._begins_by_itself(record) else record

    async def _require_room(self, person: Occupant, *, gathers: bool = True) -> None:
        """Raises `TablesEnough` at the person's limit of lobbies (`gathers`) or of games in play."""
        assert person.user is not None, "the computer sits at as many as it likes"
        tables = await self._store.tables_of(person.user)
        live = sum(each.status is Status.PLAYING for each in tables)
        if live >= MOST_LIVE:
            raise TablesEnough(person, MOST_LIVE, are_live=True)
        if gathers and len(tables) - live >= MOST_GATHERING:
            raise TablesEnough(person, MOST_GATHERING, are_live=False)

    def _require_unheld(self, record: TableRecord, user: int | None = None) -> None:
        """Raises `SeatHeld` if every free seat is held for others."""
        others = [each for each in record.awaited if each != user]
        is_free = len(record.occupants) + len(others) < record.agreement.players
        if not is_free and record.holds_seats(self._now()):
            raise SeatHeld(record)

    async def _gathering(self, game: str, *, is_to_change: bool = False) -> TableRecord:
        """The table, checked that it gathers: raises `NoTable`, `AlreadyBegun`, `MatchGoesOn`.

        `is_to_change` refuses a table in a match, whose seats and rules are settled.
        """
        record = await self._store.table(game)
        if record.status is Status.CANCELLED:
            raise NoTable
        if record.status is not Status.GATHERING:
            raise AlreadyBegun(record)
        if is_to_change and record.goes_on_in_match:
            raise MatchGoesOn(record)
        return record

    async def _seat(self, record: TableRecord, occupants: tuple[Occupant, ...]) -> TableRecord:
        people = [each.user for each in occupants if each.user is not None]
        host = record.host if record.host in people else people[0]
        return await self._store.seat(record.game, occupants, host, before=record.occupants)

    async def _cancel(self, record: TableRecord) -> TableRecord:
        return await self._store.cancel(record.game)

    async def _keep(self, record: TableRecord) -> TableRecord:
        """Insert the new table; draws another id as long as the store refuses it as taken."""
        while True:
            try:
                return await self._opened(record)
            except IdTaken:
                record = replace(record, game=self._sessions.new_id())

    async def _opened(self, record: TableRecord) -> TableRecord:
        async with self._sessions.lock(record.game):
            return await self._store.open_table(record, self._sessions.new_secrets())

    async def _begins_by_itself(self, record: TableRecord) -> bool:
        """True if exactly the people of the game before sit there again, and none of them gives words."""
        before = await self._before(record)
        return before is not None and _same(record, before) and not await self._waits_for_word(record)

    async def _waits_for_word(self, record: TableRecord) -> bool:
        """True if somebody at the table wants to give its deck a word before *Start*."""
        people = [each.person for each in record.occupants if each.person is not None]
        return any([(await self._store.preferences(user)).waits_for_word for user in people])

    async def _before(self, record: TableRecord) -> TableRecord | None:
        """The game that this one is a rematch of; None for a damaged one, which counts as none."""
        if record.rematch_of is None:
            return None
        try:
            return (await self._sessions.get(record.rematch_of)).record
        except DamagedGame:
            return None

    async def _begin(self, record: TableRecord) -> TableRecord:
        session = await self._sessions.begin(*await self._settled(record))
        return session.record

    async def _settled(self, record: TableRecord) -> tuple[TableRecord, Seat | None]:
        """The table as its game would begin now, and the first dealer, if settled.

        A rematch of the same people keeps their seats and their count of games won. The count starts again if
        either game belongs to a match.
        """
        if record.rematch_of is None or await self._before(record) is None:
            return record, None
        before = await self._sessions.get(record.rematch_of)
        result = before.game.table.result
        if not _same(record, before.record) or result is None:
            return record, None
        is_match = record.agreement.is_match or before.record.agreement.is_match
        won = () if is_match else games_won(before.record, before.game.table)
        seated = _as_before(record, before.record)
        if not record.goes_on_in_match and (record.occupants, record.won_before) != (seated, won):
            record = await self._store.reseat(record.game, seated, won)
        return record, next_dealer(before.game.table, result)


def _seat_of(record: TableRecord, user: int) -> Seat:
    """The seat of a player who sits at the table."""
    seat = record.seat_of(user)
    assert seat is not None, "they sit there"
    return seat


def _same(record: TableRecord, before: TableRecord) -> bool:
    """True if the same people and computers sit at both tables."""
    return _who(record) == _who(before)


def _who(record: TableRecord) -> set[Occupant]:
    return {replace(each, colour=None) for each in _themselves(record)}


def _as_before(record: TableRecord, before: TableRecord) -> tuple[Occupant, ...]:
    """The occupants in their seats of the game before, with their present colours and choices."""
    now = {(each.user, each.name if each.user is None else ""): each for each in record.occupants}
    return tuple(
        _with_choices_of(each, now.get((each.user, each.name if each.user is None else "")))
        for each in _themselves(before)
    )


def _as_at(person: Occupant, before: TableRecord) -> Occupant:
    """The person with the colour and the choices of their seat in the game before, if they had one."""
    seat = before.seat_of(person.user)
    return _with_choices_of(person, None if seat is None else before.occupants[seat])


def _with_choices_of(one: Occupant, other: Occupant | None) -> Occupant:
    if other is None:
        return replace(one, colour=None, explaining=None)
    return replace(one, colour=other.colour, explaining=other.explaining)


def _themselves(record: TableRecord) -> tuple[Occupant, ...]:
    """The table's occupants, with each substitute replaced by its person."""
    return tuple(each if each.user is None else replace(each, level=None) for each in record.occupants)
