"""The crib in the play follows from one's own discards, the starter, and what the others may give."""

from __future__ import annotations

from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest

from engine import PACK, Card, Seat, cards, count
from engine.coach import advice
from engine.computer import Level
from engine.computer.known_crib import (
    OpponentsCards,
    crib_by_pair,
    crib_of_partners,
    needs_at_discard,
)
from engine.computer.memory import memory_of
from engine.computer.ranks import counts_of, holdings, number_of
from engine.computer.tables import discarding_of, family_of
from engine.phases import Playing
from engine.presets import standard
from engine.views import PlayerView, player_view
from tests.engine.computer.matches import match
from tests.engine.tables import at_play, play, plays

FIVE, SIX, JACK, KING = 4, 5, 10, 12
BEN, ADA = Seat(0), Seat(1)


def dealer_who_gave(given: str, *, scores: tuple[int, int] = (105, 110)) -> PlayerView:
    game = at_play(
        standard(2), "2H 4C 6S 8D", "3D 3H 9S TC", scores=scores, starter="5S", crib=f"{given} 2S KC"
    )
    play(game, *plays("1 3D"))
    return game.view(BEN)


def test_two_fives_given_to_ones_own_crib_raise_the_chance_to_win() -> None:
    """The dealer needs 16; with the starter the fives make eight holes more than a king and a nine."""
    best = {given: advice(dealer_who_gave(given))[0].winning or 0.0 for given in ("5D 5C", "KD 9S")}

    assert best["5D 5C"] > best["KD 9S"] + 0.1


def test_what_a_pone_gave_counts_for_the_dealer() -> None:
    best = {}
    for given in ("5D 5C", "KD 9S"):
        game = at_play(
            standard(2), "3D 3H 9C TC", "2H 4C 6S 8D", scores=(100, 108), starter="5S", crib=f"2S KC {given}"
        )
        best[given] = advice(game.view(ADA))[0].winning or 0.0

    assert best["5D 5C"] < best["KD 9S"] - 0.03


def test_the_crib_is_counted_with_every_pair_that_is_left() -> None:
    view = dealer_who_gave("5D JS")
    unseen = left_of(view)
    table = crib_by_pair(view, np.array([number_of(each) for each in unseen], dtype=np.uint8))
    points = np.arange(table.shape[1])

    for ranks in ([FIVE, JACK], [JACK, JACK], [SIX, KING]):
        every = [
            count((*view.discarded, *pair), starter=cards("5S")[0], rules=view.table.rules, crib=True).points
            for pair in combinations(unseen, 2)
            if sorted(each.rank.value - 1 for each in pair) == ranks
        ]
        (number,) = holdings(2).find(counts_of(ranks)[None, :])

        assert table[number].sum() == pytest.approx(1.0)
        assert table[number] @ points == pytest.approx(fmean(every))


def left_of(view: PlayerView) -> list[Card]:
    seen = memory_of(view).seen
    return [each for each in PACK if each not in seen]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_crib_of_partners_has_one_card_from_each_player(seat: int) -> None:
    """Compared with all orders of the three others' cards, of eight that are left."""
    rules = standard(4, partners=True)
    game = at_play(rules, "2H 4C 6S 8D", "3D 3H 9S TC", "AD 7H 7S QC", "4H 6D KC KS", starter="5S")
    view = game.view(Seat(seat))
    unseen = cards("5D 5H JC JS 2C QH QD 9C")
    dealer, other = discarding_of(family_of(rules)).throws
    by_seat = [other if seat == view.table.dealer else dealer, other, other]
    expected = np.zeros(30)
    for three in product(unseen, repeat=3):
        if len({*three}) == 3:
            points = count((*view.discarded, *three), starter=cards("5S")[0], rules=rules, crib=True).points
            expected[points] += np.prod(
                [weights[each.rank.value - 1] for weights, each in zip(by_seat, three, strict=True)]
            )
    crib = crib_of_partners(view, np.array([number_of(each) for each in unseen], dtype=np.uint8))

    np.testing.assert_allclose(crib, expected / expected.sum())


def test_who_kept_fives_has_given_none_more_often() -> None:
    view = dealer_who_gave("KD 9S", scores=(20, 20))
    opponent = OpponentsCards(view, memory_of(view))
    with_fives, without = (
        int(holdings(4).find(counts_of(ranks)[None, :])[0]) for ranks in ([2, FIVE, FIVE, FIVE], [2, 6, 6, 7])
    )
    given = opponent.given(np.array([with_fives, without]))
    has_five = holdings(2).counts[:, FIVE] > 0

    assert given.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert given[0, has_five].sum() == 0.0, "three fives and the starter are all there are"
    assert given[1, has_five].sum() > 0.0


def test_a_hand_lacks_no_card_that_was_played_and_has_none_that_is_seen() -> None:
    view = dealer_who_gave("KD 9S")
    keeps = OpponentsCards(view, memory_of(view)).keeps()
    counts = holdings(4).counts

    assert (counts[keeps > 0][:, 2] > 0).all(), "Ada has led a three"
    assert (counts[keeps > 0][:, FIVE] <= 3).all(), "the starter is a five"
    assert keeps.any()


@pytest.mark.parametrize("table", ["standard-2", "short-2"])
def test_the_score_at_the_discards_is_found_again(table: str) -> None:
    """Whole games: at every card, the pegs without what was pegged in this deal."""
    checked = 0
    at_discard: dict[int, tuple[int, ...]] = {}
    for turn in match(table, (Level.BEGINNER, Level.STEADY), 4):
        rules, scores = turn.state.rules, [pegs.front for pegs in turn.state.pegs]
        if isinstance(turn.state.phase, Playing):
            view = player_view(turn.state, turn.seat)
            checked += 1
            assert needs_at_discard(view) == at_discard[turn.state.deal_number]
        else:
            at_discard.setdefault(turn.state.deal_number, tuple(rules.target - score for score in scores))

    assert checked > 20
