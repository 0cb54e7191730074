"""A cache of hands: an answer draws the hand of the player who pressed, and the sync after it wants the same.

It keeps the last drawing of each hand, by what it was drawn from. Remarks and questions are not kept: none is
drawn twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.preferences import Preferences
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.hand import hand_drawing
from bot.render.messages.last_deal import LastDeal
from bot.render.text.voice import Voice
from engine import Cards, PlayerView, PublicEvent, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """What a hand is drawn from. A game makes one view of a seat at each version of its log."""

    record: TableRecord
    view: PlayerView
    voice: Voice
    table_url: str | None
    chosen: Cards = field(repr=False)
    likes: Preferences
    last: LastDeal | None

    def are(self, other: _Facts) -> bool:
        """Whether these are the same, by identity where comparing would take longer than drawing."""
        is_same = (
            self.record is other.record
            and self.view is other.view
            and self.voice is other.voice
            and self.last is other.last
        )
        of_player = self.chosen == other.chosen and self.likes == other.likes
        return is_same and of_player and self.table_url == other.table_url


class HandCache:
    """Draws the hands of one game."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[Seat, bool], tuple[_Facts, Drawing]] = {}

    def draw(
        self,
        record: TableRecord,
        view: PlayerView,
        voice: Voice,
        *,
        table_url: str | None,
        events: Sequence[PublicEvent],
        chosen: Cards = (),
        likes: Preferences,
        last: LastDeal | None = None,
        dm: bool,
    ) -> Drawing:
        """A hand without a remark or a question on it, as `hand_drawing` draws it."""
        key = view.seat, dm
        facts = _Facts(
            record=record,
            view=view,
            voice=voice,
            table_url=table_url,
            chosen=chosen,
            likes=likes,
            last=last,
        )
        drawn = self._drawn.get(key)
        if drawn is not None and drawn[0].are(facts):
            return drawn[1]
        drawing = hand_drawing(
            record,
            view,
            voice,
            table_url=table_url,
            events=events,
            chosen=chosen,
            likes=likes,
            last=last,
            dm=dm,
        )
        self._drawn[key] = facts, drawing
        return drawing
