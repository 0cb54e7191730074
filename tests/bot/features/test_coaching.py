"""The coach's answers: in a cribbage player's words, in a phone's width, with no hidden card of others."""

from __future__ import annotations

import re

import pytest

from bot.features.coaching.discards import discards_drawing
from bot.features.coaching.review import ReviewPage
from bot.language.languages import Language
from bot.model.table_record import Agreement
from bot.render.layouts import MOST_TEXT
from bot.render.messages.board import COLUMNS
from bot.render.text.advice import better_in_short, cost_of, loss, signed, total
from bot.render.text.faces import Faces
from engine import PRESETS, cards, presets_for
from engine.coach import throws_for
from tests.bot.features.coaching_scenes import (
    ALONE,
    FIVE,
    JACK,
    PARTNERS,
    SHORT,
    decided,
    decisions,
    page,
    review,
)
from tests.bot.registered import full_voice
from tests.bot.render.games import EMOJIS, words

_WIDEST = COLUMNS + 1
"""Columns of a line with two tens; the board has one less."""
TABLES = (SHORT, ALONE, PARTNERS)


def pages(agreement: Agreement, seat: int = 0, *, why: bool = False) -> list[str]:
    found = review(agreement, seat=seat)
    deals = {each.view.table.deal_number for each in found.decisions}
    return [
        words(page(agreement, full_voice(), ReviewPage(each, why=why), found))
        for each in range(len(deals) + 1)
    ]


@pytest.mark.parametrize(
    ("value", "written"), [(9.84, "+9.8"), (-4.06, "−4.1"), (-0.04, "0.0"), (0.0, "0.0"), (0.06, "+0.1")]
)
def test_points_have_one_decimal_and_a_sign(value: float, written: str) -> None:
    assert signed(value, full_voice()) == written
    assert signed(-3.5, full_voice(Language.of("fr"))) == "−3,5"


@pytest.mark.parametrize(
    ("points", "winning", "written"),
    [
        (3.5, 0.07, "−3.5 points, −7% to win"),
        (1.4, 0.0214, "−1.4 points, −2% to win"),
        (0.4, 0.004, "−0.4 points, −0.4% to win"),
        (0.0, 0.021, "−2% to win"),
        (0.6, 0.0, "−0.6 points"),
        (1.4, None, "−1.4 points"),
        (0.04, None, ""),
        (0.0, 0.0004, ""),
    ],
)
def test_a_loss_is_told_in_points_and_in_chance(points: float, winning: float | None, written: str) -> None:
    assert loss(points, winning, full_voice()) == written


@pytest.mark.parametrize(
    ("value", "written"), [(6.04, "6.0"), (-0.04, "0.0"), (0.04, "0.0"), (-0.0, "0.0"), (-0.06, "−0.1")]
)
def test_a_total_has_a_sign_below_zero_alone(value: float, written: str) -> None:
    assert total(value, full_voice()) == written


@pytest.mark.parametrize(
    ("preset", "typed", "players", "choices"),
    [
        (preset, typed, players, choices)
        for typed, players, choices in (
            ("4C 5D 6H JS 2D 9C", 2, 15),
            ("TC TD 5H 5S JS 5C", 2, 15),
            ("TC TD 5H 5S JS", 3, 5),
            ("AC 2D 9H JD KD", 4, 5),
        )
        for preset in presets_for(players)
    ],
)
def test_every_choice_stands_in_a_line_that_a_phone_does_not_break(
    preset: str, typed: str, players: int, choices: int
) -> None:
    rules, voice = PRESETS[preset](players), full_voice(faces=Faces(EMOJIS))
    for dealer in (True, False):
        throws = throws_for(cards(typed), rules, dealer=dealer)

        said = words(discards_drawing(cards(typed), throws, rules, preset, voice, dealer=dealer))

        _, block, _ = said.split("```")
        heading, *rows = block.strip("\n").splitlines()
        assert len(rows) == choices
        assert max(map(len, (heading, *rows))) <= _WIDEST
        assert {row.index(given) for row in rows if (given := re.findall(r" ([^ ]+)$", row)[0])} == {
            heading.index("give")
        }
        totals = [float(row.split()[0].replace("−", "-")) for row in rows]
        assert totals == sorted(totals, reverse=True)
        assert len(said) < MOST_TEXT


@pytest.mark.parametrize("agreement", TABLES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_review_names_no_card_that_its_reader_never_saw(agreement: Agreement, seat: int) -> None:
    seen: dict[int, set[str]] = {}
    for each in decisions(agreement, seat):
        view = each.view
        known = seen.setdefault(view.table.deal_number, set())
        known |= {str(one) for one in (*view.hand, *view.discarded)}
    for why in (False, True):
        overview, *deals = pages(agreement, seat, why=why)
        for known, said in zip(seen.values(), deals, strict=True):
            assert _named(said) <= known
        assert _named(overview) <= set().union(*seen.values())


def _named(said: str) -> set[str]:
    """The cards in a text, in notation."""
    suits = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    found = re.findall(r"(10|[A2-9JQK])([♣♦♥♠])", said)
    return {f"{rank.replace('10', 'T')}{suits[suit]}" for rank, suit in found}


def test_a_cost_is_the_difference_of_the_rounded_figures() -> None:
    costly = [each for each in decisions(SHORT) if each.is_costly]
    for each in costly:
        lost = round(round(each.best.points, 1) - round(each.made.points, 1), 1)
        assert cost_of(each, full_voice()).startswith(f"−{lost} points")
    assert costly
    assert better_in_short(decided(JACK, FIVE), full_voice()) == ""
