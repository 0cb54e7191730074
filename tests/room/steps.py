"""What tests of the room do again and again: press until a message has changed, let a day pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

from engine import ABSENCES_TO_CLAIM
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from tests.bot.leaping_loop import LeapingLoop
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.golden import described
from tests.room.room import Room

DAY = 86_400
_BETWEEN_LOOKS = 5.0
"""Seconds; a turn takes some hundred."""


async def tap(person: Person, message: Message, button: str) -> str:
    """Press a button, and wait until the message has changed; its text then."""
    return await _changed(person, message, lambda: person.press(message, button))


async def choose(person: Person, message: Message, select: str, values: Sequence[str]) -> str:
    """Choose in a select, and wait until the message has changed; its text then."""
    return await _changed(person, message, lambda: person.choose(message, select, values))


async def _changed(person: Person, message: Message, use: Callable[[], Interaction]) -> str:
    before = described(message.components)
    await use()
    await person.until(lambda: described(message.components) != before)
    return message.text


async def stays_away(room: Room, table: Table, seat: int, times: int = ABSENCES_TO_CLAIM) -> None:
    """Everybody plays except the last, for whom the clock moves so many times in a row.

    After the usual number the others may claim the game.
    """
    absent = table.players.pop()
    while room.archive.replayed(table.game).table.absences[seat] < times:
        if not any([await player.act() for player in table.players]):
            await asyncio.sleep(_BETWEEN_LOOKS)
    table.players.append(absent)


async def play_some(room: Room, table: Table) -> None:
    """Two deals, after which the second player gives up: much cheaper than a whole game."""
    await table.play(until=lambda: len(table.deals) > 2)
    await reply_to(table.players[1].person.command(table.channel, "crib resign", sure=True))
    await everything_told([table], room.archive)


def labels(message: Message) -> list[str]:
    """The labels of its buttons."""
    return [str(each.get("label")) for each in message.buttons]


async def noon(room: Room) -> date:
    """Leap to the next day, at noon by UTC."""
    now = room.clock.now()
    leap(DAY - now % DAY + DAY / 2)
    await asyncio.sleep(1)
    return today(room)


def leap(seconds: float) -> None:
    """Let that time pass, in which nothing happens."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    loop.leap(seconds)


def today(room: Room) -> date:
    """The day by UTC."""
    return datetime.fromtimestamp(room.clock.now(), UTC).date()
