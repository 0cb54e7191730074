"""Whole games by buttons, with the bot as its own process: the messages show what the log says."""

from __future__ import annotations

import asyncio
from itertools import cycle

from engine import PRESETS
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.message_checks import DealsToldByDm, assert_one_hand_a_game, assert_told_once_and_truly
from tests.end_to_end.tables import Table, everything_told

PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


async def play_all(sandbox: Sandbox, bot: BotProcess, games: list[dict[str, object]]) -> list[Table]:
    """Play games with these options at once, each in its own thread, and check them against their logs."""
    people, told = [sandbox.people[name] for name in PEOPLE], DealsToldByDm(sandbox)
    tables = []
    for seed, options in enumerate(games):
        seats = options.pop("players")
        assert isinstance(seats, int)
        thread = people[0].start_thread("cribbage", f"table {seed}")
        seated = people[seed % 2 :][:seats] if seats < 4 else people
        tables.append(await Table.begin(thread, seated, seed=seed, **options))
    await asyncio.gather(*(table.play() for table in tables))
    archive = Archive(bot.database)
    await everything_told(tables, archive)
    assert await bot.stop() == 0
    for table in tables:
        assert_told_once_and_truly(table, archive)
    assert_one_hand_a_game(tables, archive, told)
    return tables


async def test_a_game_to_121(sandbox: Sandbox, bot: BotProcess) -> None:
    await play_all(sandbox, bot, [{"players": 2}])


async def test_every_preset_starts_and_finishes_at_once(sandbox: Sandbox, bot: BotProcess) -> None:
    """Each with one of its numbers of players; the engine's own tests play all of them.

    Captain's is a match, which `test_variants` plays.
    """
    presets = ((name, preset) for name, preset in PRESETS.items() if name != "captains")
    wanted = zip(cycle((2, 3, 4)), presets, strict=False)
    games = [
        (seats if seats in preset.players else min(preset.players), name) for seats, (name, preset) in wanted
    ]
    await play_all(sandbox, bot, [{"players": seats, "rules": name, "length": 61} for seats, name in games])


async def test_players_count_aloud_call_muggins_and_play_each_alone(
    sandbox: Sandbox, bot: BotProcess
) -> None:
    muggins = {"muggins": True, "calls": True, "length": 61}
    await play_all(
        sandbox,
        bot,
        [
            {"players": 4, "partners": False, **muggins},
            {"players": 2, "count_aloud": True, "length": 61},
        ],
    )
