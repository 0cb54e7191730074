"""A server's wall (`bot.standings.wall`): written after each game, and read. Inside a transaction."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, TypeAlias

from bot.model.errors import DamagedGame, NoSuchGame
from bot.model.great_moments import LONG_WAY
from bot.model.table_record import TableRecord
from bot.standings.figures import BestHand
from bot.standings.wall import ON_A_PAGE, STREAK, BiggestWin, Feat, Record, Wall, WalledHand
from bot.store import clubs, seasons, tables
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, is_number, leave_out, require
from bot.store.finished_games import ANY, FinishedGame, plain
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

_CAREERS = """
    SELECT career, name FROM careers
    JOIN tallies ON tallies.edition = careers.edition AND tallies.guild = careers.guild
        AND month = 0 AND kind = $2 AND tallies."user" = careers."user"
    LEFT JOIN hidden ON hidden."user" = careers."user"
    WHERE careers.edition = (SELECT edition FROM projection) AND careers.guild = $1
        AND hidden."user" IS NULL
"""

LEAST = {Feat.STREAK: STREAK, Feat.COMEBACK: LONG_WAY, Feat.SKUNKS: 1, Feat.SLAMS: 1}
"""By feat: the minimum of a record."""

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


async def wall(connection: Connection, guild: int, page: int, now: datetime) -> Wall:
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
        records={} if page else await _records(connection, guild),
        champions=() if page else await seasons.latest(connection, guild, now),
    )


async def _records(connection: Connection, guild: int) -> dict[Feat, Record]:
    """The server's records. It reads a row of each person, some 30 microseconds each."""
    best: dict[Feat, tuple[int, set[str]]] = {feat: (least, set()) for feat, least in LEAST.items()}

    def reached(feat: Feat, number: int, name: str) -> None:
        most, names = best[feat]
        if number >= most:
            best[feat] = (number, {name} if number > most else {*names, name})

    async for row in connection.cursor(_CAREERS, guild, ANY):
        try:
            found = _feats_of(json.loads(row["career"]))
        except UNREADABLE:
            leave_out("careers")
            continue
        for feat, number in found.items():
            reached(feat, number, row["name"])
    for number, name in (await _slams_shown(connection, guild)).values():
        reached(Feat.SLAMS, number, name)
    return {
        feat: Record(number=number, names=tuple(sorted(names)))
        for feat, (number, names) in best.items()
        if names
    }


def _feats_of(career: dict[str, Any]) -> dict[Feat, int]:
    """The feats in a stored career, of which the version before `hands_of_24` has fewer."""
    found = {
        Feat.STREAK: career["longest"],
        Feat.COMEBACK: career.get("comeback", 0),
        Feat.SKUNKS: sum(career["given"].values()),
    }
    require(holds=all(map(is_number, found.values())))
    return found


async def _slams_shown(connection: Connection, guild: int) -> dict[int, tuple[int, str]]:
    """By person who does not hide: the number of their grand slams in the server, and their name."""
    found = await clubs.slams(connection, guild)
    hidden = {row["user"] for row in await connection.fetch('SELECT "user" FROM hidden')} if found else set()
    return {user: each for user, each in found.items() if user not in hidden}


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
