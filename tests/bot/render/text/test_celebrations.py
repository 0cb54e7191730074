"""Great moments are celebrated in lines and colours of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.great_moments import CountedHand
from bot.model.table_record import Agreement
from bot.render.layouts import FELT, GOLD
from bot.render.messages.show import show_drawing
from bot.render.text.celebrations import (
    COMEBACK,
    GREAT_HAND,
    PERFECT_HAND,
    SKUNKS,
    TWENTY_EIGHT,
    colour_of,
    hand_line,
)
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from engine import PRESETS, HandCounted, HandShown, PublicEvent, Seat, Source, StarterCut, card, cards
from tests.bot.render.games import ALOUD, at_the_show, components, deal_in_hand, over, record_of, words

ADA = Seat(0)
BACKGROUNDS = {"light": 0xFFFFFF, "ash": 0x323339, "dark": 0x1A1A1E}
"""Discord's backgrounds of a message."""


def hand(points: int, source: Source = Source.HAND) -> CountedHand:
    return CountedHand(
        deal=1, seat=ADA, source=source, cards=cards("5H 5C 5S JD"), starter=card("5D"), points=points
    )


@pytest.mark.parametrize(
    ("points", "source", "said"),
    [
        (23, Source.HAND, ""),
        (24, Source.HAND, "✨ **24!** What a hand, Ada!"),
        (24, Source.CRIB, "✨ **24!** What a crib, Ada!"),
        (28, Source.HAND, "🎇 **28!** Only a 29 beats it"),
        (29, Source.HAND, "🎉 **29!** The perfect hand: 1 in 216,580"),
        (29, Source.CRIB, "🎉 **29!** The perfect crib"),
    ],
)
def test_great_hands_have_a_line_each(points: int, source: Source, said: str) -> None:
    names = Names(("Ada", "Ben"), PRESETS["standard"](2))

    assert hand_line(hand(points, source), PRESETS["standard"](2), names, Voice()) == said


def test_the_odds_are_those_of_the_table() -> None:
    four = PRESETS["standard"](4)

    assert "1 in 649,740" in hand_line(hand(29), four, Names(("Ada",), four), Voice())


def _luminance(colour: int) -> float:
    """Relative luminance as WCAG defines it."""
    shares = ((colour >> shift & 255) / 255 for shift in (16, 8, 0))
    red, green, blue = (
        share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("background", BACKGROUNDS)
def test_each_colour_is_seen_on_every_background(background: str) -> None:
    behind = _luminance(BACKGROUNDS[background])
    celebrations = (GREAT_HAND, TWENTY_EIGHT, PERFECT_HAND, *SKUNKS.values(), COMEBACK)
    for colour in (GOLD, *(each.colour for each in celebrations)):
        lower, higher = sorted((behind, _luminance(colour.value)))

        assert (higher + 0.05) / (lower + 0.05) >= 3, str(colour)


def test_the_greatest_hand_gives_its_colour() -> None:
    assert colour_of([hand(24), hand(29), hand(28)]) == PERFECT_HAND.colour
    assert colour_of([hand(24), hand(28)]) == TWENTY_EIGHT.colour
    assert colour_of([hand(12), hand(24)]) == GREAT_HAND.colour
    assert colour_of([hand(12)]) is None
    assert colour_of([]) is None


def shown_with(points: int, events: tuple[PublicEvent, ...]) -> tuple[PublicEvent, ...]:
    """The deal's events, with another first hand, counted at `points`."""
    changed: list[PublicEvent] = []
    first = next(event.seat for event in events if isinstance(event, HandShown))
    for event in events:
        match event:
            case StarterCut():
                changed.append(replace(event, card=card("5D")))
            case HandShown(seat, Source.HAND) if seat == first:
                changed.append(replace(event, cards=cards("5H 5C 5S JD")))
            case HandCounted(seat, Source.HAND) if seat == first:
                changed.append(replace(event, points=points))
            case _:
                changed.append(event)
    return tuple(changed)


@pytest.mark.parametrize(
    ("points", "line", "colour"),
    [
        (29, "🎉 **29!** The perfect hand: 1 in 216,580", PERFECT_HAND.colour),
        (23, "", GOLD),
    ],
)
def test_the_show_celebrates_a_hand_once_and_takes_its_colour(points: int, line: str, colour: object) -> None:
    agreement = Agreement()
    game = next(
        game
        for game in (over(agreement, seed) for seed in range(50))
        if any(isinstance(event, HandCounted) for event in deal_in_hand(game))
    )
    drawing = show_drawing(
        record_of(agreement), game.table, shown_with(points, deal_in_hand(game)), Voice(), open=False
    )

    said = words(drawing)
    assert (said.count("!**") == 1) == bool(line)
    assert said.count(line) == 1 or not line
    edge = next(each["accent_color"] for each in components(drawing) if "accent_color" in each)
    assert edge == colour.value  # type: ignore[attr-defined]


def test_a_hand_that_is_still_to_be_counted_is_not_celebrated() -> None:
    game = at_the_show(ALOUD)
    events = shown_with(29, deal_in_hand(game))
    drawing = show_drawing(record_of(ALOUD), game.table, events, Voice(), open=True)

    assert "🎉" not in words(drawing)
    edge = next(each["accent_color"] for each in components(drawing) if "accent_color" in each)
    assert edge == FELT.value
