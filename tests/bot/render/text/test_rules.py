"""Every option of the rules has its sentence, and an option as most people play it has the usual one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import get_type_hints

import pytest

from bot.render.text.rules import describe
from engine import PRESETS, TWO_HANDED, CribFlush, FirstDeal, Flush, NextDeal, Rules, SkunkRule
from tests.engine.rule_options import changed

HINTS = get_type_hints(Rules)
TOURNAMENT = replace(TWO_HANDED.match_points, game=2, skunk=3, double=3)


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_every_option_that_is_changed_is_said(name: str) -> None:
    found = list(changed(name, HINTS[name]))

    assert found, "say in tests/engine/rule_options.py what it can be changed to"
    for base, other in found:
        assert describe(other) != describe(base), other


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (replace(TWO_HANDED, his_heels=0), "- Nothing for his heels"),
        (replace(TWO_HANDED, play_out=False), "- The play stops at the first go or thirty-one"),
        (replace(TWO_HANDED, first_deal=FirstDeal.RANDOM), "- The first dealer is drawn by lot"),
        (replace(TWO_HANDED, next_deal=NextDeal.WINNER), "the winner of a game deals first in the next"),
        (replace(TWO_HANDED, next_deal=NextDeal.CUT), "the players cut for the first deal of each game"),
        (
            replace(TWO_HANDED, match_points=TOURNAMENT),
            "- A win: two games; skunk under 91: three games; double skunk under 61: three games",
        ),
        (
            replace(TWO_HANDED, match_points=TOURNAMENT, skunks=SkunkRule.NONE),
            "- No skunks: every win is two games",
        ),
        (
            PRESETS["family"](2, crib_flush=CribFlush.FIVE),
            "- Any four of a suit are a flush, the starter among them, in a hand",
        ),
        (PRESETS["family"](2), "- Any four of a suit are a flush, the starter among them, in hand or crib"),
        (replace(TWO_HANDED, flush=Flush.ANY_FOUR), "the starter among them, in a hand"),
    ],
)
def test_what_is_said(rules: Rules, sentence: str) -> None:
    assert sentence in describe(rules)
