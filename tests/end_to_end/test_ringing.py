"""A hand by DM is posted once more when nothing was pressed for a while, so that a phone rings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.world import Change
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb, untapped
from tests.end_to_end.tables import Table, everything_told

_SOON = 4.0
"""Seconds without a press after which the bot of most of these tests rings."""


@asynccontextmanager
async def ringing_after(seconds: float, sandbox: Sandbox, directory: Path) -> AsyncIterator[BotProcess]:
    """A bot that rings after so many seconds."""
    bot = BotProcess(sandbox, directory / "games.sqlite3", {"RING_AFTER": str(seconds)})
    async with bot:
        yield bot
        assert await bot.stop() == 0
    assert not bot.troubles, "\n".join(bot.troubles)


class Arrivals:
    """An observer of a sandbox: when a person's messages by DM came, in the loop's time."""

    def __init__(self, sandbox: Sandbox, person: Person) -> None:
        self.times: list[float] = []
        self._person = person
        sandbox.world.listeners.append(self)

    def __call__(self, change: Change) -> None:
        is_new = change.name == "MESSAGE_CREATE" and change.channel is not None
        if is_new and change.channel is self._person.dm:
            self.times.append(asyncio.get_running_loop().time())


def hands(person: Person) -> list[Message]:
    """Lasting messages in that person's DM."""
    return [each for each in person.dms() if not each.is_ephemeral]


async def test_a_hand_rings_once_a_turn_with_a_line_for_the_phone_and_one_message_stands(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with ringing_after(_SOON, sandbox, tmp_path) as bot:
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.until(lambda: len(ada.notifications) > 1 and len(ben.notifications) > 1)
        first, again = ada.notifications
        assert again.text == "Your turn: discard 2 cards"
        await table.until(lambda: first.message.deleted and of_verb(again.message, "pick"))
        assert hands(ada) == [again.message]
        assert "Your turn" not in again.message.text, "the hand is drawn over the line"
        await asyncio.sleep(1.5 * _SOON)  # time in which it might ring once more; nothing measures it
        assert ada.notifications == [first, again]

        # It is a hand like any other, and another turn rings as well.
        archive = Archive(bot.database)
        await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
        turn = people[archive.replayed(table.game).table.waiting_for[0]]
        lines = {"Your turn: play a card", "Your turn: say go"}
        await table.until(lambda: turn.notifications[-1].text in lines)
        await table.until(lambda: len(hands(turn)) == 1)


async def test_a_press_puts_the_call_off_also_one_that_makes_no_move(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    arrivals = Arrivals(sandbox, ada)
    async with ringing_after(_SOON, sandbox, tmp_path):
        table = await Table.begin(sandbox.channels["cribbage"], [ada, ben], length=61)
        loop, [hand] = asyncio.get_running_loop(), hands(ada)
        began = pressed_at = loop.time()
        while loop.time() < began + 2 * _SOON and len(arrivals.times) == 1:
            pressed_at = loop.time()
            await ada.press(hand, untapped(hand)[0]["custom_id"])
            await asyncio.sleep(0.2)
        await table.until(lambda: len(arrivals.times) > 1)
        assert arrivals.times[1] - pressed_at >= _SOON, "as long after the last press as after none"


async def test_nothing_rings_and_nobody_is_called_in_rapid_play(sandbox: Sandbox, tmp_path: Path) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    async with ringing_after(30, sandbox, tmp_path):
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.play()
        await everything_told([table])
        assert not any("<@" in each.text for each in table.messages)
        for person in people:
            assert len(person.notifications) == 1, "the message with which the game began"
            assert len(hands(person)) == 1
