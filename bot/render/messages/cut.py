"""The buttons for cutting the pack: five places, from a thin packet to a thick one.

A button's label is the number of cards lifted off, as in `/crib cut place:`: screen readers read it, and all
five fit one row of a phone.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.layouts import Part, address, button, row
from bot.render.text.voice import Voice
from engine import CUT_LEAVES, PACK, TableView

_PLACES = 5
"""Discord's limit of buttons in a row."""


def cut_buttons(record: TableRecord, table: TableView, voice: Voice) -> Part | None:
    """The row of places to cut at, for the cutter's hand and for the table."""
    return row(
        *(
            button(
                address(record.game, table.deal_number, Verb.CUT, str(place)),
                voice.number(place),
                style=ButtonStyle.success,
            )
            for place in places_offered(table)
        )
    )


def places_offered(table: TableView) -> tuple[int, ...]:
    """Places at even distances, from the thinnest packet that may be lifted off to the thickest.

    A place is a number of cards. The number of cards left in the pack is public.
    """
    left = len(PACK) - sum(table.hand_sizes) - table.crib_size
    thinnest, thickest = CUT_LEAVES, left - CUT_LEAVES
    steps = _PLACES - 1
    return tuple(thinnest + (thickest - thinnest) * step // steps for step in range(steps + 1))
