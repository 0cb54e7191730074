"""The buttons by which a player cuts the pack: five places, from a thin packet to a thick one.

Each has the number of cards that are lifted off, as `/crib cut place:` does: a screen reader says it, and all
five fit into one row of a phone.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.layouts import Part, address, button, row
from bot.render.text.voice import Voice
from engine import CUT_LEAVES, PACK, TableView

_PLACES = 5
"""As many as buttons fit into a row."""


def cut_buttons(record: TableRecord, table: TableView, voice: Voice) -> Part | None:
    """A row of five places to cut at, for the hand of the player who cuts, and for the table."""
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
    """The places, evenly apart from the thinnest packet that may be lifted off to the thickest.

    A place is the number of cards that are lifted off. How many cards are left to cut everybody knows.
    """
    left = len(PACK) - sum(table.hand_sizes) - table.crib_size
    thinnest, thickest = CUT_LEAVES, left - CUT_LEAVES
    steps = _PLACES - 1
    return tuple(thinnest + (thickest - thinnest) * step // steps for step in range(steps + 1))
