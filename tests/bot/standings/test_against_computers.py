"""Games with a computer are kept apart from those between people, after a rebuild too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.table_record import Occupant, computer_at
from bot.standings.careers import Record
from bot.standings.leaderboards import Board, Span
from bot.standings.rated_games import RatedGames
from bot.standings.ratings import Kind
from bot.standings.usual_level import NextLevel, usual_level
from engine import Seat
from engine.computer import Level
from tests.bot.standings.games import ADA, BEN, ELSEWHERE, GUILD, SHORT, Club, resigned

EXPERT = Occupant(None, "🤖 Expert", Level.EXPERT)


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


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
