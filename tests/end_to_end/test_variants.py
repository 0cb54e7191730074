"""Other games over real sockets: captain's over its three games, and tables of five and six."""

from __future__ import annotations

from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import DealsToldByDm, assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.tables import Table, everything_told
from tests.patience import PATIENCE


def _six(sandbox: Sandbox) -> list[Person]:
    known = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo", "Dan")]
    return [*known, sandbox.add_person("Eve"), sandbox.add_person("Finn")]


async def _whole_game(sandbox: Sandbox, bot: BotProcess, people: list[Person], **options: object) -> Table:
    """A game to its end, whose messages show what its log says."""
    told, archive = DealsToldByDm(sandbox), Archive(bot.database)
    table = await Table.begin(sandbox.channels["cribbage"], people, **options)
    await table.play()
    await everything_told([table], archive)
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive, told)
    return table


async def test_five_play_and_the_dealer_gives_nothing(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await _whole_game(sandbox, bot, _six(sandbox)[:5], length=61)
    log = Archive(bot.database).log(table.game)
    assert log[0].rules.seats == 5  # type: ignore[union-attr]


async def test_six_play_in_pairs(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await _whole_game(sandbox, bot, _six(sandbox), length=61)
    assert "🔴 **Ada & Dan**" in table.newest.text


async def test_six_play_in_threes(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await _whole_game(sandbox, bot, _six(sandbox), length=61, sides="threes")
    assert "🔴 **Ada & Cleo & Eve**" in table.newest.text


async def test_each_is_captain_once_and_a_tie_is_shared(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben, cleo = people = [sandbox.people[name] for name in ("Ada", "Ben", "Cleo")]
    channel, archive = sandbox.channels["cribbage"], Archive(bot.database)
    table = await Table.begin(channel, people, rules="captains", games=1)
    assert "Ada is captain, alone to 61; the others together to 121" in table.newest.text

    def standing(heading: str) -> list[Message]:
        return [each for each in channel.messages.values() if each.only_for is None and heading in each.text]

    async def is_said(heading: str) -> Message:
        await ada.until(lambda: standing(heading), timeout=PATIENCE)
        return standing(heading)[-1]

    async def next_game(number: int, captain: str) -> None:
        lobby = await is_said(f"## Game {number} of the match")
        await ada.press(lobby, "Next game")
        await ada.until(lambda: archive.tables()[number - 1].version, timeout=PATIENCE)
        await is_said(f"{captain} is captain, alone to 61")

    # Each captain loses: every pair wins once, and each player twice.
    await ada.command(channel, "crib resign", sure=True)
    result = await is_said("🏆 Ben & Cleo win!")
    assert "Three games: Ada 0 · Ben 1 · Cleo 1" in result.text
    assert "Next game: Ben is captain" in result.text
    await next_game(2, "Ben")
    await bot.restart()
    await ben.command(channel, "crib resign", sure=True)
    await is_said("🏆 Ada & Cleo win!")
    await next_game(3, "Cleo")
    await cleo.command(channel, "crib resign", sure=True)
    last = await is_said("🏆 Ada, Ben and Cleo share the match, 2 games each")
    assert "Three games: Ada 2 · Ben 2 · Cleo 2" in last.text
    assert [each.agreement.rules.captain for each in archive.tables()] == [0, 1, 2]
    assert await bot.stop() == 0


async def test_who_reaches_the_target_in_lowball_loses(sandbox: Sandbox, bot: BotProcess) -> None:
    table = await _whole_game(
        sandbox, bot, [sandbox.people["Ada"], sandbox.people["Ben"]], rules="lowball", length=61
    )
    result = Archive(bot.database).replayed(table.game).table.result
    assert result is not None
    loser = ("Ada", "Ben")[1 - result.winner]
    assert f"{loser} reached 61 in deal" in table.results[0].text
