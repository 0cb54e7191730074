"""Lines about a game's honest deck in its messages, for a later check."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.voice import Voice


def commitment_line(record: TableRecord, voice: Voice) -> str:
    """The commitment, in the game's first message; empty for a table older than honest decks."""
    if record.commitment is None:
        return ""
    # One word of code: a phone would break the line at a space.
    return voice.gettext("`deck:{commitment}`", commitment=record.commitment)


def commitment_on_deal(record: TableRecord, deal: int, voice: Voice) -> str:
    """The commitment in that deal's message (0 before the first), if it is the game's first message."""
    return commitment_line(record, voice) if record.begins and deal <= 1 else ""
