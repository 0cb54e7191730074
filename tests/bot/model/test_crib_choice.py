"""Taps on cards for the crib."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.model.crib_choice import toggled
from engine import PACK, Cards, cards

HAND = PACK[:6]


def test_a_further_card_replaces_the_first_chosen() -> None:
    chosen: Cards = ()
    for tapped, then in (("9C", "9C"), ("KH", "9C KH"), ("5H", "KH 5H"), ("KH", "5H"), ("5H", "")):
        chosen = toggled(chosen, *cards(tapped), wanted=2)
        assert chosen == cards(then)


@given(st.lists(st.sampled_from(HAND), max_size=30), st.sampled_from((1, 2)))
def test_no_tap_loses_or_doubles_a_card(taps: list, wanted: int) -> None:  # type: ignore[type-arg]
    chosen: Cards = ()
    for tapped in taps:
        before, chosen = chosen, toggled(chosen, tapped, wanted=wanted)
        assert len(set(chosen)) == len(chosen) <= wanted
        assert (tapped in chosen) is (tapped not in before)
        dropped = set(before) - set(chosen) - {tapped}
        assert dropped == (set(before[:1]) if tapped not in before and len(before) == wanted else set())
