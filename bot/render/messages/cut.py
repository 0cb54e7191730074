"""The buttons by which a player cuts the pack: five places, from a thin packet to a thick one."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.layouts import Part, address, button, row
from bot.render.text.voice import Voice
from engine import CUT_LEAVES, PACK, TableView

_THICKNESSES = ("▁", "▂", "▄", "▆", "█")
"""How thick a packet each button lifts off."""


def cut_buttons(record: TableRecord, table: TableView, voice: Voice) -> Part | None:
    """A row of five places to cut at, for the hand of the player who cuts, and for the table."""
    first, *between, last = _THICKNESSES
    labels = (
        voice.say("{picture} Thin", picture=first),
        *between,
        voice.say("{picture} Thick", picture=last),
    )
    return row(
        *(
            button(
                address(record.game, table.deal_number, Verb.CUT, str(place)),
                label,
                style=ButtonStyle.success,
            )
            for place, label in zip(places_offered(table), labels, strict=True)
        )
    )


def places_offered(table: TableView) -> tuple[int, ...]:
    """Five places, evenly apart from the thinnest packet that may be lifted off to the thickest.

    A place is the number of cards that are lifted off. How many cards are left to cut everybody knows.
    """
    left = len(PACK) - sum(table.hand_sizes) - table.crib_size
    thinnest, thickest = CUT_LEAVES, left - CUT_LEAVES
    steps = len(_THICKNESSES) - 1
    return tuple(thinnest + (thickest - thinnest) * step // steps for step in range(steps + 1))
