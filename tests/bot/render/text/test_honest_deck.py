"""Lines on the sealed deck in a game's first messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.table_record import Agreement
from bot.render.text.honest_deck import deck_on_deal
from bot.render.text.voice import Voice
from tests.bot.render.games import record_of

SEAL = "0123456789abcdef" * 4
RECORD = replace(record_of(Agreement()), has_deck=True, seal=SEAL)


@pytest.mark.parametrize("deal", [0, 1])
def test_a_line_says_what_the_digits_are_and_the_digits_fill_a_phone_s_line_alone(deal: int) -> None:
    assert list(deck_on_deal(RECORD, deal, Voice(), named=True)) == [
        "Sealed deck, which `/crib fair` checks:",
        f"`{SEAL[:40]}`",
    ]
    assert list(deck_on_deal(RECORD, deal, Voice(), named=False)) == [f"`{SEAL[:40]}`"]


def test_later_deals_and_games_without_a_seal_say_nothing() -> None:
    assert not list(deck_on_deal(RECORD, 2, Voice(), named=True))
    assert not list(deck_on_deal(replace(RECORD, has_deck=False), 1, Voice(), named=True))


def test_the_first_scheme_shows_its_commitment_where_there_was_no_lobby() -> None:
    first = replace(RECORD, seal=None, commitment="ab" * 32)
    for begins in (True, False):
        shown = list(deck_on_deal(replace(first, begins=begins), 1, Voice(), named=True))
        assert shown == ([f"`deck:{'ab' * 32}`"] if begins else [])
