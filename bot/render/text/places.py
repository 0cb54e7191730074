"""Place of a table, for messages that are read elsewhere."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.names import escaped, plain
from bot.render.text.voice import Voice


def place_of(record: TableRecord, voice: Voice) -> str:
    """The server's name and a link to the channel, or the words for the bot's DM."""
    if record.is_in_dm:
        return voice.gettext("our direct messages")
    return f"{server_of(record, voice)} <#{record.channel}>"


def server_of(record: TableRecord, voice: Voice) -> str:
    """The server's name."""
    return escaped(plain(record.place, voice.gettext("a server")))
