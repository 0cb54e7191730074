"""Lines about a game's honest deck in its messages, for a later check."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import NOTED_DIGITS


def deck_on_deal(record: TableRecord, deal: int, voice: Voice, *, named: bool) -> Iterator[str]:
    """The seal in the messages of the first deal (0 before it).

    `named` puts a line above the seal that says what it is.
    """
    if deal <= 1 and record.seal is not None:
        if named:
            yield voice.gettext("Sealed deck, which {fair} checks:", fair=voice.command("crib fair"))
        # One line on a phone, where any word beside it would break it in two.
        yield f"`{record.seal[:NOTED_DIGITS]}`"


def words_given(record: TableRecord, voice: Voice) -> Iterator[str]:
    """The lobby's line about the players' words for the deck, in their order."""
    names = Names.at(record, voice)
    if record.words:
        givers = ", ".join(names[seat] for seat in record.words)
        yield voice.gettext("Words for the deck, in this order: {players}", players=givers)
    elif record.words_dropped:
        yield voice.gettext("The table has changed, so the words for the deck are gone. Take new ones.")
