"""Places and ties, what is enough for a board, months, and who is on none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.standings.figures import BestHand
from bot.standings.leaderboards import (
    PAGE,
    Board,
    Leaderboard,
    Span,
    Tally,
    leaderboard,
    month_of,
)
from bot.standings.ratings import Rating
from engine import card, cards

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def tally(user: int, **facts: object) -> Tally:
    plain: dict[str, object] = {
        "name": f"P{user:02}",
        "hidden": False,
        "games": 10,
        "wins": 5,
        "best": None,
        "rating": Rating(games=3),
    }
    return Tally(user=user, **plain | facts)  # type: ignore[arg-type]


def places(board: Board, span: Span, *tallies: Tally) -> list[tuple[int, int]]:
    return [(row.place, row.tally.user) for row in leaderboard(board, span, tallies, asker=1, now=NOW).rows]


def hand(points: int) -> BestHand:
    return BestHand(points, cards("5H 5C 5S JD"), card("5D"))


def test_equal_figures_share_a_place_and_the_next_counts_them_all() -> None:
    told = places(
        Board.WINS, Span.EVER, *(tally(user, wins=wins) for user, wins in enumerate((9, 7, 7, 3), 1))
    )
    assert told == [(1, 1), (2, 2), (2, 3), (4, 4)]


def test_within_a_place_more_games_stand_first_then_the_name() -> None:
    told = places(
        Board.WINS, Span.EVER, tally(1, games=10), tally(2, games=12), tally(3, name="Aa"), tally(4, games=6)
    )
    assert told == [(1, 2), (1, 3), (1, 1), (1, 4)]


def test_a_rate_is_a_share_and_not_a_number() -> None:
    told = places(
        Board.RATE, Span.EVER, tally(1, games=30, wins=10), tally(2, games=12, wins=6), tally(3, games=10)
    )
    assert told == [(1, 2), (1, 3), (3, 1)]


@pytest.mark.parametrize(("span", "enough"), [(Span.EVER, 10), (Span.MONTH, 5)])
def test_a_rate_takes_so_many_games(span: Span, enough: int) -> None:
    told = places(
        Board.RATE, span, tally(1, games=enough - 1, wins=enough - 1), tally(2, games=enough, wins=1)
    )
    assert told == [(1, 2)]


def test_ratings_go_by_what_is_shown() -> None:
    sure, doubtful = Rating(26.0, 3.0, 20), Rating(28.0, 8.0, 1)
    told = places(
        Board.RATING,
        Span.EVER,
        tally(1, rating=doubtful),
        tally(2, rating=sure),
        tally(3, rating=Rating(26.001, 3.0, 9)),
        tally(4, rating=Rating()),
    )
    assert told == [(1, 2), (1, 3), (3, 1)]


def test_best_hands_go_by_points_and_need_one() -> None:
    told = places(Board.HAND, Span.EVER, tally(1, best=hand(12)), tally(2, best=hand(29)), tally(3))
    assert told == [(1, 2), (2, 1)]


def test_a_board_of_wins_lists_winners() -> None:
    assert places(Board.WINS, Span.EVER, tally(1, wins=0), tally(2, wins=1)) == [(1, 2)]


def test_who_hides_is_on_no_board_and_takes_no_place() -> None:
    told = leaderboard(Board.WINS, Span.EVER, [tally(1, wins=9, hidden=True), tally(2)], asker=1, now=NOW)
    assert [(row.place, row.tally.user) for row in told.rows] == [(1, 2)]
    assert told.own_row is None
    assert told.own is not None
    assert told.own.wins == 9


def test_pages_hold_ten_and_there_is_always_one() -> None:
    def board(number: int) -> Leaderboard:
        return leaderboard(Board.WINS, Span.EVER, map(tally, range(1, number + 1)), asker=1, now=NOW)

    assert [board(number).pages for number in (0, 1, PAGE, PAGE + 1, 2 * PAGE)] == [1, 1, 1, 2, 2]
    assert [row.tally.user for row in board(12).page(1)] == [11, 12]
    assert board(12).page(2) == ()


@pytest.mark.parametrize(
    ("now", "first", "following"),
    [
        (datetime(2026, 11, 1, tzinfo=UTC), (2026, 11), (2026, 12)),
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), (2026, 11), (2026, 12)),
        (datetime(2026, 12, 31, tzinfo=UTC), (2026, 12), (2027, 1)),
        (datetime(2026, 12, 1, 1, tzinfo=timezone(timedelta(hours=2))), (2026, 11), (2026, 12)),
    ],
)
def test_months_are_those_of_utc(now: datetime, first: tuple[int, int], following: tuple[int, int]) -> None:
    assert month_of(now) == (datetime(*first, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC))
