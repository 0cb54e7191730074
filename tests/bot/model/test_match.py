"""Matches of three and five games: their end, and the game that follows each game."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.model.match import games_to_win, is_undecided, match_so_far, match_winners, next_game
from bot.model.table_record import Agreement, MatchGame, Occupant, OwnThread, Status, TableRecord
from engine import (
    ACC_TOURNAMENT,
    FREE_PLAY,
    LONG_MATCH,
    PLAIN,
    Chance,
    CutForFirstDeal,
    Ending,
    Game,
    Result,
    Side,
    Skunk,
    Stage,
    TableView,
)
from engine.computer import Level

PEOPLE = tuple(Occupant(user, name) for user, name in ((1, "Ada"), (2, "Ben"), (3, "Cleo"), (4, "Dan")))


def _record(**changes: Any) -> TableRecord:
    agreement = changes.pop("agreement", Agreement.of(best_of=3))
    return TableRecord(
        game="first",
        guild=10,
        channel=20,
        place="x",
        host=1,
        status=Status.PLAYING,
        agreement=agreement,
        occupants=PEOPLE[: agreement.players],
        version=99,
        synced=50,
        **changes,
    )


def _ended(record: TableRecord, winner: int, worth: int = 1) -> TableView:
    """The table at the end of a game with that worth."""
    rules = record.agreement.rules
    game = Game.new(rules, chance=Chance(Random(1)), automatic={CutForFirstDeal})
    scores = tuple(121 if side == winner else 100 for side in range(rules.sides))
    skunks = (Skunk.NONE,) * rules.sides
    result = Result(
        winner=Side(winner),
        ending=Ending.PEGGED_OUT,
        scores=scores,
        skunks=skunks,
        games=worth,
        stage=Stage.SHOWING,
    )
    return replace(game.table, result=result)


def _played(record: TableRecord, *winners: tuple[int, int]) -> tuple[TableRecord, TableView]:
    """Record and table of the last game, after games with these winners and worths."""
    *before, last = winners
    for number, (winner, worth) in enumerate(before):
        following = next_game(record, _ended(record, winner, worth), f"later{number}")
        assert following is not None
        record = following
    return record, _ended(record, *last)


@pytest.mark.parametrize("best_of", [3, 5])
def test_who_first_wins_more_than_half_of_the_games_wins_the_match(best_of: int) -> None:
    record, needed = _record(agreement=Agreement.of(best_of=best_of)), best_of // 2 + 1
    assert games_to_win(record.agreement) == needed
    played = [(0, 1), (1, 1)] * (needed - 1)

    record, table = _played(record, *played)

    assert not match_winners(record, table)
    assert is_undecided(record, table)
    record, table = _played(_record(agreement=record.agreement), *played, (1, 1))
    assert match_winners(record, table) == ((1,),)
    assert not is_undecided(record, table)
    assert next_game(record, table, "more") is None
    assert [each.winner for each in match_so_far(record, table)] == [winner for winner, _ in played] + [1]


@pytest.mark.parametrize(
    ("points", "worth", "decides"),
    [(FREE_PLAY, 2, True), (FREE_PLAY, 1, False), (ACC_TOURNAMENT, 3, False), (LONG_MATCH, 4, False)],
)
def test_a_skunk_counts_as_the_match_points_say(points: Any, worth: int, decides: bool) -> None:
    record = _record(agreement=Agreement.of(best_of=3, match_points=points))

    assert (match_winners(record, _ended(record, 0, worth)) == ((0,),)) == decides


def test_where_all_wins_count_alike_two_of_them_are_needed() -> None:
    record = _record(agreement=Agreement.of(best_of=3, match_points=PLAIN))
    assert games_to_win(record.agreement) == 2
    assert {PLAIN.worth(kind) for kind in Skunk} == {1}
    assert games_to_win(replace(record.agreement, rules=Agreement.of(match_points=ACC_TOURNAMENT).rules)) == 4


def test_a_game_by_itself_and_one_that_is_not_over_are_followed_by_nothing() -> None:
    alone = _record(agreement=Agreement())
    assert next_game(alone, _ended(alone, 0), "later") is None
    assert not match_winners(alone, _ended(alone, 0, 3))
    record = _record()
    table = replace(_ended(record, 0), result=None)
    assert next_game(record, table, "later") is None
    assert not is_undecided(record, table)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_next_game_gathers_with_the_same_seats(players: int) -> None:
    record = _record(agreement=Agreement.of(players=players, best_of=3), thread=OwnThread.OPEN)
    away = replace(record.occupants[1], level=Level.STEADY)
    record = replace(record, occupants=(record.occupants[0], away, *record.occupants[2:]))
    table = _ended(record, 1)
    assert table.result is not None

    following = next_game(record, table, "later")

    assert following is not None
    assert (following.game, following.match, following.rematch_of) == ("later", "first", "first")
    assert following.occupants == record.occupants, "the computer goes on for who is away"
    assert (following.status, following.version, following.synced) == (Status.GATHERING, 0, 0)
    assert (following.thread, following.channel, following.called) == (OwnThread.NONE, 20, None)
    assert following.won_before == tuple(side == 1 for side in range(record.agreement.rules.sides))
    assert following.match_before == (MatchGame(Side(1), 1, table.result.scores),)
    third = next_game(following, _ended(following, 0), "third")
    assert third is not None
    assert (third.match, third.rematch_of, len(third.match_before)) == ("first", "later", 2)
