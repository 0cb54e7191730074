"""Before a game: people gather at a table, agree on the rules, and begin; after it, they may go on.

A lobby is the same row in the store as the game that it becomes, so a channel has one of either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.model.colours import Colour
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
    StaleButton,
    StaleGame,
    TableFull,
    TablesEnough,
)
from bot.model.match import games_won, next_dealer
from bot.model.table_record import Agreement, Occupant, OwnThread, Status, TableRecord, computer_at
from bot.store import Store
from bot.tables import game_ids
from bot.tables.sessions import Sessions
from engine import Seat
from engine.computer import Level, family_of

MOST_GATHERING = 10
"""Tables that gather at which one person may sit: more would fill the channels of a server with lobbies."""

MOST_LIVE = 20
"""Games that one person may play at once."""


class Lobbies:
    """Every table that is gathering, and the passage into a game."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
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
    ) -> TableRecord:
        """A new table in the channel, which speaks `language`, with its host.

        Raises `ChannelTaken` and `TablesEnough`.

        Its lobby asks the person who is `called` to play, unless they have declined the host's challenges:
        then it stands open to everybody.

        With `computers` every other seat is a computer's of that level, and the game begins, unless somebody
        is called: then a seat is kept for them, and it waits. Raises `NoComputerFamily` for rules that the
        computer does not play.
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
                game=game_ids.new_id(),
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
            )
        )
        return await self.start(record.game, host.user) if begins else record

    async def seat_all(self, record: TableRecord) -> TableRecord:
        """Open this full table under its own id and begin its game; what was begun already is left alone.

        It is for games that were fixed elsewhere: nobody is asked, and no number of tables is too many. A
        crash between the two does no harm: doing it again goes on from there. Raises `ChannelTaken`.
        """
        try:
            kept = await self._store.table(record.game)
        except NoSuchGame:
            try:
                kept = await self._store.open_table(record, self._sessions.new_secret())
            except IdTaken:  # by another process, at the same moment
                kept = await self._store.table(record.game)
        if kept.status is Status.GATHERING:
            async with self._sessions.lock(record.game):
                kept = await self._store.table(record.game)
                if kept.status is Status.GATHERING:
                    kept = await self._begin(kept)
        return kept

    async def keep_word(self, game: str, user: int, word: str | None) -> TableRecord:
        """Let a person who sits at the table give a word of their own to its deck, or take it back.

        Raises `AlreadyBegun`, `NotAtTable`, and `NoDeck` for a table from before honest decks.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if record.commitment is None:
                raise NoDeck(record)
            await self._store.keep_word(game, user, word)
            return record

    async def begin_posted(self, game: str) -> None:
        """Begin a game that waits for nothing but its first message, which stands by now.

        Nothing happens when it has begun, or was closed.
        """
        async with self._sessions.lock(game):
            record = await self._store.table(game)
            if record.begins and record.status is Status.GATHERING:
                await self._begin_now(record)

    async def begin_broken_off(self, after: float = 0.0) -> None:
        """Let the games begin that begin as they are opened, where a crash came between the two.

        In the bot's DM no other table gathers, but between the games of a match. Where people play already,
        only what is still so `after` some seconds was broken off: somebody may be opening a table just then.
        """
        broken_off = [
            record
            for record in await self._store.open_tables()
            if record.is_in_dm and record.status is Status.GATHERING
            if not record.goes_on_in_match and not record.begins
        ]
        if broken_off:
            await asyncio.sleep(after)
        for record in broken_off:
            # As it stands, it never begins, or it has begun or was closed in the meantime.
            with suppress(
                *(NotEnoughPlayers, NotAtTable, TablesEnough, DamagedGame),
                *(AlreadyBegun, NoSuchGame, NoTable, StaleGame),
            ):
                await self.start(record.game, record.host)

    async def join(self, game: str, person: Occupant) -> TableRecord:
        """Sit down. Raises `AlreadyBegun`, `AlreadySeated`, `TableFull` and `TablesEnough`.

        A rematch begins by itself when everybody of the game before has sat down again.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(person.user) is not None:
                raise AlreadySeated(record)
            if len(record.occupants) == record.agreement.players:
                raise TableFull(record)
            await self._require_room(person)
            before = await self._before(record)
            if before is not None:
                person = replace(person, colour=_colour_of(person, before))
            record = await self._seat(record, (*record.occupants, person))
            if await self._is_rematch_of_all(record):
                return await self._begin(record)
            return record

    async def leave(self, game: str, user: int) -> TableRecord:
        """Stand up; the host's place passes on, and the last to leave closes the table.

        Between two games of a match it ends the match. Raises `AlreadyBegun` and `NotAtTable`.
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
        """Say no to being called to the table, which then stands open to everybody.

        Raises `AlreadyBegun`, `AlreadySeated`, and `NotCalled` for everybody but the person who is called.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.called != user:
                raise NotCalled(record)
            if record.seat_of(user) is not None:
                raise AlreadySeated(record)
            return await self._store.call_nobody(game)

    async def decline_for_good(self, user: int, challenger: int | None) -> list[str]:
        """Take no challenges from that person any more; with `None`, from anybody.

        Their lobbies that call `user` stand open from now on; those games are returned.
        """
        await self._store.decline(user, challenger)
        if challenger is None:
            tables = await self._store.open_tables()
        else:
            tables = await self._store.tables_of(challenger)
        opened = []
        for record in tables:
            if record.called == user and challenger in {None, record.host}:
                # It begins or closes just then, or they have sat down there: then it calls nobody.
                with suppress(AlreadyBegun, AlreadySeated, DamagedGame, NoTable, NotCalled, StaleGame):
                    await self.decline(record.game, user)
                    opened.append(record.game)
        return opened

    async def add_computer(self, game: str, user: int, level: Level) -> TableRecord:
        """Seat a computer: anybody who sits at the table may.

        Raises `AlreadyBegun`, `NotAtTable`, `TableFull`, and `NoComputerFamily` for rules that it does not
        play.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game)
            if record.seat_of(user) is None:
                raise NotAtTable(record)
            if len(record.occupants) == record.agreement.players:
                raise TableFull(record)
            family_of(record.agreement.rules)  # raises for rules that it does not play
            computer = computer_at(level, record.occupants)
            return await self._seat(record, (*record.occupants, computer))

    async def remove_computer(self, game: str, user: int) -> TableRecord:
        """Send away the computer that was seated last: anybody who sits at the table may.

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

    async def choose_colour(self, game: str, user: int, colour: Colour) -> TableRecord:
        """Let the side of `user` play in that colour; one that another side has chosen stays theirs.

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
        """Let the person or computer of that seat sit opposite `user`, where partners play.

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
        """Change what is agreed on: only the host may.

        Raises `AlreadyBegun`, `MatchGoesOn`, `NotHost`, `TableFull` when more people sit there than would
        play, `NumberOutOfRange`, `RulesError`, and `NoComputerFamily` for rules that a computer at the table
        does not play.
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
        """Begin the game. Raises `AlreadyBegun`, `NotAtTable`, `NotEnoughPlayers` and `TablesEnough`.

        Whom the computer has replaced in a match is back by starting its next game.
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
        """Close the table: anybody who sits at it may, and a moderator.

        Raises `AlreadyBegun` and `NotAtTable`.
        """
        async with self._sessions.lock(game):
            record = await self._gathering(game, also_beginning=True)
            if record.seat_of(user) is None and not may_moderate:
                raise NotAtTable(record)
            return await self._cancel(record)

    async def rematch(self, game: str, person: Occupant) -> TableRecord:
        """Open a table for the same people and rules. Raises `NotAtTable`, `ChannelTaken`, `TablesEnough`.

        The computers of the game before agree at once, so alone against them it begins.
        """
        before = await self._store.table(game)
        if before.status is not Status.OVER:
            raise StaleButton(0, 0)
        if before.seat_of(person.user) is None:
            raise NotAtTable(before)
        assert person.user is not None, "the computer asks for nothing"
        await self._require_room(person)
        computers = (each for each in before.occupants if each.user is None)
        host, person = person.user, replace(person, colour=_colour_of(person, before))
        record = await self._keep(
            replace(
                before,
                game=game_ids.new_id(),
                host=host,
                status=Status.GATHERING,
                occupants=(person, *computers),
                won_before=(),
                match=None,
                match_before=(),
                called=None,
                thread=OwnThread.NONE,  # it is played where the game before was, in its thread too
                rematch_of=game,
                version=0,
                told=0,
            )
        )
        async with self._sessions.lock(record.game):
            return await self._begin(record) if await self._is_rematch_of_all(record) else record

    async def _require_room(self, person: Occupant, *, gathers: bool = True) -> None:
        """Raises `TablesEnough` if the person sits at as many tables as one may; this one `gathers`."""
        assert person.user is not None, "the computer sits at as many as it likes"
        tables = await self._store.tables_of(person.user)
        live = sum(each.status is Status.PLAYING for each in tables)
        if live >= MOST_LIVE:
            raise TablesEnough(person, MOST_LIVE, are_live=True)
        if gathers and len(tables) - live >= MOST_GATHERING:
            raise TablesEnough(person, MOST_GATHERING, are_live=False)

    async def _gathering(
        self, game: str, *, is_to_change: bool = False, also_beginning: bool = False
    ) -> TableRecord:
        """The table; `is_to_change` says that who sits where, or what is agreed on, is to be another.

        One that begins as soon as its first message stands gathers nobody any more.
        """
        record = await self._store.table(game)
        if record.status is Status.CANCELLED:
            raise NoTable
        if record.status is not Status.GATHERING or (record.begins and not also_beginning):
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
        """Keep a new table under an id that no other game has."""
        while True:
            try:
                return await self._store.open_table(record, self._sessions.new_secret())
            except IdTaken:
                record = replace(record, game=game_ids.new_id())

    async def _is_rematch_of_all(self, record: TableRecord) -> bool:
        """Whether just the people of the game before sit at the table again."""
        before = await self._before(record)
        return before is not None and _same(record, before)

    async def _before(self, record: TableRecord) -> TableRecord | None:
        """The game that this is a rematch of; one that cannot be read is no more than forgotten."""
        if record.rematch_of is None:
            return None
        try:
            return (await self._sessions.get(record.rematch_of)).record
        except DamagedGame:
            return None

    async def _begin(self, record: TableRecord) -> TableRecord:
        """Begin the game; with an honest deck once its first message stands, whose id is a part of that."""
        deck = await self._store.deck(record.game)
        if deck is not None and deck.message is None:
            record = await self._store.let_begin(record.game)
            self._sessions.tell(record)  # so that its first message is posted
            return record
        return await self._begin_now(record)

    async def _begin_now(self, record: TableRecord) -> TableRecord:
        """Begin the game; a rematch of the same people goes on with their seats and games won.

        A match that was agreed on is over: what is won in it does not count in the next.
        """
        dealer: Seat | None = None
        if record.rematch_of is not None and await self._before(record) is not None:
            before = await self._sessions.get(record.rematch_of)
            result = before.game.table.result
            if _same(record, before.record) and result is not None:
                dealer = next_dealer(before.game.table, result)
                is_match = record.agreement.is_match or before.record.agreement.is_match
                won = () if is_match else games_won(before.record, before.game.table)
                if not record.goes_on_in_match:
                    record = await self._store.reseat(record.game, _as_before(record, before.record), won)
        session = await self._sessions.begin(record, dealer)
        return session.record


def _same(record: TableRecord, before: TableRecord) -> bool:
    """Whether the same people and computers sit at both tables."""
    return _who(record) == _who(before)


def _who(record: TableRecord) -> set[Occupant]:
    return {replace(each, colour=None) for each in _themselves(record)}


def _as_before(record: TableRecord, before: TableRecord) -> tuple[Occupant, ...]:
    """The occupants in their seats of the game before, with the colours that they have now."""
    now = {(each.user, each.name if each.user is None else ""): each.colour for each in record.occupants}
    return tuple(
        replace(each, colour=now.get((each.user, each.name if each.user is None else "")))
        for each in _themselves(before)
    )


def _colour_of(person: Occupant, before: TableRecord) -> Colour | None:
    seat = before.seat_of(person.user)
    return None if seat is None else before.occupants[seat].colour


def _themselves(record: TableRecord) -> tuple[Occupant, ...]:
    """The occupants of the table, with people instead of their substitutes."""
    return tuple(each if each.user is None else replace(each, level=None) for each in record.occupants)
