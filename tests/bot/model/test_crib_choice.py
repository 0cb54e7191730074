"""Cards chosen for the crib, and put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.model.crib_choice import with_card, without_card
from engine import PACK, Card, Cards, cards

HAND = PACK[:6]
ONE_OF = st.sampled_from(HAND)


def test_a_further_card_replaces_the_first_chosen() -> None:
    chosen: Cards = ()
    for tapped, then in (("9C", "9C"), ("KH", "9C KH"), ("5H", "KH 5H"), ("KH", "KH 5H")):
        chosen = with_card(chosen, *cards(tapped), wanted=2)
        assert chosen == cards(then)
    assert without_card(chosen, *cards("KH")) == cards("5H")


@given(st.lists(ONE_OF, max_size=30), ONE_OF, st.sampled_from((1, 2)))
def test_no_tap_loses_or_doubles_a_card(taps: list[Card], last: Card, wanted: int) -> None:
    before: Cards = ()
    for each in taps:
        before = with_card(before, each, wanted=wanted)
    chosen = with_card(before, last, wanted=wanted)
    assert len(set(chosen)) == len(chosen) <= wanted
    assert last in chosen
    dropped = set(before) - set(chosen)
    assert dropped == (set(before[:1]) if last not in before and len(before) == wanted else set())


@given(st.lists(ONE_OF, unique=True, max_size=2), ONE_OF)
def test_a_tap_that_is_repeated_changes_nothing_more(before: list[Card], tapped: Card) -> None:
    once = with_card(tuple(before), tapped, wanted=2)
    assert with_card(once, tapped, wanted=2) == once
    back = without_card(once, tapped)
    assert tapped not in back
    assert without_card(back, tapped) == back
