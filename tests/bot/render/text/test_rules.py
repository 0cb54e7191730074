"""Every option of the rules has its sentence, and its standard value has the usual one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import get_type_hints

import pytest

from bot.render.text.rules import describe
from bot.render.text.voice import Voice
from engine import PRESETS, TWO_HANDED, Counting, FirstDeal, Flush, NextDeal, Rules, SkunkRule
from tests.engine.rule_options import changed

HINTS = get_type_hints(Rules)
TOURNAMENT = replace(TWO_HANDED.match_points, game=2, skunk=3, double=3)


def test_every_option_that_is_changed_is_said() -> None:
    for name in (field.name for field in fields(Rules)):
        found = list(changed(name, HINTS[name]))

        assert found, f"say in tests/engine/rule_options.py what {name} can be changed to"
        for base, other in found:
            if None not in {base.captain, other.captain} and name == "captain":
                continue  # the table says who is captain
            assert describe(other, Voice()) != describe(base, Voice()), (name, other)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (replace(TWO_HANDED, his_heels=0), "- His heels: 0."),
        (replace(TWO_HANDED, play_out=False), "- The play stops at the first go or 31."),
        (replace(TWO_HANDED, first_deal=FirstDeal.RANDOM), "- First dealer at random."),
        (replace(TWO_HANDED, next_deal=NextDeal.WINNER), "- Rematch: the winner deals."),
        (replace(TWO_HANDED, next_deal=NextDeal.CUT), "- Rematch: cut for deal."),
        (
            replace(TWO_HANDED, match_points=TOURNAMENT),
            "- A win counts 2; loser under 91: skunk, counts 3; under 61: double skunk, counts 3.",
        ),
        (
            replace(TWO_HANDED, match_points=TOURNAMENT, skunks=SkunkRule.NONE),
            "- A win counts 2; no skunks.",
        ),
        (
            replace(TWO_HANDED, counting=Counting.ALOUD, muggins=True, wrong_claims=2),
            "- Counting too many costs 2 points; so does muggins where nothing was missed.",
        ),
        (PRESETS["family"](2), "- Four of a suit are a flush in the crib, too."),
        (
            replace(TWO_HANDED, flush=Flush.ANY_FOUR),
            "- Any four of a suit are a flush, the starter included.",
        ),
    ],
)
def test_what_is_said(rules: Rules, sentence: str) -> None:
    assert sentence in describe(rules, Voice())
