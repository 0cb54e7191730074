"""Reasons in words: short, in every language, and with no card that the seat never saw."""

from __future__ import annotations

import re

import pytest

from bot.language.languages import LANGUAGES, Language
from bot.render.text.reasons import said
from bot.render.text.voice import Voice
from engine import Rank
from engine.coach import Cuts, Reasons
from tests.end_to_end.watching import cards_in
from tests.engine.coach.test_reasons import every_reason

MOST_WORDS = 32


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_reason_is_one_short_sentence(code: str) -> None:
    voice = Voice(Language.of(code))
    told = [said(why, voice) for _, _, _, why in every_reason() if why.difference > 1e-6]
    assert all(told)
    lengths = [len(re.findall(r"[\w-]+", each)) for each in told]
    assert max(lengths) <= MOST_WORDS
    assert sum(each <= 25 for each in lengths) >= 0.95 * len(lengths)
    assert all(each.endswith(".") and "{" not in each for each in told)


def test_a_reason_names_no_card_but_one_s_own() -> None:
    voice = Voice()
    for view, _, _, why in every_reason():
        assert cards_in(said(why, voice)) <= {*view.hand, *view.discarded}


def test_a_few_cuts_more_are_no_reason() -> None:
    def told(helping: int, gain_instead: int) -> str:
        cuts = Cuts(share=1.0, helping=helping, instead=38, rank=Rank.FIVE, gain=8, gain_instead=gain_instead)
        return said(Reasons((cuts,), 1.0, by_chance=False), Voice(Language.of("en")))

    assert told(42, 4) == "42 cuts help, not 38."
    assert told(39, 4) == "Gains 8 from a cut 5."
    assert told(39, 8) == "Gains more from the cut."
