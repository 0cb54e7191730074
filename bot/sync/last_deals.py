"""The last deal's result, which heads each player's message by DM: computed once a deal, and cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.model.table_record import TableRecord
from bot.render.messages.last_deal import LastDeal, last_deal, last_deal_of
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from bot.sync.snapshots import DealSnapshot
from bot.sync.table_state import TableState
from engine import Seat, TableView


@dataclass(frozen=True, slots=True)
class _Facts:
    """The cache key; voices compare by identity."""

    deal: int
    names: tuple[str, ...]
    voice: Voice
    has_picture: bool


class LastDeals:
    """Computes and caches the heads of messages by DM."""

    def __init__(self, illustrator: Illustrator) -> None:
        self._illustrator = illustrator

    async def of(
        self,
        state: TableState,
        record: TableRecord,
        table: TableView,
        deals: Callable[[int], DealSnapshot],
        *,
        seat: Seat,
        voice: Voice,
        has_picture: bool,
    ) -> LastDeal | None:
        """The result of the last deal that was played to its end; `None` before there is one.

        `deals` returns the deal of a number. `state` is the cache: an unchanged result is the same object.
        """
        number = last_deal_of(table)
        if not number:
            return None
        facts = _Facts(number, record.names, voice, has_picture)
        kept = state.last_deals.get(seat)
        if kept is not None and kept[0] == facts:
            return kept[1]
        deal = deals(number)
        show = None
        if has_picture:
            show = await self._illustrator.show(record, deal.table, deal.events, voice)
        made = last_deal(record, deal.table, deal.events, seat, voice, deal=number, show=show)
        state.last_deals[seat] = facts, made
        return made
