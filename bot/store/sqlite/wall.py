"""A server's wall in SQLite: what is written on it after a game, and read. See `bot.standings.wall`.

Plain functions inside somebody's transaction.
"""

from __future__ import annotations

import sqlite3

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.wall import ON_A_PAGE, BiggestWin, Wall, WalledHand
from bot.store import wall_rows
from bot.store.damage import UNREADABLE, leave_out
from bot.store.finished_games import FinishedGame
from bot.store.sqlite import table_rows

_WRITE = """
    INSERT OR IGNORE INTO wall (guild, kind, game, deal, seat, number, at, points, hand)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_BIGGER = """
    DELETE FROM wall WHERE guild = ? AND kind = 'game' AND (points < ? OR (points = ? AND number > ?))
"""

_SHOWN = """
    FROM wall JOIN seats USING (game, seat) LEFT JOIN hidden USING (user)
    WHERE guild = ? AND hidden.user IS NULL
"""


def write(connection: sqlite3.Connection, game: FinishedGame) -> None:
    """Write on the server's wall what belongs there; a game that was written on it before changes nothing."""
    if game.guild is None:
        return
    connection.executemany(_WRITE, wall_rows.hand_rows(game))
    win = wall_rows.win_row(game)
    if win is None:
        return
    *_, number, _, holes, _ = win
    connection.execute(_BIGGER, (game.guild, holes, holes, number))
    known = "SELECT 1 FROM wall WHERE guild = ? AND kind = 'game'"
    if connection.execute(known, (game.guild,)).fetchone() is None:
        connection.execute(_WRITE, win)


def wall(connection: sqlite3.Connection, guild: int, page: int) -> Wall:
    """See `StandingsQueries.wall`."""
    hands = f"{_SHOWN} AND kind != 'game'"
    (total,) = connection.execute(f"SELECT count(*) {hands}", (guild,)).fetchone()
    page = min(page, max(0, -(-total // ON_A_PAGE) - 1))
    rows = connection.execute(
        f"SELECT wall.* {hands} ORDER BY points DESC, number DESC, deal DESC LIMIT ? OFFSET ?",
        (guild, ON_A_PAGE, page * ON_A_PAGE),
    ).fetchall()
    win = connection.execute(f"SELECT wall.* {_SHOWN} AND kind = 'game'", (guild,)).fetchone()
    return Wall(
        hands=tuple(hand for hand in (_hand(connection, row) for row in rows) if hand is not None),
        total=total,
        page=page,
        win=None if win is None else _win(connection, win),
    )


def _hand(connection: sqlite3.Connection, row: sqlite3.Row) -> WalledHand | None:
    try:
        return wall_rows.hand_of(row, table_rows.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None


def _win(connection: sqlite3.Connection, row: sqlite3.Row) -> BiggestWin | None:
    try:
        return wall_rows.win_of(row, table_rows.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None
