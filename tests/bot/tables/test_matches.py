"""Matches of several games: their end, and the table that gathers after each game but the last."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.model.colours import Colour
from bot.model.errors import (
    AlreadyBegun,
    AlreadySeated,
    ChannelTaken,
    MatchGoesOn,
    NotAtTable,
    StoreUnavailable,
    TableFull,
)
from bot.model.match import games_to_win, is_undecided, match_so_far, match_winners, next_game
from bot.model.table_record import Agreement, MatchGame, OwnThread, Status, TableRecord
from bot.tables import game_ids
from bot.tables.sessions import Sessions
from engine import (
    ACC_TOURNAMENT,
    FREE_PLAY,
    LONG_MATCH,
    PLAIN,
    Chance,
    CutForFirstDeal,
    Ending,
    Game,
    Resign,
    Result,
    Seat,
    Side,
    Skunk,
    Stage,
    TableView,
)
from engine.computer import Level
from tests.bot.seating import ADA, BEN, CLEO, PEOPLE, opened, opened_in_dm, room_of, sit_down
from tests.bot.store.memory import MemoryStore

BEST_OF_THREE = Agreement.of(best_of=3, match_points=PLAIN)


async def _lost_by(user: int, game: str, sessions: Sessions, store: MemoryStore) -> TableRecord:
    """The table of channel 20 after that person has resigned."""
    await sessions.move(game, user, Resign)
    found = await store.table_in(20)
    assert found is not None
    return found


async def test_between_two_games_the_channel_is_the_matchs_and_seats_and_rules_stay() -> None:
    store = MemoryStore()
    sessions, lobbies, session, news = await sit_down(store, BEST_OF_THREE)
    first = session.record.game
    game = (await _lost_by(BEN.user, first, sessions, store)).game
    assert news.games[-2:] == [first, game]
    for refused, error in (
        (opened(lobbies, CLEO), ChannelTaken),
        (lobbies.rematch(first, BEN), ChannelTaken),
        (lobbies.join(game, BEN), AlreadySeated),
        (lobbies.join(game, CLEO), TableFull),  # at any time
        (lobbies.add_computer(game, ADA.user, Level.STEADY), TableFull),
        (lobbies.agree(game, ADA.user, lambda agreed: agreed), MatchGoesOn),
        (lobbies.choose_partner(game, ADA.user, Seat(1)), MatchGoesOn),
        (lobbies.remove_computer(game, ADA.user), MatchGoesOn),
        (lobbies.start(game, CLEO.user), NotAtTable),
        (lobbies.leave(game, CLEO.user), NotAtTable),
    ):
        with pytest.raises(error):
            await refused
    chosen = await lobbies.choose_colour(game, BEN.user, Colour.BLUE)
    assert chosen.occupants[1].colour is Colour.BLUE
    await lobbies.start(game, BEN.user)
    with pytest.raises(AlreadyBegun):
        await lobbies.start(game, ADA.user)


async def test_who_leaves_between_two_games_ends_the_match() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, BEST_OF_THREE)
    second = await _lost_by(BEN.user, session.record.game, sessions, store)
    assert (await lobbies.leave(second.game, BEN.user)).status is Status.CANCELLED
    assert await store.table_in(20) is None


async def test_a_rematch_of_a_match_begins_at_none_and_the_loser_deals() -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, BEST_OF_THREE)
    second = await _lost_by(BEN.user, session.record.game, sessions, store)
    await lobbies.start(second.game, ADA.user)
    await sessions.move(second.game, BEN.user, Resign)
    assert await store.table_in(20) is None

    again = await lobbies.rematch(second.game, BEN)
    again = await lobbies.join(again.game, ADA)

    assert (again.status, again.won_before, again.match, again.match_before) == (Status.PLAYING, (), None, ())
    begun = await sessions.get(again.game)
    assert begun.game.table.first_dealer == again.seat_of(BEN.user)
    assert (await _lost_by(ADA.user, again.game, sessions, store)).match == again.game


async def test_a_substitute_goes_on_in_the_next_game_until_their_player_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store, BEST_OF_THREE)
    ids = iter([session.record.game, "m2x7b", "k3f9a"])
    monkeypatch.setattr(game_ids, "new_id", lambda _: next(ids))
    await sessions.set_substitute(session.record.game, (Seat(1),), Level.STEADY)
    second = await _lost_by(ADA.user, session.record.game, sessions, store)
    assert second.game == "m2x7b", "the first id was another's"
    assert second.occupants == (ADA, replace(BEN, level=Level.STEADY))
    assert (await lobbies.start(second.game, ADA.user)).computers == {1}
    third = await _lost_by(BEN.user, second.game, sessions, store)
    assert not (await lobbies.start(third.game, BEN.user)).computers, "who starts it plays"


async def test_an_end_that_the_store_refuses_is_followed_by_nothing() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store, BEST_OF_THREE)
    store.broken = True
    with pytest.raises(StoreUnavailable):
        await sessions.move(session.record.game, BEN.user, Resign)
    store.broken = False
    assert not session.game.is_over
    assert {*news.games} == {session.record.game}
    assert (await _lost_by(BEN.user, session.record.game, sessions, store)).match == session.record.game


async def test_after_a_restart_a_match_in_a_dm_waits_for_its_person() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    record = await opened_in_dm(lobbies, BEST_OF_THREE)
    await sessions.move(record.game, ADA.user, Resign)

    _, lobbies, _ = room_of(store)
    await lobbies.begin_broken_off()

    following = await store.table_in(30)
    assert following is not None
    assert following.status is Status.GATHERING
    assert (await lobbies.start(following.game, ADA.user)).status is Status.PLAYING


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
