"""The score of a match: games won by the same players in a series of rematches."""

from __future__ import annotations

from bot.model.match import games_won
from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Side, TableView


def match_score(record: TableRecord, table: TableView, names: Names, voice: Voice) -> str:
    """The score of the match in one line."""
    won = games_won(record, table)
    score = " · ".join(f"{names.side(Side(side))} {games}" for side, games in enumerate(won))
    return voice.say("Games: {score}", score=score)
