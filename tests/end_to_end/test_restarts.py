"""After a restart at any moment, every game goes on and every old button works."""

from __future__ import annotations

import re
import signal
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from engine import Stage, StoodIn
from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.players import controls, custom_id, of_verb, tap_cards
from tests.end_to_end.tables import Table, everything_told, reply_to


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """The computer does not take its time."""
    return {"COMPUTER_PACE": "0"}


async def press(table: Table, name: str, message: Message, verb: str) -> Interaction:
    """The player presses what the message offers for that verb."""
    return await table.player(name).person.press(message, custom_id(message, verb))


async def pick(table: Table, name: str, message: Message) -> None:
    """The player taps the first cards on offer for the crib."""
    await tap_cards(table.player(name).person, message)
    await table.until(lambda: of_verb(message, "discard"))


async def open_hand(table: Table, name: str) -> Message:
    """The player presses *My hand* at the table."""
    return await reply_to(await press(table, name, table.newest, "hand"))


def turn(table: Table) -> str:
    """The player whose turn it is in the play."""
    found = re.search(r"(\w+)(?:'s turn| leads)", table.newest.text)
    assert found is not None, table.newest.text
    return found[1]


@pytest.mark.deep
async def test_old_buttons_work_after_a_restart_at_every_stage_of_a_game(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, ben = sandbox.people["Ada"], sandbox.people["Ben"]
    channel = sandbox.channels["cribbage"]
    archive, ways = Archive(bot.database), cycle((signal.SIGTERM, signal.SIGKILL))

    async def restart() -> None:
        """Stop and kill it in turn."""
        how = next(ways)
        assert await bot.stop(how) == (0 if how is signal.SIGTERM else -signal.SIGKILL)
        await bot.start()

    # In the lobby.
    table = await Table.gather(channel, [ada], length=61, players=2)
    await table.until(lambda: archive.posts(table.game))
    await restart()
    await ben.press(table.lobby, "Join")
    table.players.append(table.players[0].beside(ben))
    await restart()
    await table.start()
    await table.cut_for_deal()
    await table.until(lambda: all(player.hand() for player in table.players))

    # While players discard: one has chosen in the DM, one in an ephemeral hand.
    hand = table.player("Ada").hand()
    assert hand is not None
    await pick(table, "Ada", hand)
    panel = await open_hand(table, "Ben")
    await pick(table, "Ben", panel)
    await restart()
    await press(table, "Ada", hand, "discard")
    await press(table, "Ben", panel, "discard")
    await table.until(lambda: table.stands("cuts the deck"))

    # Before the cut, on the table.
    await restart()
    pone = re.search(r"(\w+) cuts the deck", table.newest.text)
    assert pone is not None
    await press(table, pone[1], table.newest, "cut")
    await table.until(lambda: table.stands("### Starter"))

    # In the play: a hand opened before, and the one in the DM.
    hand_panel = {name: await open_hand(table, name) for name in ("Ada", "Ben")}
    for _ in range(2):
        await restart()
        version, name = archive.version(table.game), turn(table)
        await press(table, name, hand_panel[name], "play")
        await table.until(lambda version=version: archive.version(table.game) > version)
        await table.until(lambda name=name: turn(table) != name)
    await restart()
    await table.play(lambda: len(table.deals) > 1)
    await restart()
    await table.play()

    # After the end.
    await everything_told([table], archive)
    await restart()
    assert archive.replayed(table.game).table.stage is Stage.OVER
    result = table.results[0]
    said = await reply_to(await press(table, "Ada", hand_panel["Ada"], "hand"))
    assert re.search("won, | wins|You win", said.text)
    await ada.press(result, "Rematch")
    await restart()
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive, up_to=result)
    assert_one_hand_a_game([table], archive)
    assert [record.rematch_of for record in archive.tables()] == [None, table.game]


@pytest.mark.deep
async def test_an_open_form_is_taken_after_a_restart(sandbox: Sandbox, bot: BotProcess) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.begin(sandbox.channels["cribbage"], people, length=61, count_aloud=True)
    archive = Archive(bot.database)
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.SHOWING)
    [seat] = archive.replayed(table.game).table.waiting_for
    name = people[seat].name
    await table.until(lambda: table.stands(f"{name} counts the hand"))
    asked = await press(table, name, table.newest, "count")
    assert asked.modal is not None
    before = archive.version(table.game)

    await bot.restart(signal.SIGKILL)
    await table.player(name).person.submit(asked.modal, {"points": "1"})

    await table.until(lambda: archive.version(table.game) > before)
    await table.until(lambda: re.search(rf"\*\*{name} (1\*\*|claimed 1, has 0\*\*)", table.shows[-1][1].text))
    await table.play(lambda: table.stands("Deal 2"))


@pytest.mark.deep
async def test_a_stored_move_that_was_not_synced_is_synced_after_the_start(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61)
    started = table.players[0].person.press(table.lobby, "Start")
    await started
    await bot.restart(signal.SIGKILL)
    await table.cut_for_deal()
    await table.until(lambda: all(player.hand() for player in table.players))

    assert [number for number, _ in table.deals] == [1]
    assert controls(table.lobby) == []
    await table.play(lambda: table.stands("Deal 2"))
    assert [number for number, _ in table.deals] == [1, 2]


@pytest.mark.deep
async def test_the_next_hand_is_dealt_by_itself_and_after_a_kill_as_well(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", {"DEAL_PAUSE": "4"}) as bot:
        people, archive = [sandbox.people["Ada"], sandbox.people["Ben"]], Archive(bot.database)
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        await table.play(lambda: archive.replayed(table.game).table.stage is Stage.DEALING)
        await table.until(lambda: table.shows)
        await bot.restart(signal.SIGKILL)
        assert [number for number, _ in table.deals] == [1]
        await table.until(lambda: len(table.deals) == 2)
        assert await bot.stop() == 0


@pytest.mark.deep
async def test_killed_and_started_again_in_the_midst_the_computer_goes_on(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    ada, archive = sandbox.people["Ada"], Archive(bot.database)
    options: dict[str, Any] = {"players": 3, "muggins": True, "calls": True, "length": 61}
    table = await Table.gather(sandbox.channels["cribbage"], [ada], survives_failures=True, **options)
    panel = await reply_to(ada.press(table.lobby, "My seat"))
    for _ in range(2):
        await ada.press(panel, "Add 🤖 Steady")
    await table.start()
    await table.cut_for_deal()
    for _ in range(3):
        before = archive.version(table.game)
        await table.play(lambda before=before: archive.version(table.game) > before + 23 or table.is_over)
        await bot.restart(signal.SIGKILL)
    await table.play()
    await everything_told([table], archive)

    assert archive.table(table.game).names == ("Ada", "🤖 Steady", "🤖 Steady 2")
    assert bot.starts == 4
    assert await bot.stop() == 0
    assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game([table], archive)
    assert not any(isinstance(event, StoodIn) for event in archive.log(table.game)), "the clock moved"
