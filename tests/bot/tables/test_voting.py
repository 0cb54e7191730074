"""Votes in a game in play: none is lost, none outlives its deal, and an agreement is carried out once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.model.errors import NobodyAway, NotSeated, StaleButton, StoreUnavailable
from bot.model.table_record import Agreement, Occupant, Status
from bot.tables.hand_over import absence_from
from bot.tables.sessions import Session, Sessions
from bot.tables.voting import Ballot, Voting
from engine import Discard, NoComputerFamily, Seat, StandIn
from engine.computer import Level
from tests.bot.seating import ADA, BEN, CLEO, DAN, News, play_out, room_of, sit_down
from tests.bot.store.memory import MemoryStore

EXPERT, STEADY = Level.EXPERT, Level.STEADY


class Table:
    """A game of three in play, and a vote on it."""

    def __init__(self, store: MemoryStore, sessions: Sessions, session: Session, news: News) -> None:
        self.store = store
        self.sessions = sessions
        self.session = session
        self.game = session.record.game
        self.voting = Voting(store, sessions)
        self.news = news

    @classmethod
    async def open(cls, agreement: Agreement) -> Table:
        store = MemoryStore()
        sessions, _, session, news = await sit_down(store, agreement)
        return cls(store, sessions, session, news)

    async def end(self, person: Occupant, deal: int | None = None) -> Ballot:
        return await self.voting.agree_to_end(self.game, person.user or 0, deal)

    async def cover(self, person: Occupant, level: Level = EXPERT, deal: int | None = None) -> Ballot:
        return await self.voting.agree_to_substitute(self.game, person.user or 0, level, deal)

    async def keep(self, person: Occupant) -> Seat:
        _, seat = await self.voting.keep_playing(self.game, person.user or 0, self.deal)
        return seat

    async def take_back(self, person: Occupant) -> Ballot:
        return await self.voting.withdraw_substitute(self.game, person.user or 0, self.deal)

    async def status(self) -> Status:
        return (await self.store.table(self.game)).status

    @property
    def deal(self) -> int:
        return self.session.game.table.deal_number

    async def goes_away(self, *seats: int) -> None:
        for seat in map(Seat, seats):
            for _ in range(3):
                view = self.session.game.view(seat)
                gift = (*view.hand, *view.discarded)[:1]
                await self.sessions.move_for(self.game, StandIn(Discard(seat, gift)))

    async def next_deal(self) -> None:
        """Play this deal out."""
        before = self.deal
        while self.deal == before:
            seat = self.session.game.table.waiting_for[0]
            user = self.session.record.occupants[seat].user or 0
            move = self.session.game.legal_moves(seat).moves[0]
            await self.sessions.move(self.game, user, lambda _, move=move: move)  # type: ignore[misc]


@pytest.fixture
async def table() -> Table:
    return await Table.open(Agreement.of(players=3))


async def test_a_game_is_called_off_when_all_agree_and_not_before(table: Table) -> None:
    first = await table.end(ADA)
    second = await table.end(BEN)
    assert (first.agreed, second.agreed, second.is_carried) == ({0}, {0, 1}, False)
    assert await table.status() is Status.PLAYING
    assert (await table.end(CLEO)).is_carried
    assert await table.status() is Status.CANCELLED


async def test_of_votes_cast_at_once_none_is_lost_and_the_game_is_called_off_once(table: Table) -> None:
    before = len(table.news.games)
    ballots = await asyncio.gather(*(table.end(person) for person in (ADA, BEN, CLEO)))
    assert [ballot.is_carried for ballot in ballots] == [False, False, True]
    assert len(table.news.games) == before + 1
    with pytest.raises(StaleButton):
        await table.end(BEN)


async def test_to_agree_twice_is_to_agree_once(table: Table) -> None:
    await table.end(ADA)
    assert (await table.end(ADA)).agreed == {0}


async def test_who_keeps_playing_drops_the_question_for_all(table: Table) -> None:
    await table.end(ADA)
    await table.end(BEN)
    assert await table.keep(CLEO) == 2
    assert (await table.end(CLEO)).agreed == {2}
    assert await table.keep(CLEO) == 2
    assert [(await table.end(person)).is_carried for person in (ADA, BEN, CLEO)] == [False, False, True]


async def test_of_the_last_vote_and_the_wish_to_go_on_at_once_one_is_done(table: Table) -> None:
    await table.end(ADA)
    await table.end(BEN)
    ended, kept = await asyncio.gather(table.end(CLEO), table.keep(ADA), return_exceptions=True)
    assert isinstance(ended, Ballot)
    assert ended.is_carried
    assert isinstance(kept, StaleButton)


async def test_who_does_not_play_keeps_no_game_going(table: Table) -> None:
    await table.end(ADA)
    with pytest.raises(NotSeated):
        await table.keep(DAN)
    assert (await table.end(BEN)).agreed == {0, 1}


async def test_votes_end_with_their_deal_and_its_buttons_do_nothing(table: Table) -> None:
    old = table.deal
    await table.end(ADA, old)
    await table.end(BEN, old)
    await table.next_deal()
    with pytest.raises(StaleButton) as refused:
        await table.end(CLEO, old)
    assert (refused.value.deal, refused.value.now) == (old, table.deal)
    with pytest.raises(StaleButton):
        await table.voting.keep_playing(table.game, ADA.user or 0, old)
    assert (await table.end(CLEO)).agreed == {2}
    assert await table.status() is Status.PLAYING


async def test_votes_are_there_after_a_restart(table: Table) -> None:
    await table.end(ADA)
    await table.end(BEN)
    sessions, _, _ = room_of(table.store)
    ballot = await Voting(table.store, sessions).agree_to_end(table.game, CLEO.user or 0)
    assert ballot.is_carried
    assert await table.status() is Status.CANCELLED


async def test_a_vote_that_could_not_be_kept_is_not_counted(table: Table) -> None:
    await table.end(ADA)
    await table.end(BEN)
    table.store.broken = True
    with pytest.raises(StoreUnavailable):
        await table.end(CLEO)
    table.store.broken = False
    assert await table.status() is Status.PLAYING
    assert (await table.end(CLEO)).is_carried


async def test_the_computer_agrees_to_everything(table: Table) -> None:
    await table.goes_away(2)
    await table.sessions.set_substitute(table.game, (Seat(2),), STEADY)
    assert (await table.end(ADA)).asked == {0, 1}
    assert (await table.end(BEN)).is_carried


async def test_who_comes_back_has_to_agree_and_may(table: Table) -> None:
    await table.goes_away(2)
    await table.sessions.set_substitute(table.game, (Seat(2),), STEADY)
    await table.end(ADA)
    ballot = await table.end(CLEO)
    assert (ballot.agreed, ballot.asked) == ({0, 2}, {0, 1, 2})


async def test_all_others_agree_to_one_computer_and_it_plays_for_all_who_are_away(table: Table) -> None:
    await table.goes_away(1, 2)
    before = len(table.news.games)
    ballot = await table.cover(ADA)
    assert (ballot.is_carried, ballot.absent) == (True, (1, 2))
    assert (await table.store.table(table.game)).computers == {1, 2}
    assert len(table.news.games) == before + 1


async def test_votes_for_a_substitute_that_are_cast_at_once_count_both(table: Table) -> None:
    await table.goes_away(2)
    before = len(table.news.games)
    ballots = await asyncio.gather(table.cover(ADA), table.cover(BEN))
    assert [ballot.is_carried for ballot in ballots] == [False, True]
    assert (await table.store.table(table.game)).occupants[2].level is EXPERT
    assert len(table.news.games) == before + 1
    with pytest.raises(NobodyAway):
        await table.cover(BEN)


async def test_those_who_want_different_computers_have_not_agreed(table: Table) -> None:
    await table.goes_away(2)
    await table.cover(ADA, STEADY)
    split = await table.cover(BEN, EXPERT)
    assert (split.is_carried, split.levels) == (False, {0: STEADY, 1: EXPERT})
    assert (await table.voting.on_substitute(table.game, ADA.user or 0)).levels == split.levels
    assert (await table.cover(ADA, EXPERT)).is_carried


async def test_a_vote_for_a_substitute_that_is_taken_back_does_not_count(table: Table) -> None:
    await table.goes_away(2)
    old = table.deal
    await table.cover(ADA, deal=old)
    assert (await table.take_back(ADA)).agreed == frozenset()
    assert not (await table.cover(BEN, deal=old)).is_carried
    assert (await table.cover(ADA, deal=old)).is_carried


async def test_an_answered_question_begins_afresh_when_somebody_goes_away_again(table: Table) -> None:
    await table.goes_away(2)
    await asyncio.gather(table.cover(ADA), table.cover(BEN))
    await table.sessions.back_in_play(table.game, CLEO.user or 0)
    await table.goes_away(2)
    assert (await table.voting.on_substitute(table.game, ADA.user or 0)).agreed == frozenset()


Asking = Callable[[Table, Occupant], Awaitable[Ballot]]


@pytest.mark.parametrize("ask", [Table.end, Table.cover], ids=["end", "substitute"])
async def test_only_who_sits_there_votes_and_only_while_the_game_goes_on(table: Table, ask: Asking) -> None:
    await table.goes_away(2)
    with pytest.raises(NotSeated):
        await ask(table, DAN)
    await play_out(table.sessions, table.session)
    with pytest.raises(StaleButton):
        await ask(table, ADA)


async def test_who_is_away_has_no_vote_on_it_nor_anybody_while_all_are_there(table: Table) -> None:
    with pytest.raises(NobodyAway):
        await table.cover(ADA)
    await table.goes_away(2)
    with pytest.raises(NobodyAway):
        await table.cover(CLEO)


async def test_nobody_waits_for_a_banned_player(table: Table) -> None:
    table.voting = Voting(table.store, table.sessions, banned={BEN.user, DAN.user})
    covered = await table.cover(ADA)
    assert (covered.absent, covered.asked, covered.is_carried) == ((1,), {0, 2}, False)
    assert (await table.cover(CLEO)).is_carried
    assert table.session.record.people == {0, 2}


async def test_those_who_are_not_banned_end_a_game(table: Table) -> None:
    table.voting = Voting(table.store, table.sessions, banned={BEN.user})
    first = await table.end(ADA)
    assert (first.asked, first.is_carried) == ({0, 2}, False)
    assert (await table.end(CLEO)).is_carried
    assert await table.status() is Status.CANCELLED


async def test_who_is_asked_for_a_substitute_are_those_who_are_there(table: Table) -> None:
    await table.goes_away(1)
    absence = absence_from(table.session, ADA.user)
    absence.refuse_the_absent()
    assert (absence.asker, absence.absent, absence.present) == (0, (1,), {0, 2})
    await table.goes_away(2)
    with pytest.raises(NobodyAway):
        absence_from(table.session, BEN.user).refuse_the_absent()
    await table.sessions.set_substitute(table.game, (Seat(1), Seat(2)), STEADY)
    with pytest.raises(NobodyAway):
        absence_from(table.session, CLEO.user)


async def test_no_computer_is_asked_for_that_does_not_play_by_the_rules() -> None:
    table = await Table.open(Agreement.of(players=3, crib_from_pack=0, dealt=4))
    await table.goes_away(1)
    with pytest.raises(NoComputerFamily):
        absence_from(table.session, ADA.user)
