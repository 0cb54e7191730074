"""`move`: copies a database into another one, of either kind, and verifies the copy.

The target appears whole or not at all: rows are counted and logs compared before the commit. The source does
not change. Both are locked, so that no bot runs on them in the meantime, whose writes would be missed.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.errors import NotCopied
from bot.store.copies import AT_ONCE, COUNTED, TABLES, Copied, CopyRefused, digests
from bot.store.drivers.sqlite import copying as files
from bot.store.opening import only_bot_on, require_asyncpg


@dataclass(frozen=True, slots=True)
class Moved:
    """The number of rows and logs that were copied."""

    rows: int
    logs: int


async def move(source: DatabaseAddress, target: DatabaseAddress, patience: float | None = None) -> Moved:
    """Copy all of `source` into `target`, which must be empty.

    `patience` is the time (s) to wait for a bot that runs on one of them. Raises `NotCopied`,
    `DatabaseInUse`, `DatabaseTooNew`, `DatabaseOfDevelopment`, `DatabaseTooOld`, `DatabaseUnusable` and
    `LibraryLacking`.
    """
    if source == target:
        raise NotCopied(source, target, "both are the same")
    try:
        async with (
            only_bot_on(source, patience),
            only_bot_on(target, patience),
            _reading(source) as one,
            _filling(target) as other,
        ):
            rows = sum([await _copy(table, one, other) for table in TABLES])
            for table in COUNTED:
                await other.number_from(table, await one.last_number(table))
            return Moved(rows=rows, logs=await _compare_logs(one, other))
    except CopyRefused as error:
        raise NotCopied(source, target, str(error)) from None


def _reading(address: DatabaseAddress) -> AbstractAsyncContextManager[Copied]:
    if not isinstance(address, PostgresAddress):
        return files.copied_from(address)
    require_asyncpg(address)
    from bot.store.drivers.postgresql import copying  # noqa: PLC0415 -- only for PostgreSQL

    return copying.copied_from(address)


def _filling(address: DatabaseAddress) -> AbstractAsyncContextManager[Copied]:
    if not isinstance(address, PostgresAddress):
        return files.copied_to(address)
    require_asyncpg(address)
    from bot.store.drivers.postgresql import copying  # noqa: PLC0415 -- only for PostgreSQL

    return copying.copied_to(address)


async def _copy(table: str, one: Copied, other: Copied) -> int:
    """Copy a table, and return its number of rows."""
    columns = await one.columns(table)
    if set(columns) != set(await other.columns(table)):
        raise CopyRefused(f"{table} has other columns there")
    async for rows in one.rows(table, columns):
        await other.write(table, columns, rows)
    counts = await one.count(table), await other.count(table)
    if counts[0] != counts[1]:
        raise CopyRefused(f"{table} has {counts[0]} rows, and its copy {counts[1]}")
    return counts[0]


async def _compare_logs(one: Copied, other: Copied) -> int:
    """Return the number of logs. Raises `CopyRefused` for a log that differs."""
    compared = 0
    async for rows in one.rows("games", ("id",)):
        for first in range(0, len(rows), AT_ONCE):
            games = [game for (game,) in rows[first : first + AT_ONCE]]
            logs = digests(await one.logs(games))
            copies = digests(await other.logs(games))
            if logs != copies:
                differing = sorted(game for game in games if logs.get(game) != copies.get(game))
                raise CopyRefused(f"the log of {differing[0]} is another one in the copy")
            compared += len(logs)
    return compared
