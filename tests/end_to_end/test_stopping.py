"""A signal ends the bot, no matter what it is waiting for.

What it waits for takes longer here than a test has patience, so that no test measures how long the end takes.
"""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.model.interactions import State
from sandbox.server import Sandbox
from tests.end_to_end import altered
from tests.end_to_end.bot_process import AS_EVERYBODY_RUNS_IT, BotProcess
from tests.end_to_end.tables import Table, reply_to
from tests.patience import PATIENCE

_MANY = 100
"""Commands that together would outlast the patience of a test, if each waited for the database in turn."""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_each_signal_that_asks_for_the_end_brings_a_clean_one(
    bot: BotProcess, how: signal.Signals
) -> None:
    assert await bot.stop(how) == 0
    assert bot.log[-1].endswith(f"INFO    bot: ended: asked to, by {how.name}")


async def ends_at_once(bot: BotProcess) -> None:
    """Ask it to end; the last request may have been answered by nobody."""
    bot.send(signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        await bot.ended()
    assert await bot.stop() == 0


@pytest.mark.parametrize("how_many", [1, pytest.param(3, marks=pytest.mark.deep)])
async def test_the_bot_stops_though_discord_never_answers(
    sandbox: Sandbox, tmp_path: Path, how_many: int
) -> None:
    waiting = asyncio.Semaphore(0)

    @web.middleware
    async def silence(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method in {"POST", "PATCH"}:
            waiting.release()
            await asyncio.Event().wait()
        return await handler(request)

    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", altered_by=altered.hard_to_stop) as bot:
        await Table.begin(channel, [ada, sandbox.people["Ben"]])
        sandbox.interception.by = silence
        for _ in range(how_many):
            ada.command(channel, "crib hand")
        async with asyncio.timeout(PATIENCE):
            for _ in range(how_many):
                await waiting.acquire()
        await ends_at_once(bot)
    assert bot.troubles == []


async def test_the_bot_stops_though_the_computer_thinks(sandbox: Sandbox, tmp_path: Path) -> None:
    ada, database = sandbox.people["Ada"], tmp_path / "games.sqlite3"
    alone = {"COMPUTER_PACE": "0"}
    async with BotProcess(sandbox, database, alone, altered_by=altered.with_a_slow_computer) as bot:
        await reply_to(ada.command("cribbage", "crib new", computer="expert"))
        await ada.until(lambda: "Hm." in bot.log, timeout=PATIENCE)
        await ends_at_once(bot)
    assert set(bot.troubles) == {"Hm."}


@pytest.mark.deep
async def test_the_bot_stops_though_another_program_holds_the_database(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    ada = sandbox.people["Ada"]
    threads = [ada.start_thread("cribbage", f"table {number}") for number in range(_MANY)]
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", program=AS_EVERYBODY_RUNS_IT) as bot:
        with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asked = [ada.command(thread, "crib new", players=2) for thread in threads]
            await asyncio.sleep(0.3)
            await ends_at_once(bot)
    assert bot.troubles == []
    shown = [message for each in asked for message in each.messages if not message.is_ephemeral]
    assert shown == [], "a table that was not kept"


def stops_at_the_first_answer(sandbox: Sandbox, bot: BotProcess) -> None:
    """Stop the bot when its first answer arrives, and take that so slowly that others have hung up."""
    stopping = asyncio.Event()

    @web.middleware
    async def slow(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback") and not stopping.is_set():
            stopping.set()
            bot.send(signal.SIGTERM)
            await asyncio.sleep(0.3)
        return await handler(request)

    sandbox.interception.by = slow


async def test_a_stop_waits_for_the_suggestions_that_are_being_made(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    stops_at_the_first_answer(sandbox, bot)
    asked = sandbox.people["Ada"].complete("cribbage", "crib play", option="card")
    await asked
    assert asked.state is State.ACKNOWLEDGED
    assert await bot.stop() == 0


async def test_a_stop_waits_for_the_answer_that_is_being_given(sandbox: Sandbox, bot: BotProcess) -> None:
    stops_at_the_first_answer(sandbox, bot)
    table = await Table.gather(sandbox.channels["cribbage"], [sandbox.people["Ada"]], players=2)
    assert await bot.stop() == 0
    await bot.start()
    await sandbox.people["Ben"].press(table.lobby, "Join")
    await table.start()
    await table.until(lambda: len(table.messages) == 2)
    assert await bot.stop() == 0
    assert len(table.messages) == 2, "one lobby and one table"
