"""SIGTERM ends the bot, no matter what it is waiting for.

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
from aiohttp.typedefs import Handler, Middleware

from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import AS_EVERYBODY_RUNS_IT, BotProcess
from tests.end_to_end.tables import Table, reply_to
from tests.patience import PATIENCE

_PATIENT = Deadlines(first_answer=PATIENCE)
_MANY = 100
"""Commands that together would outlast the patience of a test, if each waited for the database in turn."""


class Silence:
    """A middleware under which Discord takes requests and never answers them."""

    def __init__(self) -> None:
        self.falls = False
        self.waiting = asyncio.Semaphore(0)

    @property
    def middleware(self) -> Middleware:
        """The middleware to pass to the sandbox."""

        @web.middleware
        async def silence(request: web.Request, handler: Handler) -> web.StreamResponse:
            if self.falls and request.method in {"POST", "PATCH"}:
                self.waiting.release()
                await asyncio.Event().wait()
            return await handler(request)

        return silence


@pytest.mark.parametrize("how_many", [1, 3])
async def test_the_bot_stops_though_discord_never_answers(tmp_path: Path, how_many: int) -> None:
    silence = Silence()
    async with Sandbox(
        rate_limits=RateLimits.relaxed(), middlewares=[silence.middleware], deadlines=_PATIENT
    ) as sandbox:
        channel = sandbox.channels["cribbage"]
        stops = "tests.end_to_end.stopping_bot"
        async with BotProcess(sandbox, tmp_path / "games.sqlite3", altered_by=stops) as bot:
            table = await Table.gather(channel, [sandbox.people["Ada"], sandbox.people["Ben"]])
            await table.start()
            await table.cut_for_deal()
            silence.falls = True
            for _ in range(how_many):
                sandbox.people["Ada"].command(channel, "crib hand")
            async with asyncio.timeout(PATIENCE):
                for _ in range(how_many):
                    await silence.waiting.acquire()
            bot.send(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                await bot.ended()
            silence.falls = False
            assert await bot.stop() == 0
        assert bot.troubles == []


async def test_the_bot_stops_though_the_computer_thinks(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=RateLimits.relaxed(), deadlines=_PATIENT) as sandbox:
        ada = sandbox.people["Ada"]
        slow_computer = "tests.end_to_end.slow_computer_bot"
        database = tmp_path / "games.sqlite3"
        async with BotProcess(sandbox, database, {"COMPUTER_PACE": "0"}, altered_by=slow_computer) as bot:
            await reply_to(ada.command("cribbage", "crib new", computer="expert"))
            await ada.until(lambda: "Hm." in bot.log, timeout=PATIENCE)
            bot.send(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                await bot.ended()
            assert await bot.stop() == 0
            assert set(bot.troubles) == {"Hm."}


async def test_the_bot_stops_though_another_program_holds_the_database(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=RateLimits.relaxed(), deadlines=_PATIENT) as sandbox:
        ada = sandbox.people["Ada"]
        threads = [ada.start_thread("cribbage", f"table {number}") for number in range(_MANY)]
        async with BotProcess(sandbox, tmp_path / "games.sqlite3", program=AS_EVERYBODY_RUNS_IT) as bot:
            with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                asked = [ada.command(thread, "crib new", players=2) for thread in threads]
                await asyncio.sleep(0.3)
                bot.send(signal.SIGTERM)
                async with asyncio.timeout(PATIENCE):
                    await bot.ended()
            assert await bot.stop() == 0
            assert bot.troubles == []
        shown = [message for each in asked for message in each.messages if not message.is_ephemeral]
        assert shown == [], "a table that was not kept"
