"""Cache of a game's hands: the answer to a press draws a hand, and the sync after it needs it again.

It keeps the last drawing of each hand with the facts it was drawn from. Drawings with remarks and questions
are not kept, as none is needed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.preferences import Preferences
from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.hand import hand_drawing
from bot.render.messages.last_deal import LastDeal
from bot.render.text.explaining import Heard
from bot.render.text.voice import Voice
from engine import Cards, PlayerView, PublicEvent, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """The facts that a hand is drawn from. A game makes one view of a seat for each version of its log."""

    record: TableRecord
    view: PlayerView
    voice: Voice
    table_url: str | None
    chosen: Cards = field(repr=False)
    likes: Preferences
    last: LastDeal | None

    def are(self, other: _Facts) -> bool:
        """True if the facts are equal; by identity where comparison would take longer than drawing."""
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
        heard: Heard | None = None,
        dm: bool,
    ) -> Drawing:
        """A hand without remark or question, as `hand_drawing` draws it; cached by its facts.

        `events` and `heard` are no facts of their own: they follow from the view's version.
        """
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
            heard=heard,
            dm=dm,
        )
        self._drawn[key] = facts, drawing
        return drawing
