"""The screens of the drills: every word through the voice, short enough for a phone, in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest

from bot.features.drill.illustrations import counted_facts
from bot.features.drill.judging import Judged
from bot.features.drill.messages import (
    counted_drawing,
    deal_drawing,
    hand_drawing,
    judged_drawing,
    record_lines,
    stopped_drawing,
)
from bot.features.drill.questions import RANDOM, Deal, Hand
from bot.features.drill.records import Kind, Record, Told
from bot.language.languages import LANGUAGES, Language
from bot.render.drawing import Drawing, DrawnFile
from bot.render.messages.lit_hands import lit_alt
from bot.render.text.voice import Voice
from engine import card, cards
from tests.bot.render.games import components, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, unspoken

ASKED = 1_795_000_000_000
HAND = Hand(ASKED, cards("5C 5H 5S JD"), card("5D"))
RECORD = Record(answers=1500, hits=1200, streak=4, longest=90, timed=1490, spent=9_238_000)
DEAL = Deal(
    asked=ASKED,
    source=RANDOM,
    preset="short",
    target=61,
    dealer=False,
    own=25,
    other=12,
    dealt=cards("5C 5H 8H 9H 10C JC"),
)

DAY = date(2026, 11, 27)

MOST_WORDS = 60
"""Beside the cards."""


def told(given: str, *, counted: bool = True) -> Told:
    return Told(record=RECORD, given=given, is_counted=counted)


def screens(voice: Voice) -> Iterator[tuple[str, Drawing]]:
    """Every screen."""
    facts = counted_facts(HAND)
    drawn = DrawnFile(name="show.png", content=b"", description=lit_alt(facts, voice))
    for file in (None, drawn):
        yield "hand", hand_drawing(HAND, (20, 21, 24, 28, 29), voice, drawn=file)
        yield "right", counted_drawing(HAND, told("29"), 29, voice, drawn=file)
        yield "wrong", counted_drawing(HAND, told("28"), 28, voice, drawn=file)
        yield "again", counted_drawing(HAND, told("28"), 29, voice, drawn=file)
        yield "late", counted_drawing(HAND, told("28", counted=False), 28, voice, drawn=file)
    for dealer in (True, False):
        for source in (RANDOM, f"d{DAY.toordinal()}", "k3f9.4"):
            deal = Deal(
                **{name: getattr(DEAL, name) for name in Deal.__slots__}
                | {"source": source, "dealer": dealer}
            )
            yield "deal", deal_drawing(deal, (), voice)
            yield "chosen", deal_drawing(deal, deal.dealt[1:3], voice)
            for given in (cards("8H 9H"), cards("5C 5H"), cards("9H JC")):
                yield "judged", judged_drawing(Judged.of(deal, given, None), told(""), "9H JC", voice)
    for records in ({}, {Kind.DISCARDS: RECORD}, dict.fromkeys(Kind, RECORD)):
        yield "stopped", stopped_drawing(records, voice)


def test_every_word_goes_through_the_voice() -> None:
    for name, drawing in screens(PSEUDO_VOICE):
        assert not list(unspoken(drawing, PSEUDO_VOICE.language.date(DAY))), name
        assert not list(beyond_limits(drawing)), name


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_screen_is_short_and_each_of_its_buttons_has_an_id_of_its_own(code: str) -> None:
    for name, drawing in screens(Voice(Language.of(code))):
        texts = [each["content"] for each in components(drawing) if each["type"] == 10]
        said = [
            each
            for each in " ".join(texts).split()
            if re.search(r"\w", each) and not re.search("[♣♦♥♠]", each)
        ]
        assert len(said) <= MOST_WORDS, (name, len(said))
        ids = [each["custom_id"] for each in components(drawing) if "custom_id" in each]
        assert len(ids) == len({*ids}), name


def test_an_answer_says_each_combination_and_what_the_answers_add_up_to() -> None:
    said = words(counted_drawing(HAND, told("28"), 28, Voice(), drawn=None))
    assert "✗ 29 points, not 28" in said
    assert "Fifteens" in said
    assert "His nobs" in said
    assert "1,200 of 1,500 right · streak 4, longest 90 · 6.2 s on average" in said


def test_a_discard_is_told_the_best_its_cost_and_the_reason() -> None:
    said = words(judged_drawing(Judged.of(DEAL, cards("9H JC"), None), told("9H JC"), "9H JC", Voice()))
    assert "✗ Better: " in said
    assert re.search(r"You discarded .*: \*\*−\d\.\d points, −\d+\.\d% to win\*\*", said)
    assert "Keeps " in said
    assert "Discard 2 to the opponent's crib" in said


def test_a_deal_says_whose_crib_the_score_and_where_it_comes_from() -> None:
    said = words(deal_drawing(DEAL, (), Voice()))
    assert "Score: you 25, opponent 12" in said
    assert "-# Dealt at random · a game to 61" in said


def test_a_record_without_times_and_none_at_all() -> None:
    assert list(record_lines({}, Voice())) == []
    [line] = record_lines({Kind.COUNTING: Record(answers=1, hits=1, streak=1, longest=1)}, Voice())
    assert line == "**Counting:** 1 of 1 right · streak 1, longest 1"


def test_french_is_french() -> None:
    french = Voice(Language.of("fr"))
    assert "Combien de points\N{NO-BREAK SPACE}?" in words(hand_drawing(HAND, (1, 2), french, drawn=None))
    lines = list(record_lines(dict.fromkeys(Kind, RECORD), french))
    assert "justes sur" in lines[0]
    assert lines[0].endswith("6,2\N{NO-BREAK SPACE}s en moyenne")
    [one] = record_lines({Kind.COUNTING: Record(answers=3, hits=1)}, french)
    assert "1 juste sur 3" in one
