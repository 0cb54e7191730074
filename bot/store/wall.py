"""A server's wall: written after a game, and read. See `bot.standings.wall`.

Plain functions inside somebody's transaction.
"""

from __future__ import annotations

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.wall import ON_A_PAGE, BiggestWin, Wall, WalledHand
from bot.store import tables, wall_rows
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, leave_out
from bot.store.finished_games import FinishedGame

_WRITE = """
    INSERT INTO wall (guild, kind, game, deal, seat, number, at, points, hand)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
"""

_BIGGER = """
    DELETE FROM wall WHERE guild = $1 AND kind = 'game' AND (points < $2 OR (points = $2 AND number > $3))
"""

_SHOWN = """
    FROM wall JOIN seats USING (game, seat) LEFT JOIN hidden USING ("user")
    WHERE guild = $1 AND hidden."user" IS NULL
"""


async def write(connection: Connection, game: FinishedGame) -> None:
    """Write on the server's wall what belongs there; a game that was written on it before changes nothing."""
    if game.guild is None:
        return
    await connection.executemany(_WRITE, wall_rows.hand_rows(game))
    win = wall_rows.win_row(game)
    if win is None:
        return
    *_, number, _, holes, _ = win
    await connection.execute(_BIGGER, game.guild, holes, number)
    known = "SELECT 1 FROM wall WHERE guild = $1 AND kind = 'game'"
    if await connection.fetchval(known, game.guild) is None:
        await connection.execute(_WRITE, *win)


async def wall(connection: Connection, guild: int, page: int) -> Wall:
    """See `StandingsQueries.wall`."""
    hands = f"{_SHOWN} AND kind != 'game'"
    total = await connection.fetchval(f"SELECT count(*) {hands}", guild)
    page = min(page, max(0, -(-total // ON_A_PAGE) - 1))
    rows = await connection.fetch(
        f"SELECT wall.* {hands} ORDER BY points DESC, number DESC, deal DESC LIMIT $2 OFFSET $3",
        *(guild, ON_A_PAGE, page * ON_A_PAGE),
    )
    win = await connection.fetchrow(f"SELECT wall.* {_SHOWN} AND kind = 'game'", guild)
    found = [await _hand(connection, row) for row in rows]
    return Wall(
        hands=tuple(hand for hand in found if hand is not None),
        total=total,
        page=page,
        win=None if win is None else await _win(connection, win),
    )


async def _hand(connection: Connection, row: Row) -> WalledHand | None:
    try:
        return wall_rows.hand_of(row, await tables.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None


async def _win(connection: Connection, row: Row) -> BiggestWin | None:
    try:
        return wall_rows.win_of(row, await tables.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None
