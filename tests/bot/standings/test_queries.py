"""What is asked of the standings: boards, ratings, careers, and games with computers, which count apart."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.model.table_record import Agreement, Occupant, computer_at
from bot.standings import results
from bot.standings.careers import Career, OtherGame, Record, Rivalry
from bot.standings.leaderboards import Board, Span, month_of
from bot.standings.protocol import StandingsQueries
from bot.standings.rated_games import RatedGames
from bot.standings.ratings import Kind, Rating, rated
from bot.standings.results import result_of
from bot.standings.usual_level import NextLevel, next_level, usual_level
from engine import Seat
from engine.computer import Level
from tests.bot.seating import Guest
from tests.bot.stand_in import stand_in
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DAN,
    ELSEWHERE,
    EVE,
    GUILD,
    NOON,
    ON_BOTH,
    PEOPLE,
    SHORT,
    Club,
    played,
    resigned,
)

EXPERT = Occupant(None, "🤖 Expert", Level.EXPERT)


async def names(club: Club, board: Board, span: Span, guild: int = GUILD) -> dict[str, int]:
    await club.projection.flush()
    boards = [await club.queries.leaderboard(guild, board, span, asker=each.user) for each in PEOPLE]
    return {each.own.name: each.own.games for each in boards if each.own}


async def test_a_month_has_the_games_from_its_first_second_to_its_last(club: Club) -> None:
    first = month_of(club.queries.now()).timestamp()
    following = month_of(datetime.fromtimestamp(first + 31 * 86_400, UTC)).timestamp()
    for at in (first - 1, first, following - 1, following):
        club.clock.now = at
        await club.won(ADA, BEN)
    for now, games in ((first - 1, 1), (first, 2), (following - 1, 2), (following, 1)):
        club.clock.now = now
        assert await names(club, Board.WINS, Span.MONTH) == {ADA.name: games, BEN.name: games}
    assert await names(club, Board.WINS, Span.EVER) == {ADA.name: 4, BEN.name: 4}


async def test_a_server_has_its_own_games_and_ratings(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(CLEO, ADA, guild=ELSEWHERE)
    await club.won(CLEO, BEN, guild=None)
    assert await names(club, Board.WINS, Span.EVER) == {ADA.name: 1, BEN.name: 1}
    assert await names(club, Board.WINS, Span.EVER, ELSEWHERE) == {ADA.name: 1, CLEO.name: 1}
    here, there = [await club.queries.ratings(ADA.user, guild) for guild in (GUILD, ELSEWHERE)]
    assert [next(iter(each.values())).games for each in (here, there)] == [1, 1]
    assert next(iter(here.values())).mu > Rating().mu > next(iter(there.values())).mu
    assert len(await club.appearances(CLEO.user, None)) == 2


@ON_BOTH
async def test_a_person_has_the_servers_of_their_games_the_latest_first(club: Club) -> None:
    assert await club.queries.servers(ADA.user) == ()
    await club.won(ADA, BEN)
    await club.won(CLEO, ADA, guild=ELSEWHERE)
    await club.won(CLEO, BEN, guild=None)
    await club.finished((CLEO, computer_at(Level.STEADY, ())), resigned(Seat(1)), SHORT)
    await club.projection.flush()
    assert [guild for guild, _ in await club.queries.servers(ADA.user)] == [ELSEWHERE, GUILD]
    assert [guild for guild, _ in await club.queries.servers(CLEO.user)] == [ELSEWHERE]
    await club.won(BEN, ADA)
    await club.projection.flush()
    assert [guild for guild, _ in await club.queries.servers(ADA.user)] == [GUILD, ELSEWHERE]
    assert {name for _, name in await club.queries.servers(ADA.user)} == {"Snug"}


async def test_ratings_of_two_and_of_more_are_on_boards_of_their_own(club: Club) -> None:
    three = Agreement.of(preset="short", players=3)
    await club.won(ADA, BEN)
    await club.finished((ADA, BEN, CLEO), resigned(Seat(2), three, deal=3), three)
    assert await names(club, Board.RATING, Span.EVER) == {ADA.name: 1, BEN.name: 1}
    assert await names(club, Board.MORE, Span.EVER) == {ADA.name: 1, BEN.name: 1, CLEO.name: 1}
    assert await names(club, Board.WINS, Span.EVER) == {ADA.name: 2, BEN.name: 2, CLEO.name: 1}


@ON_BOTH
async def test_partners_share_a_rating_s_change_and_rivals_have_their_games_apart(club: Club) -> None:
    three, four = (Agreement.of(preset="short", players=players) for players in (3, 4))
    of_three, of_four = result_of(played(5, three)), result_of(played(2, four))
    assert of_three is not None
    assert of_four is not None
    has_won = of_four.winner == 0
    people = [ADA, BEN]
    people.insert(of_three.winner, CLEO)
    await club.finished(people, played(5, three), three)
    await club.projection.flush()
    expected = rated([[Rating()]] * 3, of_three.winner)
    for person, (rating,) in zip(people, expected, strict=True):
        assert (await club.queries.ratings(person.user, GUILD))[Kind.MORE] == rating

    await club.finished((DAN, CLEO, EVE, ADA), played(2, four), four, guild=ELSEWHERE)
    await club.projection.flush()
    ((first, partner), (second, _)) = rated([[Rating()] * 2] * 2, of_four.winner)
    found = [(await club.queries.ratings(each.user, ELSEWHERE))[Kind.MORE] for each in (DAN, EVE, CLEO)]
    assert found == [first, partner, second]

    await club.finished((ADA, BEN, CLEO, DAN), played(2, four), four)
    await club.finished((ADA, CLEO, BEN, DAN), played(2, four), four)
    await club.won(ADA, BEN)
    await club.won(BEN, ADA)
    await club.won(ADA, BEN, guild=ELSEWHERE)
    await club.projection.flush()
    told = await club.queries.rivalry(ADA.user, BEN.user, GUILD)
    assert told == Rivalry(
        games=4, won=1 + has_won, lost=2 - has_won, together=1, won_together=int(has_won)
    ), "of three, another has won"
    assert await club.queries.rivalry(BEN.user, ADA.user, GUILD) == replace(
        told, won=told.lost, lost=told.won
    )


@ON_BOTH
async def test_a_tally_has_the_last_name_and_the_best_hand_of_its_games(club: Club) -> None:
    await club.finished((ADA, BEN), played(1, SHORT), SHORT)
    await club.finished((BEN, type(ADA)(ADA.user, "Countess")), played(5, SHORT), SHORT)
    await club.projection.flush()
    told = (await club.board(Board.HAND))[ADA.user or 0]
    bests = [each.part.figures.best for each in (await club.appearances(ADA.user, GUILD)).values()]
    assert told.name == "Countess"
    assert told.best == max((best for best in bests if best), key=lambda best: best.points)


async def test_a_game_says_what_it_did_to_the_ratings_also_when_later_games_and_a_rebuild_have_changed_them(
    club: Club,
) -> None:
    games = RatedGames(club.projection, club.queries)
    first = await club.won(ADA, BEN)
    told = await games.changes(first)
    assert [each.change.before for each in told if each] == [Rating().shown] * 2
    now = [(await club.queries.ratings(each.user, GUILD))[Kind.TWO].shown for each in (ADA, BEN)]
    assert [each.change.after for each in told if each] == now
    assert now[0] > Rating().shown > now[1]
    second = await club.won(BEN, ADA)
    again = await games.changes(second)
    assert [each.change.before for each in again if each] == now[::-1]
    assert await games.changes(first) == told
    assert await club.projection.rebuild()
    assert await games.changes(first) == told


async def test_games_with_a_computer_or_outside_of_servers_change_no_rating(club: Club) -> None:
    games = RatedGames(club.projection, club.queries)
    alone = await club.finished((ADA, computer_at(Level.STEADY, ())), resigned(Seat(1)), SHORT)
    by_dm = await club.won(ADA, BEN, guild=None)
    unknown = await club.seated((ADA,), SHORT)
    assert await games.changes(alone) == (None, None)
    assert await games.changes(by_dm) == (None, None)
    assert await games.changes(unknown.game) == ()


@ON_BOTH
@pytest.mark.parametrize("is_computed_again", [False, pytest.param(True, marks=pytest.mark.deep)])
async def test_a_game_of_a_variant_is_in_the_history_and_in_no_figure(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, is_computed_again: bool
) -> None:
    monkeypatch.setattr(results, "WALL", 6)
    shotgun = Agreement.of(preset="shotgun")
    game = await club.finished((ADA, BEN), played(2, shotgun), shotgun)
    await club.finished((ADA, computer_at(Level.STEADY, ())), played(4, shotgun), shotgun)
    await club.projection.flush()
    if is_computed_again:
        await club.projection.rebuild()

    assert await club.queries.rating_changes(game) == (None, None)
    assert await club.queries.ratings(ADA.user, GUILD) == {}
    assert await club.queries.career(ADA.user, GUILD) == Career()
    assert await club.queries.against_computers(ADA.user, GUILD) == {}
    own = await club.queries.other_games(ADA.user, GUILD)
    assert own == await club.queries.other_games(ADA.user, None) != {}
    assert own[OtherGame("shotgun")].games == 2
    assert await club.queries.other_games(ADA.user, GUILD + 1) == {}
    assert (await club.queries.rivalry(ADA.user, BEN.user, GUILD)).games == 0
    assert await club.board() == {}
    assert (await club.queries.wall(GUILD)).hands == ()
    assert len((await club.queries.history(ADA.user, GUILD, asker=ADA.user)).games) == 2

    standard = Agreement()
    await club.finished((ADA, BEN), played(2, standard), standard)
    await club.projection.flush()
    assert (await club.queries.career(ADA.user, GUILD)).games == 1
    assert await club.queries.other_games(ADA.user, GUILD) == own
    assert (await club.queries.wall(GUILD)).hands, "hands that count six or more are on it here"


async def test_a_rating_is_marked_whose_owner_keeps_it_private(club: Club) -> None:
    game = await club.won(ADA, BEN)
    await club.people.set_hidden(BEN.user, hidden=True)
    told = await RatedGames(club.projection, club.queries).changes(game)
    assert [each.is_hidden for each in told if each] == [False, True]


async def test_a_game_that_is_given_away_at_once_is_not_rated(club: Club) -> None:
    games = RatedGames(club.projection, club.queries)
    at_once = await club.finished((ADA, BEN), resigned(Seat(1)), SHORT)
    assert await games.changes(at_once) == (None, None)
    assert await club.queries.ratings(ADA.user, GUILD) == {}
    assert (await club.queries.career(ADA.user, GUILD)).wins == 1, "it counts in all else"


@ON_BOTH
async def test_of_many_games_of_the_same_players_in_a_day_the_first_ones_are_rated(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.rated.RATED_A_DAY", 2)
    games = RatedGames(club.projection, club.queries)

    async def is_rated(winner: Guest, loser: Guest, guild: int = GUILD) -> bool:
        return None not in await games.changes(await club.won(winner, loser, guild))

    club.clock.now = midnight = NOON - NOON % 86_400
    await club.finished((ADA, BEN), resigned(Seat(1)), SHORT)
    rated = [await is_rated(*((ADA, BEN) if number % 2 else (BEN, ADA))) for number in range(3)]
    assert rated == [True, True, False], "one that is too short is not among the two"
    assert await is_rated(ADA, CLEO), "other players have games of their own"
    assert await is_rated(ADA, BEN, ELSEWHERE)
    club.clock.now = midnight + 86_399
    assert not await is_rated(BEN, ADA)
    club.clock.now += 1
    assert await is_rated(ADA, BEN), "the next day"
    assert await club.projection.rebuild()


@ON_BOTH
async def test_the_course_of_a_rating_is_that_of_the_last_rated_games(club: Club) -> None:
    assert ADA.user is not None
    assert await club.queries.rating_course(ADA.user, GUILD, Kind.TWO) == ()
    games = [await club.won(ADA, BEN), await club.won(BEN, ADA), await club.won(ADA, CLEO)]
    await club.won(ADA, BEN, guild=ELSEWHERE)
    await club.finished((ADA, computer_at(Level.STEADY, ())), resigned(Seat(1), deal=3), SHORT)
    await club.projection.flush()
    course = await club.queries.rating_course(ADA.user, GUILD, Kind.TWO)
    changes = [await club.queries.rating_changes(game) for game in games]
    own = [change[seat] for change, seat in zip(changes, (0, 1, 0), strict=True)]
    assert all(each is not None for each in own)
    assert course == (1000, *(each.change.after for each in own if each is not None))
    assert [[each and each.games for each in change] for change in changes] == [[1, 1], [2, 2], [3, 1]]
    assert await club.queries.rating_course(ADA.user, GUILD, Kind.MORE) == ()


async def test_luck_and_skill_are_told_apart_in_games_between_people_alone(club: Club) -> None:
    await club.finished((ADA, computer_at(Level.STEADY, ())), played(2, SHORT), SHORT)
    await club.finished((ADA, BEN), played(2, SHORT), SHORT)
    await club.projection.flush()
    career = await club.queries.career(ADA.user or 0, GUILD)
    assert career.two is not None
    assert career.two.judged > 2
    assert career.two.luck
    assert career.two.given_away > 0
    hands = [each.points for each in career.two.top]
    assert hands == sorted(hands, reverse=True)
    assert career.two.top[0] == career.best
    rows = await club.rows("SELECT part FROM result_seats ORDER BY number, seat")
    judged = [json.loads(row["part"])["figures"]["judged"] for row in rows]
    assert [bool(each) for each in judged] == [False, False, True, True]


@ON_BOTH
async def test_where_the_bot_is_no_member_two_people_have_their_games_there_alone(club: Club) -> None:
    first, second, elsewhere = [
        await club.won(winner, loser, guild=None) for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN))
    ]
    await club.won(ADA, BEN)
    statement = "UPDATE games SET venue = 'anywhere', channel = $1 WHERE id = $2"
    for game, channel in ((first, 77), (second, 77), (elsewhere, 78)):
        await club.change(statement, channel, game)
    await club.projection.flush()
    between = await club.queries.rivalry_in(BEN.user, ADA.user, 77)
    assert (between.games, between.won, between.lost, between.together) == (2, 1, 1, 0)


# -- games with computers ----------------------------------------------------------------------------------


@ON_BOTH
async def test_games_with_a_computer_count_apart_and_nowhere_else(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(ADA, EXPERT)
    await club.finished((ADA, EXPERT), resigned(Seat(0)), SHORT)
    await club.finished((ADA, replace(BEN, level=Level.STEADY)), resigned(Seat(1)), SHORT)
    await club.won(ADA, EXPERT, guild=ELSEWHERE)
    await club.projection.flush()

    told = await club.queries.against_computers(ADA.user, GUILD)
    assert told == {Level.STEADY: Record(1, 1), Level.EXPERT: Record(2, 1)}
    assert list(told) == [Level.STEADY, Level.EXPERT]
    assert (await club.queries.against_computers(ADA.user, None))[Level.EXPERT] == Record(3, 2)
    assert await club.queries.against_computers(BEN.user, GUILD) == {}
    for person, wins in ((ADA, 1), (BEN, 0)):
        games = await club.appearances(person.user, GUILD)
        assert [each.part.won for each in games.values()] == [bool(wins)]
        assert (await club.queries.ratings(person.user, GUILD))[Kind.TWO].games == 1
    for board in Board:
        for span in Span:
            found = await club.board(board, span)
            assert {(each.user, each.games) for each in found.values()} <= {(ADA.user, 1), (BEN.user, 1)}
    assert len(await club.rows("SELECT seat FROM result_seats WHERE computer IS NOT NULL")) == 4
    assert await club.projection.rebuild(), "computed again, it is the same"


async def test_who_was_played_for_is_forgotten_like_anybody(club: Club) -> None:
    await club.finished((ADA, replace(BEN, level=Level.STEADY)), resigned(Seat(1)), SHORT)
    await club.projection.flush()
    [game] = (await club.everything_about(BEN.user))["games"]
    assert (game["computer_in_your_place"], game["your_name"]) == ("steady", BEN.name)
    assert game["scores_explained_to_you"] == "newcomer"

    await club.forget(BEN.user)
    assert (await club.everything_about(BEN.user))["games"] == []
    (_, nobody) = (await club.store.table("g1")).occupants
    assert (nobody.name, nobody.level, nobody.explaining) == ("", Level.STEADY, None)
    assert (nobody.user or 0) < 0
    assert (await club.store.table("g1")).names == (ADA.name, "🤖 Steady")
    assert await club.projection.rebuild()


async def test_the_third_win_against_a_computer_offers_the_next_until_a_stronger_one_was_played(
    club: Club,
) -> None:
    learner, beginner = (computer_at(level, ()) for level in (Level.LEARNER, Level.BEGINNER))
    games, user = RatedGames(club.projection, club.queries), ADA.user or 0
    offers = []
    for winner, computer in (
        (0, learner),
        (0, learner),
        (1, learner),
        (0, learner),
        (1, beginner),
        (0, learner),
    ):
        game = await club.finished((ADA, computer), resigned(Seat(1 - winner)), SHORT)
        await games.changes(game)
        offers.append(await games.next_level(user, Level.LEARNER))
    offer = NextLevel(Level.BEGINNER, Level.LEARNER, 3)
    assert offers == [None, None, None, offer, None, None]
    assert await usual_level(club.queries, user) is Level.BEGINNER


@pytest.mark.parametrize(
    ("against", "among_people", "expected"),
    [
        ({}, 0, Level.LEARNER),
        ({Level.STEADY: (40, 2)}, 0, Level.LEARNER),
        ({Level.LEARNER: (5, 3)}, 0, Level.LEARNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (1, 0)}, 0, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 2)}, 2, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 3)}, 0, Level.BEGINNER),
        ({Level.LEARNER: (5, 3), Level.BEGINNER: (9, 3), Level.STEADY: (1, 0)}, 0, Level.STEADY),
        ({Level.LEARNER: (5, 3), Level.EXPERT: (1, 0)}, 0, Level.BEGINNER),
        ({Level.EXPERT: (9, 4)}, 0, Level.STEADY),
        ({Level.LEARNER: (2, 1), Level.BEGINNER: (1, 1)}, 1, Level.STEADY),
        ({Level.LEARNER: (5, 3)}, 3, Level.STEADY),
        ({}, 3, Level.STEADY),
    ],
)
async def test_a_stronger_computer_sits_down_after_three_wins_for_who_has_taken_the_offer(
    against: dict[Level, tuple[int, int]], among_people: int, expected: Level
) -> None:
    queries = stand_in(StandingsQueries)
    queries.against_computers.return_value = {level: Record(*each) for level, each in against.items()}
    careers = {(1, None): Career(games=among_people, wins=among_people)}
    queries.career.side_effect = lambda *asked: careers[asked]
    assert await usual_level(queries, 1) is expected


@pytest.mark.parametrize(
    ("against", "beaten", "expected"),
    [
        ({}, Level.LEARNER, None),
        ({Level.LEARNER: (5, 2)}, Level.LEARNER, None),
        ({Level.LEARNER: (5, 3)}, Level.LEARNER, NextLevel(Level.BEGINNER, Level.LEARNER, 3)),
        ({Level.LEARNER: (9, 7)}, Level.LEARNER, NextLevel(Level.BEGINNER, Level.LEARNER, 7)),
        ({Level.LEARNER: (5, 3), Level.STEADY: (1, 0)}, Level.LEARNER, None),
        (
            {Level.LEARNER: (5, 3), Level.BEGINNER: (4, 3)},
            Level.BEGINNER,
            NextLevel(Level.STEADY, Level.BEGINNER, 3),
        ),
        ({Level.STEADY: (9, 3)}, Level.STEADY, NextLevel(Level.EXPERT, Level.STEADY, 3)),
        ({Level.EXPERT: (9, 3)}, Level.EXPERT, None),
    ],
)
async def test_the_next_level_is_offered_after_three_wins_until_a_stronger_one_was_played(
    against: dict[Level, tuple[int, int]], beaten: Level, expected: NextLevel | None
) -> None:
    queries = stand_in(StandingsQueries)
    queries.against_computers.return_value = {level: Record(*each) for level, each in against.items()}

    assert await next_level(queries, 1, beaten) == expected
