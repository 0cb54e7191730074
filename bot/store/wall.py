"""A server's wall (`bot.standings.wall`): written after each game, and read. Inside a transaction."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from bot.standings.wall import ON_A_PAGE, BiggestWin, Wall, WalledHand
from bot.store import tables
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, leave_out
from bot.store.finished_games import FinishedGame, plain
from engine import Ending, Seat, Source, from_plain

_WallRow: TypeAlias = tuple[Any, ...]
"""guild, kind, game, deal, seat, number, at, points and hand."""

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
    """Add the game's great hands and its win, if that is the biggest. Adding a game again changes nothing."""
    if game.guild is None:
        return
    await connection.executemany(_WRITE, _hand_rows(game))
    win = _win_row(game)
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
        return _hand_of(row, await tables.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None


async def _win(connection: Connection, row: Row) -> BiggestWin | None:
    try:
        return _win_of(row, await tables.table(connection, row["game"]))
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("wall")
        return None


def _hand_rows(game: FinishedGame) -> list[_WallRow]:
    """The rows of the great hands of people."""
    people = {seat for seat, player in enumerate(game.players) if player.person is not None}
    return [
        (
            *(game.guild, each.source.value, game.game, each.deal, each.seat),
            *(game.number, game.at, each.points, plain(BestHand(each.points, each.cards, each.starter))),
        )
        for each in game.result.great
        if each.seat in people
    ]


def _win_row(game: FinishedGame) -> _WallRow | None:
    """The row of the win, if people pegged out without computers."""
    if game.levels or game.result.ending is not Ending.PEGGED_OUT:
        return None
    seats = game.result.seats
    winner = next(each for each in seats if each.won)
    holes = winner.score - max(each.score for each in seats if not each.won)
    where = (game.guild, "game", game.game, game.result.deals, winner.seat)
    return (*where, game.number, game.at, holes, None)


def _hand_of(row: Row, record: TableRecord) -> WalledHand:
    """The hand of a row."""
    return WalledHand(
        record=record,
        seat=Seat(row["seat"]),
        source=Source(row["kind"]),
        hand=from_plain(BestHand, json.loads(row["hand"])),
        at=row["at"],
    )


def _win_of(row: Row, record: TableRecord) -> BiggestWin:
    """The biggest win of a row."""
    return BiggestWin(record=record, seat=Seat(row["seat"]), holes=row["points"], at=row["at"])
