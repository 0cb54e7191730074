"""What becomes of tables and settings when things happen in Discord while the bot is down."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.model.table_record import Status
from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Channel
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, reply_to
from tests.patience import PATIENCE

RESTS = "This game is on hold: I was removed from The Crib Room"


def servers(bot: BotProcess) -> list[int]:
    """The servers of which the bot keeps settings."""
    with closing(sqlite3.connect(bot.database)) as connection:
        return [guild for (guild,) in connection.execute("SELECT guild FROM servers")]


async def in_play(channel: Channel, people: list[Person], archive: Archive) -> Table:
    """A table at which cards are to be played, from the hands by DM."""
    table = await Table.begin(channel, people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: archive.is_synced(table.game))
    await table.until(lambda: any(map(can_play, people)))
    return table


def can_play(person: Person) -> bool:
    """True if the hand in their DM has a playable card."""
    return any(of_verb(each, "play") for each in person.dms())


async def test_a_bot_that_was_removed_lets_games_rest_closes_lobbies_forgets_settings_and_goes_on(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    gathering = await Table.gather(sandbox.channels["second-table"], [ada], players=2)
    panel = await reply_to(ada.command("general", "crib-settings"))
    await ada.choose(panel, "server:board", ["text"])
    assert servers(bot) == [int(sandbox.world.guild.id)]
    table = await in_play(sandbox.channels["cribbage"], people, archive)
    old, log = table.newest, archive.log(table.game)

    await bot.stop()
    ada.kick_bot()
    await bot.start()
    await table.until(lambda: all(RESTS in each.dms()[-1].text for each in people))
    assert [controls(each.dms()[-1]) for each in people] == [[], []]
    assert RESTS in (await reply_to(ben.command(ben.open_dm(), "crib go"))).text
    await table.until(lambda: archive.table(gathering.game).status is Status.CANCELLED)
    await table.until(lambda: not servers(bot))

    await bot.stop()
    ada.invite_bot()
    await bot.start()
    await table.until(lambda: table.moved == [old] and not controls(old))
    assert table.newest is table.messages[-1]
    await table.until(lambda: any(map(can_play, people)) and not controls(gathering.lobby))
    assert archive.log(table.game) == log
    await table.play(lambda: table.stands("Deal 2"))
    assert [number for number, _ in table.deals] == [1, 2]


async def test_a_game_that_has_rested_for_thirty_days_is_called_off(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben, cleo, dan = (sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan"))
    archive = Archive(bot.database)
    recent = await in_play(sandbox.channels["cribbage"], [ada, ben], archive)
    old = await in_play(sandbox.channels["second-table"], [cleo, dan], archive)
    await bot.stop()
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        for table, days in ((recent, 29), (old, 31)):
            connection.execute("UPDATE events SET at = at - ? WHERE game = ?", (days * 86_400, table.game))
    ada.kick_bot()
    await bot.start()

    for people, table, status in (
        ((ada, ben), recent, Status.PLAYING),
        ((cleo, dan), old, Status.CANCELLED),
    ):
        hands = [person.dms()[-1] for person in people]
        await table.until(lambda hands=hands: not any(map(controls, hands)))
        await table.until(lambda table=table, status=status: archive.table(table.game).status is status)
        assert all((RESTS in hand.text) == (table is recent) for hand in hands)


async def test_a_table_whose_channel_was_deleted_is_closed_at_once(sandbox: Sandbox, bot: BotProcess) -> None:
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
