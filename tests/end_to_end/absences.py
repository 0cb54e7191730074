"""Players who are absent until the clock has moved for them so often that the others may claim the game."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from engine import ABSENCES_TO_CLAIM
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table


async def stays_away(table: Table, bot: BotProcess, seat: int) -> None:
    """Everybody plays except the last, for whom the clock moves until the game can be claimed."""
    archive, absent = Archive(bot.database), table.players.pop()
    await time_for_a_move(bot, 2)
    await table.play(lambda: archive.replayed(table.game).table.absences[seat] >= ABSENCES_TO_CLAIM)
    await time_for_a_move(bot, 600)
    table.players.append(absent)


async def time_for_a_move(bot: BotProcess, seconds: int) -> None:
    """No game that people agree on goes as fast as this."""
    assert await bot.stop() == 0
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("UPDATE games SET seconds = ?", (seconds,))
    await bot.start()
