"""A database as it is after years: many finished games, many players, and tables in play.

A thousand games are played from a seed, and written again and again under other people, ids and days; each is
entered into the standings as the bot does it. A few people play much and most play little, and so it is with
servers. The people who are named play the most, in the first server.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from random import Random

from bot.model.posts import SETTLED, Post, PostKind
from bot.model.table_record import Agreement, Occupant, Pace, Status, TableRecord
from bot.standings.figures import VERSION
from bot.standings.results import GameResult, result_of
from bot.store import projection, tables
from bot.store.connection import Connection
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.dialect import run
from bot.store.finished_games import FinishedGame
from engine import CODEC_VERSION, encode, kind_of
from engine.secret_events import LoggedEvent
from tests.bot.standings.games import played

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SERVERS = 100
_TEMPLATES = 1_000
_COMMIT = 2_000
"""Games in a transaction."""
_EVERY = 600
"""Seconds from one game's end to the next, so that 100,000 games take two years."""
_NAMED = 0.4
"""The share of the first server's games in which one of the named people sits; in half of them, the first."""

_KINDS = (
    (0.5, Agreement()),
    (0.3, Agreement.of(preset="short")),
    (0.1, Agreement.of(preset="short", players=3)),
    (0.1, Agreement.of(preset="short", players=4)),
)
"""Share of games by agreement."""


@dataclass(frozen=True, slots=True)
class _Template:
    """A game that was played once, and is written many times."""

    agreement: Agreement
    log: tuple[LoggedEvent, ...]
    result: GameResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Sizes of the database to make."""

    games: int = 100_000
    players: int = 10_000
    live_tables: int = 1_000
    server: int
    """The id of the largest server."""
    people: Sequence[tuple[int, str]]
    """Ids and names of those who play the most; the first one far more than the others."""
    now: int
    """The time of the last game, in seconds since 1970."""


def grow(path: Path, growth: Growth, seed: int = 13) -> None:
    """Make the database at `path`, where there must be none."""
    random = Random(seed)
    templates = _templates(min(_TEMPLATES, growth.games), random)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        # Nothing else reads it, and if the machine fails it is made again.
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "cache_size = -200000",
            "secure_delete = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        schema.migrate(connection)
        connection.execute("UPDATE projection SET figures = ?", (VERSION,))
        _keep(connection, templates)
        _write_all(connection, growth, templates, random)
        connection.execute("PRAGMA journal_mode = WAL")


def _templates(number: int, random: Random) -> list[_Template]:
    found = []
    weights = [weight for weight, _ in _KINDS]
    for seed in range(number):
        [(_, agreement)] = random.choices(_KINDS, weights)
        log = played(100_000 + seed, agreement)
        result = result_of(log)
        assert result is not None, "it was played to its end"
        found.append(_Template(agreement, log, result))
    return found


def _keep(connection: sqlite3.Connection, templates: Sequence[_Template]) -> None:
    """Write the logs once, to be copied from there by SQLite."""
    connection.execute(
        """
        CREATE TEMP TABLE template (
            number, version, kind, body, PRIMARY KEY (number, version)) WITHOUT ROWID
        """
    )
    for number, template in enumerate(templates):
        connection.executemany(
            "INSERT INTO template VALUES (?, ?, ?, ?)",
            [
                (number, version, kind_of(event), json.dumps(encode(event), separators=(",", ":")))
                for version, event in enumerate(template.log)
            ],
        )


def _write_all(
    connection: sqlite3.Connection, growth: Growth, templates: Sequence[_Template], random: Random
) -> None:
    crowd = _Crowd(growth, random)
    connection.execute("BEGIN")
    for number in range(1, growth.games + 1):
        which = random.randrange(len(templates))
        at = growth.now - (growth.games - number) * _EVERY
        guild, people = crowd.sit_down(templates[which].agreement.players)
        _write_game(connection, number, guild, people, templates[which], which, at)
        if number % _COMMIT == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
    connection.execute("UPDATE projection SET through = ?", (growth.games,))
    two = [which for which, each in enumerate(templates) if each.agreement.players == 2]
    for number in range(growth.games + 1, growth.games + growth.live_tables + 1):
        which = two[number % len(two)]
        _, people = crowd.sit_down(2, growth.server)
        _write_game(
            connection, number, growth.server, people, templates[which], which, growth.now, is_over=False
        )
    connection.execute("DELETE FROM scrubbing")
    connection.execute("COMMIT")


class _Crowd:
    """Everybody who plays, each in a server of their own."""

    def __init__(self, growth: Growth, random: Random) -> None:
        self._growth = growth
        self._random = random
        others = min(_SERVERS, growth.players // 20) - 1
        servers = [growth.server, *(2_000_000_000_000_000_000 + number for number in range(others))]
        self._servers = servers
        self._weights = list(accumulate(1 / (rank + 1) for rank in range(len(servers))))
        self._members: dict[int, list[Occupant]] = {server: [] for server in servers}
        for number in range(growth.players):
            [server] = random.choices(servers, cum_weights=self._weights)
            if number < len(servers) * 4:
                server = servers[number // 4]  # enough for a table of four
            person = Occupant(1_000_000_000_000_000_000 + number * 4096, f"Player {number}")
            self._members[server].append(person)
        self._reach = {
            server: list(accumulate((rank + 3) ** -0.7 for rank in range(len(members))))
            for server, members in self._members.items()
        }
        self._named = [Occupant(user, name) for user, name in growth.people]

    def sit_down(self, players: int, server: int | None = None) -> tuple[int, list[Occupant]]:
        """A server, and so many different people of it."""
        random = self._random
        if server is None:
            [server] = random.choices(self._servers, cum_weights=self._weights)
        people: list[Occupant] = []
        if server == self._growth.server and self._named and random.random() < _NAMED:
            people = [self._named[0] if random.random() < 0.5 else random.choice(self._named)]
        while len(people) < players:
            [person] = random.choices(self._members[server], cum_weights=self._reach[server])
            if person not in people:
                people.append(person)
        random.shuffle(people)
        return server, people


def _write_game(  # noqa: PLR0917 -- what a game is
    connection: sqlite3.Connection,
    number: int,
    guild: int,
    people: Sequence[Occupant],
    template: _Template,
    which: int,
    at: int,
    *,
    is_over: bool = True,
) -> None:
    """A game that is over, told, and in the standings.

    Unless it `is_over`, it is in the middle of its play, told, and nobody has to move for half a day.
    """
    game = _id(number)
    version = len(template.log) if is_over else len(template.log) // 2
    status = Status.OVER if is_over else Status.PLAYING
    _write_table(connection, number, guild, people, template, at, status, version)
    _copy_log(connection, game, which, version, at)
    if not is_over:
        return
    finished = FinishedGame(
        number=number, game=game, guild=guild, at=at, result=template.result, players=tuple(people)
    )

    async def work(connection: Connection) -> None:
        for seat in range(len(people)):
            await tables.upsert_post(
                connection,
                Post(
                    game=game,
                    kind=PostKind.HAND,
                    seat=seat,
                    channel=(people[seat].user or 0) + 10**17,
                    message=3_000_000_000_000_000_000 + number * 16 + seat,
                    drawn=SETTLED,
                ),
            )
        await tables.insert_finished(connection, game)
        state = await connection.fetchrow("SELECT * FROM projection")
        await projection.enter(connection, state, finished)

    run(work, connection)


def _write_table(  # noqa: PLR0917 -- as above
    connection: sqlite3.Connection,
    number: int,
    guild: int,
    people: Sequence[Occupant],
    template: _Template,
    at: int,
    status: Status,
    version: int,
) -> None:
    record = TableRecord(
        game=_id(number),
        guild=guild,
        channel=4_000_000_000_000_000_000 + number,
        place="cribbage",
        host=people[0].user or 0,
        status=Status.GATHERING,
        agreement=replace(template.agreement, pace=Pace.SLOW),
        occupants=tuple(people),
    )
    run(lambda each: tables.insert_table(each, record, at), connection)
    connection.execute(
        "UPDATE games SET status = ?, version = ?, told = ? WHERE id = ?",
        (status.value, version, version, record.game),
    )


def _copy_log(connection: sqlite3.Connection, game: str, which: int, version: int, at: int) -> None:
    connection.execute(
        """
        INSERT INTO events (game, version, kind, codec, body, at)
        SELECT ?, version, kind, ?, body, ? - (? - version) * 5 FROM template
        WHERE number = ? AND version < ? ORDER BY version
        """,
        (game, CODEC_VERSION, at, version - 1, which, version),
    )


def _id(number: int) -> str:
    """Five letters, in the order of the numbers."""
    digits = ""
    for _ in range(5):
        number, digit = divmod(number, len(_LETTERS))
        digits = _LETTERS[digit] + digits
    return digits
