"""The database's files: deleted while the bot runs, cleared of the forgotten, and computed anew."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.drivers.sqlite.dialect import translated
from bot.store.projection import EDITIONS, RESULTS
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess, environment
from tests.end_to_end.tables import Table, everything_told, reply_of
from tests.patience import PATIENCE


@pytest.mark.deep
async def test_a_table_goes_on_from_the_copy_that_the_last_sentence_names(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    async with BotProcess(sandbox, tmp_path / "games.sqlite3") as bot:
        table = await Table.gather(sandbox.channels["cribbage"], [ada, ben], length=61, players=2)
        bot.database.unlink()
        assert await bot.ended() != 0
        noticed, sentence = bot.troubles
        assert f"{bot.database} was deleted, moved or replaced while it was open" in noticed
        await bot.stop()
        command = shlex.split(sentence.split("`")[1])
        await asyncio.to_thread(subprocess.run, command, check=True)
        assert not bot.database.with_name("games.sqlite3.rescued").exists()
        await bot.start()
        await table.start()
        await table.cut_for_deal()
        assert await bot.stop() == 0


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
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.deep
async def test_the_forgotten_leave_tables_and_files_and_standings_are_computed_anew_as_they_were(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, cleo = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo"))
    channel, second = sandbox.channels["cribbage"], sandbox.channels["second-table"]
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
    stored = projection(bot)
    assert len(stored[0]) == 2
    assert "as they were" in rebuilt(bot)
    assert projection(bot) == stored
