"""Resigning: the question to the player, and what replaces it afterwards."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import RED, address, button, container, layout, row, text
from bot.render.text.names import Names
from engine import Side, TableView


def resign_drawing(record: TableRecord, table: TableView) -> Drawing:
    """Asks a player, in private, to confirm that they resign."""
    names = Names(record.names, table.rules)
    scores = " · ".join(f"{names.side(Side(side))} {score}" for side, score in enumerate(table.scores))
    cost = (
        "It gives the game to the other side." if table.rules.sides == 2 else "It ends the game for everyone."
    )
    return layout(
        container(
            text("## Resign the game?", f"{scores}, to {table.rules.target}.", cost),
            row(
                button(
                    address(record.game, table.deal_number, Verb.RESIGN), "Resign", style=ButtonStyle.danger
                ),
                button(address(record.game, table.deal_number, Verb.KEEP), "Play on"),
            ),
            colour=RED,
        )
    )


def resigned_drawing() -> Drawing:
    """Replaces the question when the game was resigned."""
    return layout(container(text("You have resigned the game."), colour=RED))
