"""Votes in a game in play where somebody is away, banned or comes back, or the store fails.

`tests/room/test_endings.py` has votes as people cast them.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.model.errors import NobodyAway, NotSeated, StaleButton, StoreUnavailable
from bot.model.table_record import Agreement, Status
from bot.tables.hand_over import absence_from
from bot.tables.sessions import Session, Sessions
from bot.tables.voting import Voting
from engine import Discard, NoComputerFamily, Seat, StandIn
from engine.computer import Level
from tests.bot.seating import ADA, BEN, CLEO, DAN, sit_down
from tests.bot.store.memory import MemoryStore

EXPERT, STEADY = Level.EXPERT, Level.STEADY


async def in_play(agreement: Agreement | None = None) -> Any:
    """A game of three, its store and sessions, and the votes in it."""
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store, agreement or Agreement.of(players=3))
    voting = Voting(store, sessions)
    return SimpleNamespace(
        store=store, sessions=sessions, session=session, news=news, voting=voting, game=session.record.game
    )


async def go_away(sessions: Sessions, session: Session, *seats: int) -> None:
    """Let the clock discard for these players until they are away."""
    for seat in map(Seat, seats):
        for _ in range(3):
            view = session.game.view(seat)
            gift = (*view.hand, *view.discarded)[:1]
            await sessions.move_for(session.record.game, StandIn(Discard(seat, gift)))


async def test_of_the_last_vote_and_the_wish_to_go_on_at_once_one_is_done() -> None:
    table = await in_play()
    before = len(table.news.games)
    for person in (ADA, ADA, BEN):
        ballot = await table.voting.agree_to_end(table.game, person.user)
    assert (ballot.agreed, ballot.is_carried) == ({0, 1}, False)
    outcomes: tuple[Any, Any] = await asyncio.gather(
        table.voting.agree_to_end(table.game, CLEO.user),
        table.voting.keep_playing(table.game, ADA.user, 1),
        return_exceptions=True,
    )
    ended, kept = outcomes
    assert ended.is_carried
    assert isinstance(kept, StaleButton)
    assert len(table.news.games) == before + 1


async def test_a_vote_that_could_not_be_kept_is_not_counted() -> None:
    table = await in_play()
    for person in (ADA, BEN):
        await table.voting.agree_to_end(table.game, person.user)
    table.store.broken = True
    with pytest.raises(StoreUnavailable):
        await table.voting.agree_to_end(table.game, CLEO.user)
    table.store.broken = False
    assert (await table.store.table(table.game)).status is Status.PLAYING
    assert (await table.voting.agree_to_end(table.game, CLEO.user)).is_carried


async def test_the_computer_agrees_to_everything_until_its_person_is_back() -> None:
    table = await in_play()
    await go_away(table.sessions, table.session, 2)
    await table.sessions.set_substitute(table.game, (Seat(2),), STEADY)
    assert (await table.voting.agree_to_end(table.game, ADA.user)).asked == {0, 1}
    ballot = await table.voting.agree_to_end(table.game, CLEO.user)
    assert (ballot.agreed, ballot.asked) == ({0, 2}, {0, 1, 2})


async def test_a_computer_plays_for_all_who_are_away_and_the_next_time_it_is_asked_afresh() -> None:
    table = await in_play()
    await go_away(table.sessions, table.session, 1, 2)
    ballot = await table.voting.agree_to_substitute(table.game, ADA.user, EXPERT)
    assert (ballot.is_carried, ballot.absent) == (True, (1, 2))
    assert (await table.store.table(table.game)).computers == {1, 2}
    await table.sessions.back_in_play(table.game, CLEO.user)
    await go_away(table.sessions, table.session, 2)
    assert (await table.voting.on_substitute(table.game, ADA.user)).agreed == frozenset()


async def test_who_is_away_has_no_vote_on_it_nor_a_stranger_nor_anybody_while_all_are_there() -> None:
    table = await in_play()
    with pytest.raises(NobodyAway):
        await table.voting.agree_to_substitute(table.game, ADA.user, EXPERT)
    await go_away(table.sessions, table.session, 2)
    with pytest.raises(NobodyAway):
        await table.voting.agree_to_substitute(table.game, CLEO.user, EXPERT)
    with pytest.raises(NotSeated):
        await table.voting.keep_playing(table.game, DAN.user, 1)
    await table.sessions.set_substitute(table.game, (Seat(2),), STEADY)
    with pytest.raises(NobodyAway):
        absence_from(table.session, CLEO.user)


async def test_nobody_waits_for_a_banned_player() -> None:
    table = await in_play()
    voting = Voting(table.store, table.sessions, banned={BEN.user, DAN.user})
    covered = await voting.agree_to_substitute(table.game, ADA.user, EXPERT)
    assert (covered.absent, covered.asked, covered.is_carried) == ((1,), {0, 2}, False)
    ended = await voting.agree_to_end(table.game, ADA.user)
    assert (ended.asked, ended.is_carried) == ({0, 2}, False)
    assert (await voting.agree_to_substitute(table.game, CLEO.user, EXPERT)).is_carried
    assert table.session.record.people == {0, 2}
    assert (await voting.agree_to_end(table.game, CLEO.user)).is_carried


async def test_no_computer_is_asked_for_that_does_not_play_by_the_rules() -> None:
    table = await in_play(Agreement.of(players=3, crib_from_pack=0, dealt=4))
    await go_away(table.sessions, table.session, 1)
    with pytest.raises(NoComputerFamily):
        absence_from(table.session, ADA.user)
