"""The list of finished games in SQLite: pages found by an index, however many games there are.

Plain functions inside somebody's transaction.
"""

# ruff: noqa: S608 -- SQL of this module's own; what comes from outside is in the values

from __future__ import annotations

import sqlite3

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.history import PAST_GAMES, History, PastGame
from bot.store import table_rows
from bot.store.damage import UNREADABLE, leave_out
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

_OF_A_SERVER = f"FROM results WHERE guild = :guild AND {_SHOWN} AND {_LAST}"
_OF_A_PERSON = f"""
    FROM result_seats JOIN results USING (number)
    WHERE result_seats.user = :user AND (:guild IS NULL OR guild = :guild) AND {_SHOWN} AND {_LAST}
"""
_COLUMNS = "SELECT number, results.game, at, deals, winner, ending"

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
) -> History:
    """See `StandingsQueries.history`."""
    values = {"user": user, "guild": guild, "asker": asker, "number": before if after is None else after}
    games = _OF_A_SERVER if user is None else _OF_A_PERSON
    most = PAST_GAMES + 1

    def found(condition: str, order: str) -> list[sqlite3.Row]:
        statement = f"{_COLUMNS} {games} {condition} ORDER BY number {order} LIMIT {most}"
        return connection.execute(statement, values).fetchall()

    if after is not None:
        newer = found("AND number > :number", "ASC")
        if len(newer) >= PAST_GAMES:
            rows = newer[PAST_GAMES - 1 :: -1]
            return History(games=_games(connection, rows), has_newer=len(newer) == most, has_older=True)
        before = None  # so few are newer that they are all on the first page
    rows = found("" if before is None else "AND number < :number", "DESC")
    return History(
        games=_games(connection, rows[:PAST_GAMES]),
        has_newer=before is not None,
        has_older=len(rows) == most,
    )


def _games(connection: sqlite3.Connection, rows: list[sqlite3.Row]) -> tuple[PastGame, ...]:
    """The games of these rows, without those that cannot be read."""
    games = []
    for row in rows:
        try:
            record = table_rows.table(connection, row["game"])
            games.append(
                PastGame(
                    number=row["number"],
                    record=record,
                    at=row["at"],
                    deals=row["deals"] if record.match is None else _length(connection, record.match),
                    winner=Side(row["winner"]),
                    ending=Ending(row["ending"]),
                    scores=tuple(
                        int(each["score"])
                        for each in connection.execute(_SCORES, (row["number"],)).fetchall()
                    ),
                )
            )
        except (DamagedGame, NoSuchGame, *UNREADABLE):
            leave_out("results")
    return tuple(games)


def _length(connection: sqlite3.Connection, match: str) -> int:
    """The deals of all games of the match."""
    return int(connection.execute(_LENGTH, {"match": match}).fetchone()["deals"])
