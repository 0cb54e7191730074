"""The level of the computer that sits down where none was chosen, and the next one that a result offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.standings.careers import Record
from bot.standings.protocol import StandingsQueries
from engine.computer import Level

ENOUGH: Final = 3
"""Number of games to win before a stronger computer is offered."""

STRONGEST: Final = Level.STEADY
"""The strongest level that sits down unasked: a good club player."""

_LADDER: Final = tuple(Level)


@dataclass(frozen=True, slots=True)
class NextLevel:
    """The level that is offered to somebody who has beaten another one often enough."""

    level: Level
    beaten: Level
    wins: int
    """Games won against `beaten`."""


async def usual_level(queries: StandingsQueries, user: int) -> Level:
    """The person's usual level, from their finished games everywhere. Raises `StoreUnavailable`.

    It is the learner until they have won three games of any kind; then the strongest level that they have
    beaten three times, or the next one once they have taken the offer to play a stronger one. Who wins
    against people needs no such ladder.
    """
    records = await queries.against_computers(user, None)
    among_people = (await queries.career(user, None)).wins
    if among_people >= ENOUGH:
        return STRONGEST
    if among_people + sum(each.wins for each in records.values()) < ENOUGH:
        return Level.LEARNER
    beaten = [_LADDER.index(level) for level, record in records.items() if record.wins >= ENOUGH]
    if not beaten:
        return STRONGEST
    above = max(beaten) + _has_played_above(records, max(beaten))
    return _LADDER[min(above, _LADDER.index(STRONGEST))]


async def next_level(queries: StandingsQueries, user: int, beaten: Level) -> NextLevel | None:
    """The level to offer to a person who has just beaten another. Raises `StoreUnavailable`.

    It is the one above, after three games won, as long as they have played no stronger one.
    """
    records = await queries.against_computers(user, None)
    place, record = _LADDER.index(beaten), records.get(beaten)
    if record is None or record.wins < ENOUGH or place + 1 == len(_LADDER):
        return None
    if _has_played_above(records, place):
        return None
    return NextLevel(_LADDER[place + 1], beaten, record.wins)


def _has_played_above(records: Mapping[Level, Record], place: int) -> bool:
    return any(record.games for level, record in records.items() if _LADDER.index(level) > place)
