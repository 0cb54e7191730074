"""Highlights of a game from its public events."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot.model.great_moments import (
    COMEBACK,
    GREAT,
    PERFECT,
    best_hand,
    comeback,
    counted_hands,
    furthest_behind,
    perfect_odds,
    points_by_origin,
)
from engine import (
    PACK,
    PRESETS,
    DealBegan,
    HandCounted,
    HandShown,
    Pegged,
    PublicEvent,
    Rank,
    Rules,
    Seat,
    Side,
    Source,
    StarterCut,
    cards,
    count,
)
from engine import card as card_of

ADA, BEN = Seat(0), Seat(1)
TWO, FROM_NINETY = PRESETS["standard"](2), PRESETS["shotgun"]()


def shown(
    seat: Seat, points: int, held: str = "2D 3S 4H 8C", source: Source = Source.HAND
) -> tuple[PublicEvent, ...]:
    return (HandShown(seat, source, cards(held)), HandCounted(seat, source, points))


def deal(number: int, *events: tuple[PublicEvent, ...]) -> tuple[PublicEvent, ...]:
    return (
        DealBegan(ADA, number),
        StarterCut(BEN, card_of("5D"), 17),
        *(event for each in events for event in each),
    )


def test_the_best_hand_is_the_first_that_counted_most_and_no_crib() -> None:
    crib = shown(ADA, 20, "5H 5C 5S JD", Source.CRIB)
    events = (
        *deal(1, shown(BEN, 8), shown(ADA, 12, "7H 7C 8S 8D"), crib),
        *deal(2, shown(ADA, 12), shown(BEN, 4)),
    )
    best = best_hand(events)

    assert best is not None
    assert (best.deal, best.seat, best.points, best.cards) == (1, ADA, 12, cards("7H 7C 8S 8D"))
    assert best.starter == card_of("5D")
    assert best_hand(deal(1)) is None


@pytest.mark.parametrize(("points", "is_great"), [(GREAT - 1, False), (GREAT, True), (PERFECT, True)])
def test_a_hand_is_great_from_so_many_points_on(points: int, is_great: bool) -> None:
    [hand] = counted_hands(deal(1, shown(ADA, points)))

    assert hand.is_great is is_great


@pytest.mark.parametrize(
    ("rules", "lead", "score", "holes"),
    [
        pytest.param(TWO, 91, 81, 10, id="ten"),
        pytest.param(TWO, 91, 82, 0, id="nine"),
        pytest.param(TWO, 90, 70, 0, id="too early"),
        pytest.param(TWO, 120, 60, 60, id="sixty"),
        pytest.param(TWO, 81, 91, 0, id="ahead"),
        pytest.param(FROM_NINETY, 24, 14, 10, id="ten, from ninety"),
        pytest.param(FROM_NINETY, 23, 3, 0, id="too early, from ninety"),
    ],
)
def test_a_comeback_is_from_far_behind_in_the_last_quarter_of_the_way(
    rules: Rules, lead: int, score: int, holes: int
) -> None:
    scored = (Pegged(ADA, score, ()), Pegged(BEN, lead, ()))
    events = (*deal(1, scored), *deal(2, (Pegged(ADA, rules.target - rules.start - score, ()),)))

    assert comeback(events, rules, Side(0)) == holes
    assert holes == 0 or holes >= COMEBACK


def test_who_was_behind_within_a_deal_alone_did_not_come_back() -> None:
    events = (
        *deal(1, (Pegged(ADA, 95, ()), Pegged(BEN, 95, ()))),
        *deal(2, (Pegged(BEN, 20, ()), Pegged(ADA, 26, ()))),
    )

    assert comeback(events, TWO, Side(0)) == 0


def test_how_far_a_side_was_behind_is_told_by_the_beginnings_of_deals() -> None:
    events = (
        *deal(1, (Pegged(BEN, 40, ()), Pegged(ADA, 9, ()))),
        *deal(2, (Pegged(BEN, 20, ()), Pegged(ADA, 60, ()))),
        *deal(3, (Pegged(ADA, 52, ()),)),
    )

    assert furthest_behind(events, TWO, Side(0)) == 31
    assert furthest_behind(events, TWO, Side(1)) == 9


def test_no_point_lies_past_the_last_hole() -> None:
    events = deal(1, (Pegged(ADA, 110, ()),), shown(ADA, 20), (Pegged(ADA, 20, ()),))

    assert sum(points_by_origin(events, TWO)[0].values()) == 121
    assert sum(points_by_origin(events, FROM_NINETY)[0].values()) == 31


def test_the_odds_of_a_perfect_hand_follow_from_the_pack() -> None:
    fives = [each for each in PACK if each.rank is Rank.FIVE]
    jacks = [each for each in PACK if each.rank is Rank.JACK]
    perfect = sum(
        count((*kept, jack), starter=starter, rules=TWO).points == PERFECT
        for starter in fives
        for kept in combinations([each for each in fives if each != starter], 3)
        for jack in jacks
    )

    assert perfect == 4
    assert perfect_odds(TWO) == 216_580
    assert perfect_odds(PRESETS["standard"](4)) == 649_740
