"""The reminder that mentions a player when it is their turn. When it is sent is decided in `delivery`."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from engine import Stage, TableView


def nudge(
    user_id: int, table: TableView, record: TableRecord, url: str | None, due: int | None = None
) -> str:
    """The reminder, with the table's `url`.

    `due` is when the clock moves for the player, in seconds of Unix time; Discord shows it as a countdown.
    """
    seat = record.seat_of(user_id)
    where = f" {url}" if url else ""
    clock = f" The clock moves for you <t:{due}:R>." if due is not None else ""
    return f"<@{user_id}>, {_what(table, is_dealer=seat == table.dealer)}.{clock}{where}"


def _what(table: TableView, *, is_dealer: bool) -> str:
    match table.stage:
        case Stage.CUTTING_FOR_DEAL:
            return "it is yours to cut for the deal"
        case Stage.DEALING:
            return "it is yours to deal"
        case Stage.DISCARDING:
            return f"the table waits for your cards to {'your own' if is_dealer else 'the'} crib"
        case Stage.CUTTING:
            return "it is yours to cut"
        case Stage.PLAYING:
            return (
                f"it is your turn, and the count is {table.count}" if table.count else "it is yours to lead"
            )
        case Stage.SHOWING:
            return "the show waits for you"
        case Stage.OVER:
            return "the game is over"
