"""Leaderboards: places and ties, what is enough, pages, months, and who is on none."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.standings.figures import BestHand
from bot.standings.leaderboards import Board, Leaderboard, Row, Span, Tally, month_of, pages_of
from bot.standings.ratings import Rating
from bot.store.finished_games import ANY, month_number
from engine import card, cards, to_plain
from tests.bot.standings.games import GUILD, ON_BOTH, Club


def tally(user: int, **facts: object) -> Tally:
    plain: dict[str, object] = {
        "name": f"P{user:02}",
        "hidden": False,
        "games": 10,
        "wins": 5,
        "best": None,
        "rating": Rating(games=30),
    }
    return Tally(user=user, **plain | facts)  # type: ignore[arg-type]


def hand(points: int) -> BestHand:
    return BestHand(points, cards("5H 5C 5S JD"), card("5D"))


async def ranked(
    club: Club, board: Board, span: Span, *tallies: Tally, asker: int = 1, page: int = 0
) -> Leaderboard:
    """The board of these people alone."""
    month = month_number(span, club.clock.now)
    kind = board.kind.value if board.kind else ANY

    for name in ("tallies", "ratings", "hidden"):
        await club.change(f"DELETE FROM {name}")
    for each in tallies:
        best = each.best and json.dumps(to_plain(each.best))
        await club.change(
            "INSERT INTO tallies VALUES (0, $1, $2, $3, $4, $5, 1, $6, $7, $8, $9, 1)",
            *(GUILD, month, kind, each.user, each.name, each.games, each.wins),
            *(each.best and each.best.points, best),
        )
        if each.hidden:
            await club.change("INSERT INTO hidden VALUES ($1)", each.user)
        if board.kind and each.rating.games:
            rating = each.rating
            await club.change(
                "INSERT INTO ratings VALUES (0, $1, $2, $3, $4, $5, $6, $7)",
                *(GUILD, kind, each.user, rating.mu, rating.sigma, rating.games, rating.shown),
            )
    return await club.queries.leaderboard(GUILD, board, span, asker=asker, page=page)


EVER, MONTH = Span.EVER, Span.MONTH
SURE, DOUBTFUL = Rating(26.0, 3.0, 20), Rating(28.0, 8.0, 10)


@ON_BOTH
@pytest.mark.parametrize(
    ("board", "span", "people", "places"),
    [
        (Board.WINS, EVER, [{"wins": each} for each in (9, 7, 7, 3)], [(1, 1), (2, 2), (2, 3), (4, 4)]),
        (Board.WINS, EVER, [{"wins": 0}, {"wins": 1}], [(1, 2)]),
        (Board.WINS, MONTH, [{"wins": 9, "hidden": True}, {}], [(1, 2)]),
        (
            Board.WINS,
            EVER,
            [{"games": 10}, {"games": 12}, {"name": "Aa"}, {"games": 6}],
            [(1, 2), (1, 3), (1, 1), (1, 4)],
        ),
        (
            Board.RATE,
            EVER,
            [{"games": 30, "wins": 10}, {"games": 12, "wins": 6}, {"games": 10, "wins": 5}],
            [(1, 2), (1, 3), (3, 1)],
        ),
        (Board.RATE, EVER, [{"games": 9, "wins": 9}, {"games": 10, "wins": 1}], [(1, 2)]),
        (Board.RATE, MONTH, [{"games": 4, "wins": 4}, {"games": 5, "wins": 1}], [(1, 2)]),
        (Board.HAND, EVER, [{"best": hand(12)}, {"best": hand(29)}, {}], [(1, 2), (2, 1)]),
        (
            Board.RATING,
            EVER,
            [
                {"rating": each}
                for each in (DOUBTFUL, SURE, Rating(26.001, 3.0, 10), Rating(), Rating(90.0, 3.0, 9))
            ],
            [(1, 2), (1, 3), (3, 1), (None, 5)],
        ),
        (
            Board.MORE,
            MONTH,
            [{"rating": Rating(mu, 5.0, games)} for mu, games in ((20, 1), (20, 10), (21, 1))],
            [(1, 2), (None, 3), (None, 1)],
        ),
    ],
    ids=[
        "equal figures share a place and the next counts them all",
        "a board of wins lists winners",
        "who hides takes no place",
        "within a place most games first and then the name",
        "a rate is a share and not a number",
        "a rate takes ten games",
        "a rate takes five games in a month",
        "best hands go by points and need one",
        "ratings go by what is shown and have a place from ten games on",
        "a better provisional rating stands below",
    ],
)
async def test_places(
    club: Club,
    board: Board,
    span: Span,
    people: list[dict[str, object]],
    places: list[tuple[int | None, int]],
) -> None:
    tallies = [tally(user, **facts) for user, facts in enumerate(people, 1)]
    told = await ranked(club, board, span, *tallies)
    assert [(row.place, row.tally.user) for row in told.rows] == places
    assert told.own_row == next((row for row in told.rows if row.tally.user == 1), None)


async def test_a_page_has_the_figures_of_ten_and_the_asker_s_own_and_places_go_on(club: Club) -> None:
    everybody = [
        tally(user, wins=9 if user < 4 else 7, best=hand(20), rating=Rating()) for user in range(1, 13)
    ]
    pages = [await ranked(club, Board.WINS, EVER, *everybody, page=page) for page in range(3)]
    second = Leaderboard(
        board=Board.WINS,
        span=EVER,
        month=month_of(club.queries.now()),
        people=12,
        ranked=12,
        page=1,
        rows=tuple(Row(4, each) for each in everybody[10:]),
        own=everybody[0],
        own_row=Row(1, everybody[0]),
    )
    assert pages[1:] == [second, second], "the last, where there are not so many"
    assert [row.tally.user for row in pages[0].rows] == list(range(1, 11))
    assert [pages_of(people) for people in (0, 1, 10, 11, 20)] == [1, 1, 1, 2, 2]


async def test_who_hides_has_their_own_figures_and_no_row(club: Club) -> None:
    told = await ranked(club, Board.WINS, EVER, tally(1, wins=9, hidden=True), tally(2))
    assert (told.people, told.own_row) == (1, None)
    assert told.own is not None
    assert told.own.wins == 9


@pytest.mark.parametrize(
    ("now", "first"),
    [
        (datetime(2026, 11, 1, tzinfo=UTC), (2026, 11)),
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), (2026, 11)),
        (datetime(2026, 12, 31, tzinfo=UTC), (2026, 12)),
        (datetime(2026, 12, 1, 1, tzinfo=timezone(timedelta(hours=2))), (2026, 11)),
    ],
)
def test_months_are_those_of_utc(now: datetime, first: tuple[int, int]) -> None:
    assert month_of(now) == datetime(*first, 1, tzinfo=UTC)
    assert month_number(Span.MONTH, now.timestamp()) == first[0] * 100 + first[1]
