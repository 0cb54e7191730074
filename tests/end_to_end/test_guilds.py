"""The bot is removed from its server, running or stopped, and invited again: no game is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from bot.model.table_record import Status
from engine import Stage
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player, controls, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_to
from tests.patience import PATIENCE

_RESTS = "This game is on hold: I was removed from The Crib Room"


def hand_of(player: Player) -> Message:
    """The message in their DM in which the hand is."""
    [hand] = [message for message in player.person.dms() if not message.is_ephemeral]
    return hand


def can_play(player: Player) -> bool:
    """True if the hand in their DM has a playable card."""
    hand = player.hand()
    return hand is not None and of_verb(hand, "play") is not None


async def in_play(sandbox: Sandbox, archive: Archive) -> Table:
    """A table at which cards are to be played, from the hands by DM."""
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: (record := archive.table(table.game)).synced == record.version)
    await table.until(lambda: any(can_play(each) for each in table.players))
    return table


async def remove(sandbox: Sandbox, bot: BotProcess, *, offline: bool) -> None:
    """Remove the bot from the server, while it runs or while it is stopped."""
    if offline:
        await bot.stop()
    sandbox.people["Ada"].kick_bot()
    if offline:
        await bot.start()


@pytest.mark.parametrize("offline", [False, True], ids=["online", "offline"])
async def test_a_game_rests_while_the_bot_is_away_and_goes_on_when_it_is_back(
    sandbox: Sandbox, bot: BotProcess, offline: bool
) -> None:
    archive = Archive(bot.database)
    table = await in_play(sandbox, archive)
    ada, old = table.players[0].person, table.newest
    assert ada.dm is not None
    log = archive.log(table.game)

    await remove(sandbox, bot, offline=offline)
    await table.until(lambda: all(_RESTS in hand_of(each).text for each in table.players))
    assert [controls(hand_of(each)) for each in table.players] == [[], []]
    for command in ("hand", "go"):
        assert _RESTS in (await reply_to(ada.command(ada.dm, f"crib {command}"))).text
    assert archive.log(table.game) == log

    if offline:
        await bot.stop()
    ada.invite_bot()
    if offline:
        await bot.start()
    await table.until(lambda: table.moved == [old] and not controls(old))
    assert controls(table.newest)
    assert table.newest is table.messages[-1]
    await table.until(lambda: any(can_play(each) for each in table.players))
    assert archive.log(table.game) == log

    await table.play(lambda: table.stands("Deal 2"))
    assert [number for number, _ in table.deals] == [1, 2]


@pytest.mark.parametrize("offline", [False, True], ids=["online", "offline"])
async def test_a_table_that_gathers_is_closed_when_the_bot_is_removed(
    sandbox: Sandbox, bot: BotProcess, offline: bool
) -> None:
    ada, channel, archive = sandbox.people["Ada"], sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.gather(channel, [ada], players=2)

    await remove(sandbox, bot, offline=offline)
    await table.until(lambda: archive.table(table.game).status is Status.CANCELLED)

    ada.invite_bot()
    await table.until(lambda: not controls(table.lobby))
    again = await Table.begin(channel, [ada, sandbox.people["Ben"]], length=61)
    await again.play(lambda: archive.replayed(again.game).table.stage is Stage.PLAYING)


def servers(bot: BotProcess) -> list[int]:
    """The servers of which the bot keeps settings."""
    with closing(sqlite3.connect(bot.database)) as connection:
        return [guild for (guild,) in connection.execute("SELECT guild FROM servers")]


@pytest.mark.parametrize("offline", [False, True], ids=["online", "offline"])
async def test_settings_are_deleted_with_the_server_but_not_while_it_is_unavailable(
    sandbox: Sandbox, bot: BotProcess, offline: bool
) -> None:
    ada, channel, guild = sandbox.people["Ada"], sandbox.channels["cribbage"], sandbox.world.guild
    panel = await reply_to(ada.command(channel, "crib-settings"))
    await ada.choose(panel, "server:language", ["fr"])
    assert servers(bot) == [int(guild.id)]
    await bot.restart()
    for session in sandbox.gateway.sessions.values():
        sandbox.gateway.dispatch(session, "GUILD_DELETE", {"id": guild.id, "unavailable": True})
    for _ in range(4):  # by then the bot has heard of it, and had its turn at the database
        await reply_to(ada.command(ada.open_dm(), "crib-data privacy"))
    for session in sandbox.gateway.sessions.values():
        available = sandbox.world.guild_payload() | {"unavailable": False}
        sandbox.gateway.dispatch(session, "GUILD_CREATE", available)
    assert "Ada veut jouer" in (await lobby_by(ada.command(channel, "crib new"))).text
    assert servers(bot) == [int(guild.id)]

    await remove(sandbox, bot, offline=offline)
    await ada.until(lambda: not servers(bot), timeout=PATIENCE)


@pytest.mark.parametrize(("days", "status"), [(29, Status.PLAYING), (31, Status.CANCELLED)])
async def test_a_game_that_has_rested_for_thirty_days_is_called_off(
    sandbox: Sandbox, bot: BotProcess, days: int, status: Status
) -> None:
    archive = Archive(bot.database)
    table = await in_play(sandbox, archive)
    await bot.stop()
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("UPDATE events SET at = at - ?", (days * 86_400,))
    sandbox.people["Ada"].kick_bot()
    await bot.start()

    await table.until(lambda: not any(controls(hand_of(each)) for each in table.players))
    await table.until(lambda: archive.table(table.game).status is status)
    assert all((_RESTS in hand_of(each).text) == (days < 30) for each in table.players)


async def test_a_table_whose_channel_was_deleted_while_the_bot_was_down_is_closed_at_once(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, archive = sandbox.people["Ada"], sandbox.people["Ben"], Archive(bot.database)
    den = ada.create_channel("den")
    gone = await Table.begin(den, [ada, ben])
    stays = await Table.begin(sandbox.channels["cribbage"], [ada, ben])
    resting = ada.start_thread("general", "resting")
    archived = await Table.begin(resting, [ada, ben])
    await bot.stop()
    ada.delete_channel(den)
    ada.archive(resting)
    await bot.start()
    await ada.until(lambda: archive.table(gone.game).status is Status.CANCELLED, timeout=PATIENCE)
    for table in (stays, archived):
        assert archive.table(table.game).status is Status.PLAYING
