"""The bot is killed in the midst of its requests, again and again, and the game goes on all the same."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.crashes import Moment, Trapdoor
from tests.end_to_end.fair_copy import assert_one_hand_a_deal, assert_told_once_and_truly
from tests.end_to_end.tables import Table, everything_told

PLAYED = ("/channels/", "/interactions/", "/webhooks/")
"""What requests about a game begin with."""

ENOUGH = 6
"""How often the bot is killed in one game: each time costs seconds."""


class EveryKindOfRequest:
    """Chooses some of the messages that are posted, which is where telling twice lurks, and some others."""

    def __init__(self) -> None:
        self._chosen = 0
        self._posted = 0
        self._others = 0

    def __call__(self, request: web.Request) -> Moment | None:
        path = request.path.removeprefix("/api/v10")
        if not path.startswith(PLAYED) or self._chosen == ENOUGH:
            return None
        moment = self._moment(posts=request.method == "POST" and path.endswith("/messages"))
        self._chosen += moment is not None
        return moment

    def _moment(self, *, posts: bool) -> Moment | None:
        if posts:
            self._posted += 1
            # A deal posts its table, two hands and its show: five and four have nothing in common.
            return Moment.AFTER if self._posted % 5 == 3 else None
        self._others += 1
        if self._others % 41 == 0:
            return Moment.BEFORE if self._others % 2 else Moment.AFTER
        return None


@pytest.fixture
def trapdoor() -> Trapdoor:
    return Trapdoor(EveryKindOfRequest())


@pytest.mark.parametrize("options", [{}, {"muggins": True, "calls": True}], ids=["standard", "muggins"])
async def test_a_game_is_told_once_however_often_the_bot_is_killed(
    conformance: Conformance, tmp_path: Path, trapdoor: Trapdoor, options: dict[str, object]
) -> None:
    async with (
        # What is pressed while the bot is away fails, as it does in Discord, and is pressed again.
        Sandbox(
            rate_limits=RateLimits.relaxed(),
            deadlines=Deadlines(first_answer=3.0),
            middlewares=[trapdoor.middleware],
        ) as sandbox,
        BotProcess(sandbox, tmp_path / "games.sqlite3") as bot,
    ):
        sandbox.observers.append(conformance)
        people = [sandbox.people["Ada"], sandbox.people["Ben"]]
        table = await Table.gather(
            sandbox.channels["cribbage"], people, length=61, survives_failures=True, **options
        )
        async with trapdoor.under(bot):
            await table.start()
            await table.play()
        await everything_told([table])
        assert trapdoor.falls > 2
        assert await bot.stop() == 0
        archive = Archive(bot.database)
        assert_told_once_and_truly(table, archive)
        assert_one_hand_a_deal([table], archive)
    conformance.check()


async def test_a_stop_waits_for_the_answer_that_is_being_given(
    conformance: Conformance, tmp_path: Path
) -> None:
    stopping = asyncio.Event()

    @web.middleware
    async def slow(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback") and not stopping.is_set():
            stopping.set()
            bot.send(signal.SIGTERM)
            await asyncio.sleep(0.3)  # time in which a bot that does not wait has hung up
        return await handler(request)

    async with Sandbox(rate_limits=RateLimits.relaxed(), middlewares=[slow]) as sandbox:
        sandbox.observers.append(conformance)
        channel = sandbox.channels["cribbage"]
        async with BotProcess(sandbox, tmp_path / "games.sqlite3") as bot:
            table = await Table.gather(channel, [sandbox.people["Ada"]], players=2)
            assert await bot.stop() == 0
            await bot.start()
            await sandbox.people["Ben"].press(table.lobby, "Join")
            await table.start()
            await table.until(lambda: table.deals)
            assert await bot.stop() == 0
            assert len(table.messages) == 2, "one lobby and one table"
        assert bot.troubles == []
    conformance.check()
