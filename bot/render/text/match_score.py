"""The score of a match: games won by the same players in a series of rematches."""

from __future__ import annotations

from bot.model.match import games_won
from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from bot.render.text.words import listing
from engine import Side, TableView


def match_score(record: TableRecord, table: TableView, names: Names) -> str:
    """The score of the match in one line."""
    won = games_won(record, table)
    score = listing(f"{names.side(Side(side))} {games}" for side, games in enumerate(won))
    return f"Games in the match: {score}"
