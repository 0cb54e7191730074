"""The bot is killed at points of all kinds, and every game ends as with an undisturbed bot.

`make kills` kills it at every point; here it is every 131st of each kind in a game of two, every 211th in one
of four, and some in games in a thread, in the bot's DM and in a DM of two people, too.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from programs.sweep import UNDISTURBED, differences, played
from sandbox.model.interactions import Deadlines, State
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.players import controls
from tests.end_to_end.points import Kind, Moment, Plan, Point, Points
from tests.end_to_end.steady import Place, sit_down
from tests.end_to_end.tables import Table, is_lobby
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("players", "nth", "options"),
    [
        (2, 131, {"muggins": True}),
        (4, 211, {}),
        (2, 151, {"place": Place.THREAD}),
        (1, 47, {"place": Place.DM}),
        (2, 151, {"place": Place.PEOPLE}),
    ],
    ids=["two, with muggins", "four", "two in a thread", "alone in the DM", "two in their own DM"],
)
async def test_a_game_is_that_of_an_undisturbed_bot_however_often_it_is_killed(
    tmp_path: Path, players: int, nth: int, options: dict[str, Any]
) -> None:
    points = Points()
    undisturbed = await played(tmp_path / "undisturbed", players, points, UNDISTURBED, **options)
    assert undisturbed.found == []

    disturbed = await played(tmp_path / "disturbed", players, points, Plan(nth=nth, rest=3), **options)

    assert disturbed.found == []
    assert differences(undisturbed, disturbed) == []
    assert {(each.kind, each.moment) for each in points.died_at} == {
        (kind, moment) for kind in Kind for moment in Moment
    }
    assert disturbed.deaths > len(points.reached) / (3 * nth)


class Once(Points):
    """One kill, at the first point whose words begin like this."""

    def __init__(self, kind: Kind, moment: Moment, what: str) -> None:
        super().__init__()
        self._kind, self._moment, self._what = kind, moment, what

    def dies_at(self, point: Point, plan: Plan) -> bool:
        """Only there."""
        is_there = (point.kind, point.moment) == (self._kind, self._moment)
        # Something else may be committed before it, in the same transaction.
        is_that = f" + {self._what}" in f" + {point.what}"
        if self.died_at or not is_there or not is_that:
            return False
        self.died_at[point] = None
        return True


@pytest.mark.parametrize(
    ("kind", "moment", "what"),
    [
        (Kind.WRITE, Moment.AFTER, "INSERT INTO games"),
        (Kind.REQUEST, Moment.BEFORE, "answer Ada crib new"),
        (Kind.REQUEST, Moment.AFTER, "answer Ada crib new"),
        (Kind.REQUEST, Moment.BEFORE, "post lo.0"),
        (Kind.REQUEST, Moment.AFTER, "post lo.0"),
        (Kind.WRITE, Moment.BEFORE, "INSERT INTO posts lobby"),
    ],
    ids=str,
)
async def test_a_table_has_one_lobby_wherever_the_bot_dies_over_it(
    tmp_path: Path, kind: Kind, moment: Moment, what: str
) -> None:
    points = Once(kind, moment, what)
    async with MortalBot(tmp_path, points, Plan(), seed="1") as bot:
        people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        bot.is_due = True
        table = await sit_down(bot, bot.sandbox.channels["cribbage"], people)
        assert await bot.stop() == 0
        assert bot.found == []
        assert [is_lobby(each) for each in table.messages].count(True) == 1
    assert len(points.died_at) == 1


@pytest.mark.parametrize(
    ("kind", "moment", "what"),
    [
        (Kind.WRITE, Moment.AFTER, "INSERT INTO games"),
        (Kind.REQUEST, Moment.BEFORE, "answer Ada crib new"),
        (Kind.REQUEST, Moment.AFTER, "answer Ada crib new"),
        (Kind.WRITE, Moment.BEFORE, "INSERT INTO posts lobby"),
    ],
    ids=str,
)
async def test_between_people_a_table_is_opened_again_where_the_bot_dies_over_its_lobby(
    tmp_path: Path, kind: Kind, moment: Moment, what: str
) -> None:
    points = Once(kind, moment, what)
    async with MortalBot(tmp_path, points, Plan(), seed="1") as bot:
        ada, ben = people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        ada.install_app()
        channel = ada.open_dm_with(ben)
        bot.is_due = True
        await sit_down(bot, channel, people, Place.PEOPLE)
        *dead, table = [each for each in channel.messages.values() if not each.is_ephemeral]
        for message in dead:
            for _, component in controls(message):
                assert (await ben.press(message, component["custom_id"])).state is State.ACKNOWLEDGED
        assert "Who deals first?" in table.text
        assert await bot.stop() == 0
        assert bot.found == []
    assert len(points.died_at) == 1


_PATIENT = Deadlines(first_answer=PATIENCE)


def stopping_at_once(bots: list[BotProcess]) -> Middleware:
    """Stops a bot when its first answer arrives, and takes that so slowly that others have hung up."""
    stopping = asyncio.Event()

    @web.middleware
    async def slow(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.endswith("/callback") and not stopping.is_set():
            stopping.set()
            bots[0].send(signal.SIGTERM)
            await asyncio.sleep(0.3)
        return await handler(request)

    return slow


async def test_a_stop_waits_for_the_suggestions_that_are_being_made(tmp_path: Path) -> None:
    bots: list[BotProcess] = []
    async with Sandbox(
        rate_limits=RateLimits.relaxed(), middlewares=[stopping_at_once(bots)], deadlines=_PATIENT
    ) as sandbox:
        async with BotProcess(sandbox, tmp_path / "games.sqlite3") as bot:
            bots.append(bot)
            asked = sandbox.people["Ada"].complete("cribbage", "crib play", option="card")
            await asked
            assert asked.state is State.ACKNOWLEDGED
            assert await bot.stop() == 0
        assert bot.troubles == []


async def test_a_stop_waits_for_the_answer_that_is_being_given(
    conformance: Conformance, tmp_path: Path
) -> None:
    bots: list[BotProcess] = []
    async with Sandbox(
        rate_limits=RateLimits.relaxed(), middlewares=[stopping_at_once(bots)], deadlines=_PATIENT
    ) as sandbox:
        sandbox.observers.append(conformance)
        channel = sandbox.channels["cribbage"]
        async with BotProcess(sandbox, tmp_path / "games.sqlite3") as bot:
            bots.append(bot)
            table = await Table.gather(channel, [sandbox.people["Ada"]], players=2)
            assert await bot.stop() == 0
            await bot.start()
            await sandbox.people["Ben"].press(table.lobby, "Join")
            await table.start()
            await table.until(lambda: len(table.messages) == 2)
            assert await bot.stop() == 0
            assert len(table.messages) == 2, "one lobby and one table"
        assert bot.troubles == []
    conformance.check()
