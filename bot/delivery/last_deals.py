"""What the last deal came to, for each player's message by DM: made once a deal, and kept (LRU)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cachetools import LRUCache

from bot.delivery.illustrator import Illustrator
from bot.delivery.snapshots import DealSnapshot
from bot.model.table_record import TableRecord
from bot.render.messages.last_deal import LastDeal, last_deal, last_deal_of
from bot.render.text.voice import Voice
from engine import Seat, TableView

_KEPT = 2_000
"""Players whose last deal is kept; for any other it is made once more."""


@dataclass(frozen=True, slots=True)
class _Facts:
    """What it is made from; the voice is told by its identity."""

    deal: int
    names: tuple[str, ...]
    voice: Voice
    has_picture: bool


class LastDeals:
    """The heads of messages by DM."""

    def __init__(self, illustrator: Illustrator) -> None:
        self._illustrator = illustrator
        self._kept: LRUCache[tuple[str, Seat], tuple[_Facts, LastDeal | None]] = LRUCache(_KEPT)

    async def of(
        self,
        record: TableRecord,
        table: TableView,
        deals: Callable[[int], DealSnapshot],
        seat: Seat,
        voice: Voice,
        *,
        has_picture: bool,
    ) -> LastDeal | None:
        """The deal that was played to its end last, from the table as it stands; nothing before there is one.

        `deals` gives the deal of a number. The same object comes again as long as nothing has changed.
        """
        number = last_deal_of(table)
        if not number:
            return None
        key, facts = (record.game, seat), _Facts(number, record.names, voice, has_picture)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == facts:
            return kept[1]
        deal = deals(number)
        show = None
        if has_picture:
            show = await self._illustrator.show(record, deal.table, deal.events, voice)
        made = last_deal(record, deal.table, deal.events, seat, voice, deal=number, show=show)
        self._kept[key] = facts, made
        return made

    def forget(self, game: str) -> None:
        """That game has ended."""
        for key in [key for key in self._kept if key[0] == game]:
            del self._kept[key]
