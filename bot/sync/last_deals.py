"""What the last deal came to, for each player's message by DM: made once a deal."""

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
    """What it is made from; the voice is told by its identity."""

    deal: int
    names: tuple[str, ...]
    voice: Voice
    has_picture: bool


class LastDeals:
    """The heads of messages by DM."""

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
        """The deal that was played to its end last, from the table as it stands; nothing before there is one.

        `deals` gives the deal of a number, and `state` keeps what was made: the same object comes again
        as long as nothing has changed.
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
