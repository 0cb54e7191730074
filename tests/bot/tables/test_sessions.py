"""Where moves, the log and memory meet."""

import asyncio
from random import Random

import pytest

from bot.model.errors import NoSuchGame, NotSeated, StaleButton, StaleGame, StoreUnavailable
from bot.model.table_record import Agreement, Status
from bot.tables.sessions import Sessions
from engine import Chance, CutStarter, Discard, Game, Stage
from engine.errors import CardNotHeld, GameIsOver, NotYourTurn
from engine.moves import Resign
from tests.bot.seating import ADA, BEN, CLEO, play_out, room_of, sit_down
from tests.bot.store.memory import MemoryStore


async def test_a_move_is_durable_before_anybody_is_told() -> None:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store)
    game = session.record.game
    durable: list[int] = []
    sessions = Sessions(store, Chance(Random(1)), lambda each: durable.append(len(store._logs[each])))
    gift = session.game.view(0).hand[:2]

    session, events = await sessions.move(game, ADA.user, lambda seat: Discard(seat, gift))

    assert len(events) == 1
    assert durable == [session.game.version]


async def test_when_the_store_fails_nothing_has_changed_and_the_move_can_be_made_again() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    before, told = session.game.table, len(news.games)
    gift = session.game.view(0).hand[:2]
    store.broken = True

    with pytest.raises(StoreUnavailable):
        await sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))

    assert before == session.game.table
    assert told == len(news.games)

    store.broken = False
    await sessions.move(session.record.game, ADA.user, lambda seat: Discard(seat, gift))

    assert session.game.table.has_discarded[0]


async def test_two_presses_at_once_are_one_move() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game = session.record.game
    for user, seat in ((ADA.user, 0), (BEN.user, 1)):
        gift = session.game.view(seat).hand[:2]
        await sessions.move(game, user, lambda at, gift=gift: Discard(at, gift))
    cutter = session.record.occupants[session.game.table.pone].user

    results = await asyncio.gather(
        sessions.move(game, cutter, CutStarter),
        sessions.move(game, cutter, CutStarter),
        return_exceptions=True,
    )

    assert sum(isinstance(result, Exception) for result in results) == 1
    assert session.game.table.stage is Stage.PLAYING
    assert store._logs[game] == session.game.log


async def test_a_game_written_elsewhere_is_read_anew_and_the_press_refused() -> None:
    store = MemoryStore()
    ours, _, session, _ = await sit_down(store)
    theirs, _, _ = room_of(store)
    game = session.record.game
    gift = session.game.view(0).hand[:2]
    await theirs.move(game, ADA.user, lambda seat: Discard(seat, gift))

    other = session.game.view(1).hand[:2]
    with pytest.raises(StaleGame):
        await ours.move(game, BEN.user, lambda seat: Discard(seat, other))
    session, _ = await ours.move(game, BEN.user, lambda seat: Discard(seat, other))

    assert session.game.table.stage is Stage.CUTTING
    assert store._logs[game] == session.game.log


async def test_a_restart_changes_nothing() -> None:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store)
    reopened, _, _ = room_of(store, seed=99)

    again = await reopened.get(session.record.game)

    assert session.game.table == again.game.table
    assert session.game.view(1) == again.game.view(1)
    assert session.record == again.record


async def test_a_press_is_refused_from_outsiders_for_old_deals_and_against_the_rules() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    game, before = session.record.game, session.game.log
    told = len(news.games)
    ours, theirs = session.game.view(0).hand, session.game.view(1).hand

    with pytest.raises(NotSeated):
        await sessions.move(game, CLEO.user, CutStarter)
    with pytest.raises(StaleButton):
        await sessions.move(game, ADA.user, lambda seat: Discard(seat, ours[:2]), deal=7)
    with pytest.raises(CardNotHeld):
        await sessions.move(game, ADA.user, lambda seat: Discard(seat, theirs[:2]))
    with pytest.raises(NoSuchGame):
        await sessions.move("nobod", ADA.user, CutStarter)

    assert before == session.game.log
    assert told == len(news.games)


async def test_whoever_is_not_asked_to_cut_is_told_who_is() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    for user, seat in ((ADA.user, 0), (BEN.user, 1)):
        gift = session.game.view(seat).hand[:2]
        await sessions.move(session.record.game, user, lambda at, gift=gift: Discard(at, gift))
    table = session.game.table
    dealer = session.record.occupants[table.dealer].user

    with pytest.raises(NotYourTurn) as refused:
        await sessions.move(session.record.game, dealer, CutStarter)

    assert (table.pone,) == refused.value.waiting_for


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_whole_game_ends_in_the_store_as_it_does_in_memory(players: int) -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store, Agreement.of(players=players, preset="short"))
    await play_out(sessions, session)
    record = await store.table(session.record.game)

    assert record.status is Status.OVER
    assert Game.replay(await store.log(record.game)).table.result is not None
    with pytest.raises(GameIsOver):
        await sessions.move(record.game, ADA.user, Resign)


async def test_with_muggins_the_first_deal_comes_by_itself_and_the_next_by_hand() -> None:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store, Agreement.of(aloud=True, muggins=True))

    assert session.game.table.stage is Stage.DISCARDING
    assert session.game.table.deal_number == 1
