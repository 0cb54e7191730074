"""What stands on messages about the deck that a game is played with, so that it can be checked later."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.text.voice import Voice

HEAD_SHOWN = 24
"""Hexadecimal digits of a head that stand on the result, in a line on a phone: nobody can make another log
that leads to the same 96 bits."""


def commitment_line(record: TableRecord, voice: Voice) -> str:
    """What the game's first message shows; empty for a table from before honest decks."""
    if record.commitment is None:
        return ""
    # One word of code: a phone breaks the line before the digits at any space.
    return voice.say("`deck:{commitment}`", commitment=record.commitment)


def commitment_on_deal(record: TableRecord, deal: int, voice: Voice) -> str:
    """The same for the message of that deal, 0 before the first: the first where a game began at once."""
    return commitment_line(record, voice) if record.begins and deal <= 1 else ""


def head_line(head: str | None, voice: Voice) -> str:
    """What the last message of a game shows: how the `head` of its log begins; empty without a deck."""
    return "" if head is None else f"{voice.command('crib fair')} `{head[:HEAD_SHOWN]}`"
