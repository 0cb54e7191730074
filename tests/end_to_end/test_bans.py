"""Discord's proxy bans the bot's address while people play: it sends nothing until that is over."""

from __future__ import annotations

import asyncio

from engine import Stage
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table

BAN = 8.0
PRESSES = 12


async def test_two_players_who_press_on_during_a_ban_find_all_moves_made(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.until(lambda: archive.is_synced(table.game))
    hands = {player.person: player.hand() for player in table.players}
    sandbox.ban.begin(BAN)
    for number in range(PRESSES):
        for person, hand in hands.items():
            assert hand is not None
            card = [each for each in hand.buttons if ":pick:" in each.get("custom_id", "")][number % 6]
            person.press(hand, card["custom_id"])  # nobody is answered, as nothing can be sent
        await asyncio.sleep(0.2)
    # Each may have had one request on its way when the ban began.
    assert len(sandbox.ban.requests) <= 1 + len(people)
    sandbox.ban.end()

    await table.until(lambda: archive.replayed(table.game).table.stage is Stage.DISCARDING)
    await asyncio.sleep(BAN)
    for player in table.players:
        player._survives_failures = True
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(lambda: archive.is_synced(table.game))
    assert [each for each in bot.troubles if "bans this address" in each]
    bot.log.clear()
