"""The level of the computer that sits down where none was chosen."""

from __future__ import annotations

from typing import Final

from bot.standings.protocol import StandingsQueries
from engine.computer import Level

ENOUGH: Final = 3
"""Number of games to win before a stronger computer sits down."""

STRONGEST: Final = Level.STEADY
"""The strongest level that sits down unasked: a good club player."""


async def usual_level(queries: StandingsQueries, user: int) -> Level:
    """The person's usual level, from their finished games everywhere. Raises `StoreUnavailable`.

    It is the learner until they have won three games of any kind; then one level above the strongest that
    they have beaten three times. Who wins against people needs no such ladder.
    """
    records = await queries.against_computers(user, None)
    among_people = (await queries.career(user, None)).wins
    if among_people >= ENOUGH:
        return STRONGEST
    if among_people + sum(each.wins for each in records.values()) < ENOUGH:
        return Level.LEARNER
    ladder = list(Level)
    beaten = [ladder.index(level) for level, record in records.items() if record.wins >= ENOUGH]
    above = max(beaten, default=ladder.index(STRONGEST)) + 1
    return ladder[min(above, ladder.index(STRONGEST))]
