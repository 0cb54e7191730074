"""Alone against the computer in the bot's own DM: table and hand are one message a deal."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import pytest

from bot.model.posts import PostKind
from bot.model.table_record import Status
from sandbox.client.people import Person
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import PATIENCE, BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.players import Player, controls
from tests.end_to_end.tables import Table, everything_told, reply_to
from tests.end_to_end.watching import Watch


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path):
    """The bot, whose computer does not take its time."""
    process = BotProcess(sandbox, tmp_path / "games.sqlite3", {"COMPUTER_PACE": "0"})
    async with process:
        yield process
        assert await process.stop() == 0
    assert not process.troubles, "\n".join(process.troubles)


async def alone_in_dm(person: Person, archive: Archive, **options: object) -> Table:
    """A table in that person's DM with the bot, which has begun by itself."""
    dm, before = person.open_dm(), len(archive.tables())
    await reply_to(person.command(dm, "crib new", **options))
    return await newest_in_dm(person, archive, before)


async def newest_in_dm(person: Person, archive: Archive, before: int) -> Table:
    """The table that was opened there after so many."""
    await person.until(lambda: len(archive.tables()) > before, timeout=PATIENCE)
    game, dm = archive.tables()[-1].game, person.open_dm()
    since = len([each for each in dm.messages.values() if each.only_for is None])
    table = Table(dm, [Player(person, dm, game, Random(1))], max(since - 1, 0))
    await table.until(lambda: table.deals)
    return table


async def test_a_whole_game_alone_in_the_dm_with_a_kill_in_the_midst(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    watch = Watch(sandbox, archive)
    sandbox.observers.append(watch)
    table = await alone_in_dm(ada, archive, length=61)
    record = archive.tables()[-1]
    assert (record.guild, record.status, record.names) == (None, Status.PLAYING, ("Ada", "🤖 Steady"))
    table.players[0]._survives_failures = True
    for _ in range(4):
        before = archive.version(table.game)
        await table.play(lambda before=before: archive.version(table.game) > before + 9 or table.is_over)
        await bot.restart(signal.SIGKILL)
    await table.play()
    await everything_told([table])

    assert bot.starts == 5
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert {post.kind for post in archive.posts(table.game)} == {PostKind.TABLE, PostKind.RESULT}
    assert watch.leaks(bot.log) == []
    numbers = [number for number, _ in table.deals]
    assert numbers == list(range(1, archive.replayed(table.game).table.deal_number + 1))
    assert not controls(table.newest)
