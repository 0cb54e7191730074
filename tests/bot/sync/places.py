"""Permissions without a gateway: no channel is shut."""

from __future__ import annotations

from bot.model.table_record import TableRecord
from bot.sync.circuit_breaker import Standing


class NothingIsShut:
    """Permissions to write everywhere, unless a test changes `of_channels`."""

    def __init__(self) -> None:
        self.of_channels: dict[int, Standing] = {}

    def standing(self, record: TableRecord) -> Standing:
        """See `Knowledge.standing`."""
        return self.of_channels.get(record.channel, Standing.OPEN)

    def is_in(self, record: TableRecord, channel: int) -> bool:
        """See `Knowledge.is_in`."""
        return record.channel == channel
