"""The lesson over real sockets: every step after a wrong tap, through a restart, and into a first game."""

from __future__ import annotations

import re

import pytest

from bot.features.lesson.deal import DEALT, STARTER
from bot.features.lesson.steps import STEPS, Step
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import reply_to
from tests.end_to_end.watching import PrivateWatch
from tests.patience import PATIENCE


async def tap(person: Person, screen: Message, step: Step, key: str) -> None:
    """Press a button of a step, and wait for what it draws."""
    before = screen.text, [each["custom_id"] for each in screen.buttons]
    await person.press(screen, f"learn:{step.word}:{key}")
    await person.until(
        lambda: (screen.text, [each["custom_id"] for each in screen.buttons]) != before, timeout=PATIENCE
    )


async def learn(person: Person, screen: Message, steps: tuple[Step, ...]) -> None:
    """Answer these steps: each wrong at first, then right."""
    for step in steps:
        place = re.match(r"-# \d+/\d+", screen.text.lstrip())
        assert place is not None, screen.text
        for wrong in [each.key for each in step.choices if each.why][:1]:
            told = screen.text
            await tap(person, screen, step, wrong)
            assert place[0] in screen.text, "a wrong tap leads nowhere"
            assert screen.text != told
        if step.word == "throw":
            for key in ("2D", "2D7D", "give"):
                await tap(person, screen, step, key)
        elif step.word == "cut":
            await tap(person, screen, step, "20")
        else:
            await tap(person, screen, step, next(each.key for each in step.choices if each.why is None))
        assert place[0] not in screen.text


async def test_a_newcomer_learns_in_a_channel_and_plays_a_first_game_by_dm(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    watch = PrivateWatch(sandbox, Archive(bot.database), ada.id)
    sandbox.observers.append(watch)
    screen = await reply_to(ada.command(channel, "crib-coach learn"))
    assert screen.is_ephemeral
    await learn(ada, screen, STEPS[:5])
    left = screen.text

    await bot.restart()
    ada.reload()
    screen = await reply_to(ada.command("general", "crib-coach learn"))
    assert screen.text == left, "back where they were"
    await learn(ada, screen, STEPS[5:])
    assert [each for each in channel.messages.values() if each.only_for is None] == []

    await ada.press(screen, "learn:game")
    await ada.until(lambda: ada.dms() and of_verb(ada.dms()[-1], "cut"), timeout=PATIENCE)
    assert "direct messages" in screen.text
    assert {card for said in watch.said for card in said.cards} >= {*DEALT, STARTER}
    assert watch.leaks(bot.log) == []


async def test_in_the_dm_it_is_a_message_and_its_game_begins_there(sandbox: Sandbox, bot: BotProcess) -> None:
    ben = sandbox.people["Ben"]
    ben.open_dm()
    ben.say_in_dm("hello")
    await ben.until(lambda: ben.dms() and "Hi!" in ben.dms()[-1].text, timeout=PATIENCE)
    screen = await reply_to(ben.press(ben.dms()[-1], "learn:open"))
    assert not screen.is_ephemeral
    for step in STEPS:
        await tap(ben, screen, step, "skip")
    await ben.press(screen, "learn:game")
    await ben.until(lambda: of_verb(ben.dms()[-1], "cut"), timeout=PATIENCE)


@pytest.mark.parametrize("known", [False, True])
async def test_whose_dms_are_closed_plays_in_the_channel(
    sandbox: Sandbox, bot: BotProcess, *, known: bool
) -> None:
    cleo, channel = sandbox.people["Cleo"], sandbox.channels["cribbage"]
    if known:
        cleo.open_dm()
    cleo.close_dms()
    screen = await reply_to(cleo.command(channel, "crib-coach learn"))
    for step in STEPS:
        await tap(cleo, screen, step, "skip")
    await cleo.press(screen, "learn:game")
    said = channel.messages
    await cleo.until(
        lambda: [each for each in said.values() if each.only_for is None and of_verb(each, "cut")],
        timeout=PATIENCE,
    )
