"""The peg board as text."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.render.messages.board import BACK, COLUMNS, FRONT, GAME, board, legend
from bot.render.text.names import Names, width
from bot.render.text.voice import Voice
from engine import PRESETS, Chance, Game, Pegs, Rules, Seat, TableView
from tests.bot.render.games import HOSTILE, PLAIN
from tests.engine.games import PRESET_SEATS

_EVERY_RULES = [
    PRESETS[preset](players, **changes)
    for preset, players in PRESET_SEATS
    for changes in ({}, {"target": 61}, {"target": 91}, {"target": 999})
]


def _table(rules: Rules, *pegs: Pegs) -> TableView:
    table = Game.new(rules, chance=Chance(Random(1)), dealer=Seat(0)).table
    return replace(table, pegs=pegs) if pegs else table


def _lines(rules: Rules, *pegs: Pegs) -> list[str]:
    return board(_table(rules, *pegs), Names(PLAIN[: rules.seats], rules)).split("\n")[1:-1]


def test_a_board_as_it_looks_at_the_start_of_the_second_street() -> None:
    assert _lines(PRESETS["standard"](2), Pegs(64, 57), Pegs(12, 10)) == [
        "Ada                     57 → 64",
        "····:····:····:····:····:···○|",
        "·●··:····:····|····:····:····:◊",
        "Ben                     10 → 12",
        "····○●···:····:····:····:····|",
        "····:····:····|····:····:····:◊",
    ]


def test_a_game_that_starts_at_ninety_has_its_pegs_there() -> None:
    rules = PRESETS["shotgun"]()

    assert _lines(rules, Pegs(90, 90), Pegs(93, 90)) == [
        "Ada                          90",
        "····:····:····:····:····:····:",
        "····:····:····●····:····:····:◊",
        "Ben                     90 → 93",
        "····:····:····:····:····:····:",
        "····:····:····○·●··:····:····:◊",
    ]


def test_once_around_every_hole_has_its_own_mark() -> None:
    for hole in range(1, 61):
        lanes = "".join(_lines(PRESETS["short"](2), Pegs(hole, hole - 1), Pegs())[1:3])
        assert lanes.index(FRONT) == hole - 1


def test_the_winner_stands_in_the_game_hole_however_far_he_went() -> None:
    lines = _lines(PRESETS["standard"](2), Pegs(126, 119), Pegs(90, 80))

    assert lines[0].endswith("119 → 121")
    assert lines[2].endswith(f"{BACK}{FRONT}")
    assert lines[5].endswith(GAME)


def test_the_front_peg_hides_the_back_one_in_the_same_mark() -> None:
    lanes = "".join(_lines(PRESETS["standard"](2), Pegs(2, 1), Pegs()))

    assert (lanes.count(FRONT), lanes.count(BACK)) == (1, 0)


@pytest.mark.parametrize("names", [PLAIN, HOSTILE], ids=["plain", "hostile"])
def test_every_board_fits_a_phone(names: tuple[str, ...]) -> None:
    random = Random(2)
    for rules in _EVERY_RULES:
        for _ in range(20):
            front = random.randrange(rules.target + 10)
            pegs = Pegs(front, random.randrange(front + 1))
            lines = board(_table(rules, *[pegs] * rules.sides), Names(names, rules)).split("\n")
            assert (lines[0], lines[-1]) == ("```", "```")
            assert all(width(line) <= COLUMNS for line in lines)


def test_the_legend_names_the_lines_that_the_rules_have() -> None:
    assert legend(PRESETS["standard"](2), Voice()) == "● front ○ back · | skunk 91, double 61 · ◊ 121"
    assert legend(PRESETS["lurch"](2), Voice()) == "● front ○ back · | lurch 61 · ◊ 121"
    assert legend(PRESETS["piecepack"](2), Voice()) == "● front ○ back · ◊ 121"
