"""What players read about their games, at every size and with every name, within Discord's limits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product

import pytest

from bot.render.drawing import Drawing
from bot.render.layouts import MOST_TEXT
from bot.render.stats.leaderboard import TITLES, leaderboard_drawing
from bot.render.stats.player_stats import (
    bot_drawing,
    elsewhere_drawing,
    hidden_drawing,
    percent,
    stats_drawing,
)
from bot.render.stats.privacy import (
    ask_to_forget_drawing,
    forgotten_drawing,
    kept_drawing,
    privacy_drawing,
)
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile, Rivalry, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.leaderboards import Board, Span, Tally, leaderboard
from bot.standings.page_ids import PERSON, RANK, PageId, Wish
from bot.standings.ratings import Kind, Rating
from engine import card, cards
from tests.bot.render.games import EMOJIS, HOSTILE, bold_heads, components, custom_ids, words

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
BEST = BestHand(29, cards("5H 5C 5S JD"), card("5D"))
FIGURES = SeatFigures(
    dealing=InRole(deals=8, pegged=28, hands=7, points=56),
    not_dealing=InRole(deals=9, pegged=20, hands=9, points=75),
    cribs=7,
    crib_points=32,
    muggins=3,
    best=BEST,
)
CAREER = Career(
    games=12,
    wins=8,
    streak=3,
    longest=5,
    given=Skunks(single=2, double=1),
    taken=Skunks(single=1, lurch=1),
    best=BEST,
    figures={Kind.TWO: FIGURES, Kind.MORE: FIGURES},
)
NOBODY = Career(games=0, wins=0, streak=0, longest=0, given=Skunks(), taken=Skunks(), best=None)
RATINGS = {Kind.TWO: Rating(31.0, 4.5, 12), Kind.MORE: Rating(26.0, 7.7, 2)}
RIVALRY = Rivalry(games=5, won=2, lost=1, together=1, won_together=1)


def tally(user: int, **facts: object) -> Tally:
    plain: dict[str, object] = {
        "name": f"P{user}",
        "hidden": False,
        "games": 12,
        "wins": 8,
        "best": BEST,
        "rating": Rating(31.0, 4.5, 12),
    }
    return Tally(user=user, **plain | facts)  # type: ignore[arg-type]


def stats(career: Career = CAREER, *, own: bool = False, here: bool = True, **facts: object) -> str:
    profile = Profile(career=career, **facts)  # type: ignore[arg-type]
    return words(stats_drawing("Ada", profile, Voice(), own=own, here=here))


def board(
    by: Board, *tallies: Tally, span: Span = Span.EVER, page: int = 0, asker: int = 1, private: bool = False
) -> Drawing:
    found = leaderboard(by, span, tallies, asker, NOW)
    at = PageId(board=by, span=span, page=page, asker=asker)
    return leaderboard_drawing(found, at, "P1", Voice(), private=private)


def test_stats_say_everything() -> None:
    assert stats(ratings=RATINGS, rivalry=RIVALRY).splitlines() == [
        "## Ada's games",
        "### 12 games · 8 won · 67%",
        "**Streak:** three won in a row · longest: five won",
        "**Skunks:** given 3 (1 double) · taken 2 (1 lurch)",
        "**Rating:** 1700 · two players, 12 games",
        "**Rating:** 1116? · three and four players, 2 games",
        "-# ? is provisional: fewer than ten games.",
        "---",
        "**Best hand**",
        f"29: {Faces().all_small(BEST.cards)} with {Faces().small(BEST.starter)}",
        "**A deal with two players**",
        "as dealer: pegs 3.5 · hand 8.0 · crib 4.6",
        "as pone: pegs 2.2 · hand 8.3",
        "muggins: three points in all",
        "**A deal with three and four players**",
        "as dealer: pegs 3.5 · hand 8.0 · crib 4.6",
        "not dealing: pegs 2.2 · hand 8.3",
        "muggins: three points in all",
        "---",
        "**Against you:** 5 games · Ada won 2, you 1, others 2",
        "**As your partner:** 1 game, 1 won",
        "-# Finished games in this server; averages are by deal, where it came to a count.",
    ]


def test_bold_heads_do_not_run_into_their_sentences() -> None:
    for text in (stats(ratings=RATINGS, rivalry=RIVALRY), words(privacy_drawing(hidden=False))):
        heads = bold_heads(text)
        assert len(heads) > 3
        assert [head for head in heads if head[-1] not in ".:"] == []


def test_a_first_game_lost_reads_well() -> None:
    lost = Career(
        games=1, wins=0, streak=-1, longest=0, given=Skunks(), taken=Skunks(double=2), best=None,
        figures={Kind.TWO: SeatFigures()},
    )  # fmt: skip
    told = stats(lost)
    assert "### 1 game · 0 won · 0%" in told
    assert "**Streak:** the last game lost · no win yet" in told
    assert "taken 2 (2 doubles)" in told
    assert "**Best hand**\nnone counted yet" in told
    assert "as pone: pegs – · hand –" in told


@pytest.mark.parametrize(
    ("own", "here", "said"),
    [
        (True, True, "You have no finished games here yet."),
        (False, True, "Ada has no finished games here yet."),
        (True, False, "You have no finished games anywhere yet."),
    ],
)
def test_who_has_no_games_is_told_so(own: bool, here: bool, said: str) -> None:
    told = stats(NOBODY, own=own, here=here)
    assert said in told
    assert "`/crib new`" in told


def test_strangers_bots_and_hidden_people_are_answered() -> None:
    assert "have not finished a game together yet" in stats(rivalry=Rivalry())
    assert "is a bot" in words(bot_drawing("Ada"))
    assert "in a server" in words(elsewhere_drawing())
    hidden = words(hidden_drawing("Ada", RIVALRY))
    assert "Ada keeps them private." in hidden
    assert "Ada won 2, you 1" in hidden
    assert "streak" not in hidden.lower()


@pytest.mark.parametrize(
    ("won", "games", "said"), [(0, 5, "0%"), (5, 5, "100%"), (1, 900, "1%"), (899, 900, "99%"), (2, 3, "67%")]
)
def test_a_share_is_all_or_none_only_when_it_is(won: int, games: int, said: str) -> None:
    assert percent(won, games) == said


@pytest.mark.parametrize(
    ("by", "figure"),
    [
        (Board.RATING, "**1700** · 12 games"),
        (Board.MORE, "**1700** · 12 games"),
        (Board.WINS, "**8** of 12 games"),
        (Board.RATE, "**67%** · 8 of 12"),
        (Board.HAND, "29: **5♥️ 5♣︎ 5♠︎ J♦️** with **5♦️**"),
    ],
)
def test_a_row_says_what_the_board_goes_by(by: Board, figure: str) -> None:
    told = words(board(by, tally(1), tally(2)))
    assert f"## Leaderboard: {TITLES[by]}\nall games · 2 players" in told
    assert f"▸ **1** P1 · {figure}" in told
    assert f"\n**1** P2 · {figure}" in told


def test_a_provisional_rating_is_marked_and_explained() -> None:
    told = words(board(Board.RATING, tally(1, rating=Rating(31.0, 4.5, 9))))
    assert "**1700?**" in told
    assert "? is provisional: fewer than ten games." in told


def test_a_board_of_rates_states_its_minimum() -> None:
    assert "at least ten games" in words(board(Board.RATE, tally(2)))
    assert "at least five games" in words(board(Board.RATE, tally(2), span=Span.MONTH))


def test_the_month_is_named_with_its_clock() -> None:
    assert "November 2026, by UTC · 1 player\n" in words(board(Board.WINS, tally(1), span=Span.MONTH))


def test_ones_own_row_is_there_from_any_page() -> None:
    everybody = [tally(user, wins=40 - user, games=50) for user in range(2, 26)]
    view = board(Board.WINS, *everybody, tally(1, wins=1), page=1)
    assert "▸ **25** P1 · **1** of 12 games" in words(view)
    assert words(view).count("P1 ·") == 1
    on_page = board(Board.WINS, *everybody, tally(1, wins=1), page=2)
    assert words(on_page).count("▸") == 1


@pytest.mark.parametrize(
    ("by", "own", "said"),
    [
        (Board.RATE, tally(1, games=3, wins=1), "▸ P1 has 3 games of the ten that it takes."),
        (Board.WINS, tally(1, games=3, wins=0), "▸ P1 · **0** of 3 games"),
        (Board.HAND, tally(1, best=None), "▸ P1 · no hand counted"),
        (Board.WINS, tally(3), "▸ P1 has no finished games here yet."),
    ],
)
def test_who_has_no_place_is_told_why(by: Board, own: Tally, said: str) -> None:
    assert said in words(board(by, tally(2), own))


def test_a_hidden_persons_row_is_for_himself_alone() -> None:
    own = tally(1, hidden=True)
    assert "only you see this: **8** of 12" in words(board(Board.WINS, tally(2), own, private=True))
    public = words(board(Board.WINS, tally(2), own))
    assert "▸" not in public
    assert "hidden" not in public


@pytest.mark.parametrize(("by", "span"), list(product(Board, Span)))
def test_an_empty_board_says_so(by: Board, span: Span) -> None:
    told = words(board(by, span=span))
    assert "No finished games" in told or "Nobody has finished" in told


def labels(view: Drawing) -> list[str]:
    return [each["label"] for each in components(view) if each["type"] == 2]


def test_buttons_lead_to_the_pages_that_there_are() -> None:
    everybody = [tally(user) for user in range(1, 26)]
    assert [labels(board(Board.WINS, *everybody, page=page)) for page in (0, 1, 2, 9)] == [
        ["More", "This month"],
        ["Back", "More", "This month"],
        ["Back", "This month"],
        ["Back", "This month"],
    ]
    assert labels(board(Board.WINS, span=Span.MONTH)) == ["All games"]
    assert custom_ids(board(Board.WINS, *everybody, page=1)) == [
        "rank:wins:ever:0:1",
        "rank:wins:ever:2:1",
        "rank:wins:month:0:1",
    ]


@pytest.mark.parametrize(("by", "span"), list(product(Board, Span)))
def test_an_address_is_read_as_it_was_written(by: Board, span: Span) -> None:
    at = PageId(board=by, span=span, page=12, asker=2**63 - 1)
    match = RANK.fullmatch(str(at))
    assert match is not None
    assert PageId.from_match(match) == at


def test_the_question_answers_to_both_wishes() -> None:
    view = ask_to_forget_drawing(2)
    assert {PERSON.fullmatch(each)["wish"] for each in custom_ids(view)} == {w.value for w in Wish}  # type: ignore[index]
    assert "You are at two tables" in words(view)
    assert "You are at" not in words(ask_to_forget_drawing(0))


def test_privacy_says_what_why_and_how_to_get_out() -> None:
    told = words(privacy_drawing(hidden=False))
    for part in ("Discord id", "to send you your hand", "/crib export", "/crib forget-me", "hide:True"):
        assert part in told
    assert "You are hidden" in words(privacy_drawing(hidden=True))
    assert "You are hidden" not in told


def everything() -> Iterator[Drawing]:
    faces = Voice(faces=Faces(EMOJIS))
    for name in ("Ada", "", *HOSTILE):
        for own, here in product((False, True), repeat=2):
            for career in (CAREER, NOBODY):
                profile = Profile(career=career, ratings=RATINGS, rivalry=RIVALRY)
                yield stats_drawing(name, profile, faces, own=own, here=here)
        yield hidden_drawing(name, RIVALRY)
        yield bot_drawing(name)
        full = [tally(user, name=name or HOSTILE[user % 4], games=10**6 + user) for user in range(2, 40)]
        for by, span, private in product(Board, Span, (False, True)):
            found = leaderboard(by, span, [*full, tally(1, games=1, wins=0)], 1, NOW)
            at = PageId(board=by, span=span, page=1, asker=10**19)
            yield leaderboard_drawing(found, at, name, faces, private=private)
    yield from (privacy_drawing(hidden=True), privacy_drawing(hidden=False), ask_to_forget_drawing(99))
    yield from (forgotten_drawing(), kept_drawing(), elsewhere_drawing())


def test_everything_is_within_discords_limits() -> None:
    for view in everything():
        parts = list(components(view))
        assert len(parts) <= 40
        assert sum(len(each.get("content", "")) for each in parts) <= MOST_TEXT
        ids = custom_ids(view)
        assert len(ids) == len(set(ids)) <= 5
        assert all(len(each) <= 100 for each in ids)


def test_names_format_nothing_and_call_nobody() -> None:
    for view in everything():
        told = words(view)
        assert "<@" not in told
        assert "@everyone" not in told
        assert "](" not in told
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in told
