"""A short game in the sandbox, and then everything that can be asked about it, with the bot as a process."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest

from bot.store.drivers.sqlite.dialect import translated
from bot.store.projection import EDITIONS, RESULTS
from sandbox.client.people import Person
from sandbox.model.channels import Channel, Message
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess, environment
from tests.end_to_end.tables import Table, everything_told, post_of, reply_of, reply_to
from tests.patience import PATIENCE


@pytest.fixture
def people(sandbox: Sandbox) -> tuple[Person, Person, Person]:
    return sandbox.people["Ada"], sandbox.people["Ben"], sandbox.people["Cleo"]


@pytest.fixture
def channel(people: tuple[Person, ...]) -> Channel:
    return next(each for each in people[0].channels if each.name == "cribbage")


def projection(bot: BotProcess) -> list[list[tuple]]:
    """Every row of the projection that is read, as it stands in the file; not which edition it is."""
    with closing(sqlite3.connect(bot.database)) as connection:
        results = [
            connection.execute(f"SELECT * FROM {name} ORDER BY {translated(order).sql}").fetchall()
            for name, order in RESULTS.items()
        ]
        (edition,) = connection.execute("SELECT edition FROM projection").fetchone()
        return results + [
            [
                row[1:]
                for row in connection.execute(
                    f"SELECT * FROM {name} WHERE edition = ? ORDER BY {translated(order).sql}", (edition,)
                )
            ]
            for name, order in EDITIONS.items()
        ]


def rebuilt(bot: BotProcess) -> str:
    """Output of `python -m bot rebuild`."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "rebuild"],
        cwd=bot.database.parent,
        env=environment(DISCORD_TOKEN="t", DATABASE=str(bot.database), LOG_LEVEL="WARNING"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


async def test_a_game_is_asked_about_and_computed_anew(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, cleo = people
    assert (
        "You haven't finished a game here yet."
        in reply_of(await ada.command(channel, "crib-stats player")).text
    )
    table = await Table.begin(channel, [ada, ben], rules="short", seed=3)
    await table.play()
    await everything_told([table])
    won = "Ada wins" in table.results[0].text

    own = reply_of(await ada.command(channel, "crib-stats player")).text
    assert own.startswith("## Your games\n")
    assert f"1 game, {int(won)} won" in own
    assert "Dealer: pegs" in own
    about = reply_of(await cleo.command(channel, "crib-stats player", player=ada.id)).text
    assert "You and Ada haven't finished a game together yet." in about
    rival = reply_of(await ben.command(channel, "crib-stats player", player=ada.id))
    assert f"**Against you:** 1 game · Ada won {int(won)}, you {int(not won)}" in rival.text
    assert reply_of(await ben.command_on("Cribbage stats", ada, channel)).text == rival.text
    shown = await post_of(ben.press(rival, "Show everybody"))
    assert "## Ada's games" in shown.text
    assert f"**Ada against Ben:** 1 game, {int(won)} to {int(not won)}" in shown.text
    assert "Against you" not in shown.text
    replayed = reply_of(await ada.command_on_message("Replay this game", table.results[0]))
    assert replayed.is_ephemeral
    assert "Step 1" in replayed.text
    refused = reply_of(await ada.command_on_message("Replay this game", shown))
    assert refused.text.startswith("That's no result of a game.")

    board = (await ada.command(channel, "crib-stats leaderboard", by="rating", games="month")).reply
    assert not board.is_ephemeral
    assert board.text.count("placement 1 of 10") == 2
    assert "2 players" in board.text
    in_dm = (await reply_to(ada.command(ada.open_dm(), "crib-stats leaderboard"))).text
    assert re.search(r"^\*\*The Crib Room\*\* · placement 1 of 10$", in_dm, re.MULTILINE)
    assert "Ben" not in in_dm
    nowhere = (await reply_to(cleo.command(cleo.open_dm(), "crib-stats leaderboard"))).text
    assert nowhere == "Ask in a server: each has its own players and leaderboard."
    await bot.restart()
    await ada.press(board, "All time")
    assert "All time · 2 players" in board.text
    theirs = reply_of(await cleo.press(board, "This month")).text
    assert "▸ You: no finished games of 2 players this month" in theirs
    assert "All time" in board.text, "somebody else's press leaves the asker's page as it is"

    await bot.stop(signal.SIGTERM)
    before = projection(bot)
    assert len(before[0]) == 1
    assert "as they were" in rebuilt(bot)
    assert projection(bot) == before


async def test_a_month_is_offered_and_shown_and_moderators_choose_the_time_zone(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, _ = people
    table = await Table.begin(channel, [ada, ben], rules="short", seed=3)
    await ben.press(reply_of(await ben.command(channel, "crib resign")), "Resign")
    await everything_told([table])

    async def offered(command: str, option: str, typed: str = "") -> list[str]:
        asked = await ada.complete(channel, command, option=option, typed=typed)
        return [each["value"] for each in asked.choices or ()]

    [month] = await offered("crib-stats season", "month")
    board = (await ben.command(channel, "crib-stats season", month=month)).reply
    assert not board.is_ephemeral
    assert "🥇 **Ada** · 1 of 1 game won" in board.text
    assert "**2** Ben · 0 of 1 game won" in board.text
    none = reply_of(await ben.command(channel, "crib-stats season", month="2020-02"))
    assert none.text == "No games between people were finished here in February 2020."
    assert await offered("crib-stats podium", "zone", "new york") == ["America/New_York"]
    chosen = reply_of(await ada.command(channel, "crib-stats podium", zone="America/New_York"))
    assert chosen.text.startswith("From now on seasons end at midnight in **America/New_York**;")
    await bot.restart()
    assert await offered("crib-stats season", "month") == [month]


async def test_reminders_are_turned_on_and_off_below_ones_games(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, _ = people
    await Table.begin(channel, [ada, ben], pace="slow")
    games = reply_of(await ada.command(channel, "crib-stats games"))
    await ada.press(games, "Remind me once a day")
    await ada.until(lambda: "At most once a day" in games.text, timeout=PATIENCE)
    await bot.restart()
    assert file_of_reminders(bot) == [(int(ada.id), 0, "on")]
    await ada.press(games, "No more reminders")
    await ada.until(lambda: "At most once a day" not in games.text, timeout=PATIENCE)
    assert file_of_reminders(bot) == [(int(ada.id), 0, "off")]


def file_of_reminders(bot: BotProcess) -> list[tuple[int, int, str]]:
    with closing(sqlite3.connect(bot.database)) as connection:
        return connection.execute("SELECT user, rung, state FROM reminders").fetchall()


async def test_who_hides_is_seen_by_nobody_else(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, cleo = people
    table = await Table.begin(channel, [ada, ben], rules="short", seed=3)
    await ben.press(reply_of(await ben.command(channel, "crib resign")), "Resign")
    await everything_told([table])
    said = reply_of(await ada.command(channel, "crib-data privacy", hide=True)).text
    assert "You are hidden" in said
    assert "Ada" not in (await ben.command(channel, "crib-stats leaderboard", by="wins")).reply.text
    assert (
        "keeps their statistics private"
        in reply_of(await cleo.command(channel, "crib-stats player", player=ada.id)).text
    )
    assert (
        "only you see this: **1** of 1 game"
        in reply_of(await ada.command(channel, "crib-stats leaderboard", by="wins")).text
    )
    assert "1 game, 1 won" in reply_of(await ada.command(channel, "crib-stats player")).text
    await ada.command(channel, "crib-data privacy", hide=False)
    assert "**1** Ada" in (await ben.command(channel, "crib-stats leaderboard", by="wins")).reply.text


async def exported(person: Person, channel: Channel) -> Message:
    """The answer to asking for the export, which comes after a while."""
    asked = await person.command(channel, "crib-data export")
    await person.until(lambda: asked.messages, timeout=PATIENCE)
    return reply_of(asked)


def file_of(message: Message) -> dict[str, Any]:
    (attachment,) = message.attachments
    found: dict[str, Any] = json.loads(attachment.content)
    return found


async def test_the_export_comes_by_dm_or_else_in_private(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, _ = people
    await Table.gather(channel, [ada, ben], rules="short")
    told = await exported(ada, channel)
    assert "by DM" in told.text
    by_dm = file_of(ada.dms()[-1])
    assert by_dm["user"] == ada.id
    assert [each["status"] for each in by_dm["games"]] == ["gathering"]
    ben.close_dms()
    in_private = await exported(ben, channel)
    assert file_of(in_private)["user"] == ben.id


async def test_the_forgotten_leave_their_tables_and_the_files(
    bot: BotProcess,
    people: tuple[Person, Person, Person],
    channel: Channel,
) -> None:
    ada, ben, cleo = people
    second = next(each for each in ada.channels if each.name == "second-table")
    finished = await Table.begin(channel, [ada, ben], rules="short", seed=3)
    await finished.play()
    await everything_told([finished])
    playing = await Table.begin(channel, [ada, cleo], rules="short", seed=4)
    lobby = await Table.gather(second, [ada, ben], rules="short")

    question = reply_of(await ada.command(channel, "crib-data delete"))
    assert "You are at 2 tables" in question.text
    await ada.press(question, "Cancel")
    assert "Nothing was deleted." in question.text
    question = reply_of(await ada.command(channel, "crib-data delete"))
    await bot.restart()
    await ada.press(question, "Delete my data")
    await ada.until(lambda: "Your data is deleted" in question.text, timeout=PATIENCE)

    await playing.until(lambda: playing.results)
    assert "Cleo wins!" in playing.results[-1].text
    await lobby.until(lambda: "**Ben**" in lobby.lobby.text)
    assert "haven't finished a game" in reply_of(await ada.command(channel, "crib-stats player")).text
    assert "1 game, 1 won" in reply_of(await cleo.command(channel, "crib-stats player")).text
    await everything_told([playing])
    assert ada.dm is not None
    before = [file.read_bytes() for file in bot.database.parent.glob(bot.database.name + "*")]
    await bot.stop(signal.SIGTERM)
    for body in (*before, bot.database.read_bytes()):
        for trace in (ada.id.encode(), int(ada.id).to_bytes(8, "big"), b"Ada", ada.dm.id.encode()):
            assert trace not in body
        assert int(ada.dm.id).to_bytes(8, "big") not in body
    assert not any(ada.id in line for line in bot.log)
    assert "as they were" in rebuilt(bot)
