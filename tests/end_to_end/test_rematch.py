"""A rematch: the loser deals, all players keep their seats, and the games won are counted."""

from __future__ import annotations

import asyncio

from engine import CutForDeal, DealBegan
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_told_once_and_truly
from tests.end_to_end.tables import Table, everything_told, lobby_by


async def test_a_rematch_keeps_seats_and_games_won_and_the_loser_deals(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    won, loser = [0, 0], None
    for game in range(1, 4):
        if game > 1:
            # The other way about than before: seats do not follow from who asks for the rematch.
            asks, joins = reversed(people) if game == 2 else people
            lobby = await lobby_by(asks.press(table.results[-1], "Rematch"))
            assert not lobby.is_ephemeral
            table = Table.at(table.channel, people, lobby, seed=game)
            await joins.press(lobby, "Join")
        await table.play()
        await everything_told([table])
        log = archive.log(table.game)
        result = archive.replayed(table.game).table.result
        assert result is not None
        began = next(event for event in log if isinstance(event, DealBegan))
        if game > 1:
            assert not any(isinstance(event, CutForDeal) for event in log)
            assert began.dealer == loser, "of the game before"
        won[result.winner] += result.games
        loser = 1 - result.winner
        assert archive.table(table.game).names == ("Ada", "Ben")
        score = f"Games: Ada {won[0]} · Ben {won[1]}"
        assert (score in table.results[0].text) == (game > 1)
        assert f"Rematch: {people[loser].name} deals first" in table.results[0].text
        assert_told_once_and_truly(table, archive)


async def test_of_four_partners_the_losers_deal_and_sides_stay(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    archive = Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
    await table.play()
    await everything_told([table])
    result = archive.replayed(table.game).table.result
    assert result is not None
    lobby = await lobby_by(people[3].press(table.results[0], "Rematch"))
    rematch = Table.at(table.channel, people, lobby)
    await asyncio.gather(*(person.press(lobby, "Join") for person in people[:3]))
    await rematch.until(lambda: rematch.deals)
    assert archive.table(rematch.game).names == ("Ada", "Ben", "Cleo", "Dan")
    began = next(event for event in archive.log(rematch.game) if isinstance(event, DealBegan))
    assert began.dealer % 2 != result.winner
