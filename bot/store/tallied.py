"""Sums of each person's finished games, extended game by game: careers, records and tallies.

A game may be added at either end; its number gives the order of finishing. Functions inside a transaction
that has locked the projection. Forgotten people are in none of the tables.
"""

from __future__ import annotations

from bot.model.table_record import Occupant
from bot.standings.leaderboards import Span
from bot.standings.results import SeatResult
from bot.store.connection import Connection
from bot.store.finished_games import ANY, EVERYWHERE, FinishedGame, career_of, month_number, plain
from engine.computer import Level

TABLES = ("careers", "computer_records", "tallies")
"""The tables of this module."""


async def add(connection: Connection, edition: int, game: FinishedGame) -> None:
    """Add a game that is newer, or older, than all games of the edition."""
    scopes = (EVERYWHERE,) if game.guild is None else (EVERYWHERE, game.guild)
    for player, user, part in game.people:
        for guild in scopes:
            if game.levels:
                await _add_to_record(connection, (edition, guild, user), game.strongest, part)
            else:
                await _add_to_career(connection, (edition, guild, user), game, part)
        if game.guild is not None and not game.levels:
            await _add_to_tallies(connection, (edition, game.guild), player, game, part)


async def remove(connection: Connection, user: int) -> None:
    """Delete a person's sums."""
    for name in TABLES:
        await connection.execute(f'DELETE FROM {name} WHERE "user" = $1', user)  # noqa: S608 -- this module's names


async def _add_to_career(
    connection: Connection, key: tuple[int, int, int], game: FinishedGame, part: SeatResult
) -> None:
    row = await connection.fetchrow(
        'SELECT last, career FROM careers WHERE edition = $1 AND guild = $2 AND "user" = $3', *key
    )
    this = game.career(part)
    last = game.number
    if row is not None:
        kept = career_of(row["career"])
        this = kept + this if game.number > row["last"] else this + kept
        last = max(last, row["last"])
    await connection.execute(
        """
        INSERT INTO careers (edition, guild, "user", last, career) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (edition, guild, "user") DO UPDATE SET last = excluded.last, career = excluded.career
        """,
        *(*key, last, plain(this)),
    )


async def _add_to_record(
    connection: Connection, key: tuple[int, int, int], level: Level, part: SeatResult
) -> None:
    await connection.execute(
        """
        INSERT INTO computer_records AS kept (edition, guild, "user", level, games, wins)
        VALUES ($1, $2, $3, $4, 1, $5)
        ON CONFLICT (edition, guild, "user", level)
        DO UPDATE SET games = kept.games + 1, wins = kept.wins + excluded.wins
        """,
        *(*key, level.value, int(part.won)),
    )


async def _add_to_tallies(
    connection: Connection, scope: tuple[int, int], player: Occupant, game: FinishedGame, part: SeatResult
) -> None:
    best = part.figures.best
    hand = (None, None, None) if best is None else (best.points, plain(best), game.number)
    await connection.executemany(
        """
        INSERT INTO tallies AS kept
            (edition, guild, month, kind, "user", name, last, games, wins, best, best_hand, best_in)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11)
        ON CONFLICT (edition, guild, month, kind, "user") DO UPDATE SET
            name = CASE WHEN excluded.last > kept.last THEN excluded.name ELSE kept.name END,
            last = greatest(kept.last, excluded.last), games = kept.games + 1,
            wins = kept.wins + excluded.wins,
            (best, best_hand, best_in) = (
                SELECT points, hand, number FROM (
                    SELECT kept.best AS points, kept.best_hand AS hand, kept.best_in AS number
                    UNION ALL SELECT excluded.best, excluded.best_hand, excluded.best_in) AS hands
                ORDER BY points DESC NULLS LAST, number LIMIT 1)
        """,
        [
            (
                *(*scope, month_number(span, game.at), kind, player.person, player.name),
                *(game.number, int(part.won), *hand),
            )
            for span in Span
            for kind in (ANY, game.kind.value)
        ],
    )
