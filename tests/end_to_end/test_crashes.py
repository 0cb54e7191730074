"""The bot is killed at points of all kinds, and every game ends as with an undisturbed bot.

`make kills` kills it at every point; here it is every 131st of each kind in a game of two, every 211th in one
of four, and some in games in a thread, in the bot's DM and in a DM of two people, too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.model.table_record import OwnThread
from programs.sweep import UNDISTURBED, differences, played
from sandbox.model.channels import Message
from sandbox.model.interactions import State
from tests.end_to_end.archive import Archive
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.players import Player, controls
from tests.end_to_end.points import Kind, Moment, Plan, Points
from tests.end_to_end.steady import Place, sit_down
from tests.end_to_end.tables import Table, is_lobby, public, standing

deep = pytest.mark.deep


@deep
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
    assert {each[:2] for each in points.died_at} == {(kind, moment) for kind in Kind for moment in Moment}
    assert disturbed.deaths > len(points.reached) / (3 * nth)


@asynccontextmanager
async def dying_once(directory: Path, kind: Kind, moment: Moment, words: str) -> AsyncIterator[MortalBot]:
    """A bot that dies once, at the first point with these words after it `is_due`."""
    points, plan = Points(), Plan(kinds=frozenset({(kind, moment)}), once_at=words)
    async with MortalBot(directory, points, plan, seed="1") as bot:
        yield bot
        assert bot.found == []
    assert len(points.died_at) == 1


@pytest.mark.parametrize(
    ("kind", "moment", "words"),
    [
        pytest.param(Kind.REQUEST, Moment.AFTER, "post lo.0", marks=pytest.mark.sample),
        pytest.param(Kind.REQUEST, Moment.BEFORE, "post lo.0", marks=deep),
        pytest.param(Kind.REQUEST, Moment.BEFORE, "answer Ada crib new", marks=deep),
        pytest.param(Kind.REQUEST, Moment.AFTER, "answer Ada crib new", marks=deep),
        pytest.param(Kind.WRITE, Moment.AFTER, "INSERT INTO games", marks=deep),
        pytest.param(Kind.WRITE, Moment.BEFORE, "INSERT INTO posts lobby", marks=deep),
    ],
    ids=str,
)
async def test_a_table_has_one_lobby_wherever_the_bot_dies_over_it(
    tmp_path: Path, kind: Kind, moment: Moment, words: str
) -> None:
    async with dying_once(tmp_path, kind, moment, words) as bot:
        people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        bot.is_due = True
        table = await sit_down(bot, bot.sandbox.channels["cribbage"], people)
        assert await bot.stop() == 0
        assert [is_lobby(each) for each in table.messages].count(True) == 1


@deep
@pytest.mark.parametrize(
    ("kind", "moment", "words"),
    [
        (Kind.WRITE, Moment.AFTER, "INSERT INTO games"),
        (Kind.REQUEST, Moment.BEFORE, "answer Ada crib new"),
        (Kind.REQUEST, Moment.AFTER, "answer Ada crib new"),
        (Kind.WRITE, Moment.BEFORE, "INSERT INTO posts lobby"),
    ],
    ids=str,
)
async def test_between_people_a_table_is_opened_again_where_the_bot_dies_over_its_lobby(
    tmp_path: Path, kind: Kind, moment: Moment, words: str
) -> None:
    async with dying_once(tmp_path, kind, moment, words) as bot:
        ada, ben = people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        ada.install_app()
        channel = ada.open_dm_with(ben)
        bot.is_due = True
        await sit_down(bot, channel, people, Place.PEOPLE)
        *dead, table = public(channel)
        for message in dead:
            for _, component in controls(message):
                assert (await ben.press(message, component["custom_id"])).state is State.ACKNOWLEDGED
        assert "Who deals first?" in table.text
        assert await bot.stop() == 0


@deep
@pytest.mark.parametrize(
    ("kind", "moment", "words"),
    [
        (Kind.REQUEST, Moment.BEFORE, "POST /channels/ID/messages/ID/threads"),
        (Kind.REQUEST, Moment.AFTER, "POST /channels/ID/messages/ID/threads"),
        (Kind.WRITE, Moment.BEFORE, "UPDATE games thread"),
        (Kind.WRITE, Moment.AFTER, "UPDATE games thread"),
    ],
    ids=str,
)
async def test_a_game_has_one_thread_wherever_the_bot_dies_over_it(
    tmp_path: Path, kind: Kind, moment: Moment, words: str
) -> None:
    async with dying_once(tmp_path, kind, moment, words) as bot:
        people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        archive = Archive(bot.database)
        gathered = await Table.gather(bot.sandbox.channels["cribbage"], people, thread=True, length=61)
        bot.is_due = True
        await gathered.start()
        await gathered.until(lambda: bot.deaths)
        await bot.stands()
        await gathered.until(lambda: archive.table(gathered.game).thread is OwnThread.OPEN)
        thread = gathered.lobby.thread
        assert thread is not None
        table = Table(thread, [Player(each, thread, gathered.game, Random(1)) for each in people])
        await table.cut_for_deal()
        await table.until(lambda: thread.id in gathered.lobby.text)
        assert await bot.stop() == 0
        assert len(table.messages) == len(gathered.messages) == 1


@deep
@pytest.mark.parametrize(
    ("kind", "moment", "words"),
    [
        (Kind.WRITE, Moment.AFTER, "INSERT INTO finished"),
        (Kind.REQUEST, Moment.AFTER, "post lo.0"),
        (
            Kind.WRITE,
            Moment.AFTER,
            "DELETE FROM seats + UPDATE seats + DELETE FROM declined + INSERT INTO events at",
        ),
    ],
    ids=str,
)
async def test_the_next_game_of_a_match_waits_and_begins_once_wherever_the_bot_dies(
    tmp_path: Path, kind: Kind, moment: Moment, words: str
) -> None:
    async with dying_once(tmp_path, kind, moment, words) as bot:
        ada, ben = people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        channel, archive = bot.sandbox.channels["cribbage"], Archive(bot.database)
        table = await Table.begin(channel, people, games=3, length=61)

        async def until_done(act: Callable[[], object], is_done: Callable[[], object]) -> None:
            """Do it, and again when the bot has died meanwhile: then nobody is answered."""
            while not is_done():
                deaths = bot.deaths
                await bot.stands()
                act()
                await table.until(lambda deaths=deaths: is_done() or bot.deaths > deaths)

        bot.is_due = True
        await until_done(
            lambda: ben.command(channel, "crib resign", sure=True),
            lambda: archive.replayed(table.game).is_over,
        )
        await table.until(lambda: standing(channel, "## Game 2 of the match"))
        [lobby] = standing(channel, "## Game 2 of the match")
        await until_done(lambda: ada.press(lobby, "Next game"), lambda: archive.tables()[1].version)

        def second_deals() -> list[Message]:
            """The second game's first deal; the lobby becomes it where the kill came before it was noted."""
            shown = standing(channel, "**Deal 1** · Ben's crib")
            return [each for each in shown if int(each.id) >= int(lobby.id)]

        await table.until(lambda: bot.deaths and second_deals())
        await bot.stands()
        await table.until(lambda: archive.is_synced(archive.tables()[1].game))
        assert await bot.stop() == 0
        # A result and the lobby below it can be used both, as with a rematch.
        bot.found[:] = [each for each in bot.found if "live at once" not in each]
        assert len(archive.tables()) == 2
        assert len(standing(channel, "## 🏆 Ada wins")) == 1
        begun = standing(channel, "## The game is on\n🔴 **Ada**\n🔷 **Ben**\nBest of three")
        [deal] = second_deals()
        assert [each.id for each in begun] == ([] if deal.id == lobby.id else [lobby.id])
