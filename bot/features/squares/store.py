"""The squares of each person and day, the best total of a day, and where squares were shared.

The deck of a day is not stored: it follows from the day and the database's secret.
"""

from __future__ import annotations

from datetime import date

from bot.features.squares.games import SquaresGame, SquaresRecord
from bot.store import daily
from bot.store.connection import Connection, Database
from engine import CELLS, SquaresDeck, count_squares

_DIGITS = "0123456789abcdef"
"""The digit of each cell."""

_KEPT = 16
"""Days for which is kept where squares were shared."""

_LAST_DAY = date.max.toordinal()


class SquaresStore:
    """The store of squares. Each call is one transaction and may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def deck(self, day: date) -> SquaresDeck:
        """The deck of that day, the same for everybody."""
        return SquaresDeck.of(await daily.seed(self._database, "squares", day))

    async def game(self, user: int, day: date) -> SquaresGame:
        """The person's squares of that day."""
        return await self._database.read_one(lambda connection: _game(connection, user, day))

    async def put(self, user: int, day: date, number: int, cell: int) -> SquaresGame:
        """Place the card after the first `number` ones in the cell, and return the squares with it.

        Nothing changes if another number of cards is placed, or the cell is filled.
        """
        deck = await self.deck(day)

        async def work(connection: Connection) -> SquaresGame:
            if not number:
                await connection.execute(
                    'INSERT INTO squares ("user", day, cells) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
                    *(user, day.toordinal(), ""),
                )
            game = await _game(connection, user, day, lock="FOR NO KEY UPDATE")
            if len(game.cells) != number or cell in game.cells:
                return game
            cells = (*game.cells, cell)
            total = None
            if len(cells) == CELLS:
                total = count_squares(deck.grid(cells), deck.starter).total
            await connection.execute(
                'UPDATE squares SET cells = $3, total = $4 WHERE "user" = $1 AND day = $2',
                *(user, day.toordinal(), "".join(_DIGITS[each] for each in cells), total),
            )
            return await _game(connection, user, day)

        return await self._database.write(work)

    async def record(self, user: int, day: date) -> SquaresRecord:
        """The sums of the person's finished days, with the streak up to `day`."""
        rows = await self._database.read_one(
            lambda connection: connection.fetch(
                """
                SELECT day, total FROM squares
                WHERE "user" = $1 AND total IS NOT NULL AND day BETWEEN 1 AND $2
                """,
                *(user, _LAST_DAY),
            )
        )
        return SquaresRecord.of({date.fromordinal(row["day"]): row["total"] for row in rows}, day)

    async def best(self, day: date) -> int | None:
        """The best total of that day; `None` before the search."""
        best: int | None = await self._database.read_one(
            lambda connection: connection.fetchval(
                "SELECT best FROM squares_best WHERE day = $1", day.toordinal()
            )
        )
        return best

    async def keep_best(self, day: date, best: int) -> None:
        """Store the best total of that day. Deletes where the squares of old days were shared."""

        async def work(connection: Connection) -> None:
            await connection.execute(
                "INSERT INTO squares_best (day, best) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                *(day.toordinal(), best),
            )
            await connection.execute("DELETE FROM squares_shared WHERE day < $1", day.toordinal() - _KEPT)

        await self._database.write(work)

    async def claim_share(self, guild: int, user: int, day: date) -> bool:
        """Claim the person's one share of that day in the server; False if it is claimed already."""
        claimed = await self._database.write(
            lambda connection: connection.fetchval(
                """
                INSERT INTO squares_shared (guild, "user", day)
                SELECT $1, $2::bigint, $3::bigint
                WHERE EXISTS (SELECT 1 FROM squares WHERE "user" = $2 AND day = $3 FOR KEY SHARE)
                ON CONFLICT DO NOTHING RETURNING 1
                """,
                *(guild, user, day.toordinal()),
            )
        )
        return claimed is not None

    async def release_share(self, guild: int, user: int, day: date) -> None:
        """Release the claim, since the post has failed."""
        await self._database.write(
            lambda connection: connection.execute(
                'DELETE FROM squares_shared WHERE guild = $1 AND "user" = $2 AND day = $3',
                *(guild, user, day.toordinal()),
            )
        )


async def _game(connection: Connection, user: int, day: date, *, lock: str = "") -> SquaresGame:
    """The person's squares; none for damaged ones, which then begin again."""
    written = await connection.fetchval(
        f'SELECT cells FROM squares WHERE "user" = $1 AND day = $2 {lock}',  # noqa: S608 -- of ours
        *(user, day.toordinal()),
    )
    cells = tuple(_DIGITS.find(each) for each in written or "")
    is_whole = len({*cells}) == len(cells) and -1 not in cells
    return SquaresGame(day=day, cells=cells if is_whole else ())
