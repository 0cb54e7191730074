"""Ratings: what one game is worth to its winner and to those who lose it."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from bot.standings.ratings import PROVISIONAL, Kind, Rating, rated

NEWCOMER = Rating()

ratings = st.builds(Rating, mu=st.floats(-30, 80), sigma=st.floats(0.1, NEWCOMER.sigma))
two_sides = st.integers(1, 2).flatmap(
    lambda each: st.lists(st.lists(ratings, min_size=each, max_size=each), min_size=2, max_size=2)
)
sides_of_one = st.lists(st.lists(ratings, min_size=1, max_size=1), min_size=3, max_size=4)
games = two_sides | sides_of_one


def at(*skills: float, sigma: float) -> list[list[Rating]]:
    return [[Rating(mu, sigma)] for mu in skills]


def test_a_rating_rises_with_a_win_and_is_sure_after_enough_games() -> None:
    winner = loser = NEWCOMER
    assert winner.shown == 1000
    for number in range(1, PROVISIONAL + 1):
        assert winner.is_provisional
        ((winner,), (loser,)) = rated([[winner], [loser]], 0)
        assert winner.games == loser.games == number
    assert not winner.is_provisional
    assert winner.shown > 1200
    assert loser.shown < 900
    assert winner.sigma < NEWCOMER.sigma > loser.sigma


def test_a_strong_players_defeat_is_no_gain_of_the_other_loser() -> None:
    """Losers do not play for second place, so that nothing is known of one by the other."""
    before = at(35, 15, 25, sigma=2)
    after = rated(before, 0)
    changes = [new.mu - old.mu for (new,), (old,) in zip(after, before, strict=True)]
    assert changes == pytest.approx([0.135, -0.030, -0.105], abs=0.0005)


def test_who_loses_to_the_strong_time_after_time_is_shown_less_each_time() -> None:
    newcomer, others = NEWCOMER, [Rating(35, 2), Rating(35, 2)]
    shown = [newcomer.shown]
    for game in range(PROVISIONAL):
        (newcomer,), *_ = rated([[newcomer], *([other] for other in others)], 1 + game % 2)
        shown.append(newcomer.shown)
    assert shown == sorted(set(shown), reverse=True)


@given(games, st.data())
@example([[Rating(25)], [Rating(120, 0.1)]], None)
@example([[Rating(25)], [Rating(35, 2)], [Rating(35, 2)]], None)
def test_no_loss_raises_anybody_and_no_win_lowers_anybody(
    sides: list[list[Rating]], data: st.DataObject | None
) -> None:
    winner = len(sides) - 1 if data is None else data.draw(st.integers(0, len(sides) - 1))
    after = rated(sides, winner)
    for place, (olds, news) in enumerate(zip(sides, after, strict=True)):
        for old, new in zip(olds, news, strict=True):
            assert new.games == old.games + 1
            if place == winner:
                assert new.mu >= old.mu
            else:
                assert new.mu <= old.mu
                assert new.shown <= old.shown


@given(two_sides, st.integers(0, 1))
def test_a_game_of_two_sides_is_rated_as_by_openskill(sides: list[list[Rating]], winner: int) -> None:
    model = PlackettLuce()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
    ranks = [float(place != winner) for place in range(2)]
    expected = chain.from_iterable(model.rate(teams, ranks=ranks))
    for new, wanted in zip(chain.from_iterable(rated(sides, winner)), expected, strict=True):
        assert (new.mu, new.sigma) == pytest.approx((wanted.mu, wanted.sigma), rel=1e-9)


def test_a_newcomer_is_openskills() -> None:
    assert (NEWCOMER.mu, NEWCOMER.sigma) == (PlackettLuce().mu, PlackettLuce().sigma)


def test_the_winner_may_sit_anywhere() -> None:
    ((first, _), (second, partner)) = rated([[NEWCOMER, NEWCOMER], [NEWCOMER, NEWCOMER]], 1)
    assert second.mu == partner.mu > first.mu
    (first,), (second,), (third,) = rated([[NEWCOMER]] * 3, 0)
    assert first.mu > second.mu == third.mu


def test_games_of_two_are_rated_apart() -> None:
    assert [Kind.of(seats) for seats in (2, 3, 4)] == [Kind.TWO, Kind.MORE, Kind.MORE]
