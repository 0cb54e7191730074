"""Each format that is stored or handed out has a version, and each version an example that is still read.

Databases (`tests/bot/store/test_played_databases.py`) and custom_ids
(`tests/bot/interactions/test_shipped_custom_ids.py`) have tests of their own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.store import exports
from bot.store.opening import open_database
from engine import CODEC_VERSION, POSITION_VERSION, read_game, read_position
from tests.engine.fair_games import engine_check, plain_check
from tests.played_database import PlayedDatabase

DATA = Path(__file__).parents[1] / "data"
HANDED_OUT = DATA / "handed_out"


def example(name: str) -> dict[str, Any]:
    """The file of that name, of those that were handed out."""
    read: dict[str, Any] = json.loads((HANDED_OUT / f"{name}.json").read_text("utf-8"))
    return read


def test_each_version_has_an_example() -> None:
    wanted = {
        DATA / "logs" / f"codec-{CODEC_VERSION}.json",
        HANDED_OUT / "proof-3.json",
        HANDED_OUT / f"positions-{POSITION_VERSION}.txt",
        HANDED_OUT / f"data-{exports.VERSION}.json",
    }
    assert {each for each in wanted if not each.exists()} == set()


def test_the_file_of_a_game_is_checked_and_read(tmp_path: Path) -> None:
    path = HANDED_OUT / "proof-3.json"
    noted = (f"seal={example('proof-3')['log'][1]['body']['seal'][:40]}", "word=swordfish1")
    note = "note=10044dbcfdc5cbd23e546865cfed71dbf743c25a"
    assert plain_check(path, *noted, note)[0] == engine_check(path, *noted, note)[0] == 0
    assert len(read_game(path.read_text("utf-8"))) == len(example("proof-3")["log"])


def test_positions_that_were_handed_out_are_read() -> None:
    lines = (HANDED_OUT / f"positions-{POSITION_VERSION}.txt").read_text("utf-8").splitlines()
    stages = {read_position(line).table.stage.value for line in lines}
    assert len(stages) == 7, "an example of each stage"


async def test_a_persons_data_keep_their_form(tmp_path: Path) -> None:
    """A field more is no new version; one that is gone, or has another meaning, is."""
    played = PlayedDatabase.read("sqlite-0045")
    opened = await open_database(played.unpacked(tmp_path / "games.sqlite3"), lambda: played.at + 60)
    [path] = await opened.standings.people.export(int(played.people["Ada"]), tmp_path)
    await opened.store.close()
    assert lacking(example(f"data-{exports.VERSION}"), json.loads(path.read_text("utf-8"))) == []


def lacking(old: Any, new: Any, at: str = "") -> list[str]:
    """The places at which `new` does not have what `old` has."""
    if isinstance(old, dict) and isinstance(new, dict):
        gone = [f"{at}/{name}" for name in old.keys() - new.keys()]
        pairs = ((f"{at}/{name}", old[name], new[name]) for name in old.keys() & new.keys())
        return gone + [each for place, one, other in pairs for each in lacking(one, other, place)]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = ((f"{at}/{number}", *pair) for number, pair in enumerate(zip(old, new, strict=True)))
        return [each for place, one, other in pairs for each in lacking(one, other, place)]
    return [] if old == new else [at]
