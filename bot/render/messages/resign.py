"""Resigning: the question to the player, and its replacement afterwards."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import RED, address, button, container, layout, row, text
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Rules, Side, TableView


def resign_drawing(record: TableRecord, table: TableView, voice: Voice) -> Drawing:
    """Asks a player, in private, to confirm their resignation."""
    names = Names.at(record, voice)
    scores = " · ".join(f"{names.side(Side(side))} {score}" for side, score in enumerate(table.scores))
    return layout(
        container(
            text(
                voice.gettext("### Resign?"),
                voice.gettext("{scores}, to {target}.", scores=scores, target=table.rules.target),
                _cost(table.rules, voice),
            ),
            row(
                button(
                    address(record.game, table.deal_number, Verb.RESIGN),
                    voice.gettext("Resign"),
                    style=ButtonStyle.danger,
                ),
                button(address(record.game, table.deal_number, Verb.KEEP), voice.gettext("Keep playing")),
            ),
            colour=RED,
        )
    )


def resigned_drawing(voice: Voice) -> Drawing:
    """Replaces the question when the game was resigned."""
    return layout(container(text(voice.gettext("You resigned.")), colour=RED))


def _cost(rules: Rules, voice: Voice) -> str:
    """Consequence of resigning."""
    if rules.sides > 2:
        return voice.gettext("The game ends for everyone. Of the others, the player in front wins.")
    if rules.captain is not None:
        return voice.gettext("The other side wins this game.")
    if rules.partners:
        return voice.gettext("The other pair wins.")
    return voice.gettext("Your opponent wins.")
