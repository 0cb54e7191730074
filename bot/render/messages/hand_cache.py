"""A cache of hands: an answer draws the hand of the player who pressed, and the sync after it wants the same.

It keeps the last drawing of each hand, by what it was drawn from. Drafts are not kept: none is drawn twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model.table_record import TableRecord
from bot.render.drawing import Drawing
from bot.render.messages.hand import hand_drawing
from bot.render.text.voice import Voice
from engine import PlayerView, PublicEvent, Seat


@dataclass(frozen=True, slots=True)
class _Drawn:
    record: TableRecord
    view: PlayerView
    voice: Voice
    table_url: str | None
    dms_closed: bool
    drawing: Drawing = field(repr=False)

    def is_of(
        self, record: TableRecord, view: PlayerView, voice: Voice, table_url: str | None, *, dms_closed: bool
    ) -> bool:
        """Whether it was drawn from the same. A game makes one view of a seat at each version of its log."""
        is_same = self.record is record and self.view is view and self.voice is voice
        return is_same and self.table_url == table_url and self.dms_closed is dms_closed


class HandCache:
    """Draws the hands of one game."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[Seat, bool], _Drawn] = {}

    def draw(
        self,
        record: TableRecord,
        view: PlayerView,
        voice: Voice,
        *,
        table_url: str | None,
        events: Sequence[PublicEvent],
        dm: bool,
        dms_closed: bool = False,
    ) -> Drawing:
        """A hand without a draft on it, as `hand_drawing` draws it."""
        key = view.seat, dm
        last = self._drawn.get(key)
        if last is not None and last.is_of(record, view, voice, table_url, dms_closed=dms_closed):
            return last.drawing
        drawing = hand_drawing(
            record, view, voice, table_url=table_url, events=events, dm=dm, dms_closed=dms_closed
        )
        self._drawn[key] = _Drawn(record, view, voice, table_url, dms_closed, drawing)
        return drawing
