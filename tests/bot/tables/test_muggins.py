"""A game with muggins at a price, from the lobby's rules to its result, as people play it over sessions."""

from __future__ import annotations

from random import Random

from bot.model.rule_settings import Setting, changed
from bot.model.table_record import Agreement, Status
from bot.tables.sessions import Session, Sessions
from engine import (
    MOST_AT_SHOW,
    CallMuggins,
    Chance,
    CountAloud,
    Game,
    MugginsCalled,
    OwnMove,
    Pegged,
    PlayCard,
    Reason,
    Seat,
)
from engine.computer import Level, calls_muggins, choose
from tests.bot.seating import sit_down
from tests.bot.store.memory import MemoryStore

ADA, BEN = Seat(0), Seat(1)


async def test_a_game_with_a_price_is_played_from_the_lobbys_rules_to_its_end() -> None:
    """Ada claims too much now and then, Ben calls muggins falsely now and then, and both are paid for."""
    store, random = MemoryStore(), Random(5)
    agreement = changed(Agreement.of(preset="short"), Setting.COUNTING, "muggins")
    sessions, _, session, _ = await sit_down(store, agreement)
    asked_after_too_much = 0
    while not session.game.is_over:
        for seat in (ADA, BEN):
            if not session.game.is_over and calls_muggins(session.game.view(seat), Level.EXPERT):
                await made(sessions, session, seat, choose(session.game.view(seat), Level.EXPERT, seed=1))
        if session.game.is_over:
            break
        seat = session.game.table.waiting_for[0]
        kinds = session.game.legal_moves(seat).kinds
        move = choose(session.game.view(seat), Level.STEADY, seed=1)
        if seat == BEN and CallMuggins in kinds and random.random() < 0.3:
            move = CallMuggins(BEN, 1)
        if seat == ADA and random.random() < 0.3:
            move = with_most(move)
        before = session.game.version
        await made(sessions, session, seat, move)
        if prices(session.game, before) and isinstance(move, PlayCard | CountAloud):
            open_now = session.game.table.open_counts
            asked_after_too_much += any(each.seat == seat and each.called > 12 for each in open_now)

    paid = prices(session.game)
    false = [event for event in session.game.log if isinstance(event, MugginsCalled) and not event.taken]
    assert agreement.rules.wrong_claims == 2
    assert {event.points for event in paid} == {2}
    assert {event.seat for event in paid} == {ADA, BEN}, "Ben is paid for claims, Ada for false calls"
    assert sum(event.seat == ADA for event in paid) == len(false)
    assert asked_after_too_much == 0
    assert session.record.status is Status.OVER
    assert store.log_of(session.record.game) == session.game.log
    replayed = Game.replay(session.game.log, chance=Chance(Random(1)), doubted=True)
    assert replayed.table == session.game.table


async def made(sessions: Sessions, session: Session, seat: Seat, move: OwnMove) -> None:
    user = session.record.occupants[seat].user or 0
    await sessions.move(session.record.game, user, lambda _: move)


def with_most(move: OwnMove) -> OwnMove:
    """The move, claiming more than anything is worth."""
    match move:
        case PlayCard(seat, card, int()):
            return PlayCard(seat, card, 14)
        case CountAloud(seat):
            return CountAloud(seat, MOST_AT_SHOW)
        case _:
            return move


def prices(game: Game, since: int = 0) -> list[Pegged]:
    """The prices of wrong claims that were pegged."""
    return [
        event
        for event in game.log[since:]
        if isinstance(event, Pegged) and any(score.reason is Reason.WRONG_CLAIM for score in event.scores)
    ]
