"""Tables whose permissions, thread, messages or channel are taken away during the game."""

from __future__ import annotations

import pytest

from engine import Stage, StoodIn
from sandbox.model.channels import Channel
from sandbox.model.permissions import Overwrite, Permission
from sandbox.server import Sandbox
from tests.end_to_end.absences import time_for_a_move
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import controls, of_verb
from tests.end_to_end.tables import Table, lobby_by, reply_of, reply_to


def silence(sandbox: Sandbox, channel: Channel, *, silent: bool = True) -> None:
    """Deny or allow the bot the permission to post."""
    denied = Permission.SEND_MESSAGES if silent else Permission(0)
    bot = sandbox.world.bot.id
    sandbox.people["Ada"].set_overwrite(channel, Overwrite(bot, is_member=True, deny=denied))


async def test_a_channel_that_cannot_be_written_to_keeps_nobody_from_his_hand(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)

    silence(sandbox, channel)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 3)
    silence(sandbox, channel, silent=False)
    await table.play()

    last = archive.replayed(table.game).table.deal_number
    await table.until(lambda: [number for number, _ in table.deals] == list(range(1, last + 1)))
    assert [number for number, _ in table.shows][:2] == [1, 2]
    assert all("may not be written to: Forbidden 403 50013" in line for line in bot.troubles)
    assert len(bot.troubles) < 5, "a channel that refuses is not asked again and again"
    bot.log.clear()


async def test_a_table_in_a_thread_goes_on_when_the_thread_is_archived(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    thread = people[0].start_thread("cribbage", "our table")
    table = await Table.begin(thread, people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)

    people[0].archive(thread)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: table.deals[-1][0] == 2)

    assert not thread.archived


async def test_a_table_in_a_private_thread_goes_on_when_the_bot_is_added_to_it_again(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    me, archive = sandbox.world.bot, Archive(bot.database)
    thread = ada.start_thread("cribbage", "our table", is_private=True)
    ada.say(thread, f"{me.mention} {ben.user.mention}")
    table = await Table.begin(thread, people, length=61)

    ada.remove_from_thread(thread, me)
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    assert [number for number, _ in table.deals] == [1]
    ada.say(thread, f"{me.mention} come back")
    await table.until(lambda: [number for number, _ in table.deals] == [1, 2])

    assert all("may not be written to: Forbidden 403 50001" in line for line in bot.troubles)
    bot.log.clear()


async def test_a_table_message_that_is_deleted_is_posted_anew(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    first = table.newest
    people[0].delete(first)

    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: table.deals)

    assert table.newest.id != first.id
    assert reply_of(await people[1].press(table.newest, "My hand")).text


@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_a_table_is_closed_with_its_place_and_holds_nobody_up(
    sandbox: Sandbox, bot: BotProcess, place: str
) -> None:
    ada, ben = people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    gone = ada.start_thread("general", "gone") if place == "thread" else sandbox.channels["second-table"]
    lost = await Table.begin(gone, people, length=61)
    kept = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    archive = Archive(bot.database)

    ada.delete_channel(gone)
    await kept.until(lambda: archive.table(lost.game).status.value == "cancelled")
    assert ben.dm is not None
    answer = await ben.command(ben.dm, "crib hand")

    assert "several tables" not in answer.reply.text
    ben.dismiss(answer.reply)
    await kept.play(lambda: kept.stands("Deal 2"))


async def test_a_game_is_called_off_when_all_agree(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = people = [sandbox.people["Cleo"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)

    in_private = reply_of(await ada.command(ada.open_dm(), "crib end"))
    assert f"<#{channel.id}>" in in_private.text, "the others would not see it there"
    asked = (await ada.command(channel, "crib end")).reply
    assert "if Ben agrees too" in asked.text
    await ben.press(asked, "End it")
    await table.until(lambda: any("Game cancelled" in each.text for each in table.messages[-1:]))

    await table.until(lambda: not controls(table.newest))
    assert archive.table(table.game).status.value == "cancelled"
    assert table.results == []
    lobby = await lobby_by(ada.command(channel, "crib new"))
    assert of_verb(lobby, "join")


async def test_a_moderator_who_does_not_play_is_asked_before_a_game_ends(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ben"], sandbox.people["Cleo"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)

    refused = await sandbox.people["Dan"].command(channel, "crib end")
    assert reply_of(refused).text
    assert archive.table(table.game).status.value == "playing"
    ada = sandbox.people["Ada"]
    asked = await reply_to(ada.command(channel, "crib end"))
    assert "End other people's game?" in asked.text
    assert "Ben 0 · Cleo 0 · deal 1" in asked.text
    assert asked.only_for == ada.id
    assert archive.table(table.game).status.value == "playing"
    kept = await reply_to(ada.press(asked, "Keep playing"))
    assert kept.id == asked.id
    assert "The game goes on!" in kept.text
    assert not controls(kept)
    asked = await reply_to(ada.command(channel, "crib end"))
    await table.play(lambda: len(table.deals) == 2)
    old = await reply_to(ada.press(asked, "End their game"))
    assert "That button is from deal 1" in old.text
    assert archive.table(table.game).status.value == "playing"
    await ada.press(await reply_to(ada.command(channel, "crib end")), "End their game")

    await table.until(lambda: archive.table(table.game).status.value == "cancelled")
    await table.until(lambda: any("Game cancelled" in each.text for each in table.messages[-1:]))


async def test_the_clock_reminds_and_then_moves(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ben"], sandbox.people["Cleo"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61)
    await time_for_a_move(bot, 4)

    await table.until(lambda: any(f"<@{people[0].id}>" in each.text for each in table.messages))

    def stood_in() -> list[int]:
        return [event.seat for event in archive.log(table.game) if isinstance(event, StoodIn)]

    # Later turns run out as well while somebody slow looks on: the first two are what is promised.
    await table.until(lambda: len(stood_in()) >= 2)

    assert sorted(stood_in()[:2]) == [0, 1]
    assert archive.replayed(table.game).table.stage is not Stage.DISCARDING
