"""The table in the bot's own DM, where one person plays the computer: table and hand are one message.

It is that person's alone, so what it shows of hidden cards is what their own view has: nothing of the
computer's hand can come here, nor of the crib and the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.preferences import Preferences
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.hand import Asked, hand_parts
from bot.render.messages.show import show_drawing
from bot.render.messages.table import plays_button, table_drawing
from bot.render.text.voice import Voice
from engine import CardPlayed, Cards, HandShown, PlayerView, PublicEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What the player has begun and not done yet, which the log does not know."""

    chosen: Cards = field(default=(), repr=False)
    """The cards tapped for the crib and not discarded yet."""
    asked: Asked | None = None
    """The card whose points are to be called."""
    note: str | None = field(default=None, repr=False)
    """A remark, such as why a move was refused."""
    likes: Preferences = field(default_factory=Preferences)


def own_table_drawing(
    record: TableRecord,
    view: PlayerView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    begun: Begun,
    picture: DrawnFile | None,
) -> Drawing:
    """The deal in hand, of which these are the public events, with the hand of the player below it.

    `picture` is of the board, or of the hands once one is shown.
    """
    table = view.table
    has_calls = any(isinstance(event, CardPlayed) for event in events)
    hand = hand_parts(
        record,
        view,
        voice,
        events=events,
        chosen=begun.chosen,
        asked=begun.asked,
        note=begun.note,
        likes=begun.likes,
        buttons=(plays_button(record, table.deal_number, voice),) if has_calls else (),
    )
    if any(isinstance(event, HandShown) for event in events):
        return show_drawing(record, table, events, voice, open=True, show=picture, hand=hand)
    return table_drawing(record, table, events, voice, board=picture, hand=hand)
