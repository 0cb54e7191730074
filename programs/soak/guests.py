"""People at tables of a bot in several processes: they know no more than the messages tell."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from random import Random

from programs.soak.restless import Restless
from sandbox.client.people import NotOfferedError, Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.players import Player, of_verb
from tests.end_to_end.tables import Table, is_lobby

_BETWEEN_TRIES = 1.0
_BETWEEN_GLANCES = 0.02, 1.0
"""Of people without a pause, and the longest: looking costs more than playing where there are many."""
_BETWEEN_LOOKS = 0.5
_AT_THE_TABLE = 0.3
"""The share of people who never look at their DMs, but open their hands at the table."""


async def sit_down(
    sandbox: Sandbox, channel: Channel, people: list[Person], *, seed: int, computer: str | None, length: int
) -> Table:
    """A table with its first hand dealt; what fails is done again after a look at what stands.

    With a `computer` of some level, it has one more seat.
    """
    host, *others = people
    seats = len(people) + (computer is not None)
    while (lobby := _lobby_in(channel)) is None:
        await host.command(channel, "crib new", players=seats, length=length)
        await _within(host, lambda: _lobby_in(channel), _BETWEEN_TRIES)
    table, random = Table.at(channel, people, lobby, seed=seed), Random(seed)
    table.players = [
        Restless(sandbox, each, channel, table.game, random=random, behind_the_button=is_behind)
        for each in people
        for is_behind in [random.random() < _AT_THE_TABLE]
    ]
    for other in others:
        while not _says(table, other.name):
            await _try(other, table, "join")
            await _within(other, lambda other=other: _says(table, other.name), _BETWEEN_TRIES)
    while computer is not None and not _says(table, "🤖"):
        await host.command(channel, "crib join", computer=computer)
        await _within(host, lambda: _says(table, "🤖"), _BETWEEN_TRIES)
    while not table.deals:
        await _try(host, table, "start")
        for player in table.players:
            await player.cut()
        await _within(host, lambda: table.deals, _BETWEEN_TRIES / 2)
    return table


async def play_out(table: Table, *, pause: float, patience: float) -> None:
    """Let all play to the end at the same time, each with a `pause` of so many seconds between two presses.

    Fails when no message about the table changes for `patience` seconds.
    """
    over = asyncio.Event()
    shortest, longest = _BETWEEN_GLANCES
    glance = min(max(pause / 4, shortest), longest)

    async def play(player: Player) -> None:
        random = Random(f"{table.game} {player.person.name} pause")
        while not over.is_set():
            has_acted = await player.act()
            thinking = random.uniform(0.5, 1.5) * pause
            await asyncio.sleep(max(thinking, shortest) if has_acted else glance)

    async with asyncio.TaskGroup() as group:
        for player in table.players:
            group.create_task(play(player))
        await _watch(table, patience)
        over.set()


async def _watch(table: Table, patience: float) -> None:
    loop = asyncio.get_running_loop()
    shown: list[object] = []
    changed_at = loop.time()
    while not any(of_verb(each, "rematch") for each in table.messages[-2:]):  # the result is the last
        await asyncio.sleep(_BETWEEN_LOOKS)
        now: list[object] = [(each.id, each.edited_at) for each in table.messages]
        if now != shown:
            shown, changed_at = now, loop.time()
        if loop.time() - changed_at > patience:
            raise TimeoutError(f"the table of {table.game} stands still for {patience:.0f} s")


def _lobby_in(channel: Channel) -> Message | None:
    messages = reversed(channel.messages.values())
    return next((each for each in messages if each.only_for is None and of_verb(each, "join")), None)


def _says(table: Table, name: str) -> bool:
    return any(name in each.text for each in table.messages if is_lobby(each))


async def _try(person: Person, table: Table, verb: str) -> None:
    """Press it wherever it stands now, if it does."""
    message = next((each for each in reversed(table.messages) if of_verb(each, verb)), None)
    with contextlib.suppress(NotOfferedError):  # it was redrawn in the meantime
        if message is not None:
            await person.press(message, (of_verb(message, verb) or {})["custom_id"])


async def _within(person: Person, condition: Callable[[], object], seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await person.until(condition, timeout=seconds)
