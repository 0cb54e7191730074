"""A store in which reading a log takes a second."""

from __future__ import annotations

import asyncio

from bot.model.table_record import Agreement
from engine.computer import Level
from engine.secret_events import LoggedEvent
from tests.bot.seating import ADA, room_of
from tests.bot.store.memory import MemoryStore


class SlowLogs(MemoryStore):
    """Counts the logs that are read simultaneously."""

    def __init__(self) -> None:
        super().__init__()
        self.most_at_once = 0
        self._at_once = 0

    async def log(self, game: str) -> tuple[LoggedEvent, ...]:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(1)
        self._at_once -= 1
        return await super().log(game)

    async def games(self, number: int) -> list[str]:
        """Ids of new games of Ada's against the computer, none of them in memory."""
        _, lobbies, _ = room_of(self)
        records = [
            await lobbies.open(
                guild=10,
                channel=channel,
                place="x",
                host=ADA,
                agreement=Agreement(),
                computers=Level.STEADY,
            )
            for channel in range(1, number + 1)
        ]
        return [record.game for record in records]
