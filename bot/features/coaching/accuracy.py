"""A player's accuracy in a finished game, for everybody: no cards, and nothing about the other players."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, container, layout, subtext, text
from bot.render.text.names import Names
from bot.render.text.places import place_of
from bot.render.text.voice import Voice
from engine.coach import Review


def accuracy_drawing(record: TableRecord, review: Review, voice: Voice) -> Drawing:
    """The accuracy of the review's player."""
    return layout(
        container(
            text(
                voice.gettext(
                    "**{player}** · accuracy **{percent}**",
                    player=Names.at(record, voice)[review.seat],
                    percent=voice.language.percent(shown_accuracy(review)),
                ),
                subtext(place_of(record, voice)),
            ),
            colour=BAIZE,
        )
    )


def shown_accuracy(review: Review) -> float:
    """The accuracy as a share; 1 only for those who always chose the best."""
    accuracy = review.accuracy or 0.0
    return min(accuracy, 0.99) if review.dearest else accuracy
