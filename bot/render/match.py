"""The match: games won by the same people, one table after the other."""

from __future__ import annotations

from bot.records import TableRecord
from bot.render.names import Names
from bot.render.words import listing
from engine import Side, TableView


def games_won(record: TableRecord, table: TableView) -> tuple[int, ...]:
    """By side: the games of the match so far, this one included once it is over."""
    won = list(record.won_before or (0,) * table.rules.sides)
    if table.result is not None:
        won[table.result.winner] += table.result.games
    return tuple(won)


def match_score(record: TableRecord, table: TableView, names: Names) -> str:
    """The score of the match in a line."""
    won = games_won(record, table)
    score = listing(f"{names.side(Side(side))} {games}" for side, games in enumerate(won))
    return f"Games in the match: {score}"
