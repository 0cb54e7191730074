"""Commands are sent when they have changed, and a failure there leaves the bot playing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord
import pytest
from discord import app_commands

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.gateway.command_sync import CommandSync
from bot.render.text.voice import Voices
from bot.sync.discord_errors import ANY_4XX, REFUSALS, Request
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests.bot.leaping_loop import leaping
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import refused
from tests.patience import PATIENCE
from tests.sandbox.table_bot import pointed_at

pytestmark = pytest.mark.sockets

REGISTERED = ("PUT", "/applications/{}/commands")
"""The request that sends them."""


class Translated(app_commands.Translator):
    """Says everything in French, as long as `word` is the same."""

    def __init__(self, word: str) -> None:
        self.word = word

    async def translate(self, string: Any, locale: discord.Locale, context: Any) -> str | None:
        return self.word if locale is discord.Locale.french else None


@pytest.fixture
async def there() -> AsyncIterator[Any]:
    """A sandbox, a store that outlives the clients that are started on it, and what they asked for."""
    there = SimpleNamespace(store=MemoryStore(), asked=[])

    def saw(seen: object) -> None:
        if isinstance(seen, Exchange) and seen.path.endswith("/commands"):
            there.asked.append(seen.method)

    async with Sandbox(rate_limits=RateLimits.relaxed()) as there.sandbox:
        there.sandbox.observers.append(saw)
        yield there


@asynccontextmanager
async def started(there: Any, description: str = "a game", word: str = "jeu") -> AsyncIterator[Voices]:
    """The voices of a client that has logged in, and whose connection stands."""
    with pointed_at(there.sandbox.url):
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            tree = app_commands.CommandTree(client)
            tree.add_command(app_commands.Group(name="crib", description=description))
            await client.login(there.sandbox.token)
            await tree.set_translator(Translated(word))
            voices, tasks = Voices(), KeyedTasks()
            sync = CommandSync(client, tree, there.store, voices, tasks)
            await sync.load_mentions()
            sync.start()
            try:
                yield voices
            finally:
                await tasks.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 -- a condition that no event tells of
            await asyncio.sleep(0.005)


async def sent(there: Any, voices: Voices) -> None:
    """Wait until the command's id is known, and kept."""
    await until(lambda: mention(voices) == f"</crib new:{number(there)}>" and there.store.has("commands"))


def number(there: Any) -> str:
    """The id that Discord has given the command."""
    return next((str(each["id"]) for each in there.sandbox.world.commands.values()), "none yet")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Warnings in the log, without discord.py's about voice."""
    records = [each for each in caplog.records if each.levelno >= logging.WARNING]
    return [each.getMessage() for each in records if each.name != "discord.client"]


def mention(voices: Voices) -> str:
    return voices.of("en").command("crib new")


async def test_they_are_sent_once_and_mentioned_at_once_after_a_restart(there: Any) -> None:
    async with started(there) as voices:
        await sent(there, voices)
    async with started(there) as voices:
        assert mention(voices) == f"</crib new:{number(there)}>"
        await asyncio.sleep(0.05)
    assert there.asked == ["PUT"]


@pytest.mark.parametrize("change", [{"description": "another game"}, {"word": "partie"}])
async def test_they_are_sent_again_when_they_or_their_translations_have_changed(
    there: Any, change: dict[str, str]
) -> None:
    for options in ({}, change):
        async with started(there, **options) as voices:
            await sent(there, voices)
            await asyncio.sleep(0.05)
    assert there.asked == ["PUT", "PUT"]


async def test_ids_that_are_missing_are_fetched(there: Any) -> None:
    async with started(there) as voices:
        await sent(there, voices)
    there.store.change("UPDATE commands SET ids = '{}'")
    async with started(there) as voices:
        await sent(there, voices)
    assert there.asked == ["PUT", "GET"]


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(403, 50001, "Forbidden 403 50001"), (400, 50035, "CommandSyncFailure 400 50035")],
)
async def test_a_refusal_is_said_once_and_the_ids_so_far_are_still_good(
    there: Any, status: int, code: int, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with started(there) as voices:
        await sent(there, voices)
    there.sandbox.refusals.refuse(*REGISTERED, code=code, status=status)
    async with started(there, "another game") as voices:
        await until(lambda: warnings(caplog))
        assert mention(voices) == f"</crib new:{number(there)}>"
    assert warnings(caplog) == [f"{REFUSALS[Request.COMMANDS][ANY_4XX].owner}: {said}"]
    assert len(there.sandbox.refusals.refused) == 1

    there.sandbox.refusals.mend()
    async with started(there, "another game"):
        await until(lambda: there.asked == ["PUT", "PUT", "PUT"])


async def test_a_long_wait_is_waited_for(there: Any, caplog: pytest.LogCaptureFixture) -> None:
    there.sandbox.refusals.refuse(*REGISTERED, code=0, retry_after=3600.0)
    async with started(there):
        await until(lambda: warnings(caplog))
    [warning] = warnings(caplog)
    assert warning.endswith("responded with 429. Retrying in 3600.00 seconds.")
    assert there.asked == ["PUT"]


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError("no route"), "OSError"), (refused(400, 30034), "HTTPException 400 30034")],
    ids=["outage", "too many in a day"],
)
@leaping
async def test_what_may_pass_is_tried_again_with_growing_pauses(
    caplog: pytest.LogCaptureFixture, error: Exception, said: str
) -> None:
    client = discord.Client(intents=discord.Intents.none(), application_id=77)
    tree, tasks, store = app_commands.CommandTree(client), KeyedTasks(), MemoryStore()
    tried: list[float] = []

    async def sync(**_: object) -> list[Any]:
        tried.append(asyncio.get_running_loop().time())
        if len(tried) <= 10:
            raise error
        return []

    with patch.object(tree, "sync", sync):
        CommandSync(client, tree, store, Voices(), tasks).start()
        await asyncio.sleep(4 * 3_600)

    pauses = [round(later - before) for before, later in pairwise(tried)]
    assert pauses == [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert store.has("commands")
    assert not len(tasks)
    assert [each for each in caplog.messages if "again in" in each][:2] == [
        f"{REFUSALS[Request.COMMANDS][30034].owner} ({said}): again in {pause} s" for pause in (15, 30)
    ]
