"""Shotgun: both sides start at 90 of 121, and all else is the standard game."""

from __future__ import annotations

import pytest

from engine import PRESETS, Game, Resign, RulesError, Seat, Side
from engine.coach import win_chances
from engine.codec import decode_rules, encode_rules
from engine.errors import PositionError
from engine.events import Ending, GameWon
from engine.position import read_position, write_position
from engine.presets import preset_of
from engine.rules import NextDeal, Skunk
from tests.engine.games import FUZZED, check_counted_alike, fuzzed
from tests.engine.pencil import reckoned
from tests.engine.tables import PlainChance

SHOTGUN = PRESETS["shotgun"]


def test_both_sides_start_at_ninety_and_have_thirty_one_to_go() -> None:
    rules = SHOTGUN()
    game = Game.new(rules, chance=PlainChance(1))

    assert (rules.start, rules.target, rules.seats) == (90, 121, 2)
    assert game.table.scores == (90, 90)
    assert rules.skunk_lines == ()
    assert rules.next_deal is NextDeal.ALTERNATE
    assert rules.is_variant


def test_the_score_at_the_start_goes_with_the_length() -> None:
    assert [SHOTGUN(2, target=target).start for target in (31, 61, 121, 241)] == [0, 30, 90, 210]


@pytest.mark.parametrize("start", [-1, 91, 121])
def test_a_game_has_thirty_one_holes_to_go_at_least(start: int) -> None:
    with pytest.raises(RulesError, match="begins at 0 to 90"):
        SHOTGUN(2, start=start)


def test_every_other_rule_set_starts_at_nothing_and_so_do_old_logs() -> None:
    old = encode_rules(PRESETS["standard"](2))
    del old["start"]

    assert decode_rules(old) == PRESETS["standard"](2)
    assert all(not preset().start for name, preset in PRESETS.items() if name != "shotgun")


def test_the_rules_are_one_value_in_the_log() -> None:
    assert decode_rules(encode_rules(SHOTGUN())) == SHOTGUN()
    assert preset_of(SHOTGUN()) == "shotgun"


def test_a_game_counted_from_its_log_by_other_code_ends_alike() -> None:
    for seed in range(FUZZED):
        game = fuzzed(SHOTGUN(), seed)
        check_counted_alike(game, reckoned(game.log, variant="shotgun", sides=(0, 1), targets=(121, 121)))

        assert game.table.result is not None
        assert set(game.table.result.skunks) == {Skunk.NONE}


def test_who_resigns_loses() -> None:
    game = Game.new(SHOTGUN(), chance=PlainChance(1))
    game.apply(Resign(Seat(1)))

    assert game.log[-1] == GameWon(Side(0), Ending.RESIGNED)


def test_a_position_leaves_the_start_out_and_refuses_a_peg_before_it() -> None:
    game = Game.new(SHOTGUN(), chance=PlainChance(1), dealer=Seat(0))
    line = write_position(game.view(Seat(1)))

    assert "shotgun/2" in line
    assert "scores" not in line
    assert read_position(line) == game.view(Seat(1))
    with pytest.raises(PositionError, match="begins at 90"):
        read_position(f"{line} scores=89-90")


def test_the_chances_begin_even_enough_and_end_with_the_winner() -> None:
    game = fuzzed(SHOTGUN(), 7)
    chances = win_chances(game.log)

    assert all(0.3 < each < 0.7 for each in chances.by_deal[0])
    assert game.table.result is not None
    assert chances.by_deal[-1][game.table.result.winner] == 1
