"""The projection's rows: written from results, read as appearances. Plain functions in a transaction."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

from bot.model.table_record import Occupant
from bot.standings.careers import Record
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.ratings import Kind, Rating, rated
from bot.standings.results import Appearance, GameResult, SeatResult
from engine import Seat, Side, Skunk, card, cards, spell
from engine.computer import Level

TABLES = {
    "results": "number",
    "result_seats": "number, seat",
    "ratings": "guild, kind, user",
}
"""The tables of the projection, and the order of their rows."""

_SKUNKS = {"skunked": Skunk.SKUNK, "doubled": Skunk.DOUBLE, "lurched": Skunk.LURCH}
_COLUMNS = (
    "number, seat, user, computer, side, won, score, skunk, skunked, doubled, lurched, "
    "dealer_deals, dealer_pegged, dealer_hands, dealer_points, "
    "other_deals, other_pegged, other_hands, other_points, "
    "cribs, crib_points, muggins, best, best_cards, best_starter"
)


def insert(
    connection: sqlite3.Connection, address: sqlite3.Row, result: GameResult, players: Sequence[Occupant]
) -> None:
    """Write a result; `address` has the game's number, id, server and time.

    A seat that the computer played at the end is the computer's, whoever sat there before.
    """
    connection.execute(
        """
        INSERT INTO results (number, game, guild, at, seats, winner, ending, deals, with_computer)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(address["number"], address["game"], address["guild"], address["at"]),
            *(len(result.seats), result.winner, result.ending.value, result.deals),
            any(each.level is not None for each in players),
        ),
    )
    rows = [_row(address["number"], each, part) for each, part in zip(players, result.seats, strict=True)]
    places = ", ".join("?" * len(rows[0]))
    # The columns are this module's own.
    connection.executemany(f"INSERT INTO result_seats ({_COLUMNS}) VALUES ({places})", rows)  # noqa: S608


def rate(connection: sqlite3.Connection, guild: int, result: GameResult, users: Sequence[int]) -> None:
    """Bring the players' ratings in the server up to date with the result."""
    kind = Kind.of(len(result.seats))
    sides = [[users[part.seat] for part in side] for side in result.sides]
    before = [[rating(connection, guild, kind, user) for user in side] for side in sides]
    after = rated(before, result.winner)
    connection.executemany(
        """
        INSERT INTO ratings (guild, kind, user, mu, sigma, games) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (guild, kind, user)
        DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games
        """,
        [
            (guild, kind.value, user, new.mu, new.sigma, new.games)
            for side, news in zip(sides, after, strict=True)
            for user, new in zip(side, news, strict=True)
        ],
    )


def rating(connection: sqlite3.Connection, guild: int, kind: Kind, user: int) -> Rating:
    """The person's rating, a newcomer's if there is none."""
    row = connection.execute(
        "SELECT mu, sigma, games FROM ratings WHERE guild = ? AND kind = ? AND user = ?",
        (guild, kind.value, user),
    ).fetchone()
    return Rating(*row) if row else Rating()


def appearances(connection: sqlite3.Connection, user: int, guild: int | None) -> tuple[Appearance, ...]:
    """The person's games with people in the order of finishing; in the server, or everywhere for `None`."""
    rows = connection.execute(
        """
        SELECT result_seats.*, results.seats FROM result_seats JOIN results USING (number)
        WHERE user = ? AND NOT with_computer AND (? IS NULL OR guild = ?) ORDER BY number
        """,
        (user, guild, guild),
    )
    return tuple(
        Appearance(number=row["number"], kind=Kind.of(row["seats"]), part=_part(row))
        for row in rows.fetchall()
    )


def against_computers(connection: sqlite3.Connection, user: int, guild: int | None) -> dict[Level, Record]:
    """The person's games with a computer, by the strongest level at the table, the weakest level first."""
    found = connection.execute(
        """
        SELECT won, (SELECT group_concat(computer) FROM result_seats AS other
                     WHERE other.number = result_seats.number) AS levels
        FROM result_seats JOIN results USING (number)
        WHERE user = ? AND with_computer AND (? IS NULL OR guild = ?)
        """,
        (user, guild, guild),
    ).fetchall()
    order = list(Level)
    by_level: dict[Level, list[int]] = {level: [] for level in order}
    for row in found:
        strongest = max(map(Level, row["levels"].split(",")), key=order.index)
        by_level[strongest].append(row["won"])
    return {level: Record(len(won), sum(won)) for level, won in by_level.items() if won}


def clear(connection: sqlite3.Connection) -> None:
    """Empty the projection."""
    for name in reversed(TABLES):
        connection.execute(f"DELETE FROM {name}")  # noqa: S608 -- this module's own names


def fingerprint(connection: sqlite3.Connection) -> str:
    """A digest of every row of the projection."""
    digest = hashlib.sha256()
    for name, order in TABLES.items():
        for row in connection.execute(f"SELECT * FROM {name} ORDER BY {order}"):  # noqa: S608 -- as above
            digest.update(repr((name, *row)).encode())
    return digest.hexdigest()


def best_hand(points: int | None, held: str | None, starter: str | None) -> BestHand | None:
    """The best hand in three columns."""
    if points is None or held is None or starter is None:
        return None
    return BestHand(points, cards(held), card(starter))


def _row(number: int, player: Occupant, part: SeatResult) -> tuple[object, ...]:
    gained, best = part.figures, part.figures.best
    return (
        *(number, part.seat, player.person, player.level, part.side, part.won, part.score, part.skunk.value),
        *(part.beaten.count(skunk) for skunk in _SKUNKS.values()),
        *_in_role(gained.dealing),
        *_in_role(gained.not_dealing),
        *(gained.cribs, gained.crib_points, gained.muggins),
        *((best.points, spell(best.cards), str(best.starter)) if best else (None, None, None)),
    )


def _in_role(role: InRole) -> tuple[int, int, int, int]:
    return role.deals, role.pegged, role.hands, role.points


def _part(row: sqlite3.Row) -> SeatResult:
    return SeatResult(
        seat=Seat(row["seat"]),
        side=Side(row["side"]),
        won=bool(row["won"]),
        score=row["score"],
        skunk=Skunk(row["skunk"]),
        beaten=tuple(skunk for column, skunk in _SKUNKS.items() for _ in range(row[column])),
        figures=SeatFigures(
            dealing=_role(row, "dealer"),
            not_dealing=_role(row, "other"),
            cribs=row["cribs"],
            crib_points=row["crib_points"],
            muggins=row["muggins"],
            best=best_hand(row["best"], row["best_cards"], row["best_starter"]),
        ),
    )


def _role(row: sqlite3.Row, name: str) -> InRole:
    return InRole(
        deals=row[f"{name}_deals"],
        pegged=row[f"{name}_pegged"],
        hands=row[f"{name}_hands"],
        points=row[f"{name}_points"],
    )
