"""Messages about players' games, at every size and with every name, within Discord's limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from bot.background import guilds, left_servers
from bot.features.stats.custom_ids import RANK, PageId
from bot.features.stats.leaderboard import TITLES, leaderboard_drawing, own_places_drawing
from bot.features.stats.player_stats import hidden_drawing, stats_drawing, won_share
from bot.language.languages import PSEUDO, Language
from bot.model.custom_ids import PERSON, Wish
from bot.model.declined import Declined
from bot.render.drawing import Drawing
from bot.render.messages.players import bot_drawing, elsewhere_drawing
from bot.render.messages.privacy import (
    EXPORT_GOES_ON,
    EXPORT_SENT,
    EXPORTED,
    ask_to_forget_drawing,
    forgetting_drawing,
    forgotten_drawing,
    kept_drawing,
    privacy_drawing,
)
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from bot.standings.careers import Career, Profile, Record, Rivalry, Skunks
from bot.standings.figures import BestHand, InRole, SeatFigures
from bot.standings.leaderboards import Board, Leaderboard, Span, Tally
from bot.standings.ratings import Kind, Rating
from engine import card, cards
from engine.computer import Level
from tests.bot.render.games import EMOJIS, HOSTILE, bold_heads, components, custom_ids, words
from tests.bot.render.pseudo import PSEUDO_VOICE, beyond_limits, is_spoken, unspoken
from tests.bot.standings.ranking import leaderboard

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
    two=FIGURES,
    more=FIGURES,
)
NOBODY = Career(games=0, wins=0, streak=0, longest=0, given=Skunks(), taken=Skunks(), best=None)
LOST = Career(
    games=1,
    wins=0,
    streak=-1,
    longest=0,
    given=Skunks(),
    taken=Skunks(double=2),
    best=None,
    two=SeatFigures(),
)
COMPUTERS = {level: Record(10**6, 3) for level in Level}
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
    found = leaderboard(by, span, tallies, asker, NOW, page)
    at = PageId(board=by, span=span, page=page, asker=asker)
    return leaderboard_drawing(found, at, "P1", Voice(), private=private)


def test_stats_say_everything() -> None:
    assert stats(ratings=RATINGS, rivalry=RIVALRY).splitlines() == [
        "## Ada's games",
        "### 12 games, 8 won (67%)",
        "**Streak:** 3 wins · best: 5 wins",
        "**Skunks:** 3 (1 double) for, 2 (1 lurch) against",
        "**Rating, 2 players:** 1,700 · 12 games",
        "**Rating, 3 or 4 players:** placement 2 of 10",
        "-# Rated games with people in this server; 10 games make a rating",
        "---",
        "**Best hand**",
        f"### 29 points: {Faces().all(BEST.cards)} with {Faces().text(BEST.starter)}",
        "**Average points a deal, 2 players**",
        "Dealer: pegs 3.5 · hand 8.0 · crib 4.6",
        "Non-dealer: pegs 2.2 · hand 8.3",
        "Muggins: 3 points in all",
        "**Average points a deal, 3 or 4 players**",
        "Dealer: pegs 3.5 · hand 8.0 · crib 4.6",
        "Non-dealer: pegs 2.2 · hand 8.3",
        "Muggins: 3 points in all",
        "---",
        "**Against you:** 5 games · Ada won 2, you 1, others 2",
        "**As your partner:** 1 game, 1 won",
        "-# Finished games in this server",
    ]


def test_awards_are_told_and_a_grand_slam_among_them() -> None:
    great = replace(CAREER, two=SeatFigures(hands_of_24=3, hands_of_28=1), comebacks=2)
    told = stats(great, slams=1)
    assert "**Awards:** 1 hand of 28 · 3 hands of 24 · 2 comebacks · 1 grand slam\n" in told
    assert "Awards" not in stats()


def test_bold_heads_do_not_run_into_their_sentences() -> None:
    for text in (
        stats(ratings=RATINGS, rivalry=RIVALRY),
        words(privacy_drawing(Voice(), hidden=False, declined=Declined())),
    ):
        heads = bold_heads(text)
        assert len(heads) > 3
        assert [head for head in heads if head[-1] not in ".:"] == []


def test_a_first_game_lost_reads_well() -> None:
    told = stats(LOST)
    assert "### 1 game, 0 won (0%)" in told
    assert "**Streak:** 1 loss\n**Skunks:** 0 for, 2 (2 doubles) against\n" in told
    assert "**Best hand:** none counted yet" in told
    assert "Non-dealer: pegs – · hand –" in told


def test_numbers_are_written_as_the_language_writes_them() -> None:
    french = Voice(Language.of("fr"))
    told = words(stats_drawing("Ada", Profile(career=CAREER, ratings=RATINGS), french, own=True, here=True))
    assert "1\N{NARROW NO-BREAK SPACE}700" in told
    assert "67\N{NO-BREAK SPACE}%" in told
    assert "3,5" in told
    assert not re.search(r"\d\.\d", told)


@pytest.mark.parametrize(
    ("own", "here", "computers", "said"),
    [
        (True, True, False, "You haven't finished a game here yet."),
        (False, True, False, "Ada hasn't finished a game here yet."),
        (True, False, False, "You haven't finished a game yet."),
        (True, True, True, "You haven't finished a game against people here yet."),
        (True, False, True, "You haven't finished a game against people yet."),
        (False, True, True, "Ada hasn't finished a game against people here yet."),
    ],
)
def test_who_has_no_games_is_told_so(own: bool, here: bool, computers: bool, said: str) -> None:
    against = {Level.STEADY: Record(2, 1)} if computers else {}
    told = stats(NOBODY, own=own, here=here, computers=against)
    assert f"\n{said}\n" in told
    assert "Start one with `/crib new`" in told
    assert ("🤖\N{NO-BREAK SPACE}Steady · 2 games, 1 won (50%)" in told) == computers


def test_strangers_bots_and_hidden_people_are_answered() -> None:
    assert "haven't finished a game together yet" in stats(rivalry=Rivalry())
    assert "is a bot" in words(bot_drawing("Ada", Voice()))
    assert "Ask in a server" in words(elsewhere_drawing(Voice()))
    hidden = words(hidden_drawing("Ada", RIVALRY, Voice()))
    assert "Ada keeps their statistics private." in hidden
    assert "Ada won 2, you 1" in hidden
    assert "streak" not in hidden.lower()


@pytest.mark.parametrize(
    ("won", "games", "said"), [(0, 5, "0%"), (5, 5, "100%"), (1, 900, "1%"), (899, 900, "99%"), (2, 3, "67%")]
)
def test_a_share_is_all_or_none_only_when_it_is(won: int, games: int, said: str) -> None:
    assert won_share(won, games, Voice()) == said


@pytest.mark.parametrize(
    ("by", "figure"),
    [
        (Board.RATING, "**1,700** · 12 games"),
        (Board.MORE, "**1,700** · 12 games"),
        (Board.WINS, "**8** of 12 games"),
        (Board.RATE, "**67%** of 12 games"),
        (Board.HAND, "29 points: **5♥️ 5♣︎ 5♠︎ J♦️** with **5♦️**"),
    ],
)
def test_a_row_says_what_the_board_goes_by(by: Board, figure: str) -> None:
    told = words(board(by, tally(1), tally(2)))
    assert f"## Leaderboard\n**{TITLES[by]}**\n-# All time · 2 players" in told
    assert f"▸ **1** P1 · {figure}" in told
    assert f"\n**1** P2 · {figure}" in told


def test_a_provisional_rating_is_a_placement() -> None:
    told = words(board(Board.RATING, tally(1, rating=Rating(31.0, 4.5, 9)), tally(2)))
    assert told.index("**1** P2 · **1,700** · 12 games") < told.index("▸ **–** P1 · placement 9 of 10\n")
    assert "-# Rated games of 2 people in this server\n-# 10 games make a rating" in told


def test_each_board_says_which_games_count_on_it() -> None:
    told = {by: words(board(by, tally(2))) + "\n" for by in Board}
    everything = "All finished games between people in this server, rated or not, 2 to 4 players"
    assert "-# Rated games of 3 or 4 people in this server\n" in told[Board.MORE]
    for by in (Board.WINS, Board.RATE, Board.HAND):
        assert f"-# {everything}\n" in told[by]
    assert "-# Hands, without cribs\n" in told[Board.HAND]


def test_who_reads_alone_is_you() -> None:
    assert "▸ You: 3 games of at least 10" in words(
        board(Board.RATE, tally(2), tally(1, games=3, wins=1), private=True)
    )


def test_a_board_of_rates_states_its_minimum() -> None:
    assert "-# From 10 games on" in words(board(Board.RATE, tally(2)))
    assert "-# From 5 games on" in words(board(Board.RATE, tally(2), span=Span.MONTH))


def test_the_month_begins_on_its_first_for_every_reader() -> None:
    told = words(board(Board.WINS, tally(1), span=Span.MONTH))
    (date,) = re.findall(r"\n-# Since <t:(\d+):D> · 1 player\n", told)
    first = datetime.fromtimestamp(int(date), UTC)
    for hours in (-11, -5, 0, 5.5, 11.5):
        there = first + timedelta(hours=hours)
        assert (there.month, there.day) == (11, 1)


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
        (Board.RATE, tally(1, games=3, wins=1), "▸ P1: 3 games of at least 10"),
        (Board.WINS, tally(1, games=3, wins=0), "▸ P1 · **0** of 3 games"),
        (Board.HAND, tally(1, best=None), "▸ P1 · no hand counted"),
        (Board.RATING, tally(3), "▸ P1: no finished games of 2 players yet"),
        (Board.MORE, tally(3), "▸ P1: no finished games of 3 or 4 players yet"),
        (Board.WINS, tally(3), "▸ P1: no finished games with people yet"),
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


def test_an_empty_board_says_so() -> None:
    for by, span in product(Board, Span):
        told = words(board(by, span=span))
        assert re.search("No rated games of|No finished games between|Nobody has finished", told)


def labels(view: Drawing) -> list[str]:
    return [each["label"] for each in components(view) if each["type"] == 2]


def test_buttons_lead_to_the_pages_that_there_are() -> None:
    everybody = [tally(user) for user in range(1, 26)]
    assert [labels(board(Board.WINS, *everybody, page=page)) for page in (0, 1, 2, 9)] == [
        ["Next", "This month"],
        ["Previous", "Next", "This month"],
        ["Previous", "This month"],
        ["Previous", "This month"],
    ]
    assert labels(board(Board.WINS, span=Span.MONTH)) == ["All time"]
    assert custom_ids(board(Board.WINS, *everybody, page=1)) == [
        "rank:wins:ever:0:1",
        "rank:wins:ever:2:1",
        "rank:wins:month:0:1",
    ]


def test_an_address_is_read_as_it_was_written() -> None:
    for by, span in product(Board, Span):
        at = PageId(board=by, span=span, page=12, asker=2**63 - 1)
        match = RANK.fullmatch(str(at))
        assert match is not None, at
        assert PageId.from_match(match) == at


def test_the_question_answers_to_both_wishes() -> None:
    view = ask_to_forget_drawing(2, Voice())
    assert {PERSON.fullmatch(each)["wish"] for each in custom_ids(view)} == {"forget", "keep"}  # type: ignore[index]
    assert words(view).startswith("## Delete your data?\n")
    assert "You are at 2 tables" in words(view)
    assert "You are at 1 table:" in words(ask_to_forget_drawing(1, Voice()))
    assert "You are at" not in words(ask_to_forget_drawing(0, Voice()))
    assert labels(view) == ["Delete my data", "Cancel"]


def test_privacy_says_what_why_and_how_to_get_out() -> None:
    told = words(privacy_drawing(Voice(), hidden=False, declined=Declined()))
    for part in ("Discord ID", "send your hand", "/crib-data export", "/crib-data delete", "hide:True"):
        assert part in told
    for part in ("Tables", "Games", "Results", "Daily hands", "Club nights", "Honest decks", "Settings"):
        assert f"**{part}:**" in told
    assert f"cancelled after {guilds.KEPT // 86_400} days" in told
    assert f"After {left_servers.KEPT // 86_400} days its leaderboards go" in told
    assert "You are hidden" in words(privacy_drawing(Voice(), hidden=True, declined=Declined()))
    assert "You are hidden" not in told


DECLINED = (Declined(), Declined(people=1), Declined(people=12), Declined(everybody=True, people=2))


def test_privacy_says_which_challenges_one_takes_and_changes_it() -> None:
    drawn = [privacy_drawing(Voice(), hidden=False, declined=each) for each in DECLINED]
    said = (
        "You take challenges: others",
        "challenges from 1 player.",
        "challenges from 12 players.",
        "You take no challenges: no table",
    )
    assert [words_of in words(drawing) for words_of, drawing in zip(said, drawn, strict=True)] == [True] * 4
    offered = {each for drawing in drawn for each in custom_ids(drawing)}
    assert offered == {str(Wish.DECLINE), str(Wish.ACCEPT)}
    assert [labels(drawing) for drawing in drawn] == [
        ["No challenges"],
        ["No challenges", "Take all challenges"],
        ["No challenges", "Take all challenges"],
        ["Take all challenges"],
    ]


def everything(voice: Voice, names: tuple[str, ...] = ("Ada", "", *HOSTILE)) -> Iterator[Drawing]:
    for name in names:
        for own, here, against in product((False, True), (False, True), ({}, COMPUTERS)):
            for career in (CAREER, NOBODY):
                profile = Profile(career=career, ratings=RATINGS, rivalry=RIVALRY, computers=against)
                yield stats_drawing(name, profile, voice, own=own, here=here)
        yield hidden_drawing(name, RIVALRY, voice)
        yield bot_drawing(name, voice)
        full = [
            tally(user, name=name or names[user % len(names)], games=10**6 + user) for user in range(2, 40)
        ]
        owns = (tally(1, name=name, games=1, wins=0), tally(1, name=name, hidden=True, best=None))
        for by, span, private, own_one, others in product(Board, Span, (False, True), owns, (full, [])):
            found = leaderboard(by, span, [*others, own_one], 1, NOW, 1)
            at = PageId(board=by, span=span, page=1, asker=10**19)
            yield leaderboard_drawing(found, at, name, voice, private=private)
        for by, span in product(Board, Span):
            yield leaderboard_drawing(
                leaderboard(by, span, (), 1, NOW),
                PageId(board=by, span=span, asker=1),
                name,
                voice,
                private=False,
            )
        for by, span in product(Board, Span):
            places = leaderboard(by, span, (*map(tally, range(1, 13)), tally(77, rating=Rating())), 1, NOW)
            yield own_places_drawing([(name, places)] * 10, voice)
    yield stats_drawing("Ada", Profile(career=LOST, rivalry=Rivalry()), voice, own=False, here=True)
    for hidden, declined in product((True, False), DECLINED):
        yield privacy_drawing(voice, hidden=hidden, declined=declined)
    yield from (ask_to_forget_drawing(tables, voice) for tables in (0, 1, 99))
    yield from (
        forgetting_drawing(voice),
        forgotten_drawing(voice),
        kept_drawing(voice),
        elsewhere_drawing(voice),
    )


def test_everything_is_within_discords_limits_and_names_format_nothing() -> None:
    for view in everything(Voice(Language.of(PSEUDO), Faces(EMOJIS))):
        assert beyond_limits(view) == []
        ids = custom_ids(view)
        assert len(ids) == len(set(ids)) <= 5
        assert all(len(each) <= 100 for each in ids)
        told = words(view)
        assert not any(each in told for each in ("<@", "@everyone", "](", "\N{RIGHT-TO-LEFT OVERRIDE}")), told


def test_everything_is_spoken() -> None:
    for view in everything(PSEUDO_VOICE, ("Ada",)):
        assert unspoken(view, "Ada") == []
    assert is_spoken(PSEUDO_VOICE.gettext(EXPORTED))
    assert is_spoken(PSEUDO_VOICE.gettext(EXPORT_GOES_ON))
    assert is_spoken(PSEUDO_VOICE.gettext(EXPORT_SENT))


def test_own_places_are_those_in_each_server_and_name_nobody_else() -> None:
    def of(asker: int, *tallies: Tally) -> Leaderboard:
        return leaderboard(Board.RATING, Span.EVER, tallies, asker, NOW)

    newcomer = tally(1, rating=Rating(26.0, 7.7, 2), games=2)
    first, second = of(1, tally(1)), of(1, newcomer, tally(2), tally(3))
    hidden = of(1, tally(1, hidden=True), tally(2))
    drawn = own_places_drawing([("Snug", first), ("The _Crib_", second), ("Attic", hidden)], Voice())
    assert words(drawn).splitlines() == [
        "## Your leaderboards",
        "**Rating, 2 players**",
        "-# All time",
        "**Snug** · 1 of 1 player · **1,700** · 12 games",
        "**The \\_Crib\\_** · placement 2 of 10",
        "**Attic** · Hidden, only you see this: **1,700** · 12 games",
        "-# Rated games of 2 people in each server",
        "-# 10 games make a rating",
        "-# Ask in a server: each has its own players and leaderboard.",
    ]


def test_of_games_that_were_all_between_the_two_no_others_are_told() -> None:
    lines = stats(rivalry=Rivalry(games=3, won=2, lost=1)).splitlines()
    assert "**Against you:** 3 games · Ada won 2, you 1" in lines
