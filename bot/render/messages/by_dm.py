"""A player's message by DM besides their hand: the line that rings, and the pointer to the table.

A phone's notification shows the text of a new message, and a message of components has none. So a message
that should ring starts as a line of plain text, and an edit draws the hand over it.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, address, button, container, layout, row, text
from bot.render.text.turn import counts_now, is_crib
from bot.render.text.voice import Voice
from engine import PlayerView, SayGo, Stage


def ringing_line(view: PlayerView, voice: Voice) -> str:
    """Text of a new message for a locked phone; names no card."""
    table = view.table
    if view.seat not in table.waiting_for:
        return voice.gettext("Your cards are here")
    match table.stage:
        case Stage.DISCARDING:
            return voice.ngettext(
                "Your turn: discard {number} card",
                "Your turn: discard {number} cards",
                table.rules.discarded,
            )
        case Stage.CUTTING | Stage.CUTTING_FOR_DEAL:
            return voice.gettext("Your turn: cut the deck")
        case Stage.PLAYING if SayGo in view.legal_moves.kinds:
            return voice.gettext("Your turn: say go")
        case Stage.PLAYING:
            return voice.gettext("Your turn: play a card")
        case Stage.DEALING:
            return voice.gettext("Your turn: deal the cards")
        case Stage.SHOWING if counts_now(table) == view.seat and is_crib(table):
            return voice.gettext("Your turn: count your crib")
        case Stage.SHOWING if counts_now(table) == view.seat:
            return voice.gettext("Your turn: count your hand")
        case _:
            return voice.gettext("Your turn")


def at_the_table_drawing(record: TableRecord, voice: Voice) -> Drawing:
    """Message of a player who plays at the table; the same in every deal."""
    return layout(
        container(
            text(voice.gettext("You're playing in {channel}.", channel=f"<#{record.channel}>")),
            row(
                button(
                    address(record.game, 0, Verb.HAND),
                    voice.gettext("Play here instead"),
                    style=ButtonStyle.primary,
                )
            ),
            colour=BAIZE,
        )
    )
