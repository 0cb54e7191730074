"""The games that are kept as text are still played so; `playthroughs` writes them again."""

from __future__ import annotations

from itertools import product

import pytest

from engine import Game, read_move, write_move
from engine.notation import read_event
from tests.engine.games import PRESET_SEATS
from tests.engine.playthroughs import FOLDER, GAMES, playthrough

FORMER = FOLDER.parent / "logs" / "playthrough-2.txt"
"""A game of codec version 2, from before players named the place of a cut."""

WITHIN_REASON = 170_000
"""Bytes that somebody may still want to read."""


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_was(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()

    assert kept == playthrough(name).splitlines()


def test_a_former_game_is_read_and_replayed() -> None:
    lines = FORMER.read_text(encoding="utf-8").splitlines()
    moves = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    rest = [line.strip() for line in lines if line.startswith("    ")]
    events = [read_event(line, 2) for line in rest if not line.startswith(("table:", "seat "))]
    game = Game.replay(events)
    result = game.table.result

    assert "1 cuts" in moves
    assert moves == [write_move(read_move(move)) for move in moves]
    assert result is not None
    assert f"won by {result.winner} for {result.games}" in next(
        line for line in reversed(rest) if line.startswith("table:")
    )


def test_every_preset_and_number_of_players_has_a_game_and_every_file_is_one() -> None:
    wanted = {
        f"{name}-{seats}.txt"
        for name, seats in (*PRESET_SEATS, *product(("aloud", "muggins"), (2, 3, 4)), ("price", 3))
    } | {"standard-6-threes.txt"}
    kept = {path.name: path.stat().st_size for path in FOLDER.iterdir()}

    assert wanted == set(kept)
    assert max(kept.values()) < WITHIN_REASON
