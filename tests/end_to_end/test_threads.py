"""Games in threads of their own: opened from the lobby, once, wherever the bot dies; or kindly not at all."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.model.table_record import OwnThread
from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.crashes import MortalBot
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.points import Kind, Moment, Plan
from tests.end_to_end.tables import Table, everything_told, is_lobby, lobby_by, reply_to
from tests.end_to_end.test_crashes import Once
from tests.patience import PATIENCE


def thread_of(sandbox: Sandbox, lobby: Table) -> Channel:
    """The thread that was opened from the lobby."""
    thread = lobby.lobby.thread
    assert thread is not None
    assert thread is sandbox.world.guild.channels[lobby.lobby.id]
    return thread


async def in_its_thread(
    sandbox: Sandbox, channel: Channel, people: list[Person], archive: Archive, **options: object
) -> tuple[Table, Table]:
    """The lobby in the channel, and the table in the thread of its own."""
    gathered = await Table.gather(channel, people, thread=True, length=61, **options)  # type: ignore[arg-type]
    await gathered.start()
    await gathered.until(lambda: archive.table(gathered.game).thread is OwnThread.OPEN)
    thread = thread_of(sandbox, gathered)
    table = Table(thread, [Player(each, thread, gathered.game, Random(1)) for each in people])
    await table.cut_for_deal()
    return gathered, table


async def test_a_whole_game_is_played_in_a_thread_of_its_own(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    gathered, table = await in_its_thread(sandbox, channel, people, archive)
    assert (table.channel.name, table.channel.auto_archive_duration) == ("Ada and Ben", 60)
    assert archive.table(table.game).channel == int(table.channel.id)
    await table.until(lambda: f"It's played in <#{table.channel.id}>." in gathered.lobby.text)
    assert not controls(gathered.lobby)

    other = await lobby_by(sandbox.people["Cleo"].command(channel, "crib new"))
    assert of_verb(other, "join"), "the channel is free for another table"
    refused = await reply_to(ada.command(table.channel, "crib new"))
    assert "already a table here" in refused.text

    await table.play()
    await everything_told([table], archive)
    assert len([each for each in channel.messages.values() if not each.is_ephemeral]) == 2
    await ben.press(table.results[0], "Rematch")
    again = await lobby_by(ada.command(table.channel, "crib help"))
    assert again.channel is table.channel
    assert archive.tables()[-1].thread is OwnThread.NONE
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive, up_to=table.results[0])
    assert_one_hand_a_game([table], archive)


async def test_alone_against_the_computer_a_thread_is_opened_at_once(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel, archive = sandbox.people["Ada"], sandbox.channels["cribbage"], Archive(bot.database)
    await ada.command(channel, "crib new", computer="beginner", thread=True)
    await ada.until(lambda: archive.tables()[-1].thread is OwnThread.OPEN, timeout=PATIENCE)
    [lobby] = [each for each in channel.messages.values() if not each.is_ephemeral]
    assert is_lobby(lobby)
    assert lobby.thread is not None
    assert lobby.thread.name == "Ada and 🤖\N{NO-BREAK SPACE}Beginner"


async def test_a_thread_rests_after_an_hour_and_a_hand_that_is_played_opens_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
    _, table = await in_its_thread(sandbox, sandbox.channels["cribbage"], people, archive, pace="slow")
    assert table.channel.auto_archive_duration == 1440, "a turn of a day fits into it"
    sandbox.clock.advance(86_000)
    assert not table.channel.archived
    sandbox.clock.advance(500)
    assert table.channel.archived

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: not table.channel.archived)
    await table.until(lambda: of_verb(table.newest, "hand"))


async def test_without_the_permission_it_is_said_before_anybody_waits(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, channel = sandbox.people["Ada"], sandbox.channels["cribbage"]
    forbid(sandbox, channel)
    refused = await reply_to(ada.command(channel, "crib new", thread=True))
    assert "Create Public Threads" in refused.text
    elsewhere = ada.start_thread("general", "another")
    refused = await reply_to(ada.command(elsewhere, "crib new", thread=True))
    assert "in a text channel only" in refused.text
    assert is_lobby(await lobby_by(ada.command(elsewhere, "crib new")))


async def test_a_permission_taken_away_meanwhile_leaves_the_game_in_its_channel(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.gather(channel, people, thread=True, length=61)
    assert "own thread" in table.lobby.text
    forbid(sandbox, channel)
    await table.start()
    await table.cut_for_deal()
    await table.until(lambda: "I may not open a thread here" in table.lobby.text)
    assert archive.table(table.game).thread is OwnThread.REFUSED
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)


async def test_a_thread_that_somebody_has_opened_is_used_unless_a_table_is_in_it(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    for name, is_taken in (("cribbage", False), ("second-table", True)):
        table = await Table.gather(sandbox.channels[name], people, thread=True, length=61)
        thread = sandbox.world.add_thread(table.channel, "talk", ada.user, started_by=table.lobby)
        if is_taken:
            await lobby_by(ben.command(thread, "crib new"))
        await table.start()
        settled = OwnThread.REFUSED if is_taken else OwnThread.OPEN
        await table.until(lambda table=table, settled=settled: archive.table(table.game).thread is settled)
        place = table.channel if is_taken else thread
        assert archive.table(table.game).channel == int(place.id)


async def test_a_locked_thread_keeps_nobody_from_their_hand_and_catches_up(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
    _, table = await in_its_thread(sandbox, sandbox.channels["cribbage"], people, archive)
    people[0].archive(table.channel, lock=True)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    assert [number for number, _ in table.deals] == [1]
    table.channel.locked = False
    sandbox.world.update_channel(table.channel)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 3)
    await table.until(lambda: [number for number, _ in table.deals][-1] == 3)
    assert not table.channel.archived
    assert all("may not be written to: Forbidden 403 50013" in line for line in bot.troubles)
    bot.log.clear()


async def test_a_game_ends_with_its_thread(sandbox: Sandbox, bot: BotProcess) -> None:
    people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
    _, table = await in_its_thread(sandbox, sandbox.channels["cribbage"], people, archive)
    people[0].delete_channel(table.channel)
    await table.until(lambda: archive.table(table.game).status.value == "cancelled")


@pytest.mark.parametrize(
    ("kind", "moment", "what"),
    [
        (Kind.REQUEST, Moment.BEFORE, "POST /channels/ID/messages/ID/threads"),
        (Kind.REQUEST, Moment.AFTER, "POST /channels/ID/messages/ID/threads"),
        (Kind.WRITE, Moment.BEFORE, "UPDATE games thread"),
        (Kind.WRITE, Moment.AFTER, "UPDATE games thread"),
    ],
    ids=str,
)
async def test_a_game_has_one_thread_wherever_the_bot_dies_over_it(
    tmp_path: Path, kind: Kind, moment: Moment, what: str
) -> None:
    points = Once(kind, moment, what)
    async with MortalBot(tmp_path, points, Plan(), seed="1") as bot:
        people = [bot.sandbox.people[name] for name in ("Ada", "Ben")]
        channel, archive = bot.sandbox.channels["cribbage"], Archive(bot.database)
        gathered = await Table.gather(channel, people, thread=True, length=61)
        bot.is_due = True
        await gathered.start()
        await gathered.until(lambda: bot.deaths)
        await bot.stands()
        await gathered.until(lambda: archive.table(gathered.game).thread is OwnThread.OPEN)
        thread = thread_of(bot.sandbox, gathered)
        table = Table(thread, [Player(each, thread, gathered.game, Random(1)) for each in people])
        await table.cut_for_deal()
        await table.until(lambda: thread.id in gathered.lobby.text)
        assert await bot.stop() == 0
        assert bot.found == []
        assert len(table.messages) == 1
        assert len(gathered.messages) == 1
    assert len(points.died_at) == 1


def forbid(sandbox: Sandbox, channel: Channel) -> None:
    """Deny the bot the permission to open threads."""
    denied = Overwrite(sandbox.world.bot.id, is_member=True, deny=Permission.CREATE_PUBLIC_THREADS)
    sandbox.people["Ada"].set_overwrite(channel, denied)
