"""The sentence about a game that rests, because the bot was removed from its server."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.names import escaped, plain


def resting(record: TableRecord) -> str:
    """Why nobody can move, and when they can again."""
    place = escaped(plain(record.place, "the server"))
    return (
        f"The game rests: I was removed from {place}. "
        "It goes on there, with nothing lost, when I am invited again within thirty days."
    )
