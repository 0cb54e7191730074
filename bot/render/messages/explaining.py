"""*What was that?*, and the answer to turning explanations on or off: for one player alone."""

from __future__ import annotations

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, address, button, container, layout, row, text
from bot.render.text.explaining import Heard, told_in_full
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import Seat, TableView


def what_was_that_drawing(
    record: TableRecord, table: TableView, heard: Heard, seat: Seat, voice: Voice
) -> Drawing:
    """The last thing that happened: who did what, why it scored, and the rule."""
    said: tuple[str, ...] = (voice.gettext("Nothing has happened yet."),)
    if heard.last is not None:
        said = told_in_full(heard.last, table.rules, seat, Names.at(record, voice), voice)
    return layout(container(text(*said), row(explain_button(record, seat, voice)), colour=BAIZE))


def explaining_drawing(record: TableRecord, seat: Seat, voice: Voice) -> Drawing:
    """Confirmation that scores are explained to the player from now on, or not."""
    said = (
        voice.gettext("From now on your hand explains each score of this game.")
        if record.occupants[seat].is_explained_to
        else voice.gettext("Your hand explains this game no more.")
    )
    return layout(container(text(said), row(explain_button(record, seat, voice)), colour=BAIZE))


def explain_button(record: TableRecord, seat: Seat, voice: Voice) -> Part:
    """The button that turns explanations in a game off or on again."""
    if record.occupants[seat].is_explained_to:
        return button(address(record.game, 0, Verb.EXPLAIN, "off"), voice.gettext("Stop explaining"))
    return button(address(record.game, 0, Verb.EXPLAIN, "on"), voice.gettext("Explain"))
