"""People at tables of a bot in several processes: they know no more than the messages tell."""

from __future__ import annotations

from random import Random

from programs.soak.restless import (
    AT_THE_TABLE,
    BETWEEN_TRIES,
    Restless,
    lobbies,
    newest_lobby,
    opened,
    try_to_press,
    within,
)
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.server import Sandbox
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table


async def sit_down(
    sandbox: Sandbox, channel: Channel, people: list[Person], *, seed: int, computer: str | None, length: int
) -> Table:
    """A table with its first hand dealt; what fails is done again after a look at what stands.

    With a `computer` of some level, it has one more seat.
    """
    host, *others = people
    seats = len(people) + (computer is not None)
    lobby = await opened(channel, host, {"players": seats, "length": length})
    table, random = Table.at(channel, people, lobby, seed=seed), Random(seed)
    table.players = [
        Restless(sandbox, each, channel, table.game, random=random, behind_the_button=is_behind)
        for each in people
        for is_behind in [random.random() < AT_THE_TABLE]
    ]
    for other in others:
        while not _says(table, other.name):
            await try_to_press(other, newest_lobby(table, lobby), "Join")
            await within(other, lambda other=other: _says(table, other.name), BETWEEN_TRIES)
    while computer is not None and not _says(table, "🤖"):
        await host.command(channel, "crib join", computer=computer)
        await within(host, lambda: _says(table, "🤖"), BETWEEN_TRIES)
    while not table.deals:
        await try_to_press(host, newest_lobby(table, lobby), "Start")
        for player in table.players:
            await player.cut()
        await within(host, lambda: table.deals, BETWEEN_TRIES / 2)
    return table


def shown(table: Table) -> list[object] | None:
    """What stands of its messages, and `None` when its result is the last of them."""
    messages = table.messages
    if any(of_verb(each, "rematch") for each in messages[-2:]):
        return None
    return [(each.id, each.edited_at) for each in messages]


def _says(table: Table, name: str) -> bool:
    return any(name in each.text for each in lobbies(table))
