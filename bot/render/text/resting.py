"""The sentence about a game that rests after its server has removed the bot."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice


def resting(record: TableRecord, voice: Voice) -> str:
    """Reason of the rest, and the way to end it."""
    return voice.gettext(
        "This game is on hold: I was removed from {server}. Invite me back within 30 days and it goes on "
        "where you left it.",
        server=escaped(plain(record.place, voice.gettext("the server"))),
    )
