"""Ending a game without a result: the question to the table, and what replaces it afterwards.

Also what replaces a hand while the game rests because the bot was removed from its server. Votes are counted
elsewhere.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.custom_ids import Verb
from bot.model.table_record import TableRecord
from bot.model.votes import Question
from bot.render.drawing import Drawing
from bot.render.layouts import RED, Part, address, button, container, layout, row, subtext, text
from bot.render.text.names import Names
from bot.render.text.resting import resting
from bot.render.text.words import together
from engine import Seat, Side, TableView


def end_drawing(record: TableRecord, table: TableView, agreed: frozenset[Seat]) -> Drawing:
    """Asks everybody at the table to agree that the game is called off; `agreed` are those who do.

    The computer agrees to everything, and is not named.
    """
    names = Names(record.names, table.rules)
    missing = sorted(record.people - agreed)
    agreed &= record.people
    verb = "wishes" if len(agreed) == 1 else "wish"
    return layout(
        container(
            text(
                "### End the game without a result?",
                f"{names.listed(sorted(agreed))} {verb} to call it off.",
                subtext(f"{names.listed(missing)} must agree. Until then the game goes on."),
            ),
            row(
                button(
                    address(record.game, table.deal_number, Verb.END),
                    "Agree to end it",
                    style=ButtonStyle.danger,
                ),
                take_back_button(record, table, Question.END),
            ),
            colour=RED,
        )
    )


def take_back_button(record: TableRecord, table: TableView, about: Question) -> Part:
    """Takes a vote on that question back."""
    return button(address(record.game, table.deal_number, Verb.BACK, about.value), "Take it back")


def taken_back_drawing() -> Drawing:
    """Replaces the question when nobody agrees to it any more."""
    return layout(container(text("Nobody wishes to end the game any more: it goes on."), colour=RED))


def ended_drawing() -> Drawing:
    """Replaces the question when all have agreed."""
    return layout(container(text("All have agreed: the game is called off."), colour=RED))


def resting_drawing(record: TableRecord) -> Drawing:
    """Replaces a hand while the game rests."""
    return layout(container(text(resting(record)), colour=RED))


def called_off_drawing(record: TableRecord, table: TableView) -> Drawing:
    """The last table message of a game that was called off."""
    names = Names(record.names, table.rules)
    scores = " · ".join(together(names.side(Side(side)), score) for side, score in enumerate(table.scores))
    return layout(
        container(
            text(
                "## The game is called off",
                scores,
                subtext("It counts for nobody. `/crib new` begins another."),
            ),
            colour=RED,
        )
    )
