"""Seeded games, finished in a store, for the tests of the standings."""

from __future__ import annotations

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.features.clubs.store import ClubStore
from bot.features.daily.store import DailyStore
from bot.features.stats.reminder_store import ReminderStore
from bot.features.stats.season_store import SeasonStore
from bot.model.database_address import DatabaseAddress
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, Occupant, Status, TableRecord
from bot.standings.leaderboards import Board, Span, Tally
from bot.standings.projection import Projection
from bot.standings.protocol import PeopleData, ProjectionStore, StandingsQueries
from bot.standings.ratings import DEALS_TO_COUNT, Kind
from bot.standings.results import Appearance, SeatResult
from bot.store import Store
from bot.store.drivers.sqlite import SqliteDatabase
from bot.store.opening import Opened, open_database
from engine import Card, Chance, CutForFirstDeal, Deal, Discard, Game, Resign, Seat, from_plain
from engine.secret_events import LoggedEvent
from tests.bot.clock import Clock
from tests.bot.seating import Guest
from tests.patience import PATIENCE

GUILD, ELSEWHERE = 10, 11
ADA, BEN, CLEO, DAN, EVE = (
    Guest(1_000_000_000_000_000_000 + number, name)
    for number, name in enumerate(("Ada Lovelace", "Ben", "Cleo", "Dan", "Eve"))
)
PEOPLE = (ADA, BEN, CLEO, DAN, EVE)

NOON = 1_795_262_400
"""21 November 2026, 12:00 UTC."""

LATER = 2**40
"""A time by which everything was left."""


@dataclass
class Club:
    """A database with games and standings in it."""

    address: DatabaseAddress
    clock: Clock
    opened_database: Opened
    store: Store
    clubs: ClubStore
    projections: ProjectionStore
    queries: StandingsQueries
    people: PeopleData
    daily: DailyStore
    projection: Projection
    opened: int = 0

    @classmethod
    async def open(
        cls, address: DatabaseAddress, clock: Clock | None = None, *, patience: float = PATIENCE
    ) -> Club:
        clock = clock or Clock(NOON)
        database = await open_database(address, clock, patience=patience)
        standings = database.standings
        return cls(
            address=address,
            clock=clock,
            opened_database=database,
            store=database.store,
            clubs=database.part(ClubStore, "clubs"),
            projections=standings.projection,
            queries=standings.queries,
            people=standings.people,
            daily=database.part(DailyStore, "daily"),
            projection=Projection(standings.projection),
        )

    @property
    def path(self) -> Path:
        """The file of a club in SQLite."""
        assert isinstance(self.address, Path)
        return self.address

    @property
    def database(self) -> Any:
        """Runs a test's own SQL on its database."""
        return self.opened_database.database

    async def close(self) -> None:
        await self.store.close()

    async def seated(
        self,
        people: Sequence[Occupant],
        agreement: Agreement,
        guild: int | None = GUILD,
        place: str = "Snug",
        *,
        called: int | None = None,
        held: tuple[Occupant, ...] = (),
    ) -> TableRecord:
        """A table that gathers, with everybody at it, in a channel of its own."""
        self.opened += 1
        record = TableRecord(
            game=f"g{self.opened}",
            guild=guild,
            channel=2_000 + self.opened,
            place=place,
            host=people[0].user or 0,
            status=Status.GATHERING,
            agreement=agreement,
            occupants=tuple(people),
            called=called,
            held=held,
        )
        await self.store.open_table(record)
        return record

    async def finished(
        self,
        people: Sequence[Occupant],
        log: Sequence[LoggedEvent],
        agreement: Agreement,
        guild: int | None = GUILD,
    ) -> str:
        """A game of those people with that log, whose end it has; its id."""
        record = await self.seated(people, agreement, guild)
        await self.store.begin(record.game, log[:3])
        await self.store.append(record.game, 3, log[3:], over=True)
        return record.game

    async def won(self, winner: Occupant, loser: Occupant, guild: int | None = GUILD) -> str:
        """A game that `winner` won because `loser` resigned, late enough for it to be rated."""
        return await self.finished((winner, loser), resigned(Seat(1), deal=DEALS_TO_COUNT), SHORT, guild)

    async def appearances(self, user: int | None, guild: int | None) -> dict[int, Appearance]:
        """By number: the person's games against people that are in the projection, in their order."""

        where = "NOT with_computer" if guild is None else f"NOT with_computer AND guild = {guild}"
        found = await self.rows(
            f"""
            SELECT number, seats, part FROM result_seats JOIN results USING (number)
            WHERE result_seats."user" = $1 AND {where} ORDER BY number
            """,
            user,
        )
        return {
            row["number"]: Appearance(
                kind=Kind.of(row["seats"]), part=from_plain(SeatResult, json.loads(row["part"]))
            )
            for row in found
        }

    async def rows(self, statement: str, *values: object) -> list[Any]:
        """The rows of a statement, in either kind of database."""
        return await self.database.read(lambda connection: connection.fetch(statement, *values))

    async def cells(self) -> list[tuple[str, object]]:
        """Every value in the database, with its table and column."""
        names = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
        if isinstance(self.address, Path):
            names = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        return [
            (f"{table['name']}.{column}", row[column])
            for table in await self.rows(names)
            for row in await self.rows(f"SELECT * FROM {table['name']}")
            for column in tuple(row.keys())
        ]

    async def change(self, statement: str, *values: object) -> None:
        """Write by a statement, in either kind of database."""
        await self.database.write(lambda connection: connection.execute(statement, *values))

    async def board(
        self, board: Board = Board.WINS, span: Span = Span.EVER, guild: int = GUILD
    ) -> dict[int, Tally]:
        """By user: who is on that board, on all its pages."""
        found = await self.queries.leaderboard(guild, board, span, asker=0)
        rows = list(found.rows)
        for page in range(1, found.pages):
            rows += (await self.queries.leaderboard(guild, board, span, asker=0, page=page)).rows
        return {row.tally.user: row.tally for row in rows}

    async def everything_about(self, user: int | None) -> dict[str, Any]:
        """The person's export, read from its files."""
        assert user is not None
        with tempfile.TemporaryDirectory() as directory:
            known: dict[str, Any] = {"games": []}
            for path in await self.people.export(user, Path(directory)):
                unpack = gzip.decompress if path.suffix == ".gz" else bytes
                part = json.loads(unpack(path.read_bytes()))
                known = {**known, **part, "games": [*known["games"], *part["games"]]}
        return known

    async def forget(self, user: int | None) -> set[str]:
        """Forget the person to the end, but for what is left in the files; all games that changed."""
        assert user is not None
        changed = set(await self.people.forget(user))
        while (more := await self.people.forget_more()) is not None:
            changed |= set(more)
        return changed

    async def forget_servers(self, until: int = LATER) -> set[str]:
        """Forget the servers that were left by then; which games have changed."""
        changed: set[str] = set()
        while (games := await self.store.forget_left_server(until)) is not None:
            changed |= set(games)
        return changed


SHORT = Agreement.of(preset="short")


@lru_cache(maxsize=16)
def resigned(seat: Seat, agreement: Agreement = SHORT, *, deal: int = 1) -> tuple[LoggedEvent, ...]:
    """The log of a game that `seat` gives up in that deal."""
    random = Random(1)
    game = Game.new(agreement.rules, chance=Chance(random), dealer=Seat(0), automatic={Deal})
    while game.table.deal_number < deal:
        mover = random.choice(game.table.waiting_for)
        moves = [move for move in game.legal_moves(mover) if type(move) is not Resign]
        game.apply(random.choice(moves))
    game.apply(Resign(seat))
    return game.log


@lru_cache(maxsize=64)
def played(seed: int, agreement: Agreement) -> tuple[LoggedEvent, ...]:
    """The log of a game played at random; one in ten is resigned somewhere.

    In every other game one player keeps the worst cards and the others the best, so that there are skunks.
    """
    random = Random(seed)
    game = Game.new(agreement.rules, chance=Chance(random), automatic={CutForFirstDeal, Deal})
    gives_up_at = random.randrange(10, 200) if random.random() < 0.1 else None
    loser = random.choice([None, Seat(random.randrange(agreement.players))])
    while not game.is_over:
        seat = random.choice(game.table.waiting_for)
        if gives_up_at is not None and game.version >= gives_up_at:
            game.apply(Resign(seat))
            break
        moves = [move for move in game.legal_moves(seat) if type(move) is not Resign]
        gifts = [move for move in moves if isinstance(move, Discard)]
        if loser is not None and gifts:
            choose = min if seat == loser else max
            hand = game.view(seat).hand
            game.apply(choose(gifts, key=lambda move: _worth([c for c in hand if c not in move.cards])))
        else:
            game.apply(random.choice(moves))
    return game.log


ON_BOTH = pytest.mark.parametrize("club", ["sqlite", "postgresql"], indirect=True)
"""For a test whose SQL no other test of its file runs on PostgreSQL when time is short."""

ON_SQLITE = pytest.mark.parametrize("club", ["sqlite"], indirect=True)
"""For what is about its file."""

DM = 3_000_000_000_000_000_007
"""Ada's direct messages."""
THREE = Agreement.of(preset="short", players=3)


async def fix_secret(club: Club) -> None:
    """Let the club's daily hands be the same in each run of a test."""
    secret = "zeroblob(32)" if isinstance(club.address, Path) else "decode(repeat('00', 32), 'hex')"
    await club.change(f"INSERT INTO daily_secret VALUES (1, {secret})")


_LIVED: list[tuple[sqlite3.Connection, int]] = []
"""A copy of a file as `lived` leaves it, and how many tables there were."""


async def lived(club: Club) -> None:
    """Ada has won and lost in two servers, has called for tables, hides, and has closed her DMs.

    She wants reminders. A server's seasons have a time zone and a channel. An empty file gets a
    copy of the first one that was filled.
    """
    database = club.database
    if not isinstance(database, SqliteDatabase) or club.opened:
        await live(club)
        return
    if not _LIVED:
        await live(club)
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        await database.exclusive(lambda connection: connection.backup(copy))
        _LIVED.append((copy, club.opened))
        return
    [(copy, club.opened)] = _LIVED
    await database.exclusive(copy.backup)


async def live(club: Club) -> None:
    """See `lived`."""
    for seed in range(3):
        game = await club.finished((ADA, BEN), played(seed, SHORT), SHORT)
    await club.store.keep_post(
        Post(game=game, kind=PostKind.HAND, deal=1, seat=0, channel=DM, message=DM + 1, drawn="abc")
    )
    await club.store.keep_post(Post(game=game, kind=PostKind.TABLE, deal=1, channel=20, message=77))
    await club.finished((BEN, ADA, CLEO), played(5, THREE), THREE)
    await club.won(ADA, CLEO, guild=ELSEWHERE)
    await club.won(BEN, CLEO)
    called_off = await club.seated((ADA,), SHORT)
    await club.store.cancel(called_off.game)
    await club.store.prefer(ADA.user, dms_closed=True)
    await club.people.set_hidden(ADA.user, hidden=True)
    await club.opened_database.part(ReminderStore, "reminders").want(ADA.user, NOON)
    seasons, now = club.opened_database.part(SeasonStore, "seasons"), datetime.fromtimestamp(NOON, UTC)
    await seasons.choose_zone(GUILD, "Europe/Paris", now)
    await seasons.post_in(GUILD, 20, now)
    await club.projection.flush()


def _worth(kept: Sequence[Card]) -> int:
    """Pairs, fifteens of two, and neighbours: near enough to tell a good hand from a bad one."""
    return sum(
        2 * (one.rank is two.rank)
        + 2 * (one.pips + two.pips == 15)
        + (abs(one.rank.value - two.rank.value) == 1)
        for one, two in combinations(kept, 2)
    )
