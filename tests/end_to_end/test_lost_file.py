"""The SQLite file is deleted while the bot runs: it stops, and its tables go on from the rescue copy."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
from pathlib import Path

from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table


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
