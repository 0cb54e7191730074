"""A player leaves the server in the middle of a game: the table goes on, and they can go on by DM."""

from __future__ import annotations

import re

from engine import Stage
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import of_verb
from tests.end_to_end.tables import Table, reply_to


async def test_the_clock_plays_for_a_player_who_has_left_the_server(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    cleo, ben = people = [sandbox.people["Cleo"], sandbox.people["Ben"]]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, length=61, seconds=15)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)

    # The hand in the DM still works, in the next deal too.
    ben.leave_guild()
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: all("**Deal 2**" in hand_of(each).text for each in people))
    last_hand = hand_of(ben)
    away = table.players.pop()
    await table.play(lambda: archive.replayed(table.game).table.has_discarded[0])

    # The player is mentioned, then the clock discards for them, and the others are not held up.
    await table.until(lambda: any(ben.user in each.mentions for each in table.messages))
    await table.until(lambda: archive.replayed(table.game).table.has_discarded[1])
    assert archive.replayed(table.game).table.absences == (0, 1)
    await table.until(lambda: of_verb(table.newest, "cut"))
    assert hand_of(ben) is last_hand
    asked = (await cleo.command(channel, "crib end")).reply
    assert "if Ben agrees too" in asked.text

    ben.join_guild()
    opened = await reply_to(ben.command(channel, "crib hand"))
    assert "Deal 2" in opened.text
    await table.until(lambda: "You're playing in <#" in last_hand.text)
    table.players.append(away)
    await table.play(lambda: table.stands("Deal 3"))


async def test_a_player_who_closes_his_dms_in_the_middle_holds_nobody_up(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    _, ben = people = [sandbox.people["Cleo"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)

    ben.close_dms()
    await table.play(lambda: archive.replayed(table.game).table.deal_number == 2)
    await table.until(lambda: table.stands(r"Deal 2"))
    hand = await reply_to(ben.press(table.newest, "My hand"))
    assert "discard 2 to" in hand.text
    await table.play(lambda: archive.replayed(table.game).table.has_discarded[0])

    ben.open_dms()
    await reply_to(ben.command(table.channel, "crib hand"))
    # The command's answer has the hand, too: who plays with that is told in the DM where the table is.
    await table.until(lambda: re.search(r"\*\*Deal 2\*\*|You're playing in", hand_of(ben).text))
    await table.play(lambda: table.stands("Deal 3"))


def hand_of(person: Person) -> Message:
    """The message by DM in which the person's hand is."""
    [hand] = [message for message in person.dms() if not message.is_ephemeral]
    return hand
