"""What every `StandingsQueries` promises, held against each of them."""

from __future__ import annotations

from bot.model.table_record import Agreement, computer_at
from bot.standings.leaderboards import (
    Board,
    Span,
    month_of,
)
from bot.standings.rated_games import RatedGames
from bot.standings.ratings import Kind, Rating
from engine import Seat
from engine.computer import Level
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    ELSEWHERE,
    GUILD,
    SHORT,
    Club,
    played,
    resigned,
)


async def names(club: Club, board: Board, span: Span, guild: int = GUILD) -> dict[str, int]:
    await club.projection.catch_up()
    return {each.name: each.games for each in await club.queries.tallies(guild, board, span)}


async def test_a_month_has_the_games_from_its_first_second_to_its_last(club: Club) -> None:
    first, following = (each.timestamp() for each in month_of(club.queries.now()))
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
    assert len(await club.queries.appearances(CLEO.user, None)) == 2


async def test_a_person_has_the_servers_of_their_games_the_latest_first(club: Club) -> None:
    assert await club.queries.servers(ADA.user) == ()
    await club.won(ADA, BEN)
    await club.won(CLEO, ADA, guild=ELSEWHERE)
    await club.won(CLEO, BEN, guild=None)
    await club.finished((CLEO, computer_at(Level.STEADY, ())), resigned(Seat(1)), SHORT)
    await club.projection.catch_up()
    assert [guild for guild, _ in await club.queries.servers(ADA.user)] == [ELSEWHERE, GUILD]
    assert [guild for guild, _ in await club.queries.servers(CLEO.user)] == [ELSEWHERE]
    await club.won(BEN, ADA)
    await club.projection.catch_up()
    assert [guild for guild, _ in await club.queries.servers(ADA.user)] == [GUILD, ELSEWHERE]
    assert {name for _, name in await club.queries.servers(ADA.user)} == {"Snug"}


async def test_ratings_of_two_and_of_more_are_on_boards_of_their_own(club: Club) -> None:
    three = Agreement.of(preset="short", players=3)
    await club.won(ADA, BEN)
    await club.finished((ADA, BEN, CLEO), resigned(Seat(2), three), three)
    assert await names(club, Board.RATING, Span.EVER) == {ADA.name: 1, BEN.name: 1}
    assert await names(club, Board.MORE, Span.EVER) == {ADA.name: 1, BEN.name: 1, CLEO.name: 1}
    assert await names(club, Board.WINS, Span.EVER) == {ADA.name: 2, BEN.name: 2, CLEO.name: 1}


async def test_a_tally_has_the_last_name_and_the_best_hand_of_its_games(club: Club) -> None:
    await club.finished((ADA, BEN), played(1, SHORT), SHORT)
    await club.finished((BEN, type(ADA)(ADA.user, "Countess")), played(5, SHORT), SHORT)
    await club.projection.catch_up()
    (told,) = [
        each for each in await club.queries.tallies(GUILD, Board.HAND, Span.EVER) if each.user == ADA.user
    ]
    bests = [each.part.figures.best for each in await club.queries.appearances(ADA.user, GUILD)]
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
    await club.projections.reset()
    assert await games.changes(first) == told


async def test_games_with_a_computer_or_outside_of_servers_change_no_rating(club: Club) -> None:
    games = RatedGames(club.projection, club.queries)
    alone = await club.finished((ADA, computer_at(Level.STEADY, ())), resigned(Seat(1)), SHORT)
    by_dm = await club.won(ADA, BEN, guild=None)
    unknown = await club.seated((ADA,), SHORT)
    assert await games.changes(alone) == (None, None)
    assert await games.changes(by_dm) == (None, None)
    assert await games.changes(unknown.game) == ()


async def test_a_rating_is_marked_whose_owner_keeps_it_private(club: Club) -> None:
    game = await club.won(ADA, BEN)
    await club.people.set_hidden(BEN.user, hidden=True)
    told = await RatedGames(club.projection, club.queries).changes(game)
    assert [each.is_hidden for each in told if each] == [False, True]
