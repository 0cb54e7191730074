"""Standings of a club event: two for a win, three for a skunk, then games won, then spread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.clubs.event import Ended, Entrant, Outcome, Pairing, Points
from bot.features.clubs.table import standings

ENTRANTS = tuple(Entrant(number=number, user=number * 100, name=f"P{number}") for number in (1, 2, 3, 4))


def game(
    home: int, away: int | None, ended: Ended, winner: int | None, scores: tuple[int, int] = (0, 0)
) -> Pairing:
    outcome = Outcome(ended=ended, winner=winner, scores=scores)
    return Pairing(round=1, table=1, home=home, away=away, outcome=outcome)


@pytest.mark.parametrize(("points", "worth"), [(Points.CONGRESS, (2, 3)), (Points.PLAIN, (1, 2))])
def test_a_win_and_a_skunk(points: Points, worth: tuple[int, int]) -> None:
    pairings = [game(1, 2, Ended.WIN, 1, (121, 100)), game(3, 4, Ended.SKUNK, 4, (80, 121))]
    rows = standings(ENTRANTS, pairings, points)
    assert [row.entrant.number for row in rows] == [4, 1, 2, 3]
    assert [row.points for row in rows] == [worth[1], worth[0], 0, 0]
    assert [row.spread for row in rows] == [41, 21, -21, -41]


def test_ties_go_by_games_won_then_by_spread() -> None:
    pairings = [
        *(game(1, 4, Ended.SKUNK, 1, (121, 60)) for _ in range(2)),
        *(game(2, 4, Ended.WIN, 2, (121, 120)) for _ in range(3)),
        *(game(3, 4, Ended.WIN, 3, (121, 110)) for _ in range(3)),
    ]
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert [(row.entrant.number, row.points, row.won) for row in rows[:3]] == [
        (3, 6, 3),
        (2, 6, 3),
        (1, 6, 2),
    ]


def test_byes_and_forfeits_are_plain_wins_and_nothing_is_nothing() -> None:
    pairings = [
        game(1, None, Ended.BYE, 1),
        game(2, 3, Ended.FORFEIT, 3),
        game(4, 2, Ended.NOTHING, None),
        Pairing(round=2, table=1, home=1, away=2),
    ]
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert [(row.entrant.number, row.points, row.played) for row in rows] == [
        (1, 2, 1),
        (3, 2, 1),
        (2, 0, 1),
        (4, 0, 0),
    ]
    assert [row.place for row in rows] == [1, 1, 3, 3]


def _played(pair: tuple[int, int], ended: Ended, home_won: bool, low: int) -> Pairing:
    return game(pair[0], pair[1], ended, pair[not home_won], (121, low) if home_won else (low, 121))


_GAMES = st.builds(
    _played,
    st.permutations([1, 2, 3, 4]).map(lambda order: (order[0], order[1])),
    st.sampled_from([Ended.WIN, Ended.SKUNK]),
    st.booleans(),
    st.integers(0, 120),
)


@given(st.lists(_GAMES, max_size=12))
def test_what_one_wins_another_loses(pairings: list[Pairing]) -> None:
    rows = standings(ENTRANTS, pairings, Points.CONGRESS)
    assert sum(row.spread for row in rows) == 0
    assert sum(row.won for row in rows) == len(pairings)
    assert sum(row.played for row in rows) == 2 * len(pairings)
    assert rows == standings(ENTRANTS, list(reversed(pairings)), Points.CONGRESS)
    order = [(row.points, row.won, row.spread) for row in rows]
    assert order == sorted(order, reverse=True)
