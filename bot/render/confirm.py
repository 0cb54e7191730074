"""The question before a game is given up."""

from __future__ import annotations

from discord import ButtonStyle, ui

from bot.identifiers import Verb
from bot.records import TableRecord
from bot.render.layouts import RED, address, button, container, layout, row, text
from engine import TableView


def resign_layout(record: TableRecord, table: TableView) -> ui.LayoutView:
    """Asks a player whether he means to give the game up."""
    loses = "You and your partner lose" if table.rules.partners else "You lose"
    return layout(
        container(
            text(
                "### Give the game up?",
                f"{loses} one game, whatever the score. Nobody can take it back.",
            ),
            row(
                button(
                    address(record.game, table.deal_number, Verb.RESIGN), "Resign", style=ButtonStyle.danger
                ),
                button(address(record.game, table.deal_number, Verb.KEEP), "Play on"),
            ),
            colour=RED,
        )
    )


def resigned_layout() -> ui.LayoutView:
    """What stands in place of the question when it was answered with yes."""
    return layout(container(text("You have resigned. The table has been told."), colour=RED))
