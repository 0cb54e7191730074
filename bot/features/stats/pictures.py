"""The pictures of a player's statistics: rating over time, points a deal, luck and skill, best hands.

They have no words, which stand in the text above each. Numbers arrive already formatted.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final, TypeAlias, assert_never

import numpy as np
from PIL import Image

from bot.model.colours import Colour, Rgb
from bot.render.pictures.brush import Brush, mixed
from bot.render.pictures.cards import PROPORTION, plain_card
from bot.render.pictures.sprites import BRASS, DARK, WHITE, crib, digits, rounded_box, with_shadow
from bot.render.pictures.suits import Point, outline
from engine import Card, Cards, Suit

WIDTH: Final = 1000
"""Width (pixels), equal to the board's."""

_PAPER: Final[Rgb] = (246, 236, 212)
_FELT: Final[Rgb] = (26, 82, 58)
_FAINT: Final = mixed(_PAPER, DARK, 0.18)
_CORNER: Final = 26
_MARGIN: Final = 32
_SAMPLING: Final = 2


@dataclass(frozen=True, slots=True)
class CourseFacts:
    """A rating before the first game and after each; at least two numbers."""

    ratings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """Points won in a deal: the parts, and their formatted sum."""

    parts: tuple[float, ...]
    """Points by pegging, by the hand, and for the dealer by the crib."""
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsFacts:
    """Points a deal as dealer and as non-dealer: the player's and the experts'."""

    dealer: Bar | None
    """`None` until a hand is counted."""
    dealer_expert: Bar
    non_dealer: Bar | None
    non_dealer_expert: Bar


@dataclass(frozen=True, slots=True)
class Balance:
    """Points won or lost per deal, and the formatted number."""

    points: float
    written: str


@dataclass(frozen=True, slots=True)
class LuckFacts:
    """Luck, and points lost by discards."""

    luck: Balance
    skill: Balance


@dataclass(frozen=True, slots=True)
class HandFacts:
    """A counted hand."""

    points: int
    cards: Cards
    starter: Card


@dataclass(frozen=True, slots=True)
class HandsFacts:
    """The best hands, ten at most, the best first."""

    hands: tuple[HandFacts, ...]


StatisticsFacts: TypeAlias = CourseFacts | PointsFacts | LuckFacts | HandsFacts


PARTS: Final = (Colour.YELLOW, Colour.BLUE, Colour.PURPLE)
"""Colours of pegging, hand and crib."""
GAIN: Final = Colour.GREEN
LOSS: Final = Colour.RED

_COURSE_HEIGHT: Final = 280
_LABELS: Final = 150
"""Space (pixels) for numbers beside a curve."""


def draw_statistics(facts: StatisticsFacts) -> bytes:
    """The picture of these facts, a PNG."""
    match facts:
        case CourseFacts():
            return draw_course(facts)
        case PointsFacts():
            return draw_points(facts)
        case LuckFacts():
            return draw_luck(facts)
        case HandsFacts():
            return draw_hands(facts)
        case _:
            assert_never(facts)


def draw_course(facts: CourseFacts) -> bytes:
    """The rating as a curve, with its highest and lowest value on the left, the current one on the right."""
    brush = _sheet(_COURSE_HEIGHT)
    low, high = min(facts.ratings), max(facts.ratings)
    top, bottom = _MARGIN + 14, _COURSE_HEIGHT - _MARGIN - 14
    left, right = _LABELS, WIDTH - _LABELS

    def at(place: int, rating: int) -> Point:
        across = left + (right - left) * place / (len(facts.ratings) - 1)
        share = (rating - low) / (high - low) if high > low else 0.5
        return (across, bottom - (bottom - top) * share)

    for height in (top, (top + bottom) / 2, bottom):
        brush.line(((left, height), (right, height)), _FAINT, 2)
    points = [at(place, rating) for place, rating in enumerate(facts.ratings)]
    brush.polygon([(left, bottom), *points, (right, bottom)], mixed(_PAPER, Colour.BLUE.rgb, 0.3))
    brush.line(points, Colour.BLUE.rgb, 6)
    brush.disc(points[-1], 12, DARK)
    brush.disc(points[-1], 8, BRASS)
    image = brush.finished()
    if high > low:
        _write(image, str(high), (_LABELS - 18, top), 30, ends=True)
        _write(image, str(low), (_LABELS - 18, bottom), 30, ends=True)
    _write(image, str(facts.ratings[-1]), (WIDTH - _LABELS + 22, points[-1][1]), 36)
    return _png(image)


_OWN_BAR: Final = 56
_EXPERT_BAR: Final = 26
_AFTER_BAR: Final = 8
_BY_ROLE: Final = _OWN_BAR + _AFTER_BAR + _EXPERT_BAR + 36
_BAR_LEFT: Final = 120
_BAR_ROOM: Final = WIDTH - _BAR_LEFT - 160


def draw_points(facts: PointsFacts) -> bytes:
    """Bars: a broad one for the player, a narrow one below it for the experts; a crib marks the dealer's."""
    height = 2 * _BY_ROLE + 2 * _MARGIN - 36
    brush = _sheet(height)
    rows = ((facts.dealer, facts.dealer_expert), (facts.non_dealer, facts.non_dealer_expert))
    longest = max(sum(bar.parts) for row in rows for bar in row if bar is not None)
    labels: list[tuple[str, Point, int]] = []
    for number, (own, expert) in enumerate(rows):
        top = _MARGIN + number * _BY_ROLE
        bars = ((own, top, _OWN_BAR), (expert, top + _OWN_BAR + _AFTER_BAR, _EXPERT_BAR))
        for bar, above, thick in bars:
            if bar is not None:
                end = _bar(brush, bar, longest, above, thick, is_pale=bar is expert)
                labels.append((bar.total, (end + 16, above + thick / 2), 40 if bar is own else 26))
    image = brush.finished()
    fan = crib(60)
    image.paste(fan, (_MARGIN - 6, _MARGIN + (_OWN_BAR + _EXPERT_BAR - 60) // 2), fan)
    for text, where, size in labels:
        _write(image, text, where, size)
    return _png(image)


def _bar(brush: Brush, bar: Bar, longest: float, top: int, thick: int, *, is_pale: bool) -> float:
    """Draw a bar of several parts; returns its right end."""
    left = float(_BAR_LEFT)
    for part, colour in zip(bar.parts, PARTS, strict=False):
        right = left + _BAR_ROOM * part / longest
        paint = mixed(_PAPER, colour.rgb, 0.55) if is_pale else colour.rgb
        brush.box((left, top, right, top + thick), paint)
        left = right
    return left


_LUCK_ROW: Final = 70
_MOST_LUCK: Final = 2.0
"""Points per deal at which a bar ends."""


def draw_luck(facts: LuckFacts) -> bytes:
    """Two bars from the middle: luck, marked by a clover, and skill, marked by a target."""
    height = 2 * _LUCK_ROW + 2 * 20
    brush = _sheet(height)
    middle, room = WIDTH / 2 + 40, WIDTH / 2 - 220
    brush.line(((middle, 16), (middle, height - 16)), DARK, 3)
    labels: list[tuple[str, Point, bool]] = []
    for number, each in enumerate((facts.luck, facts.skill)):
        centre = 20 + _LUCK_ROW * (number + 0.5)
        reach = room * max(-1.0, min(each.points / _MOST_LUCK, 1.0))
        left, right = sorted((middle, middle + reach))
        brush.box((left, centre - 20, max(right, left + 3), centre + 20), (GAIN if reach >= 0 else LOSS).rgb)
        is_left = reach < 0
        labels.append((each.written, (middle + reach + (-16 if is_left else 16), centre), is_left))
    for leaf in outline(Suit.CLUBS):
        brush.mark(leaf, (70, 20 + _LUCK_ROW / 2), 54, GAIN.rgb)
    for radius, paint in ((26, LOSS.rgb), (17, WHITE), (9, LOSS.rgb)):
        brush.disc((70, 20 + _LUCK_ROW * 1.5), radius, paint)
    image = brush.finished()
    for text, where, is_left in labels:
        _write(image, text, where, 34, ends=is_left)
    return _png(image)


_CARD: Final = 70
_CARD_STEP: Final = 75
_HAND_ROW: Final = round(_CARD * PROPORTION) + 14
_COLUMN: Final = (WIDTH - 2 * 18) // 2


def draw_hands(facts: HandsFacts) -> bytes:
    """The hands in two columns, row by row: points, the cards, and apart from them the starter."""
    rows = -(-len(facts.hands) // 2)
    brush = Brush((WIDTH, rows * _HAND_ROW + 2 * 16), paper=_FELT, sampling=1)
    image = brush.finished()
    for number, hand in enumerate(facts.hands):
        left, top = 18 + number % 2 * _COLUMN, 16 + number // 2 * _HAND_ROW
        _write(image, str(hand.points), (left + 56, top + _HAND_ROW / 2 - 6), 40, ends=True, ink=WHITE)
        for place, card in enumerate((*sorted(hand.cards), hand.starter)):
            apart = 12 if place == len(hand.cards) else 0
            face = with_shadow(plain_card(card, _CARD))
            image.paste(face, (left + 72 + place * _CARD_STEP + apart, top), face)
    return _png(image)


def _sheet(height: int) -> Brush:
    return Brush((WIDTH, height), paper=_PAPER, sampling=_SAMPLING)


def _write(
    image: Image.Image, text: str, at: Point, height: int, *, ends: bool = False, ink: Rgb = DARK
) -> None:
    """Write a number that begins, or `ends`, at a point, and is vertically centred on it."""
    number = digits(text, height=height, ink=ink)
    x = at[0] - number.width if ends else at[0]
    image.paste(number, (round(x), round(at[1] - height / 2)), number)


def _png(image: Image.Image) -> bytes:
    """The picture with round corners, in few colours."""
    y, x = np.mgrid[0 : image.height, 0 : image.width].astype(np.float32) + 0.5
    inside = np.clip(0.5 - rounded_box(x, y, (0, 0, image.width, image.height), _CORNER), 0, 1)
    whole = image.convert("RGBA")
    whole.putalpha(Image.fromarray((inside * 255).astype(np.uint8), "L"))
    file = BytesIO()
    whole.quantize(96, method=Image.Quantize.FASTOCTREE).save(file, "PNG", compress_level=7)
    return file.getvalue()
