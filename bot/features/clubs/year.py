"""A club's year: a server's nights of a calendar year (UTC), added up for each person. Pure.

It follows from the stored results of events that have ended, in the year in which they began. Each night has
the points of its own standings (`bot.features.clubs.table`); partners have those of their team. Computers and
people whose data is deleted are not in it, nor are those who hide.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.features.clubs.event import Event
from bot.features.clubs.table import standings

FIRST, LAST = 2000, 2999
"""The years that can be asked for."""


@dataclass(frozen=True, slots=True, order=True)
class Night:
    """One person's figures of one night, in the order that ranks them."""

    points: int
    won: int
    spread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YearRow:
    """One person's line."""

    user: int
    name: str
    """Their name at their last night."""
    place: int
    """From 1; people equal in points, games won and spread share a place."""
    nights: int
    """Nights with a game of theirs."""
    counted: int
    """Nights that count, their best ones."""
    points: int
    won: int
    spread: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubYear:
    """The standings of a year."""

    year: int
    nights: int
    """The number of nights that count."""
    best: int | None
    """The number of nights of each person that count; `None` for all."""
    rows: tuple[YearRow, ...]
    """The best first."""
    before: int | None = None
    """The last year before that has nights."""
    after: int | None = None
    """The first year after that has nights."""


def start_of(year: int) -> int:
    """Start of the year in UTC (s since 1970)."""
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())


def year_of(seconds: float) -> int:
    """The year (UTC) of that time (s since 1970)."""
    return datetime.fromtimestamp(seconds, UTC).year


def year_rows(
    events: Iterable[Event], best: int | None, hidden: AbstractSet[int] = frozenset()
) -> tuple[YearRow, ...]:
    """The rows of everybody who played in these events, in the order in which they began."""
    nights: dict[int, list[Night]] = {}
    names: dict[int, str] = {}
    for event in events:
        for user, name, night in _nights(event):
            if user not in hidden:
                nights.setdefault(user, []).append(night)
                names[user] = name
    counted = {user: sorted(each, reverse=True)[:best] for user, each in nights.items()}
    keys = {
        user: (-_sum(each, "points"), -_sum(each, "won"), -_sum(each, "spread"))
        for user, each in counted.items()
    }
    order = sorted(keys, key=lambda user: (keys[user], user))
    places: dict[tuple[int, int, int], int] = {}
    for place, user in enumerate(order, 1):
        places.setdefault(keys[user], place)
    return tuple(
        YearRow(
            user=user,
            name=names[user],
            place=places[keys[user]],
            nights=len(nights[user]),
            counted=len(counted[user]),
            points=_sum(counted[user], "points"),
            won=_sum(counted[user], "won"),
            spread=_sum(counted[user], "spread"),
        )
        for user in order
    )


def _nights(event: Event) -> Iterable[tuple[int, str, Night]]:
    """The id, name and figures of each person who played in the event."""
    for row in standings(event.sides, event.pairings, event.points):
        night = Night(points=row.points, won=row.won, spread=row.spread)
        for each in event.team(row.entrant.number):
            if row.played and each.user is not None and each.user > 0:
                yield each.user, each.name, night


def _sum(nights: Iterable[Night], figure: str) -> int:
    return sum(getattr(each, figure) for each in nights)
