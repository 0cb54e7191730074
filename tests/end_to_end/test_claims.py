"""A game can be claimed from an absent player once the clock has moved for them three turns in a row."""

from __future__ import annotations

import re

import pytest

from bot.model.table_record import Status
from engine import Ending
from sandbox.model.interactions import Interaction
from sandbox.server import Sandbox
from tests.end_to_end.absences import stays_away
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.players import Player, of_verb
from tests.end_to_end.tables import Table, everything_told, reply_to


def may_claim(player: Player) -> bool:
    """True if a button under the player's hand claims the game."""
    hand = player.hand()
    return hand is not None and of_verb(hand, "claim") is not None


@pytest.mark.parametrize("by_command", [False, True], ids=["by button", "by command"])
async def test_a_game_is_claimed_from_the_absent_and_counts(
    sandbox: Sandbox, bot: BotProcess, by_command: bool
) -> None:
    cleo, ben = people = [sandbox.people["Cleo"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    assert not may_claim(table.players[0])
    await stays_away(table, bot, 1)
    await table.until(lambda: may_claim(table.player("Cleo")))
    assert not may_claim(table.player("Ben")), "nobody can claim their own game"

    def claim() -> Interaction:
        if by_command:
            return cleo.command(table.channel, "crib end")
        hand = table.player("Cleo").hand()
        assert hand is not None
        return cleo.press(hand, "Claim the game")

    await claim()
    await table.until(lambda: table.is_over)
    await everything_told([table], archive)

    assert archive.table(table.game).status is Status.OVER
    result = archive.replayed(table.game).table.result
    assert result is not None
    assert (result.winner, result.ending) == (0, Ending.CLAIMED)
    said = table.results[0].text
    assert said.startswith("## 🏆 Cleo wins!\n")
    assert re.search(r"Cleo claimed the game in deal \d+: Ben stayed away", said), said
    assert not may_claim(table.players[0])
    stats = await reply_to(ben.command(table.channel, "crib-stats player"))
    assert re.search(r"1 game\b", stats.text), stats.text
    assert len(table.results) == 1


async def test_a_player_who_comes_back_in_time_keeps_their_game(sandbox: Sandbox, bot: BotProcess) -> None:
    _, ben = people = [sandbox.people["Cleo"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await stays_away(table, bot, 1)
    await table.until(lambda: may_claim(table.player("Cleo")))

    await reply_to(ben.press(table.newest, "My hand"))
    await table.play(lambda: not any(archive.replayed(table.game).table.absences))
    await table.until(lambda: not may_claim(table.player("Cleo")))
    await table.play()
    await everything_told([table], archive)
