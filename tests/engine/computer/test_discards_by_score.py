"""The crib that the expert expects in the play follows from its own discard, the starter, and the score."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine import PACK, TWO_HANDED, Cards, Seat, card, cards
from engine.coach import advice
from engine.computer.cardplay import Lookout
from engine.computer.chances import ScoreState
from engine.computer.discards_by_score import HiddenDiscards
from engine.computer.memory import pegged_in
from engine.computer.numbers import Floats
from engine.computer.ranks import RANKS, counts_of, holdings, rank_of
from engine.computer.series import table_for
from engine.computer.suits import suited_points
from engine.computer.tables import family_of
from engine.counting import count
from engine.views import PlayerView
from tests.engine.tables import at_play, play, plays

FAMILY = family_of(TWO_HANDED)
OPEN = ScoreState(60, 60, dealing=False)
KEPT = "AS 2S 8D 9D"


def hidden(seen: str, score: ScoreState = OPEN) -> HiddenDiscards:
    left = np.full(RANKS, 4) - counts_of([rank_of(each) for each in cards(seen)])
    return HiddenDiscards.of(FAMILY, score, left)


def number_of(hand: str) -> int:
    return int(holdings(4).find(counts_of([rank_of(each) for each in cards(hand)])[None, :])[0])


def dealer(given: str, *, own: int = 105, other: int = 110, starter: str = "5S") -> PlayerView:
    """The dealer's view at its first card, after a lead of the seven."""
    game = at_play(
        TWO_HANDED,
        "2C 4H 7S QD",
        "7D 8H TS KC",
        scores=(own, other),
        starter=starter,
        crib=(*cards(given), *cards("3H KS")),
    )
    play(game, *plays("1 7D"))
    return game.view(Seat(0))


def expected(chances: Floats) -> float:
    return float(chances @ np.arange(len(chances)))


@pytest.mark.parametrize(("given", "starter"), [("5D 5C", "5S"), ("KD 9S", "JH"), ("JS 4C", "3S")])
def test_the_crib_has_the_points_of_every_pair_that_may_lie_in_it(given: str, starter: str) -> None:
    own, turned = cards(given), card(starter)
    seen = (*cards("2C 4H 7S QD"), *own, turned)
    of = hidden(" ".join(map(str, seen)))
    kept = number_of("7D 8H TS KC")
    chances = of.crib(np.array([kept]), np.ones(1), own, turned, seen)

    unseen = [each for each in PACK if each not in (*seen, *cards("7D 8H TS KC"))]
    weights = of._weights[:, kept]
    total, mean = 0.0, 0.0
    for pair in combinations(unseen, 2):
        number = holdings(2).find(counts_of([rank_of(each) for each in pair])[None, :])[0]
        ways = sum(
            sorted(map(rank_of, each)) == sorted(map(rank_of, pair)) for each in combinations(unseen, 2)
        )
        weight = weights[number] / ways
        total += weight
        mean += weight * points_without_flush((*own, *pair), turned)

    assert chances.sum() == pytest.approx(1)
    assert expected(chances) == pytest.approx(mean / total)


def points_without_flush(crib: Cards, starter: object) -> int:
    counted = count(crib, starter=starter, rules=TWO_HANDED, crib=True)  # type: ignore[arg-type]
    return counted.points - (5 if len({each.suit for each in (*crib, starter)}) == 1 else 0)  # type: ignore[attr-defined]


def test_who_needs_few_points_keeps_a_sure_hand_and_who_deals_feeds_the_crib() -> None:
    """Of two fives, a run and a king, the pone near home never gives the fives; the dealer may."""
    near = hidden("QS", ScoreState(10, 10, dealing=False))
    far = hidden("QS", ScoreState(100, 100, dealing=True))
    sure, fives = number_of("5D 6D 7S 8C"), holdings(2).find(counts_of([4, 4])[None, :])[0]
    thrown = [each._weights[fives, number_of("6D 7S 8C KD")] for each in (near, far)]
    kept = [each.keeps[sure] for each in (near, far)]

    assert thrown[0] / near.keeps.max() < thrown[1] / far.keeps.max()
    assert all(each > 0 for each in kept)


def test_cards_that_are_seen_are_not_in_the_crib() -> None:
    of = hidden("5D 5C 5S 5H")
    fives = holdings(2).counts[:, 4] > 0

    assert of._weights[fives].sum() == 0
    assert of._weights[~fives].sum() > 0


def test_two_fives_in_ones_own_crib_are_worth_a_quarter_of_the_game_near_home() -> None:
    """By simulation of whole deals: 52.3 ± 2.2 % and 18.3 ± 2.0 %."""
    fives, others = (advice(dealer(given))[0].winning for given in ("5D 5C", "KD 9S"))

    assert fives is not None
    assert others is not None
    assert 0.25 < fives - others < 0.45


def test_the_starter_matters_to_the_crib() -> None:
    kept, means = np.array([number_of("7D 8D TS KC")]), []
    for turned in ("8H", "AH"):
        seen = (*cards("2C 4H 7S QD TD 9S"), card(turned))
        of = hidden(" ".join(map(str, seen)))
        means.append(expected(of.crib(kept, np.ones(1), cards("TD 9S"), card(turned), seen)))

    assert means[0] > means[1] + 1


def test_points_pegged_since_the_deal_are_known() -> None:
    game = at_play(TWO_HANDED, "2C 4H 7S QD", "7D 8H TS KC", scores=(50, 60), starter="JS")
    play(game, *plays("1 8H, 0 7S, 1 7D"))  # his heels, fifteen for two, a pair for two

    assert pegged_in(game.table, table_for(TWO_HANDED)) == (4, 2)


def test_a_computer_that_does_not_mind_the_score_has_no_such_model() -> None:
    random = np.random.default_rng(1)
    lookout = Lookout(dealer("5D 5C"), worlds=50, faith=0.5, by_score=False, random=random)

    assert lookout._hidden() is None


@pytest.mark.parametrize(
    ("played", "flush"),
    [("", 0.087), ("7D", 0.087), ("7D 9D", 0.276), ("7D 9D KD", 0.604), ("7D 9H", 0.0)],
)
def test_each_card_of_one_suit_makes_a_flush_likelier(played: str, flush: float) -> None:
    """By hand: 0.087 against 0.913, and four to one for each further card."""
    kept = np.array([[6, 8, 9, 12]], dtype=np.uint8)
    seen = (*cards(played), card("5S"))
    [kind], kinds = suited_points(kept, cards(played), card("5S"), seen, TWO_HANDED)
    chances = kinds[kind]

    assert chances[4:].sum() == pytest.approx(flush, abs=0.001)
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("played", "own", "nobs"),
    [("", "", 1 / 4), ("", "JD", 1 / 3), ("JS", "", 1.0), ("JD", "", 0.0), ("", "JS", 0.0)],
)
def test_his_nobs_are_as_likely_as_the_jacks_that_are_left(played: str, own: str, nobs: float) -> None:
    kept = np.array([[2, 2, 4, 10]], dtype=np.uint8)  # two threes: no flush
    seen = (*cards(played), *cards(own), card("5S"))
    [kind], kinds = suited_points(kept, cards(played), card("5S"), seen, TWO_HANDED)
    chances = kinds[kind]

    assert chances[1] == pytest.approx(nobs)
    assert chances.sum() == pytest.approx(1)
