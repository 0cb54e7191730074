"""Cards as people type them, and as they choose them for the crib; what is refused prints nothing private."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.card_input import read_card, read_cards, read_dealt, read_hand
from bot.model.crib_choice import with_card, without_card
from bot.model.errors import (
    ChannelTaken,
    IdTaken,
    NoSuchGame,
    NotACard,
    StaleGame,
    StoreError,
    WrongDeal,
    WrongHand,
)
from engine import PACK, Card, Cards, NoComputerFamily, card, cards

TYPED = [
    ("5h", "5H"),
    ("5H JD", "5H JD"),
    ("5h 10d", "5H TD"),
    ("5♥", "5H"),
    ("5♥️ J♠️", "5H JS"),
    ("10♣", "TC"),
    ("T♢", "TD"),
    ("JS", "JS"),
    ("5hjd", "5H JD"),
    ("10h10d", "TH TD"),
    ("1s", "AS"),
    ("as,kc", "AS KC"),
    ("ace of spades", "AS"),
    ("ten of clubs and five of hearts", "TC 5H"),
    ("The Queen of Hearts", "QH"),
    ("the 10h, a jack of clubs and an ace of spades", "TH JC AS"),
    ("a s th", "AS TH"),
    ("  queen diamonds ;  2 c ", "QD 2C"),
    ("", ""),
]

NO_CARDS = ["5", "h", "5x", "5h 5x", "11h", "zh", "the five", "5h♥", "🂡", "joker", "-5h", "0", "fifteen two"]


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_cards_are_read_as_people_type_them(typed: str, meant: str) -> None:
    read = read_cards(typed)

    assert cards(meant) == read


@pytest.mark.parametrize("typed", NO_CARDS)
def test_a_text_that_is_no_card_is_refused(typed: str) -> None:
    with pytest.raises(NotACard):
        read_cards(typed)


@pytest.mark.parametrize(
    ("typed", "unread"),
    [("the queen", "queen"), ("5h Thursday, 6h", "Thursday, 6h"), ("5h 6hx", "6hx"), ("5h, 6 of", "6 of")],
)
def test_a_refusal_repeats_what_was_typed_from_the_word_on_that_is_no_card(typed: str, unread: str) -> None:
    with pytest.raises(NotACard) as refused:
        read_cards(typed)

    assert refused.value.text == unread


@pytest.mark.parametrize("typed", ["", "5h 6h"])
def test_one_card_means_one(typed: str) -> None:
    with pytest.raises(NotACard):
        read_card(typed)


def test_every_card_is_read_from_its_own_notation_and_from_its_name() -> None:
    for each in PACK:
        assert each == read_card(str(each))
        assert each == read_card(f"{each.rank.name.title()} of {each.suit.name.lower()}")


def test_a_refused_text_does_not_print() -> None:
    with pytest.raises(NotACard) as refused:
        read_cards("5H and a secret")

    assert "5H" not in repr(refused.value)
    assert "secret" not in str(refused.value)


def test_a_hand_to_be_counted_is_four_different_cards_and_a_starter() -> None:
    hand, starter = read_hand("5h 5c 5s jd", "5d")

    assert (cards("5H 5C 5S JD"), card("5D")) == (hand, starter)


@pytest.mark.parametrize(
    ("hand", "starter", "given", "twice"),
    [
        ("5h 5c", "5d", 2, None),
        ("5h 5c 5s jd 2c", "5d", 5, None),
        ("5h 5c 5s 5h", "5d", 4, "5H"),
        ("5h 5c 5s jd", "jd", 4, "JD"),
    ],
)
def test_any_other_hand_is_refused_with_its_fault(
    hand: str, starter: str, given: int, twice: str | None
) -> None:
    with pytest.raises(WrongHand) as refused:
        read_hand(hand, starter)

    assert (given, twice and card(twice)) == (refused.value.given, refused.value.twice)


@pytest.mark.parametrize(
    ("typed", "players", "number"),
    [("4c 5d 6h js 2d 9c", None, 2), ("4c5d6hjs2d", None, 3), ("4c 5d 6h js 2d", 4, 4)],
)
def test_the_cards_that_one_player_is_dealt_tell_how_many_play(
    typed: str, players: int | None, number: int
) -> None:
    assert read_dealt(typed, players) == (read_cards(typed), number)


@pytest.mark.parametrize(
    ("typed", "players", "given", "twice"),
    [
        ("4c 5d 6h js", None, 4, None),
        ("4c 5d 6h js 2d", 2, 5, None),
        ("4c 5d 6h js 2d 9c", 3, 6, None),
        ("4c 5d 6h js 2d 9c 9d", None, 7, None),
        ("4c 5d 6h js 2d 4c", None, 6, "4C"),
    ],
)
def test_cards_that_nobody_is_dealt_are_refused(
    typed: str, players: int | None, given: int, twice: str | None
) -> None:
    with pytest.raises(WrongDeal) as refused:
        read_dealt(typed, players)

    assert (given, twice and card(twice)) == (refused.value.given, refused.value.twice)


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


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NoSuchGame("k3f9"), "no game k3f9"),
        (StaleGame("k3f9", 7), "game k3f9 is no longer at version 7"),
        (ChannelTaken(20, "k3f9"), "game k3f9 is open in channel 20"),
        (IdTaken("k3f9"), "there is a game k3f9 already"),
    ],
)
def test_what_the_store_refuses_names_the_game(error: StoreError, said: str) -> None:
    assert str(error) == said


def test_the_computer_says_which_rules_it_does_not_play() -> None:
    error = NoComputerFamily(("dealt", "discarded"))
    assert str(error) == "the computer has no tables for dealt, discarded"
