"""The scenes of the daily hand, with invented figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import combinations

from bot.features.daily.hands import DailyAnswer, DailyBest, DailyPlace, DailyPosting
from bot.features.daily.messages import (
    WEEK,
    DailyResult,
    figures_drawing,
    post_drawing,
    posting_drawing,
    practice_drawing,
    question_drawing,
    result_alt,
    result_drawing,
    result_facts,
    share_drawing,
    share_text,
)
from bot.render.drawing import DrawnFile
from bot.render.text.voice import Voice
from engine import card, cards
from engine.coach import DailyHand, Evidence, Reckoned
from engine.computer import Throw
from tests.golden import Scene, scenes

DAY = date(2026, 11, 23)
YESTERDAY = DAY - timedelta(days=1)
HAND = DailyHand(dealt=cards("4C 5D 6H 9C JS 2D"), starter=card("6S"), dealer=True, own=88, other=1_02)
PLACE = DailyPlace(place=1_234, players=10_000)
COSTS = (0, 1, 95, 250, 500, 1_900)
"""What the six best discards cost: each grade, and one that equals the best within a rounding error."""


@lru_cache(maxsize=2)
def reckoned(*, is_simulated: bool = False, dealer: bool = True) -> Reckoned:
    """The hand with a figure for each discard, the first of the pack the best."""
    throws = []
    for place, given in enumerate(combinations(HAND.dealt, 2)):
        kept = tuple(each for each in HAND.dealt if each not in given)
        cost = COSTS[place] if place < len(COSTS) else 1_900 + 100 * place
        throws.append(
            Throw(kept, given, place, 9.8 - 0.4 * place, 16, -4.1 + 0.5 * place, 0.3, 0.54 - cost / 10_000)
        )
    evidence = None
    if is_simulated:
        chances = tuple((each.given, each.winning or 0.0) for each in throws)
        evidence = Evidence(
            chances=chances, simulated=3, margin=0.0123, error=0.0021, deals=12_000, player="1"
        )
    return Reckoned(replace(HAND, dealer=dealer, evidence=evidence), tuple(throws))


def answer(place: int = 0, *, streak: int = 12, longest: int = 12) -> DailyAnswer:
    """The answer with the discard at that place of the figures."""
    throw = reckoned().throws[place]
    return DailyAnswer(day=DAY, given=throw.given, cost=COSTS[place], streak=streak, longest=longest)


@scenes("daily-question", question_drawing)
def question(voice: Voice) -> Iterator[Scene]:
    yield "today", question_drawing(DAY, HAND, (), voice, practice=False)
    yield "one chosen", question_drawing(DAY, HAND, HAND.dealt[:1], voice, practice=False)
    other = replace(HAND, dealer=False)
    yield "two chosen, practice", question_drawing(YESTERDAY, other, HAND.dealt[:2], voice, practice=True)


@scenes("daily-result", result_drawing, result_alt)
def result(voice: Voice) -> Iterator[Scene]:
    for place in range(len(COSTS)):
        given = reckoned().throws[place].given
        found = DailyResult(answer=answer(place), here=PLACE, everywhere=replace(PLACE, place=1, players=1))
        yield f"discard {place + 1}", result_drawing(DAY, reckoned(), given, found, voice, drawn=None)
        alt = result_alt(reckoned(), given, voice)
        drawn = DrawnFile(name="show.png", content=b"", description=alt)
        yield (
            f"discard {place + 1} pictured",
            result_drawing(DAY, reckoned(), given, found, voice, drawn=drawn),
        )
    given, simulated = reckoned().throws[4].given, reckoned(is_simulated=True, dealer=False)
    week = DailyResult(answer=answer(4, streak=1, longest=365), is_perfect_week=True, again=True)
    yield "by DM, a second try", result_drawing(DAY, simulated, given, week, voice, drawn=None)
    practice = DailyResult(answer=None)
    yield "practice", result_drawing(YESTERDAY, reckoned(), given, practice, voice, drawn=None)


@scenes("daily-picture", result_facts)
def result_picture(voice: Voice) -> Iterator[Scene]:
    for place in (0, 1, 2):
        facts = result_facts(reckoned(), reckoned().throws[place].given)
        yield f"discard {place + 1}", facts


@scenes("daily-figures", figures_drawing)
def figures(voice: Voice) -> Iterator[Scene]:
    given = reckoned().throws[1].given
    yield "reckoned", figures_drawing(DAY, reckoned(), given, voice, practice=False)
    simulated = reckoned(is_simulated=True, dealer=False)
    yield "simulated", figures_drawing(YESTERDAY, simulated, given, voice, practice=True)


@scenes("daily-practice", practice_drawing)
def practice_days(voice: Voice) -> Iterator[Scene]:
    days = [DAY - timedelta(days=number) for number in range(1, WEEK + 1)]
    yield "the past week", practice_drawing(DAY, days, voice)


@scenes("daily-share", share_drawing, share_text)
def share(voice: Voice) -> Iterator[Scene]:
    yield "a streak", share_drawing("A*da", answer(2), voice)
    yield "no streak", share_drawing("A*da", answer(5, streak=1), voice)
    yield "as text", share_text(answer(3), voice)


@scenes("daily-post", post_drawing)
def post(voice: Voice) -> Iterator[Scene]:
    best = DailyBest(players=1_099, cost=0, names=("A*da", "Ben"), best=9)
    yield "many played", post_drawing(DAY, (reckoned(), best), voice)
    one = DailyBest(players=2, cost=500, names=("A*da",), best=1)
    yield "one was best", post_drawing(DAY, (reckoned(dealer=False), one), voice)
    yield "one played", post_drawing(DAY, (reckoned(), replace(one, players=1)), voice)
    yield "nobody played", post_drawing(DAY, (reckoned(), None), voice)


@scenes("daily-posting", posting_drawing)
def posting(voice: Voice) -> Iterator[Scene]:
    yield "none", posting_drawing(None, 20, DAY, voice)
    kept = DailyPosting(guild=10, channel=20, hour=9, posted=YESTERDAY)
    yield "in this channel", posting_drawing(kept, 20, DAY, voice)
    done = replace(kept, posted=DAY)
    yield "elsewhere, shut", posting_drawing(done, 21, DAY, voice, is_shut=True)
