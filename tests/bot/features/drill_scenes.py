"""The scenes of the drills."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from bot.features.drill.illustrations import counted_facts, hand_facts
from bot.features.drill.judging import Judged
from bot.features.drill.messages import (
    counted_drawing,
    deal_drawing,
    hand_drawing,
    judged_drawing,
    stopped_drawing,
)
from bot.features.drill.questions import RANDOM, Deal, Hand
from bot.features.drill.records import Kind, Record, Told
from bot.render.drawing import DrawnFile
from bot.render.messages.lit_hands import lit_alt
from bot.render.pictures.show import ShowFacts
from bot.render.text.voice import Voice
from engine import card, cards
from engine.computer import Throw
from tests.golden import Scene, scenes

ASKED = 1_795_000_000_000
HAND = Hand(ASKED, cards("5C 5H 5S JD"), card("5D"))
NOTHING = Hand(ASKED, cards("2C 4H 6D 8S"), card("KD"))
RECORD = Record(answers=1_500, hits=1_200, streak=4, longest=90, timed=1_490, spent=9_238_000)
DEAL = Deal(
    asked=ASKED,
    source=RANDOM,
    preset="standard",
    target=121,
    dealer=False,
    own=25,
    other=12,
    dealt=cards("5C 5H 8H 9H 10C JC"),
)
DAILY = replace(DEAL, source=f"d{date(2026, 11, 27).toordinal()}", dealer=True)
OWN = replace(DEAL, source="k3f9.4", preset="short", target=61)

BEST = Throw(cards("5C 5H 10C JC"), cards("8H 9H"), 10, 12.8, 21, -4.4, 0.3, 0.62)
EQUAL = replace(BEST, kept=cards("5C 5H 8H JC"), given=cards("9H 10C"), winning=0.61999)
WORSE = Throw(cards("8H 9H 10C JC"), cards("5C 5H"), 4, 7.2, 16, -7.9, -0.4, 0.4875)


def told(given: str, *, counted: bool = True) -> Told:
    return Told(record=RECORD, given=given, is_counted=counted)


def drawn(facts: ShowFacts, voice: Voice) -> DrawnFile:
    """The picture of these facts, without its content."""
    return DrawnFile(name="show.png", content=b"", description=lit_alt(facts, voice))


@scenes("drill-hand", hand_drawing)
def hand(voice: Voice) -> Iterator[Scene]:
    choices = (20, 21, 24, 28, 29)
    yield "as text", hand_drawing(HAND, choices, voice, drawn=None)
    yield "pictured", hand_drawing(HAND, choices, voice, drawn=drawn(hand_facts(HAND), voice))


@scenes("drill-counted", counted_drawing)
def counted(voice: Voice) -> Iterator[Scene]:
    yield "right", counted_drawing(HAND, told("29"), 29, voice, drawn=None)
    picture = drawn(counted_facts(HAND), voice)
    yield "wrong, pictured", counted_drawing(HAND, told("28"), 28, voice, drawn=picture)
    yield "a second answer", counted_drawing(HAND, told("28"), 29, voice, drawn=None)
    late = told("0", counted=False)
    picture = drawn(counted_facts(NOTHING), voice)
    yield "a late answer, worth nothing", counted_drawing(NOTHING, late, 0, voice, drawn=picture)


@scenes("drill-pictures", hand_facts, counted_facts)
def pictures(voice: Voice) -> Iterator[Scene]:
    yield "a hand", hand_facts(HAND)
    yield "a counted hand", counted_facts(HAND)
    yield "a hand worth nothing", counted_facts(NOTHING)
    yield "a hand of few scores", counted_facts(Hand(ASKED, cards("2C 6C 8C 10C"), card("7D")))


@scenes("drill-deal", deal_drawing)
def deal(voice: Voice) -> Iterator[Scene]:
    yield "at random", deal_drawing(DEAL, (), voice)
    yield "a daily hand, one chosen", deal_drawing(DAILY, DAILY.dealt[:1], voice)
    yield "an own game, two chosen", deal_drawing(OWN, OWN.dealt[1:3], voice)


@scenes("drill-judged", judged_drawing)
def judged(voice: Voice) -> Iterator[Scene]:
    throws = (BEST, EQUAL, WORSE)
    best = Judged(DEAL, throws, BEST, is_simulated=False)
    yield "the best", judged_drawing(best, told("8H 9H"), "8H 9H", voice)
    equal = replace(best, made=EQUAL)
    yield "its equal", judged_drawing(equal, told("9H 10C"), "9H 10C", voice)
    worse = replace(best, deal=DAILY, made=WORSE, is_simulated=True)
    yield "a worse one, again", judged_drawing(worse, told("5C 5H"), "8H 9H", voice)
    by_points = tuple(replace(each, winning=None) for each in throws)
    points = Judged(OWN, by_points, by_points[-1], is_simulated=False)
    yield "by points alone, late", judged_drawing(points, told("5C 5H", counted=False), "5C 5H", voice)


@scenes("drill-stopped", stopped_drawing)
def stopped(voice: Voice) -> Iterator[Scene]:
    yield "both kinds", stopped_drawing(dict.fromkeys(Kind, RECORD), voice)
    once = Record(answers=1, hits=1, streak=1, longest=1)
    yield "once, without a time", stopped_drawing({Kind.COUNTING: once}, voice)
    yield "nothing", stopped_drawing({}, voice)
