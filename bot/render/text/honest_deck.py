"""Lines about a game's honest deck in its messages, for a later check."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import NOTED_DIGITS


def commitment_line(record: TableRecord, voice: Voice) -> str:
    """The commitment of a deck of the first scheme, in the game's first message; empty for any other."""
    if record.commitment is None:
        return ""
    # One word of code: a phone would break the line at a space.
    return voice.gettext("`deck:{commitment}`", commitment=record.commitment)


def deck_on_deal(record: TableRecord, deal: int, voice: Voice, *, named: bool) -> Iterator[str]:
    """The seal in the messages of the first deal (0 before it); the commitment, in the first scheme.

    `named` puts a line above the seal that says what it is. The first scheme shows the commitment only in a
    game that begins with that message, without a lobby.
    """
    if deal > 1 or not record.has_deck:
        return
    if record.commitment is not None:
        if record.begins:
            yield commitment_line(record, voice)
    elif record.seal is not None:
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
