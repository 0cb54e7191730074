"""Players who are absent until the clock has moved for them so often that the others may claim the game."""

from __future__ import annotations

import asyncio

from engine import ABSENCES_TO_CLAIM
from tests.end_to_end.archive import Archive
from tests.end_to_end.tables import Table

_BETWEEN_LOOKS = 5.0
"""Seconds; a turn takes some hundred."""


async def stays_away(table: Table, archive: Archive, seat: int, times: int = ABSENCES_TO_CLAIM) -> None:
    """Everybody plays except the last, for whom the clock moves so many times in a row, in simulated time."""
    absent = table.players.pop()
    while archive.replayed(table.game).table.absences[seat] < times:
        if not any([await player.act() for player in table.players]):
            await asyncio.sleep(_BETWEEN_LOOKS)
    table.players.append(absent)
