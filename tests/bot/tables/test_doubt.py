"""Changes whose outcome is unknown: whoever waits for them hears of what stands, and of nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.model.errors import OutcomeUnknown
from bot.model.table_record import Agreement, Status, TableRecord
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import PLAIN, Discard, Resign, Seat, StarterCut
from engine.computer import Level
from tests.bot.leaping_loop import leaping
from tests.bot.seating import ADA, BEN, gather, opened, room_of, sit_down
from tests.bot.store.memory import MemoryStore

_RETRIED = 60.0
"""Seconds after which a comparison with the store is retried at the latest."""

Change = Callable[[Sessions, Lobbies, str], Awaitable[object]]

IN_PLAY: dict[str, Change] = {
    "move": lambda sessions, _, game: sessions.move(game, ADA.user, Resign),
    "substitute": lambda sessions, _, game: sessions.set_substitute(game, (Seat(1),), Level.STEADY),
    "thread": lambda sessions, _, game: sessions.settle_thread(game, 77),
    "end": lambda sessions, _, game: sessions.call_off(game),
}
IN_A_LOBBY: dict[str, Change] = {
    "beginning": lambda _, lobbies, game: lobbies.start(game, ADA.user),
    "seat": lambda _, lobbies, game: lobbies.leave(game, BEN.user),
    "end": lambda sessions, _, game: sessions.call_off(game),
}


async def changed(store: MemoryStore, change: Awaitable[object], *, stands: bool) -> None:
    """Make the change, whose outcome stays unknown, while the store is away for a while."""
    store.database.in_doubt = iter([stands])
    with pytest.raises(OutcomeUnknown):
        await change
    store.broken = True
    await asyncio.sleep(_RETRIED)
    store.broken = False
    await asyncio.sleep(_RETRIED)


@pytest.mark.parametrize("kind", IN_PLAY)
@pytest.mark.parametrize("stands", [True, False])
@leaping
async def test_in_play_the_listeners_hear_of_what_stands_once_the_store_answers(
    kind: str, stands: bool
) -> None:
    store = MemoryStore()
    sessions, lobbies, session, _ = await sit_down(store)
    heard: list[TableRecord] = []
    sessions.subscribe(heard.append)
    await changed(store, IN_PLAY[kind](sessions, lobbies, session.record.game), stands=stands)

    now = await store.table(session.record.game)
    assert heard == ([now] if stands else []), "what did not happen begins nobody's turn again"
    assert (await sessions.get(now.game)).record == now


@pytest.mark.parametrize("kind", IN_A_LOBBY)
@leaping
async def test_of_a_lobby_the_listeners_hear(kind: str) -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store)
    record = await gather(lobbies)
    heard: list[TableRecord] = []
    sessions.subscribe(heard.append)
    await changed(store, IN_A_LOBBY[kind](sessions, lobbies, record.game), stands=True)

    assert heard == [await store.table(record.game)] != [record]


@pytest.mark.parametrize("stands", [True, False])
@leaping
async def test_of_a_table_that_is_opened_the_listeners_hear_if_it_is_there(stands: bool) -> None:
    store = MemoryStore()
    _, lobbies, news = room_of(store)
    await changed(store, opened(lobbies), stands=stands)
    assert news.games == [record.game for record in await store.open_tables()]
    assert len(news.games) == stands


@leaping
async def test_the_next_game_of_a_match_gathers_after_an_end_of_unknown_outcome() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store, Agreement.of(best_of=3, match_points=PLAIN))
    news.games.clear()
    await changed(store, sessions.move(session.record.game, BEN.user, Resign), stands=True)
    follows = await store.table_in(20)
    assert follows is not None
    assert sorted(news.games) == sorted([session.record.game, follows.game])


@leaping
async def test_who_plays_on_before_the_comparison_is_heard_of_once() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game = session.record.game
    heard: list[TableRecord] = []
    sessions.subscribe(heard.append)
    store.database.in_doubt = iter([True])
    with pytest.raises(OutcomeUnknown):
        await sessions.set_substitute(game, (Seat(1),), Level.STEADY)
    await sessions.move(game, ADA.user, Resign)
    await asyncio.sleep(_RETRIED)
    assert [each.status for each in heard] == [Status.OVER]


@leaping
async def test_who_looks_at_the_game_ends_the_pause_before_the_comparison() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    game = session.record.game
    store.database.in_doubt = iter([True])
    with pytest.raises(OutcomeUnknown):
        await sessions.move(game, ADA.user, Resign)
    store.broken = True
    await asyncio.sleep(10.0)
    store.broken = False
    news.games.clear()
    await sessions.get(game)
    await asyncio.sleep(0.1)
    assert news.games == [game]


@leaping
async def test_a_cut_of_unknown_outcome_after_a_move_is_heard_of_after_the_move() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store)
    game, heard = session.record.game, list[int]()
    for person in (ADA, BEN):
        await store.prefer(person.user, always_cut=True)
    hands = {seat: session.game.view(seat).hand for seat in session.game.table.waiting_for}
    await sessions.move(game, ADA.user, lambda seat: Discard(seat, hands[seat][:2]))
    sessions.subscribe(lambda record: heard.append(record.version))
    store.database.in_doubt = iter([None, True])
    await sessions.move(game, BEN.user, lambda seat: Discard(seat, hands[seat][:2]))
    await asyncio.sleep(_RETRIED)
    moved = next(number for number, each in enumerate(store.log_of(game)) if isinstance(each, StarterCut))
    assert heard == [moved, len(store.log_of(game))]


@leaping
async def test_a_change_that_was_cancelled_and_stands_is_heard_of() -> None:
    store = MemoryStore()
    sessions, _, session, news = await sit_down(store)
    news.games.clear()

    async def write_and_hang() -> None:
        store.database.delay = 1.0
        await sessions.move(session.record.game, ADA.user, Resign)

    moving = asyncio.create_task(write_and_hang())
    await asyncio.sleep(0.5)
    store.database.delay = 0.0
    await store.call_off(session.record.game)  # as the move would have done, had it been quicker
    moving.cancel()
    await asyncio.wait([moving])
    await asyncio.sleep(_RETRIED)
    assert news.games == [session.record.game]


@leaping
async def test_the_process_that_owns_the_table_hears_of_a_change_of_unknown_outcome_elsewhere() -> None:
    store = MemoryStore()
    _, _, session, _ = await sit_down(store)
    other, _, news = room_of(store, seed=7)
    passed_on: list[TableRecord] = []
    other.share(lambda _: True, passed_on.append)
    await changed(store, other.move(session.record.game, ADA.user, Resign), stands=True)
    assert passed_on == [await store.table(session.record.game)]
    assert news.games == []
