"""What leaderboards and statistics show, from rows: what is the same in every kind of database. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bot.standings.careers import Record
from bot.standings.leaderboards import Tally
from bot.standings.ratings import Rating, RatingChange
from bot.standings.results import SeatRating
from bot.store.connection import Row
from bot.store.damage import leave_out
from bot.store.finished_games import best_hand, is_rating
from engine.computer import Level


def records_of(rows: Iterable[Row]) -> dict[Level, Record]:
    """By level, the weakest first: the games against it. A line in the log for a level that there is not."""
    found = {row["level"]: Record(row["games"], row["wins"]) for row in rows}
    if found.keys() - {level.value for level in Level}:
        leave_out("computer_records")
    return {level: found[level.value] for level in Level if level.value in found}


def seat_rating_of(row: Row) -> SeatRating | None:
    """What a game did to the rating of a seat's player, if it is rated."""
    if row["before"] is None:
        return None
    return SeatRating(
        change=RatingChange(before=row["before"], after=row["after"]), is_hidden=bool(row["hidden"])
    )


def tally_of(row: Row) -> Tally:
    """What somebody's games come to on a leaderboard."""
    rated = (row["mu"], row["sigma"], row["rated"])
    return Tally(
        user=row["user"],
        name=row["name"],
        hidden=bool(row["hidden"]),
        games=row["games"],
        wins=row["wins"],
        best=best_hand(row["best_hand"]),
        rating=Rating(*rated) if row["rated"] and is_rating(*rated) else Rating(),
    )
