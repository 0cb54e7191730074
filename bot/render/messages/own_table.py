"""The table in the bot's own DM, where one person plays the computer: table and hand are one message.

That person is its only reader, so it shows the hidden cards of their own view: it cannot contain the
computer's hand, the crib or the pack.
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
from bot.render.text.explaining import Heard
from bot.render.text.voice import Voice
from engine import CardPlayed, Cards, HandShown, PlayerView, PublicEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """The player's unfinished input, which the log does not have."""

    chosen: Cards = field(default=(), repr=False)
    """Cards tapped for the crib but not discarded yet."""
    asked: Asked | None = None
    """The card whose points are to be called."""
    note: str | None = field(default=None, repr=False)
    """A remark, such as the reason why a move was refused."""
    likes: Preferences = field(default_factory=Preferences)


def own_table_drawing(
    record: TableRecord,
    view: PlayerView,
    events: Sequence[PublicEvent],
    voice: Voice,
    *,
    begun: Begun,
    heard: Heard | None = None,
    picture: DrawnFile | None,
    has_lost_moves: bool = False,
) -> Drawing:
    """The deal in hand, of which these are the public events, with the player's hand below it.

    `heard` is there if scores are explained to them. `picture` shows the board, or the hands once one is
    open. See `table_drawing` for `has_lost_moves`.
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
        heard=heard,
        buttons=(plays_button(record, table.deal_number, voice),) if has_calls else (),
    )
    if any(isinstance(event, HandShown) for event in events):
        return show_drawing(
            record, table, events, voice, open=True, show=picture, hand=hand, has_lost_moves=has_lost_moves
        )
    return table_drawing(
        record, table, events, voice, board=picture, hand=hand, has_lost_moves=has_lost_moves
    )
