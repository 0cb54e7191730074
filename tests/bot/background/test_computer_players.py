"""The computer's seats: its moves, their timing, and that it never moves twice or for nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from unittest.mock import AsyncMock

import pytest

from bot.background.computer_players import Computers
from bot.background.next_deal import NextDeal
from bot.concurrency.keyed_tasks import KeyedTasks
from bot.model.errors import BotError, NoComputer, NoTable, NotAtTable, TableFull
from bot.model.table_record import Agreement, Occupant, Status, away, computer_at
from bot.tables.presence import Presence
from bot.tables.sessions import Session, Sessions
from bot.tables.worker import Worker
from engine import (
    CallMuggins,
    ClaimGame,
    ComputerChanged,
    Deal,
    Discard,
    LetStand,
    LogError,
    MugginsCalled,
    PlayCard,
    Resign,
    Seat,
    Stage,
    StandIn,
    WrongPhase,
)
from engine.computer import PLAYER, Level, choose, plain_move
from engine.duties import has_to_move, move_of
from engine.fair.computers import computers_are_blind
from tests.bot.decks import secrets
from tests.bot.seating import ADA, BEN, CLEO, cut_for_deal, desert, opened, room_of, sit_down
from tests.bot.store.memory import MemoryStore
from tests.patience import PATIENCE


async def until(is_so: Callable[[], bool], patience: float = PATIENCE) -> None:
    async with asyncio.timeout(patience):
        while not is_so():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.005)


def computers_of(sessions: Sessions, *, pace: float = 0.0, rests: bool = False) -> Computers:
    """The computer at those tables, notified of every change."""
    presence = Presence()
    if rests:
        presence.listed(0, ())
    computers = Computers(sessions, Worker(), presence, KeyedTasks(passing=(BotError,)), pace=pace)
    sessions.subscribe(computers.on_change)
    return computers


async def alone(
    store: MemoryStore, agreement: Agreement, level: Level = Level.STEADY, pace: float = 0.0
) -> tuple[Sessions, Computers, Session]:
    """Ada alone against computers."""
    sessions, lobbies, _ = room_of(store)
    record = await opened(lobbies, agreement=agreement, computers=level)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    computers = computers_of(sessions, pace=pace)
    computers.on_change(session.record)
    return sessions, computers, session


@pytest.mark.parametrize(
    "agreement",
    [
        Agreement.of(preset="short"),
        Agreement.of(preset="short", players=3),
        Agreement.of(preset="short", players=4),
        Agreement.of(preset="family", target=61, muggins=True, aloud=True),
        Agreement.of(preset="short", players=4, muggins=True, aloud=True),
    ],
    ids=lambda agreement: f"{agreement.preset}-{agreement.players}",
)
async def test_a_person_plays_alone_and_the_computer_never_claims_or_resigns(agreement: Agreement) -> None:
    store, random = MemoryStore(), Random(1)
    sessions, computers, session = await alone(store, agreement, Level.BEGINNER)
    sessions.subscribe(NextDeal(sessions, Presence(), computers._tasks, pause=0).on_change)
    game = session.record.game
    async with asyncio.timeout(60):
        while not session.game.is_over:
            moves = [
                move
                for move in session.game.legal_moves(Seat(0))
                if not isinstance(move, CallMuggins | ClaimGame | Deal)  # it is dealt by itself
                and (not isinstance(move, PlayCard) or not move.points)
            ]
            if Seat(0) in session.game.table.waiting_for and moves:
                made = random.choice(moves)
                with suppress(WrongPhase):  # a computer was quicker: their partner let it stand, for one
                    await sessions.move(game, ADA.user, lambda _, made=made: made)
            else:
                await asyncio.sleep(0.001)
    await computers._tasks.close()

    assert session.game.table.result is not None
    assert session.game.table.absences == (0,) * agreement.players
    assert store.log_of(game) == session.game.log


async def test_discarding_goes_on_side_by_side_and_takes_longer_than_a_card() -> None:
    _, computers, session = await alone(MemoryStore(), Agreement.of(players=4), pace=0.4)
    loop = asyncio.get_running_loop()
    began = loop.time()

    await until(lambda: sum(session.game.table.has_discarded) == 3)
    took = loop.time() - began
    await computers._tasks.close()

    assert not session.game.table.has_discarded[0], "a person is never waited for, nor moved for"
    assert took >= 0.4 * 1.8


async def test_the_same_position_is_played_alike_after_a_restart_and_only_once() -> None:
    store = MemoryStore()
    sessions, computers, session = await alone(store, Agreement(), Level.EXPERT, pace=30)
    game, view = session.record.game, session.game.view(Seat(1))
    first = move_of(view, Level.EXPERT, session.seed_of(Seat(1)))
    await computers._tasks.close()

    again, _, _ = room_of(store)
    restarted = computers_of(again)
    restarted.on_change(session.record)
    moved = await again.get(game)
    await until(lambda: moved.game.table.has_discarded[1])
    await restarted._tasks.close()
    assert isinstance(first, Discard)
    assert moved.game.view(Seat(1)).discarded == first.cards

    version = moved.game.version
    await again.move_for(game, Discard(Seat(1), view.hand[:2]), version=version - 1)
    assert moved.game.version == version
    await sessions.move_for(game, first)  # it has read what has happened meanwhile
    assert (await sessions.get(game)).game.version == version


async def test_nobody_moves_at_a_table_that_rests() -> None:
    store = MemoryStore()
    _, computers, session = await alone(store, Agreement(), pace=30)
    await computers._tasks.close()
    sessions, _, _ = room_of(store)
    resting = computers_of(sessions, rests=True)
    resting.on_change(session.record)
    await until(lambda: not len(resting._tasks))
    await resting._tasks.close()

    assert (await sessions.get(session.record.game)).game.table.has_discarded == (False, False)


async def test_the_computer_waits_at_a_table_that_everybody_has_left() -> None:
    sessions, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, agreement=Agreement.of(players=3))
    await lobbies.join(record.game, BEN)
    await lobbies.add_computer(record.game, ADA.user, Level.BEGINNER)
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    await desert(sessions, session)
    while not session.record.computers & set(session.game.table.waiting_for):
        move = plain_move(session.game.view(session.game.table.waiting_for[0]))
        await sessions.move_for(record.game, move if isinstance(move, Deal) else StandIn(move))
    computers, version = computers_of(sessions), session.game.version
    computers.on_change(session.record)
    await until(lambda: not len(computers._tasks))
    assert session.game.version == version

    await sessions.back_in_play(record.game, BEN.user)
    await until(lambda: session.game.version > version + 1)
    await computers._tasks.close()


async def test_a_store_that_fails_is_tried_again() -> None:
    store = MemoryStore()
    _, computers, session = await alone(store, Agreement(), pace=0.1)
    store.broken = True
    await asyncio.sleep(0.4)
    assert not session.game.table.has_discarded[1]
    store.broken = False

    await until(lambda: session.game.table.has_discarded[1])
    await computers._tasks.close()


async def test_a_person_who_is_covered_is_back_with_his_first_touch() -> None:
    store = MemoryStore()
    sessions, _, session, _ = await sit_down(store, Agreement.of(players=3))
    game = session.record.game
    computers = computers_of(sessions)
    for seat in (1, 2):
        for _ in range(3):
            view = session.game.view(Seat(seat))
            await sessions.move_for(game, StandIn(Discard(Seat(seat), (*view.hand, *view.discarded)[:1])))
    assert away(session.record, session.game.table.absences) == (1, 2)

    await sessions.set_substitute(game, (Seat(1),), Level.EXPERT)
    assert away(session.record, session.game.table.absences) == (2,)
    assert session.record.names == ("Ada", "🤖 Expert for Ben", "Cleo")
    assert (session.record.people, session.record.computers) == ({0, 2}, {1})
    await sessions.move(game, ADA.user, lambda seat: Discard(seat, session.game.view(seat).hand[:1]))
    cutter = session.game.table.waiting_for
    assert session.game.table.stage is Stage.CUTTING

    back = await sessions.back_in_play(game, BEN.user)
    await computers._tasks.close()
    assert back.record.names == ("Ada", "Ben", "Cleo")
    assert (await store.table(game)).computers == frozenset()
    stale = session.game.version
    await sessions.move_for(game, session.game.legal_moves(cutter[0]).moves[-1], version=stale)
    assert session.game.version == stale, "what the computer chose before is not played for them now"


async def test_computers_sit_down_are_told_apart_and_leave_in_turn() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, agreement=Agreement.of(players=4))
    for level in (Level.EXPERT, Level.STEADY, Level.EXPERT):
        record = await lobbies.add_computer(record.game, ADA.user, level)

    assert record.names == ("Ada", "🤖 Expert", "🤖 Steady", "🤖 Expert 2")
    with pytest.raises(TableFull):
        await lobbies.add_computer(record.game, ADA.user, Level.STEADY)
    with pytest.raises(NotAtTable):
        await lobbies.remove_computer(record.game, BEN.user)
    for left in (3, 2, 1):
        record = await lobbies.remove_computer(record.game, ADA.user)
        assert len(record.occupants) == left
    with pytest.raises(NoComputer):
        await lobbies.remove_computer(record.game, ADA.user)


async def test_no_table_is_the_computers_alone() -> None:
    _, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, agreement=Agreement.of(players=3))
    await lobbies.add_computer(record.game, ADA.user, Level.EXPERT)
    await lobbies.join(record.game, BEN)

    left = await lobbies.leave(record.game, ADA.user)
    assert (left.host, left.status) == (BEN.user, Status.GATHERING)
    assert (await lobbies.leave(record.game, BEN.user)).status is Status.CANCELLED


async def test_a_rematch_with_people_waits_for_them_and_computers_come_along() -> None:
    sessions, lobbies, _ = room_of(MemoryStore())
    record = await opened(lobbies, agreement=Agreement.of(players=3))
    await lobbies.add_computer(record.game, ADA.user, Level.EXPERT)
    record = await lobbies.join(record.game, BEN)
    await lobbies.start(record.game, ADA.user)
    await sessions.move(record.game, ADA.user, Resign)

    again = await lobbies.rematch(record.game, BEN)
    assert (again.status, again.names) == (Status.GATHERING, ("Ben", "🤖 Expert"))
    begun = await lobbies.join(again.game, ADA)
    assert (begun.status, begun.occupants) == (Status.PLAYING, record.occupants)


def test_a_computer_is_no_person() -> None:
    computer = computer_at(Level.BEGINNER, (ADA, CLEO))
    assert (computer.user, computer.person, computer.name) == (None, None, "🤖 Beginner")
    assert Occupant(7, "Ben", Level.STEADY).person is None


async def test_muggins_is_called_in_the_play_only_for_what_was_missed() -> None:
    _, _, session, _ = await sit_down(
        MemoryStore(), Agreement.of(players=3, muggins=True, aloud=True), seed=3
    )
    game, said = session.game, set()
    random = Random(5)
    while not game.is_over and game.version < 4_000:
        for seat in map(Seat, range(3)):
            view = game.view(seat)
            if CallMuggins in view.legal_moves.kinds and seat not in view.table.waiting_for:
                said.add(is_due := has_to_move(view, Level.EXPERT))
                if is_due:
                    before = game.version
                    game.apply(choose(view, Level.EXPERT, seed=1))
                    taken = [event for event in game.log[before:] if isinstance(event, MugginsCalled)]
                    assert taken, "what it calls was missed"
                    assert all(event.taken == event.called for event in taken)
        if game.is_over:
            break
        seat = game.table.waiting_for[0]
        moves = [
            move
            for move in game.legal_moves(seat)
            if not isinstance(move, CallMuggins)
            and (not isinstance(move, PlayCard) or (move.points or 0) in {0, 2})
        ]
        calm = [move for move in moves if isinstance(move, LetStand)] or moves
        game.apply(random.choice(calm))
    assert True in said


@pytest.mark.parametrize(
    ("error", "level", "said"),
    [
        (NoTable(), "INFO", "was called off while the computer thought"),
        (LogError("nobody can discard 5H"), "ERROR", "LogError"),
    ],
)
async def test_a_computer_that_cannot_move_says_so_in_one_line_that_names_no_card(
    error: Exception,
    level: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    sessions, computers, session = await alone(MemoryStore(), Agreement())
    await computers._tasks.close()
    monkeypatch.setattr(sessions, "get", AsyncMock(side_effect=error))
    with caplog.at_level("INFO"):
        await computers._play(session.record.game)
    [record] = caplog.records
    assert (record.levelname, record.exc_info) == (level, None)
    assert said in record.getMessage()
    assert "5H" not in record.getMessage()


async def test_nothing_is_thought_for_a_person_who_is_back_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions, _, session, _ = await sit_down(MemoryStore())
    computers = computers_of(sessions)
    thinks = AsyncMock()
    monkeypatch.setattr(computers._worker, "run", thinks)
    await computers._move(session.record.game, Seat(1))
    thinks.assert_not_awaited()


async def play_to_the_end(sessions: Sessions, game: str) -> None:
    """Play a game to its end by the computer, which also sits in for Ada."""
    computers = computers_of(sessions)
    sessions.subscribe(NextDeal(sessions, Presence(), computers._tasks, pause=0).on_change)
    session = await sessions.set_substitute(game, (Seat(0),), Level.BEGINNER)
    await until(lambda: session.game.is_over, patience=60)
    await computers._tasks.close()


async def test_a_game_with_an_honest_deck_proves_that_its_computers_were_blind() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secrets=secrets)
    record = await opened(lobbies, agreement=Agreement.of(preset="short"), computers=Level.BEGINNER)
    await play_to_the_end(sessions, record.game)
    proof = await store.proof(record.game)
    assert proof is not None
    assert all(finding.holds for finding in proof.check())
    found = computers_are_blind(proof)
    assert found.holds, found.detail
    moves = sum(each.kind in {"Discarded", "CardPlayed", "StarterCut"} for each in proof.log)
    assert int(found.detail.split()[0]) >= moves > 20
    assert "SubstituteMoved" in {each.kind for each in proof.log}


async def test_an_upgrade_in_the_middle_of_a_game_is_logged_once_before_a_computers_move() -> None:
    store = MemoryStore()
    sessions, lobbies, _ = room_of(store, new_secrets=secrets)
    record = await opened(lobbies, computers=Level.BEGINNER)
    computers, game = computers_of(sessions), record.game
    assert (await sessions.to_think(game)).game.version == len(store.log_of(game))
    assert not any(isinstance(each, ComputerChanged) for each in store.log_of(game))
    store.change(
        "UPDATE decks SET terms = replace(terms, $2, $3) WHERE game = $1",
        *(game, f'"player":"{PLAYER}"', '"player":"1.9"'),
    )
    sessions.forget(game)
    before = store.log_of(game)
    session = await sessions.get(game)
    [due] = [each for each in session.record.computers if each in session.game.table.waiting_for]
    await computers._move(game, due)
    log = store.log_of(game)
    assert log[: len(before) + 1] == (*before, ComputerChanged(PLAYER))
    assert len(log) > len(before) + 1
    await sessions.to_think(game)
    sessions.forget(game)
    await sessions.to_think(game)
    assert store.log_of(game) == log
    await computers._tasks.close()
