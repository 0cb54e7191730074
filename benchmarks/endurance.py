"""The whole bot's memory while one short game after the other is played to its end.

A few tables play at once at full speed, in turn by DM, behind the button and alone against the computer, each
in a channel of its own. Whenever so many games are over, the bot collects its garbage and weighs itself.

What the engine knows of counted hands fills meanwhile (`engine/counting.py`): 4 MB after 10,000 hands, and
never more than some 9 MB, as there are 6,175 ways of five ranks. Of the objects that are named, the tuples,
`itemgetter`s and `Score`s are its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.hall import hall
from benchmarks.sizes import Sizes
from benchmarks.weighed import Weight
from bot.model.rule_settings import Setting
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from tests.end_to_end.tables import Table, agree, everything_told, lobby_by

TITLE = "Memory over many games"

_TABLES = 24
"""Tables at once."""
_LENGTH = "31"
"""The shortest game that there is: two or three deals."""
_SETTLED = 1.0
"""Seconds without a request after which everything is told and counted."""
_NAMED = 6
"""Types that are named, of those of which there are more objects at the end."""


def run(sizes: Sizes) -> list[Figure]:
    """Play, and weigh."""
    return asyncio.run(_measured(sizes))


async def _measured(sizes: Sizes) -> list[Figure]:
    settings = {"COMPUTER_PACE": "0", "MERGE_EDITS": "0", "DEAL_PAUSE": "0"}
    figures: list[Figure] = []
    async with hall(settings=settings, program="benchmarks.weighed") as here:
        people = [here.sandbox.add_person(f"Regular {number}") for number in range(2 * _TABLES)]
        pairs = list(zip(people[::2], people[1::2], strict=True))
        places = [host.start_thread("cribbage", f"table {host.name}") for host, _ in pairs]
        weights: list[Weight] = []
        played, began = 0, time.monotonic()
        while True:
            await here.quiet(_SETTLED)
            weights.append(await Weight.of(here.bot.pid, here.noted))
            seconds = time.monotonic() - began
            figures.append(
                Figure(f"after {played:,} games", f"{weights[-1].resident:.1f} MB, {seconds:,.0f} s")
            )
            if played >= sizes.further_games:
                break
            some = min(max(sizes.further_games // 8, 1), sizes.further_games - played)
            numbers = iter(range(played, played + some))
            async with asyncio.TaskGroup() as group:
                for pair, place in zip(pairs, places, strict=True):
                    group.create_task(_play_some(pair, place, numbers))
            played += some
    quarter = weights[len(weights) // 4]
    more = weights[-1].resident - quarter.resident
    figures.append(Figure("since a quarter of them", f"{more:+.1f} MB", "flat"))
    return figures + [
        Figure(f"more of {name} since then", f"{number:+,}")
        for name, number in weights[-1].grown_since(quarter, _NAMED)
    ]


async def _play_some(pair: tuple[Person, Person], place: Channel, numbers: Iterator[int]) -> None:
    """One game after the other, as long as there are numbers to take."""
    for number in numbers:
        way = number % 3
        people = pair if way else pair[:1]
        lobby = await lobby_by(people[0].command(place, "crib new", players=2, length=61))
        await agree(people[0], lobby, {Setting.LENGTH: _LENGTH})
        for other in people[1:]:
            await other.press(lobby, "Join")
        if len(people) == 1:
            await people[0].command(place, "crib join", computer="beginner")
        habits = {"behind_the_button": way == 1, "refreshes": False}
        table = Table.at(place, people, lobby, seed=number, survives_failures=True, **habits)
        await table.start()
        await table.cut_for_deal()
        await table.play()
        await everything_told([table])
