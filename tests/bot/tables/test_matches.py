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
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Session, Sessions
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
from tests.bot.seating import (
    ADA,
    BEN,
    CLEO,
    PEOPLE,
    News,
    cut_for_deal,
    gather,
    opened,
    opened_in_dm,
    play_out,
    room_of,
    sit_down,
)
from tests.bot.store.memory import MemoryStore

BEST_OF_THREE = Agreement.of(best_of=3, match_points=PLAIN)


class _Room:
    """A match in channel 20, played by resigning."""

    def __init__(self, store: MemoryStore, sessions: Sessions, lobbies: Lobbies, news: News) -> None:
        self.store, self.sessions, self.lobbies, self.news = store, sessions, lobbies, news

    async def lost_by(self, user: int, game: str) -> TableRecord:
        """The channel's table after that person has resigned."""
        await self.sessions.move(game, user, Resign)
        found = await self.store.table_in(20)
        assert found is not None
        return found

    async def begun(self, game: str, user: int) -> Session:
        """Session of that game, started by that person."""
        await self.lobbies.start(game, user)
        return await self.sessions.get(game)


async def _match(agreement: Agreement = BEST_OF_THREE) -> tuple[_Room, Session]:
    store = MemoryStore()
    sessions, lobbies, session, news = await sit_down(store, agreement)
    return _Room(store, sessions, lobbies, news), session


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_match_goes_on_until_a_side_has_won_enough(players: int) -> None:
    room, session = await _match(Agreement.of(players=players, best_of=3, target=31))
    first, number = session.record.game, 1
    for _ in range(4):  # of three sides at most, each with a game, and one more
        await cut_for_deal(room.sessions, session)
        await play_out(room.sessions, session)
        session = await room.sessions.get(session.record.game)
        following = await room.store.table_in(20)
        if following is None:
            break
        number += 1
        assert following.occupants == session.record.occupants
        assert (following.match, following.rematch_of) == (first, session.record.game)
        assert len(following.match_before) == number - 1
        assert room.news.games[-2:] == [session.record.game, following.game]
        session = await room.begun(following.game, ADA.user)
        assert session.game.table.stage is Stage.DISCARDING, "nobody cuts: the rules say who deals"
    assert number >= 2
    assert match_winners(session.record, session.game.table)


async def test_the_loser_of_a_game_deals_first_in_the_next() -> None:
    room, session = await _match()
    second = await room.lost_by(BEN.user, session.record.game)
    begun = await room.begun(second.game, ADA.user)
    assert begun.game.table.first_dealer == session.record.seat_of(BEN.user)
    assert begun.record.won_before == (1, 0)
    third = await room.lost_by(ADA.user, second.game)
    begun = await room.begun(third.game, ADA.user)
    assert begun.game.table.first_dealer == session.record.seat_of(ADA.user)
    assert begun.record.won_before == (1, 1)


async def test_between_two_games_the_channel_is_the_matchs_and_seats_and_rules_stay() -> None:
    room, session = await _match()
    second = await room.lost_by(BEN.user, session.record.game)
    game, lobbies = second.game, room.lobbies
    with pytest.raises(ChannelTaken):
        await opened(lobbies, CLEO)
    with pytest.raises(ChannelTaken):
        await lobbies.rematch(session.record.game, BEN)
    with pytest.raises(AlreadySeated):
        await lobbies.join(game, BEN)
    with pytest.raises(TableFull):
        await lobbies.join(game, CLEO)  # at any time
    with pytest.raises(TableFull):
        await lobbies.add_computer(game, ADA.user, Level.STEADY)
    with pytest.raises(MatchGoesOn):
        await lobbies.agree(game, ADA.user, lambda agreed: agreed)
    with pytest.raises(MatchGoesOn):
        await lobbies.choose_partner(game, ADA.user, Seat(1))
    with pytest.raises(MatchGoesOn):
        await lobbies.remove_computer(game, ADA.user)
    with pytest.raises(NotAtTable):
        await lobbies.start(game, CLEO.user)
    with pytest.raises(NotAtTable):
        await lobbies.leave(game, CLEO.user)
    chosen = await lobbies.choose_colour(game, BEN.user, Colour.BLUE)
    assert chosen.occupants[1].colour is Colour.BLUE
    await lobbies.start(game, BEN.user)
    with pytest.raises(AlreadyBegun):
        await lobbies.start(game, ADA.user)


async def test_who_leaves_between_two_games_ends_the_match() -> None:
    room, session = await _match()
    second = await room.lost_by(BEN.user, session.record.game)
    assert (await room.lobbies.leave(second.game, BEN.user)).status is Status.CANCELLED
    assert await room.store.table_in(20) is None


async def test_a_rematch_of_a_match_begins_at_none_and_the_loser_deals() -> None:
    room, session = await _match()
    second = await room.lost_by(BEN.user, session.record.game)
    await room.begun(second.game, ADA.user)
    await room.sessions.move(second.game, BEN.user, Resign)
    assert await room.store.table_in(20) is None

    again = await room.lobbies.rematch(second.game, BEN)
    again = await room.lobbies.join(again.game, ADA)

    assert (again.status, again.won_before, again.match, again.match_before) == (Status.PLAYING, (), None, ())
    begun = await room.sessions.get(again.game)
    assert begun.game.table.first_dealer == again.seat_of(BEN.user)
    third = await room.lost_by(ADA.user, again.game)
    assert third.match == again.game


async def test_a_substitute_goes_on_in_the_next_game_until_their_player_is_back() -> None:
    room, session = await _match()
    await room.sessions.set_substitute(session.record.game, (Seat(1),), Level.STEADY)
    second = await room.lost_by(ADA.user, session.record.game)
    assert second.occupants == (ADA, replace(BEN, level=Level.STEADY))
    begun = await room.begun(second.game, ADA.user)
    assert begun.record.computers == {1}
    third = await room.lost_by(BEN.user, second.game)
    begun = await room.begun(third.game, BEN.user)
    assert not begun.record.computers, "who starts it plays"


async def test_a_next_game_whose_id_another_has_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    room, session = await _match()
    ids = iter([session.record.game, "m2x7b"])
    monkeypatch.setattr(game_ids, "new_id", lambda: next(ids))
    assert (await room.lost_by(BEN.user, session.record.game)).game == "m2x7b"


async def test_an_end_that_the_store_refuses_is_followed_by_nothing() -> None:
    room, session = await _match()
    room.store.broken = True
    with pytest.raises(StoreUnavailable):
        await room.sessions.move(session.record.game, BEN.user, Resign)
    room.store.broken = False
    assert not session.game.is_over
    assert room.news.games.count(session.record.game) == len(room.news.games)
    assert (await room.lost_by(BEN.user, session.record.game)).match == session.record.game


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


async def test_a_game_by_itself_leaves_its_channel_free() -> None:
    room, session = await _match(Agreement())
    await room.sessions.move(session.record.game, BEN.user, Resign)
    assert await room.store.table_in(20) is None
    await gather(room.lobbies)


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
