"""The pause after a show: long enough to read, ended by *Deal*, and always finite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from bot.background.next_deal import NextDeal, pause_for
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import BotError
from bot.model.table_record import Agreement, computer_at
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from engine import CameBack, Deal, DealBegan, DealEnded, Resign, Stage, StandIn, StoodIn
from engine.computer import Level, plain_move
from tests.bot.leaping_loop import leaping
from tests.bot.render.games import record_of
from tests.bot.seating import ADA, BEN, Guest, desert, room_of, sit_down
from tests.bot.store.memory import MemoryStore


@dataclass
class Show:
    """A table, and the pauses between its deals, which are of twelve seconds."""

    store: MemoryStore
    sessions: Sessions
    session: Session
    next_deal: NextDeal
    tasks: KeyedTasks
    presence: Presence

    @property
    def game(self) -> str:
        return self.session.record.game

    @property
    def deal(self) -> int:
        return self.session.game.table.deal_number


def dealing(sessions: Sessions, presence: Presence, tasks: KeyedTasks) -> NextDeal:
    next_deal = NextDeal(sessions, presence, tasks, pause=12)
    sessions.subscribe(next_deal.on_change)
    return next_deal


@asynccontextmanager
async def just_begun() -> AsyncIterator[Show]:
    """A table at which nobody has discarded."""
    store, presence, tasks = MemoryStore(), Presence(), KeyedTasks(passing=(BotError,))
    sessions, _, session, _ = await sit_down(store)
    yield Show(store, sessions, session, dealing(sessions, presence, tasks), tasks, presence)
    await tasks.close()


@asynccontextmanager
async def at_the_show(*, is_dealer_away: bool = False) -> AsyncIterator[Show]:
    """A table at its first show. With `is_dealer_away` the clock has played for the next dealer."""
    async with just_begun() as show:
        session = show.session
        while session.game.table.stage is not Stage.DEALING:
            seat = session.game.table.waiting_for[0]
            move = plain_move(session.game.view(seat))
            made = StandIn(move) if is_dealer_away and seat == session.game.table.pone else move
            user = session.record.occupants[seat].user or 0
            await show.sessions.move(show.game, user, lambda _, made=made: made)  # type: ignore[misc]
        yield show


@leaping
async def test_no_hand_is_dealt_at_a_table_that_everybody_has_left_until_one_is_back() -> None:
    async with just_begun() as show:
        await desert(show.sessions, show.session, at=Stage.DEALING)
        await asyncio.sleep(1000)
        assert show.session.game.table.stage is Stage.DEALING
        deal = show.deal
        await show.sessions.back_in_play(show.game, BEN.user)
        await asyncio.sleep(13)
        assert show.deal == deal + 1


@leaping
async def test_the_next_hand_is_dealt_by_itself_when_the_show_has_stood_for_its_time() -> None:
    async with at_the_show() as show:
        await asyncio.sleep(11.9)
        assert show.deal == 1
        await asyncio.sleep(0.2)
        assert (show.deal, len(show.tasks)) == (2, 0)
        assert show.session.game.table.dealer == 1 - show.session.game.table.first_dealer


@pytest.mark.parametrize("presser", [ADA, BEN], ids=["Ada", "Ben"])
@leaping
async def test_anybody_at_the_table_may_end_the_pause(presser: Guest) -> None:
    async with at_the_show() as show:
        dealer = show.session.game.table.dealer
        await asyncio.sleep(3)
        await show.sessions.move(show.game, presser.user, lambda _: Deal(dealer), 1)
        assert (show.deal, len(show.tasks)) == (2, 0)
        version = show.session.game.version
        await asyncio.sleep(60)
        assert show.session.game.version == version, "it is dealt once"


@leaping
async def test_a_deal_says_nothing_of_a_dealer_who_is_away() -> None:
    async with at_the_show(is_dealer_away=True) as show:
        before = show.session.game.table.absences
        assert before[show.session.game.table.dealer] > 0
        await asyncio.sleep(13)
        assert show.deal == 2
        assert show.session.game.table.absences == before
        log = show.session.game.log
        dealt = log[next(at for at in reversed(range(len(log))) if isinstance(log[at], DealEnded)) :]
        assert not any(isinstance(event, CameBack | StoodIn) for event in dealt)


@leaping
async def test_after_a_restart_the_whole_pause_is_given_again() -> None:
    async with at_the_show() as show:
        await asyncio.sleep(10)
        await show.tasks.close()
        sessions, _, _ = room_of(show.store)
        tasks = KeyedTasks()
        dealing(sessions, Presence(), tasks).on_change(show.session.record)
        await asyncio.sleep(11.9)
        assert (await sessions.get(show.game)).game.table.deal_number == 1
        await asyncio.sleep(0.2)
        assert (await sessions.get(show.game)).game.table.deal_number == 2
        await tasks.close()


@leaping
async def test_nobody_deals_where_the_bot_is_not_and_the_game_goes_on_when_it_is_back() -> None:
    async with at_the_show() as show:
        await asyncio.sleep(3)
        show.presence.listed(0, ())
        await asyncio.sleep(100)
        assert (show.deal, len(show.tasks)) == (1, 0)
        show.presence.joined(show.session.record.guild or 0)
        show.next_deal.on_change(show.session.record)
        await asyncio.sleep(12.1)
        assert show.deal == 2


@pytest.mark.parametrize("how", ["resigned", "called off"])
@leaping
async def test_nothing_is_dealt_in_a_game_that_ends_during_the_pause(how: str) -> None:
    async with at_the_show() as show:
        await asyncio.sleep(3)
        if how == "resigned":
            await show.sessions.move(show.game, BEN.user, Resign)
        else:
            await show.sessions.call_off(show.game)
        assert len(show.tasks) == 0
        await asyncio.sleep(60)
        begun = [event.number for event in show.session.game.log if isinstance(event, DealBegan)]
        assert begun == [1]


@leaping
async def test_an_outage_of_the_store_only_puts_the_deal_off() -> None:
    async with at_the_show() as show:
        await asyncio.sleep(10)
        show.store.broken = True
        await asyncio.sleep(30)
        show.store.broken = False
        await asyncio.sleep(60)
        assert show.deal == 2


@leaping
async def test_a_person_who_leaves_their_seat_to_the_computer_does_not_stop_the_deal() -> None:
    async with at_the_show() as show:
        await asyncio.sleep(3)
        await show.sessions.set_substitute(show.game, (show.session.game.table.dealer,), Level.STEADY)
        await asyncio.sleep(12.1)
        assert show.deal == 2


def test_more_hands_take_longer_to_read_and_one_person_alone_half_as_long() -> None:
    between_people = [pause_for(record_of(Agreement.of(players=players)), 12) for players in (2, 3, 4)]
    assert between_people == [12, 16, 20]
    record = record_of(Agreement())
    alone = record_of(Agreement(), occupants=(record.occupants[0], computer_at(Level.STEADY, ())))
    assert pause_for(alone, 12) == 6
