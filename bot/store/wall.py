"""A server's wall in SQLite: what is written on it after a game, and read. See `bot.standings.wall`.

Plain functions inside somebody's transaction.
"""

from __future__ import annotations

import json
import sqlite3

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.figures import BestHand
from bot.standings.wall import ON_A_PAGE, BiggestWin, Wall, WalledHand
from bot.store import table_rows
from bot.store.damage import UNREADABLE, leave_out
from bot.store.tallied import FinishedGame
from engine import Ending, Seat, Source, from_plain, to_plain

_GAME = "game"

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
    people = {seat for seat, player in enumerate(game.players) if player.person is not None}
    for each in game.result.great:
        if each.seat in people:
            hand = json.dumps(
                to_plain(BestHand(each.points, each.cards, each.starter)), separators=(",", ":")
            )
            where = (game.guild, each.source.value, game.game, each.deal, each.seat)
            connection.execute(_WRITE, (*where, game.number, game.at, each.points, hand))
    if game.levels or game.result.ending is not Ending.PEGGED_OUT:
        return
    seats = game.result.seats
    winner = next(each for each in seats if each.won)
    holes = winner.score - max(each.score for each in seats if not each.won)
    connection.execute(_BIGGER, (game.guild, holes, holes, game.number))
    if (
        connection.execute("SELECT 1 FROM wall WHERE guild = ? AND kind = 'game'", (game.guild,)).fetchone()
        is None
    ):
        where = (game.guild, _GAME, game.game, game.result.deals, winner.seat)
        connection.execute(_WRITE, (*where, game.number, game.at, holes, None))


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
        return WalledHand(
            record=table_rows.table(connection, row["game"]),
            seat=Seat(row["seat"]),
            source=Source(row["kind"]),
            hand=from_plain(BestHand, json.loads(row["hand"])),
            at=row["at"],
        )
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None


def _win(connection: sqlite3.Connection, row: sqlite3.Row) -> BiggestWin | None:
    try:
        record = table_rows.table(connection, row["game"])
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None
    return BiggestWin(record=record, seat=Seat(row["seat"]), holes=row["points"], at=row["at"])
