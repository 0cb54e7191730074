"""Who plays with whom in a club event for partners. Pure.

People may choose a partner before the start. Who has none by then, or comes late, gets one: those without are
put together by the order in which they signed up, and an odd one out plays with a computer.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.clubs.event import Entrant, Event


def joined(free: Sequence[Entrant]) -> dict[int, int | None]:
    """The teams of who has none, two and two in their order: by number of a partner, the captain's."""
    numbers = [each.number for each in free]
    return dict(zip(numbers[1::2], numbers[::2], strict=False))


def captains(event: Event, people: Sequence[Entrant], computers: Sequence[Entrant]) -> dict[int, int | None]:
    """What changes in the teams when these people play, with new computers: by number, the captain's.

    A team of two who are both there stays as it is; one of whom only one is there ends.
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
