"""Leaderboards: places and ties, what is enough, months, who is on none; and how their pages are turned."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.features.stats.custom_ids import RANK, PageId
from bot.features.stats.leaderboard import leaderboard_drawing
from bot.features.stats.player_stats import stats_drawing, won_share
from bot.render.drawing import Drawing
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile, Record, Rivalry
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.leaderboards import PAGE, Board, Leaderboard, Row, Span, Tally, month_of, pages_of
from bot.standings.ratings import Kind, Rating
from bot.store.finished_games import ANY, month_number
from engine import card, cards, to_plain
from engine.computer import Level
from tests.bot.render.games import EMOJIS, HOSTILE, components, custom_ids, words
from tests.bot.render.pseudo import beyond_limits
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


async def places(club: Club, board: Board, span: Span, *tallies: Tally) -> list[tuple[int | None, int]]:
    return [(row.place, row.tally.user) for row in (await ranked(club, board, span, *tallies)).rows]


@ON_BOTH
async def test_equal_figures_share_a_place_and_the_next_counts_them_all(club: Club) -> None:
    told = await places(
        club, Board.WINS, Span.EVER, *(tally(user, wins=wins) for user, wins in enumerate((9, 7, 7, 3), 1))
    )
    assert told == [(1, 1), (2, 2), (2, 3), (4, 4)]


async def test_a_place_is_shared_over_the_pages(club: Club) -> None:
    everybody = [tally(user, wins=9 if user < 4 else 7) for user in range(1, 14)]
    second = await ranked(club, Board.WINS, Span.EVER, *everybody, page=1)
    assert [(row.place, row.tally.user) for row in second.rows] == [(4, 11), (4, 12), (4, 13)]


async def test_within_a_place_more_games_stand_first_then_the_name(club: Club) -> None:
    people = (
        tally(1, games=10),
        tally(2, games=12),
        tally(3, name="Aa"),
        tally(4, games=6),
    )
    assert await places(club, Board.WINS, Span.EVER, *people) == [(1, 2), (1, 3), (1, 1), (1, 4)]


async def test_a_rate_is_a_share_and_not_a_number(club: Club) -> None:
    people = (tally(1, games=30, wins=10), tally(2, games=12, wins=6), tally(3, games=10))
    assert await places(club, Board.RATE, Span.EVER, *people) == [(1, 2), (1, 3), (3, 1)]


@ON_BOTH
@pytest.mark.parametrize(("span", "enough"), [(Span.EVER, 10), (Span.MONTH, 5)])
async def test_a_rate_takes_so_many_games(club: Club, span: Span, enough: int) -> None:
    people = (tally(1, games=enough - 1, wins=enough - 1), tally(2, games=enough, wins=1))
    assert await places(club, Board.RATE, span, *people) == [(1, 2)]


@ON_BOTH
async def test_ratings_go_by_what_is_shown_and_have_a_place_from_ten_games_on(club: Club) -> None:
    sure, doubtful = Rating(26.0, 3.0, 20), Rating(28.0, 8.0, 10)
    told = await places(
        club,
        Board.RATING,
        Span.EVER,
        tally(1, rating=doubtful),
        tally(2, rating=sure),
        tally(3, rating=Rating(26.001, 3.0, 10)),
        tally(4, rating=Rating()),
        tally(5, rating=Rating(90.0, 3.0, 9)),
    )
    assert told == [(1, 2), (1, 3), (3, 1), (None, 5)]


@ON_BOTH
async def test_best_hands_go_by_points_and_need_one(club: Club) -> None:
    told = await places(
        club, Board.HAND, Span.EVER, tally(1, best=hand(12)), tally(2, best=hand(29)), tally(3)
    )
    assert told == [(1, 2), (2, 1)]


async def test_a_board_of_wins_lists_winners(club: Club) -> None:
    assert await places(club, Board.WINS, Span.EVER, tally(1, wins=0), tally(2, wins=1)) == [(1, 2)]


async def test_who_hides_is_on_no_board_and_takes_no_place(club: Club) -> None:
    told = await ranked(club, Board.WINS, Span.EVER, tally(1, wins=9, hidden=True), tally(2))
    assert [(row.place, row.tally.user) for row in told.rows] == [(1, 2)]
    assert told.own_row is None
    assert told.own is not None
    assert told.own.wins == 9


async def test_pages_hold_ten_and_there_is_always_one(club: Club) -> None:
    async def board(number: int, page: int = 0) -> Leaderboard:
        return await ranked(club, Board.WINS, Span.EVER, *map(tally, range(1, number + 1)), page=page)

    assert [(await board(number)).pages for number in (0, 1, 10, 11, 20)] == [1, 1, 1, 2, 2]
    assert [row.tally.user for row in (await board(12, 1)).rows] == [11, 12]
    last = await board(12, 2)
    assert (last.page, len(last.rows)) == (1, 2)


def _facts(
    games: int, wins: int, best: BestHand | None, rating: Rating, hidden: bool = False
) -> dict[str, object]:
    return {
        "games": games,
        "wins": min(games, wins),
        "best": best,
        "rating": rating,
        "hidden": hidden,
    }


_PEOPLE = st.lists(
    st.builds(
        _facts,
        st.integers(1, 12),
        st.integers(0, 12),
        st.none() | st.integers(1, 4).map(hand),
        st.builds(Rating, st.integers(20, 23).map(float), st.just(5.0), st.integers(0, 12)),
        st.sampled_from((False, False, False, True)),
    ),
    max_size=25,
)

_PROVISIONAL_BESIDE_RANKED = ((20.0, 5.0, 0),) * 3 + (
    (20.0, 5.0, 1),
    (20.0, 5.0, 10),
    (21.0, 5.0, 1),
)
"""The one with a place is rated as somebody is who stands below a better provisional rating."""


_WORTH: dict[Board, Callable[[Tally], Fraction]] = {
    Board.RATING: lambda tally: Fraction(tally.rating.shown),
    Board.MORE: lambda tally: Fraction(tally.rating.shown),
    Board.WINS: lambda tally: Fraction(tally.wins),
    Board.RATE: lambda tally: Fraction(tally.wins, tally.games),
    Board.HAND: lambda tally: Fraction(tally.best.points if tally.best else 0),
}


def by_python(  # noqa: PLR0917 -- as the store's is asked for
    board: Board, span: Span, tallies: Iterable[Tally], asker: int, now: datetime, page: int = 0
) -> Leaderboard:
    """A page of the people, put in order by Python: what a store does by SQL."""
    everybody = list(tallies)
    listed = [each for each in everybody if not each.hidden and _is_listed(each, board, span)]
    worth = _WORTH[board]
    ranked = [each for each in listed if board.kind is None or not each.rating.is_provisional]
    rows = [
        Row(1 + sum(worth(other) > worth(each) for other in ranked) if each in ranked else None, each)
        for each in listed
    ]
    rows.sort(
        key=lambda row: (
            row.place is None,
            -worth(row.tally),
            -row.tally.games,
            row.tally.name,
            row.tally.user,
        )
    )
    page = min(page, pages_of(len(rows)) - 1)
    return Leaderboard(
        board=board,
        span=span,
        month=month_of(now),
        people=len(rows),
        ranked=len(ranked),
        page=page,
        rows=tuple(rows[page * PAGE : (page + 1) * PAGE]),
        own=next((each for each in everybody if each.user == asker), None),
        own_row=next((row for row in rows if row.tally.user == asker), None),
    )


def _is_listed(tally: Tally, board: Board, span: Span) -> bool:
    match board:
        case Board.RATE:
            return tally.games >= span.enough
        case Board.HAND:
            return tally.best is not None
        case Board.WINS:
            return tally.wins > 0
        case Board.RATING | Board.MORE:
            return tally.rating.games > 0


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_PEOPLE, st.sampled_from(Board), st.sampled_from(Span), st.integers(0, 3))
@example(
    [_facts(1, 0, None, Rating(*each)) for each in _PROVISIONAL_BESIDE_RANKED], Board.RATING, Span.MONTH, 0
)
async def test_boards_are_those_that_python_makes_of_the_same_people(
    club: Club, people: list[dict[str, object]], board: Board, span: Span, page: int
) -> None:
    tallies = [tally(user, **facts) for user, facts in enumerate(people, 1)]
    tallies = [
        each if board.kind and each.rating.games else replace(each, rating=Rating()) for each in tallies
    ]
    told = await ranked(club, board, span, *tallies, page=page)
    assert told == by_python(board, span, tallies, 1, club.queries.now(), page)


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


# -- their messages, whose words are in goldens ----------------------------------------------------------

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def drawn(by: Board, *tallies: Tally, name: str = "P1", private: bool = False, **where: int) -> Drawing:
    page, span = where.get("page", 0), Span.MONTH if where.get("month") else Span.EVER
    at = PageId(board=by, span=span, page=page, asker=10**19)
    found = by_python(by, span, tallies, 1, NOW, page)
    return leaderboard_drawing(found, at, name, Voice(faces=Faces(EMOJIS)), private=private)


def test_buttons_lead_to_the_pages_that_there_are() -> None:
    everybody = [tally(user) for user in range(1, 26)]
    labels = [
        [each["label"] for each in components(drawn(Board.WINS, *everybody, page=page)) if each["type"] == 2]
        for page in (0, 1, 2, 9)
    ]
    last = ["Previous", "This month"]
    assert labels == [["Next", "This month"], ["Previous", "Next", "This month"], last, last]
    ids = ("rank:wins:ever:0", "rank:wins:ever:2", "rank:wins:month:0")
    assert custom_ids(drawn(Board.WINS, *everybody, page=1)) == [f"{each}:{10**19}" for each in ids]


def test_one_s_own_row_is_there_from_any_page() -> None:
    everybody = [tally(user, wins=40 - user, games=50) for user in range(2, 26)]
    view = drawn(Board.WINS, *everybody, tally(1, wins=1), page=1)
    assert "▸ **25** P01 · **1** of 10 games" in words(view)
    assert words(view).count("P01 ·") == 1
    assert words(drawn(Board.WINS, *everybody, tally(1, wins=1), page=2)).count("▸") == 1


def test_the_month_begins_on_its_first_for_every_reader() -> None:
    told = words(drawn(Board.WINS, tally(1), month=True))
    (date,) = re.findall(r"\n-# Since <t:(\d+):D> · 1 player\n", told)
    first = datetime.fromtimestamp(int(date), UTC)
    for hours in (-11, -5, 0, 5.5, 11.5):
        there = first + timedelta(hours=hours)
        assert (there.month, there.day) == (11, 1)


def test_an_address_is_read_as_it_was_written() -> None:
    for by, span in product(Board, Span):
        at = PageId(board=by, span=span, page=12, asker=2**63 - 1)
        match = RANK.fullmatch(str(at))
        assert match is not None, at
        assert PageId.from_match(match) == at


@pytest.mark.parametrize(
    ("won", "games", "said"), [(0, 5, "0%"), (5, 5, "100%"), (1, 900, "1%"), (899, 900, "99%"), (2, 3, "67%")]
)
def test_a_share_is_all_or_none_only_when_it_is(won: int, games: int, said: str) -> None:
    assert won_share(won, games, Voice()) == said


@pytest.mark.parametrize("name", ["", *HOSTILE])
def test_everything_is_within_discord_s_limits_and_names_format_nothing(name: str) -> None:
    role = InRole(deals=10**6, pegged=10**6, hands=10**6, points=10**7)
    figures = SeatFigures(dealing=role, not_dealing=role, cribs=10**6, muggins=10**6, best=hand(29))
    profile = Profile(
        career=Career(games=10**6, wins=8, best=hand(29), two=figures, more=figures),
        ratings={kind: Rating(31.0, 4.5, 10**6) for kind in Kind},
        rivalry=Rivalry(games=5, won=2, lost=1, together=1, won_together=1),
        computers={level: Record(10**6, 3) for level in Level},
    )
    everybody = [tally(user, name=name, games=10**6 + user, best=hand(29)) for user in range(1, 40)]
    views = [stats_drawing(name, profile, Voice(faces=Faces(EMOJIS)), own=False, here=True)]
    for by, private in product(Board, (False, True)):
        views.append(drawn(by, *everybody, name=name, page=1, private=private))
    for view in views:
        assert beyond_limits(view) == []
        ids = custom_ids(view)
        assert len(ids) == len(set(ids)) <= 5
        assert all(len(each) <= 100 for each in ids)
        told = words(view)
        assert not any(each in told for each in ("<@", "@everyone", "](", "\N{RIGHT-TO-LEFT OVERRIDE}")), told
