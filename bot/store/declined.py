"""Who takes whose challenges no more; see `bot.store.declining`."""

from __future__ import annotations

from bot.model.declined import Declined
from bot.store.connection import Connection
from bot.store.declining import EVERYBODY, digest


async def is_declined(connection: Connection, user: int, challenger: int) -> bool:
    """Whether the person takes no challenge from that one: by name, or as from everybody."""
    statement = 'SELECT EXISTS (SELECT 1 FROM declined WHERE "user" = $1 AND challenger IN ($2, $3))'
    return bool(await connection.fetchval(statement, user, EVERYBODY, digest(user, challenger)))


async def declined_by(connection: Connection, user: int) -> Declined:
    """All that the person has declined."""
    row = await connection.fetchrow(
        """
        SELECT count(*) FILTER (WHERE challenger = $2) AS everybody,
            count(*) FILTER (WHERE challenger != $2) AS people
        FROM declined WHERE "user" = $1
        """,
        user,
        EVERYBODY,
    )
    return Declined(everybody=bool(row["everybody"]), people=row["people"])


async def decline(connection: Connection, user: int, challenger: int | None) -> None:
    """Take no challenge from that person any more, or, with `None`, from anybody."""
    statement = 'INSERT INTO declined ("user", challenger) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    await connection.execute(statement, user, digest(user, challenger))


async def accept(connection: Connection, user: int, challenger: int | None) -> None:
    """Take challenges from that person again, if not from everybody; with `None`, all from everybody."""
    if challenger is None:
        await connection.execute('DELETE FROM declined WHERE "user" = $1', user)
    else:
        statement = 'DELETE FROM declined WHERE "user" = $1 AND challenger = $2'
        await connection.execute(statement, user, digest(user, challenger))
