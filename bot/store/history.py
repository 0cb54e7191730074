"""Pages of finished and of cancelled games, found by an index (keyset pagination). Inside a transaction."""

# ruff: noqa: S608 -- SQL of this module's own; what comes from outside is in the values

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.model.errors import DamagedGame, NoSuchGame
from bot.standings.history import PAST_GAMES, CancelledGame, History, PastGame
from bot.store import tables
from bot.store.connection import Connection, Row
from bot.store.damage import UNREADABLE, leave_out
from engine import Ending, Side

# $1 is the server, $2 the asker, $3 the number that the page is next to, and $4 the player.

_PLAYED = 'EXISTS (SELECT 1 FROM seats WHERE seats.game = results.game AND seats."user" = $2)'

_SHOWN = f"""
    ({_PLAYED} OR (guild = $1 AND NOT EXISTS (
        SELECT 1 FROM seats JOIN hidden USING ("user") WHERE seats.game = results.game)))
"""
"""True if the asker may see the game: games of hidden players are shown only to their own players."""

_LAST = """
    NOT EXISTS (
        SELECT 1 FROM games AS this JOIN games AS later ON later.match = coalesce(this.match, this.id)
        JOIN results AS ended ON ended.game = later.id
        WHERE this.id = results.game AND later.match_game > this.match_game)
"""
"""True for the last finished game of a match, which represents it, and for any single game."""

_LENGTH = """
    SELECT sum(deals)::bigint FROM results JOIN games ON games.id = results.game
    WHERE games.match = $1 OR games.id = $1
"""

_COLUMNS = "SELECT number, results.game, at, deals, winner, ending"

OF_A_SERVER = f"{_COLUMNS} FROM results WHERE guild = $1 AND {_SHOWN} AND {_LAST}"
OF_A_PERSON = f"""
    {_COLUMNS} FROM result_seats JOIN results USING (number)
    WHERE result_seats."user" = $4 AND ($1::bigint IS NULL OR guild = $1) AND {_SHOWN} AND {_LAST}
"""

_IS_CANCELLED = f"""
    status = 'cancelled' AND version > 0 AND {_SHOWN.replace("results.game", "games.id")}
"""
_DEALS = "(SELECT count(*) FROM events WHERE events.game = games.id AND kind = 'DealBegan')"
_CANCELLED = f"SELECT number, id AS game, updated_at AS at, {_DEALS} AS deals"
CANCELLED_IN_A_SERVER = f"{_CANCELLED} FROM games WHERE guild = $1 AND {_IS_CANCELLED}"
CANCELLED_OF_A_PERSON = f"""
    {_CANCELLED} FROM seats JOIN games ON games.id = seats.game
    WHERE seats."user" = $4 AND ($1::bigint IS NULL OR guild = $1) AND {_IS_CANCELLED}
"""

_AnyGame: TypeAlias = PastGame | CancelledGame
_Reader: TypeAlias = Callable[[Connection, Row], Awaitable[_AnyGame]]


async def history(  # noqa: PLR0917 -- as `StandingsQueries.history` takes them
    connection: Connection,
    user: int | None,
    guild: int | None,
    asker: int,
    before: int | None,
    after: int | None,
    *,
    is_cancelled: bool = False,
) -> History:
    """See `StandingsQueries.history`."""
    whose = () if user is None else (user,)
    if is_cancelled:
        games = CANCELLED_IN_A_SERVER if user is None else CANCELLED_OF_A_PERSON
    else:
        games = OF_A_SERVER if user is None else OF_A_PERSON
    read: _Reader = _cancelled if is_cancelled else _finished
    most = PAST_GAMES + 1

    async def found(number: int | None, *, newer: bool) -> list[Row]:
        side, order = (">", "ASC") if newer else ("<", "DESC")
        bound = "$3::bigint IS NULL" if number is None else f"number {side} $3"
        statement = f"{games} AND {bound} ORDER BY number {order} LIMIT {most}"
        return await connection.fetch(statement, guild, asker, number, *whose)

    async def page(rows: Sequence[Row], *, has_newer: bool, has_older: bool) -> History:
        readable = [await _readable(connection, row, read) for row in rows]
        return History(
            games=tuple(game for game in readable if game is not None),
            is_cancelled=is_cancelled,
            has_newer=has_newer,
            has_older=has_older,
        )

    if after is not None:
        newer = await found(after, newer=True)
        if len(newer) >= PAST_GAMES:
            return await page(newer[PAST_GAMES - 1 :: -1], has_newer=len(newer) == most, has_older=True)
        before = None  # all the newer ones fit on the first page
    rows = await found(before, newer=False)
    return await page(rows[:PAST_GAMES], has_newer=before is not None, has_older=len(rows) == most)


async def _readable(connection: Connection, row: Row, read: _Reader) -> _AnyGame | None:
    """The game of that row; `None` for a damaged one."""
    try:
        return await read(connection, row)
    except (DamagedGame, NoSuchGame, *UNREADABLE):
        leave_out("results")
        return None


async def _finished(connection: Connection, row: Row) -> PastGame:
    record = await tables.table(connection, row["game"])
    side, score = map(connection.dialect.of_part, ("side", "score"))
    scores = await connection.fetch(
        f"""
        SELECT DISTINCT {side} AS side, {score} AS score FROM result_seats
        WHERE number = $1 AND {side} IS NOT NULL ORDER BY side
        """,
        row["number"],
    )
    deals = row["deals"] if record.match is None else await connection.fetchval(_LENGTH, record.match)
    return PastGame(
        number=row["number"],
        record=record,
        at=row["at"],
        deals=deals,
        winner=Side(row["winner"]),
        ending=Ending(row["ending"]),
        scores=tuple(int(each["score"]) for each in scores),
    )


async def _cancelled(connection: Connection, row: Row) -> CancelledGame:
    return CancelledGame(
        number=row["number"],
        record=await tables.table(connection, row["game"]),
        at=row["at"],
        deals=row["deals"],
    )
