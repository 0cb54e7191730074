"""The lists of finished and of cancelled games in SQLite: pages found by an index, however many there are.

Plain functions inside somebody's transaction.
"""

# ruff: noqa: S608 -- SQL of this module's own; what comes from outside is in the values

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeAlias

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.history import PAST_GAMES, CancelledGame, History, PastGame
from bot.store.damage import UNREADABLE, leave_out
from bot.store.sqlite import table_rows
from engine import Ending, Side

_PLAYED = "EXISTS (SELECT 1 FROM seats WHERE seats.game = results.game AND seats.user = :asker)"

_SHOWN = f"""
    ({_PLAYED} OR (guild = :guild AND NOT EXISTS (
        SELECT 1 FROM seats JOIN hidden USING (user) WHERE seats.game = results.game)))
"""
"""Whether the asker may see the game: who hides is seen by those alone who played with them."""

_LAST = """
    NOT EXISTS (
        SELECT 1 FROM games AS this JOIN games AS later ON later.match = coalesce(this.match, this.id)
        JOIN results AS ended ON ended.game = later.id
        WHERE this.id = results.game AND later.match_game > this.match_game)
"""
"""Whether it is the last game of its match that is over: a match is one entry. Any other game is its own."""

_LENGTH = """
    SELECT sum(deals) AS deals FROM results JOIN games ON games.id = results.game
    WHERE games.match = :match OR games.id = :match
"""

_COLUMNS = "SELECT number, results.game, at, deals, winner, ending"

_OF_A_SERVER = f"{_COLUMNS} FROM results WHERE guild = :guild AND {_SHOWN} AND {_LAST}"
_OF_A_PERSON = f"""
    {_COLUMNS} FROM result_seats JOIN results USING (number)
    WHERE result_seats.user = :user AND (:guild IS NULL OR guild = :guild) AND {_SHOWN} AND {_LAST}
"""

_IS_CANCELLED = f"""
    status = 'cancelled' AND version > 0 AND {_SHOWN.replace("results.game", "games.id")}
"""
_DEALS = "(SELECT count(*) FROM events WHERE events.game = games.id AND kind = 'DealBegan')"
_CANCELLED = f"SELECT number, id AS game, updated_at AS at, {_DEALS} AS deals"
_CANCELLED_IN_A_SERVER = f"{_CANCELLED} FROM games WHERE guild = :guild AND {_IS_CANCELLED}"
_CANCELLED_OF_A_PERSON = f"""
    {_CANCELLED} FROM seats JOIN games ON games.id = seats.game
    WHERE seats.user = :user AND (:guild IS NULL OR guild = :guild) AND {_IS_CANCELLED}
"""

_AnyGame: TypeAlias = PastGame | CancelledGame
_Reader: TypeAlias = Callable[[sqlite3.Connection, sqlite3.Row], _AnyGame]

_SCORES = """
    SELECT DISTINCT json_extract(part, '$.side') AS side, json_extract(part, '$.score') AS score
    FROM result_seats WHERE number = ? AND json_valid(part) ORDER BY side
"""


def history(  # noqa: PLR0917 -- what is asked, by whom, and where the page begins
    connection: sqlite3.Connection,
    user: int | None,
    guild: int | None,
    asker: int,
    before: int | None,
    after: int | None,
    *,
    is_cancelled: bool = False,
) -> History:
    """See `StandingsQueries.history`."""
    values = {"user": user, "guild": guild, "asker": asker, "number": before if after is None else after}
    if is_cancelled:
        games = _CANCELLED_IN_A_SERVER if user is None else _CANCELLED_OF_A_PERSON
    else:
        games = _OF_A_SERVER if user is None else _OF_A_PERSON
    read: _Reader = _cancelled if is_cancelled else _finished
    most = PAST_GAMES + 1

    def found(condition: str, order: str) -> list[sqlite3.Row]:
        statement = f"{games} {condition} ORDER BY number {order} LIMIT {most}"
        return connection.execute(statement, values).fetchall()

    def page(rows: list[sqlite3.Row], *, has_newer: bool, has_older: bool) -> History:
        return History(
            games=tuple(game for row in rows if (game := _readable(connection, row, read)) is not None),
            is_cancelled=is_cancelled,
            has_newer=has_newer,
            has_older=has_older,
        )

    if after is not None:
        newer = found("AND number > :number", "ASC")
        if len(newer) >= PAST_GAMES:
            return page(newer[PAST_GAMES - 1 :: -1], has_newer=len(newer) == most, has_older=True)
        before = None  # so few are newer that they are all on the first page
    rows = found("" if before is None else "AND number < :number", "DESC")
    return page(rows[:PAST_GAMES], has_newer=before is not None, has_older=len(rows) == most)


def _readable(connection: sqlite3.Connection, row: sqlite3.Row, read: _Reader) -> _AnyGame | None:
    """The game of that row; nothing for one that cannot be read."""
    try:
        return read(connection, row)
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("results")
        return None


def _finished(connection: sqlite3.Connection, row: sqlite3.Row) -> PastGame:
    record = table_rows.table(connection, row["game"])
    scores = connection.execute(_SCORES, (row["number"],)).fetchall()
    return PastGame(
        number=row["number"],
        record=record,
        at=row["at"],
        deals=row["deals"] if record.match is None else _length(connection, record.match),
        winner=Side(row["winner"]),
        ending=Ending(row["ending"]),
        scores=tuple(int(each["score"]) for each in scores),
    )


def _cancelled(connection: sqlite3.Connection, row: sqlite3.Row) -> CancelledGame:
    return CancelledGame(
        number=row["number"],
        record=table_rows.table(connection, row["game"]),
        at=row["at"],
        deals=row["deals"],
    )


def _length(connection: sqlite3.Connection, match: str) -> int:
    """The deals of all games of the match."""
    return int(connection.execute(_LENGTH, {"match": match}).fetchone()["deals"])
