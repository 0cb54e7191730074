"""The games that are kept as text are still played so; `playthroughs` writes them again."""

from __future__ import annotations

import pytest

from engine import PRESETS
from tests.engine.playthroughs import FOLDER, GAMES, playthrough

WITHIN_REASON = 150_000
"""Bytes that somebody may still want to read."""


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_was(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()

    assert kept == playthrough(name).splitlines()


def test_every_preset_and_number_of_players_has_a_game_and_every_file_is_one() -> None:
    wanted = {f"{name}-{seats}.txt" for name in (*PRESETS, "aloud", "muggins") for seats in (2, 3, 4)}
    kept = {path.name: path.stat().st_size for path in FOLDER.iterdir()}

    assert wanted == set(kept)
    assert max(kept.values()) < WITHIN_REASON
