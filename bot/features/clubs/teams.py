"""The teams of a club event for partners. Pure.

People may choose a partner before the start. The others, and late entrants, are put together in order of
signing up; an odd one out plays with a computer.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.clubs.event import Entrant, Event


def joined(free: Sequence[Entrant]) -> dict[int, int | None]:
    """Teams of two, in order, for entrants without one: partner's number to captain's number."""
    numbers = [each.number for each in free]
    return dict(zip(numbers[1::2], numbers[::2], strict=False))


def captains(event: Event, people: Sequence[Entrant], computers: Sequence[Entrant]) -> dict[int, int | None]:
    """The changes of captains, by entrant's number, when these people and new computers play.

    A team stays together if both of its members play; otherwise it ends.
    """
    there = {each.number for each in people}
    kept = {
        number
        for each in event.sides
        if len(team := event.team(each.number)) > 1 and there.issuperset(one.number for one in team)
        for number in (one.number for one in team)
    }
    ended = {
        each.number: None for each in event.entrants if each.captain is not None and each.number not in kept
    }
    return ended | joined([each for each in (*people, *computers) if each.number not in kept])
