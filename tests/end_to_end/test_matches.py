"""Matches of three games over real sockets: through a kill, with presses at the table and by DM."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.table_record import OwnThread, Status
from engine import DealBegan
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.points import Kind, Moment, Plan, Point
from tests.end_to_end.tables import Table, reply_to
from tests.end_to_end.test_crashes import Once
from tests.patience import PATIENCE


def _standing(channel: Channel, heading: str) -> list[Message]:
    """Public messages of the channel with that heading."""
    return [each for each in channel.messages.values() if each.only_for is None and heading in each.text]


async def test_a_match_goes_on_through_a_kill_until_a_side_has_won_two_games(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, games=3)
    assert "Best of three: Ada 0 · Ben 0" in table.newest.text

    # Killed as soon as the first game is over: the next one waits, told once and below the result.
    await ben.command(channel, "crib resign", sure=True)
    await bot.restart()
    await ada.until(lambda: _standing(channel, "## Game 2 of the match"), timeout=PATIENCE)
    [result] = _standing(channel, "## 🏆 Ada wins")
    assert "Best of three: Ada 1 · Ben 0" in result.text
    assert "Next game: Ben deals" in result.text
    [lobby] = _standing(channel, "## Game 2 of the match")
    assert lobby.id > result.id
    await ada.until(lambda: [each for each in ben.dms() if "You lost to Ada" in each.text], timeout=PATIENCE)
    [card] = [each for each in ben.dms() if "You lost to Ada" in each.text]

    # Both start it at once, one of them by DM: it begins once.
    said, _ = await asyncio.gather(reply_to(ben.press(card, "Next game")), ada.press(lobby, "Next game"))
    assert said.text
    await ada.until(lambda: _standing(channel, "**Deal 1** · Ben's crib"), timeout=PATIENCE)
    first, second = archive.tables()
    assert (second.match, second.rematch_of, second.won_before) == (first.game, first.game, (1, 0))
    assert sum(isinstance(event, DealBegan) for event in archive.log(second.game)) == 1

    await ada.command(channel, "crib resign", sure=True)
    await ada.until(lambda: _standing(channel, "## Game 3 of the match"), timeout=PATIENCE)
    await ada.command(channel, "crib rematch")
    await ada.until(lambda: len(archive.tables()) == 3 and archive.tables()[2].version, timeout=PATIENCE)
    await ben.command(channel, "crib resign", sure=True)
    await ada.until(lambda: _standing(channel, "## 🏆 Ada wins the match: 2–1!"), timeout=PATIENCE)
    [result] = _standing(channel, "## 🏆 Ada wins the match: 2–1!")
    assert "Best of three: " not in result.text
    assert result.text.count("Game 2: Ben") == 1
    await ada.until(
        lambda: [each for each in ben.dms() if "You lost the match" in each.text], timeout=PATIENCE
    )
    assert [each.status for each in archive.tables()] == [Status.OVER] * 3


async def test_a_match_alone_in_the_dm_waits_for_its_person_and_can_be_ended(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    dm = ada.open_dm()
    await ada.command(dm, "crib new", games=3)
    await ada.until(lambda: archive.tables() and archive.tables()[0].version, timeout=PATIENCE)
    await ada.command(dm, "crib resign", sure=True)
    await ada.until(lambda: _standing(dm, "## Game 2 of the match"), timeout=PATIENCE)
    await bot.restart()
    refused = await reply_to(ada.command(dm, "crib new"))
    assert "Your game here isn't over yet." in refused.text
    waiting = archive.tables()[1]
    assert (waiting.status, waiting.version) == (Status.GATHERING, 0)

    lobby = _standing(dm, "## Game 2 of the match")[-1]
    await ada.press(lobby, "Next game")
    await ada.until(lambda: archive.tables()[1].version, timeout=PATIENCE)
    await ada.until(lambda: "Best of three: Ada 0 · 🤖" in "".join(each.text for each in ada.dms()))
    await ada.command(dm, "crib end")
    await ada.until(lambda: _standing(dm, "The match ends with it. Best of three: Ada 0"), timeout=PATIENCE)
    assert len(archive.tables()) == 2


async def test_a_match_against_a_computer_stays_in_its_thread(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    channel = sandbox.channels["cribbage"]
    await ada.command(channel, "crib new", games=3, thread=True, computer="beginner")
    await ada.until(
        lambda: archive.tables() and archive.tables()[0].thread is OwnThread.OPEN, timeout=PATIENCE
    )
    thread = sandbox.world.guild.channels[str(archive.tables()[0].channel)]
    await ada.command(thread, "crib resign", sure=True)
    await ada.until(lambda: _standing(thread, "## Game 2 of the match"), timeout=PATIENCE)
    assert "🤖 Beginner 1" in _standing(thread, "## Game 2 of the match")[0].text.replace("\u00a0", " ")
    await ada.press(_standing(thread, "## Game 2 of the match")[0], "Next game")
    await ada.until(lambda: archive.tables()[1].version, timeout=PATIENCE)
    await ada.command(thread, "crib resign", sure=True)
    await ada.until(lambda: _standing(thread, "wins the match: 2–0"), timeout=PATIENCE)
    assert not _standing(channel, "Game 2 of the match")
    assert {each.channel for each in archive.tables()} == {int(thread.id)}


class _Within(Once):
    """One kill, at the first point that has these words in it."""

    def dies_at(self, point: Point, plan: Plan) -> bool:
        """Only there."""
        return self._what in point.what and super().dies_at(replace(point, what=self._what), plan)


@pytest.mark.parametrize(
    ("kind", "moment", "what"),
    [
        (Kind.WRITE, Moment.AFTER, "INSERT INTO finished"),
        (Kind.REQUEST, Moment.AFTER, "post lo.0"),
        (Kind.WRITE, Moment.AFTER, "DELETE FROM seats + UPDATE seats + INSERT INTO events at"),
    ],
    ids=str,
)
async def test_the_next_game_waits_and_begins_once_wherever_the_bot_dies(
    tmp_path: Path, kind: Kind, moment: Moment, what: str
) -> None:
    points = _Within(kind, moment, what)
    async with MortalBot(tmp_path, points, Plan(), seed="1") as bot:
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
        await table.until(lambda: _standing(channel, "## Game 2 of the match"))
        [lobby] = _standing(channel, "## Game 2 of the match")
        await until_done(lambda: ada.press(lobby, "Next game"), lambda: archive.tables()[1].version)

        def second_deals() -> list[Message]:
            """The second game's first deal; the lobby becomes it where the kill came before it was noted."""
            shown = _standing(channel, "**Deal 1** · Ben's crib")
            return [each for each in shown if int(each.id) >= int(lobby.id)]

        await table.until(lambda: bot.deaths and second_deals())
        await bot.stands()
        await table.until(lambda: archive.is_synced(archive.tables()[1].game))
        assert await bot.stop() == 0
        # A result and the lobby below it can be used both, as with a rematch.
        assert [each for each in bot.found if "live at once" not in each] == []
        assert len(archive.tables()) == 2
        assert len(_standing(channel, "## 🏆 Ada wins")) == 1
        begun = _standing(channel, "## The game is on\n🔴 **Ada**\n🔷 **Ben**\nBest of three")
        [deal] = second_deals()
        assert [each.id for each in begun] == ([] if deal.id == lobby.id else [lobby.id])
    assert len(points.died_at) == 1
