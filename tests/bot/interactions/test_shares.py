"""Who is let in: each person has a share of the bot, what is too late is dropped, and so are the banned."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client import FifteenTwo
from bot.concurrency.waited import ANSWER_WITHIN, WAITED
from bot.interactions.answering import finish
from bot.interactions.bans import Bans
from bot.interactions.shares import AT_ONCE, Shares
from bot.render.text.voice import Voices
from tests.bot.stand_in import stand_in
from tests.patience import PATIENCE

ADA, BEN = 1, 2


def a_bot() -> Any:
    """Handles presses that last until each is told to end; by name, for how long (s) it has `waited`."""
    return SimpleNamespace(shares=Shares(), begun=[], dropped=[], waited={}, ends={}, tasks=[])


async def press(bot: Any, name: str, user: int = ADA) -> None:
    bot.ends[name] = asyncio.Event()

    async def handle() -> None:
        if not await bot.shares.admit(user):
            bot.dropped.append(name)
            return
        bot.begun.append(name)
        bot.waited[name] = WAITED.get()
        await bot.ends[name].wait()
        if name.startswith("broken"):
            raise ZeroDivisionError

    bot.tasks.append(asyncio.create_task(handle()))
    await turns()


async def end(bot: Any, name: str) -> None:
    bot.ends[name].set()
    await turns()


async def close(bot: Any) -> None:
    for end in bot.ends.values():
        end.set()
    await asyncio.gather(*bot.tasks, return_exceptions=True)


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_few_are_handled_at_once_and_the_next_in_order() -> None:
    bot = a_bot()
    for number in range(400):
        await press(bot, f"Ada {number}")
    await press(bot, "Ben", BEN)
    assert bot.begun == [*(f"Ada {number}" for number in range(AT_ONCE)), "Ben"]
    await end(bot, "Ada 2")
    assert bot.begun[AT_ONCE + 1 :] == [f"Ada {AT_ONCE}"]
    await close(bot)
    assert bot.begun[AT_ONCE + 1 :] == [f"Ada {number}" for number in range(AT_ONCE, 400)]


@pytest.mark.parametrize("name", ["broken", "cancelled"])
async def test_a_share_comes_back_however_the_handling_ends(name: str) -> None:
    bot = a_bot()
    for number in range(AT_ONCE):
        await press(bot, f"{name} {number}")
    await press(bot, "Ada")
    assert "Ada" not in bot.begun
    if name == "cancelled":
        bot.tasks[0].cancel()
        await turns()
    else:
        await end(bot, "broken 0")
    assert bot.begun[-1] == "Ada"
    await close(bot)


async def test_who_waits_in_the_line_is_waited_for_when_the_bot_stops() -> None:
    bot = a_bot()
    for number in range(AT_ONCE + 1):
        await press(bot, f"Ada {number}")
    stopping = asyncio.create_task(finish(PATIENCE))
    await turns()
    assert not stopping.done()
    await close(bot)
    await stopping
    assert bot.begun[-1] == f"Ada {AT_ONCE}"


async def test_who_is_cancelled_in_the_line_takes_no_place() -> None:
    bot = a_bot()
    for number in range(AT_ONCE + 2):
        await press(bot, f"Ada {number}")
    bot.tasks[AT_ONCE].cancel()
    await end(bot, "Ada 0")
    assert bot.begun[-1] == f"Ada {AT_ONCE + 1}"
    await close(bot)


async def test_what_discord_has_given_up_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is due so much sooner, and Discord tells the person of a failure after three seconds."""
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    bot = a_bot()
    for number in range(AT_ONCE + 2):
        await press(bot, f"Ada {number}")
    now = 1.5
    await end(bot, "Ada 0")
    assert bot.waited == dict.fromkeys((f"Ada {number}" for number in range(AT_ONCE)), 0.0) | {
        f"Ada {AT_ONCE}": 1.5
    }
    now = ANSWER_WITHIN
    await end(bot, "Ada 1")
    assert bot.dropped == [f"Ada {AT_ONCE + 1}"]
    await press(bot, "Ada's next")
    assert bot.begun[-1] == "Ada's next", "what is dropped leaves its place"
    await close(bot)


async def test_people_who_are_done_leave_nothing_behind() -> None:
    bot = a_bot()
    for user in range(50):
        await press(bot, f"{user}", user)
    await close(bot)
    bot.tasks.clear()
    await turns()
    assert len(bot.shares) == 0


@pytest.mark.parametrize("kind", [each for each in discord.InteractionType if each.name != "ping"])
async def test_each_kind_of_interaction_is_in_the_share_of_its_person(kind: discord.InteractionType) -> None:
    begun, end = [], asyncio.Event()

    async def handle(*_: object) -> None:
        begun.append(kind)
        await end.wait()

    client: Any = FifteenTwo()
    client.bans = Bans(frozenset(), Voices())
    client.registry = SimpleNamespace(press=handle, pressed=lambda _: None)

    async def run(interaction: Any) -> None:
        if kind in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            await client.on_interaction(interaction)
        elif await client.tree.interaction_check(interaction):
            await handle()

    tasks = []
    for number in range(AT_ONCE + 1):
        interaction = stand_in(discord.Interaction)
        interaction.type, interaction.id, interaction.client = kind, number << 22, client
        interaction.user, interaction.guild_id = SimpleNamespace(id=ADA), None
        tasks.append(asyncio.create_task(run(interaction)))
        await turns()
    assert len(begun) == AT_ONCE
    end.set()
    await asyncio.gather(*tasks)
    assert len(begun) == AT_ONCE + 1


BANS = Bans({7, 70}, Voices())


def asked(user: int, guild: int | None, kind: discord.InteractionType) -> tuple[Any, list[Any]]:
    """An interaction, and what it is answered."""
    answers: list[Any] = []

    async def autocomplete(choices: list[Any]) -> None:
        answers.append(choices)

    async def send_message(**message: Any) -> Any:
        answers.append(message)
        return SimpleNamespace(message_id=70)

    response = SimpleNamespace(autocomplete=autocomplete, send_message=send_message)
    person, facts = SimpleNamespace(id=user), {"type": kind, "locale": "fr", "guild_id": guild}
    return SimpleNamespace(**facts, user=person, response=response, message=None, extras={}), answers


@pytest.mark.parametrize(("user", "guild"), [(7, 1), (7, None), (1, 70)])
@pytest.mark.parametrize("kind", [each for each in discord.InteractionType if each.name != "ping"])
async def test_the_banned_have_one_answer_and_it_is_all(
    user: int, guild: int | None, kind: discord.InteractionType
) -> None:
    interaction, answers = asked(user, guild, kind)
    assert await BANS.refuse(interaction)
    said = {"content": "La personne qui gère ce bot t'en a exclu, toi ou ce serveur.", "ephemeral": True}
    assert answers == [[] if kind is discord.InteractionType.autocomplete else said]


async def test_everybody_else_passes() -> None:
    for user, guild in ((1, 1), (70 + 1, None), (1, None)):
        interaction, answers = asked(user, guild, discord.InteractionType.component)
        assert not await BANS.refuse(interaction)
        assert answers == []
