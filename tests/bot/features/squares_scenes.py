"""The scenes of squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from bot.features.squares.games import SquaresGame, SquaresRecord
from bot.features.squares.messages import (
    SquaresResult,
    board_drawing,
    result_drawing,
    share_drawing,
    share_text,
)
from bot.render.text.voice import Voice
from engine import PACK, SquaresCount, card, count_squares
from tests.golden import Scene, scenes

DAY = date(2026, 11, 27)
CARDS = tuple(sorted(PACK)[24:41])
RESULT = SquaresResult(
    day=DAY,
    grid=CARDS[:16],
    starter=card("JH"),
    count=count_squares(CARDS[:16], card("JH")),
    best=300,
    record=SquaresRecord(finished=1_200, won=1_000, streak=3, longest=90),
)
LOST = replace(
    RESULT,
    count=SquaresCount(rows=(0, 1, 2, 4), columns=(5, 7, 8, 11), heels=0),
    record=SquaresRecord(finished=2, won=1, streak=1, longest=1),
)
"""A result with figures on each side of what makes a colour."""


@scenes("squares", board_drawing)
def board(voice: Voice) -> Iterator[Scene]:
    yield "the first card", board_drawing(SquaresGame(day=DAY, cells=()), CARDS[:1], voice)
    some = SquaresGame(day=DAY, cells=(6, 0, 15))
    yield "the fourth card", board_drawing(some, CARDS[:4], voice)
    nearly = SquaresGame(day=DAY, cells=tuple(reversed(range(15))))
    yield "the last card", board_drawing(nearly, CARDS[:16], voice)


@scenes("squares-result", result_drawing)
def result(voice: Voice) -> Iterator[Scene]:
    yield "won with heels", result_drawing(RESULT, voice, is_today=True)
    equal = replace(RESULT, best=RESULT.count.total)
    yield "the best there is, of yesterday", result_drawing(equal, voice, is_today=False)
    yield "lost", result_drawing(LOST, voice, is_today=True)
    yield "better than the search", result_drawing(replace(LOST, best=37), voice, is_today=True)
    yield "the search goes on", result_drawing(replace(LOST, best=None), voice, is_today=True)


@scenes("squares-share", share_drawing, share_text)
def share(voice: Voice) -> Iterator[Scene]:
    yield "a streak", share_drawing("A*da", RESULT, voice)
    yield "every colour", share_drawing("A*da", LOST, voice)
    best = replace(LOST, count=SquaresCount(rows=(12, 29, 8, 7), columns=(2, 1, 5, 4), heels=0))
    yield "won without a streak", share_drawing("A*da", best, voice)
    yield "as text", share_text(RESULT, voice)
