"""Reads the bot's database, while it runs or afterwards, without writing to it."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TypeVar

from cachetools import LRUCache

from bot.model.posts import Post
from bot.model.table_record import OPEN, Status, TableRecord
from bot.store import decks, tables
from bot.store.connection import Work
from bot.store.drivers.sqlite.dialect import run
from engine import Cards, DealBegan, Game, PublicEvent, Seat, decode
from engine.secret_events import LoggedEvent, public

T = TypeVar("T")

_replayed: LRUCache[tuple[Path, str], Game] = LRUCache(100)
"""By database and game: the game as it was last seen. Players look at it again and again while they wait."""


class Archive:
    """The games in a database."""

    def __init__(self, path: Path, in_memory: sqlite3.Connection | None = None) -> None:
        """`path` is that of an SQLite database; of one in memory, a path that no other database has."""
        self.path = path
        self._in_memory = in_memory

    def tables(self) -> tuple[TableRecord, ...]:
        """All tables, in the order in which they were opened."""
        return tuple(map(tables.sound, self._read(lambda each: tables.tables(each, "true"))))

    def table(self, game: str) -> TableRecord:
        """The table of that game."""
        return self._read(lambda each: tables.table(each, game))

    def is_synced(self, game: str) -> bool:
        """True if the table and every hand show all that happened in the game."""
        return self.table(game).synced == self.version(game)

    def log(self, game: str) -> tuple[LoggedEvent, ...]:
        """Everything that happened in the game."""
        return self._read(lambda each: tables.log(each, game))

    def posts(self, game: str) -> tuple[Post, ...]:
        """The game's messages."""
        return self._read(lambda each: tables.posts(each, game))

    def choices(self, game: str, deal: int) -> dict[Seat, Cards]:
        """By seat: what is tapped for the crib of that deal."""
        return self._read(lambda each: tables.choices(each, game, deal))

    def secret(self, game: str) -> str | None:
        """The seed of the game's cards, in hexadecimal."""
        deck = self._read(lambda each: decks.deck(each, game))
        return None if deck is None else deck.secret.hex()

    def always_cuts(self, user: int) -> bool:
        """True if the starter is cut for that person without asking."""
        with self._connection() as connection:
            row = connection.execute("SELECT always_cut FROM people WHERE user = ?", (user,)).fetchone()
            return bool(row and row["always_cut"])

    def results(self) -> int:
        """Number of games that count in the standings."""
        with self._connection() as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def replayed(self, game: str) -> Game:
        """The game, replayed from its log; what was read before is not read again."""
        known = _replayed.get((self.path, game))
        if known is None:
            known = Game.replay(self.log(game))
        elif news := self._log_since(game, known.version):
            known = copy(known)
            known.accept(news)
        _replayed[self.path, game] = known
        return known

    def version(self, game: str) -> int:
        """Number of events in its log."""
        with self._connection() as connection:
            row = connection.execute("SELECT count(*) FROM events WHERE game = ?", (game,)).fetchone()
            return int(row[0])

    def versions(self) -> Counter[str]:
        """Number of events in the log of each game."""
        with self._connection() as connection:
            rows = connection.execute("SELECT game, count(*) FROM events GROUP BY game").fetchall()
        return Counter(dict(map(tuple, rows)))

    def progress(self) -> tuple[dict[str, int], dict[str, str]]:
        """By game: how far its log has come; and the secret (in hexadecimal) of each that is not over."""
        with self._connection() as connection:
            wanted = "SELECT id, version, status, secret FROM games LEFT JOIN decks ON game = id"
            rows = list(map(tuple, connection.execute(wanted)))
        kept = {game: secret.hex() for game, _, status, secret in rows if secret and Status(status) in OPEN}
        return {game: version for game, version, _, _ in rows}, kept

    def events(self) -> int:
        """Number of events in the logs of all games."""
        with self._connection() as connection:
            return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])

    def _log_since(self, game: str, version: int) -> tuple[LoggedEvent, ...]:
        """The events from that version on."""
        wanted = "SELECT kind, codec, body FROM events WHERE game = ? AND version >= ? ORDER BY version"
        with self._connection() as connection:
            rows = connection.execute(wanted, (game, version)).fetchall()
        return tuple(decode(row["kind"], json.loads(row["body"]), row["codec"]) for row in rows)

    def _read(self, work: Work[T]) -> T:
        with self._connection() as connection:
            return run(work, connection)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._in_memory is not None:
            yield self._in_memory
            return
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()


def deals_of(log: Sequence[LoggedEvent]) -> list[tuple[PublicEvent, ...]]:
    """The public events of each deal, from the first; what came before it belongs to the first."""
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    bounds = zip([0, *starts[1:]], [*starts[1:], len(log)], strict=True)
    return [public(log[start:end]) for start, end in bounds]
