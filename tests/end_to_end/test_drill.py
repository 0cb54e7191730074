"""The drills over real sockets: a round of each, in one private message, through a restart."""

from __future__ import annotations

import re

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import reply_to
from tests.end_to_end.watching import PrivateWatch
from tests.patience import PATIENCE


def ids(screen: Message, beginning: str) -> list[str]:
    """The custom_ids on the screen that begin so."""
    return [each["custom_id"] for each in screen.buttons if each["custom_id"].startswith(beginning)]


async def tap(person: Person, screen: Message, custom_id: str) -> None:
    """Press a button, and wait for what it draws."""
    before = screen.text, ids(screen, "")
    await person.press(screen, custom_id)
    await person.until(lambda: (screen.text, ids(screen, "")) != before, timeout=PATIENCE)


async def test_a_hand_is_counted_and_a_discard_chosen_in_one_message(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    watch = PrivateWatch(sandbox, Archive(bot.database), ada.id)
    sandbox.observers.append(watch)
    screen = await reply_to(ada.command(channel, "crib-coach drill", kind="counting"))
    assert screen.is_ephemeral
    numbers = ids(screen, "drill:count:")
    assert len({*numbers}) == 5
    await bot.restart()
    await tap(ada, screen, numbers[2])
    assert re.search(r"[01] of 1 right", screen.text)

    await tap(ada, screen, "drill:next:counting")
    assert {*ids(screen, "drill:count:")}.isdisjoint(numbers)
    await tap(ada, screen, "drill:stop:counting")
    await tap(ada, screen, "drill:next:discards")
    for place in (1, 4):
        await tap(ada, screen, ids(screen, "drill:pick:")[place])
    await bot.restart()
    await tap(ada, screen, ids(screen, "drill:give:")[0])
    assert re.search(r"[01] of 1 best", screen.text)

    figures = await reply_to(ada.command("general", "crib-stats player"))
    assert re.search(r"Counting:\W+[01] of 1 right", figures.text)
    assert re.search(r"Discards:\W+[01] of 1 best", figures.text)
    assert [each for each in channel.messages.values() if each.only_for is None] == []
    assert len([said for said in watch.said if said.cards]) >= 5, "two hands, a choice, and their answers"
    assert watch.leaks(bot.log) == []


async def test_in_the_dm_it_is_an_ordinary_message(sandbox: Sandbox, bot: BotProcess) -> None:
    ben = sandbox.people["Ben"]
    ben.open_dm()
    ben.say_in_dm("hello")
    await ben.until(lambda: ben.dms() and "Hi!" in ben.dms()[-1].text, timeout=PATIENCE)
    screen = await reply_to(ben.command(ben.dms()[-1].channel, "crib-coach drill", kind="discards"))
    assert not screen.is_ephemeral
    for place in (0, 1):
        await tap(ben, screen, ids(screen, "drill:pick:")[place])
    await tap(ben, screen, ids(screen, "drill:give:")[0])
    assert "1 best" in screen.text
