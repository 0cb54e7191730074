"""Reviews: of which games, by whom, and without a remark of the coach."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.features.coaching.actions import CoachingActions
from bot.features.coaching.custom_ids import ChoicesId
from bot.features.coaching.errors import CoachRefusal
from bot.features.coaching.review import ReviewPage
from bot.model.errors import NotFinished, NotPlayed, NotSeated
from bot.model.table_record import Agreement, Status
from bot.tables.sessions import Session
from bot.tables.worker import Worker
from engine import Discard, GameIsOver, NotCoached, Resign
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.refusing import refused as refuses
from tests.bot.render.games import custom_ids
from tests.bot.seating import ADA, BEN, CLEO, cut_for_deal, play_out


class Inline(Worker):
    """Thinks where it stands."""

    async def run(self, work: Any, *args: Any) -> Any:  # type: ignore[override]
        return work(*args)


async def played(*, out: bool = True) -> tuple[Room, Session, CoachingActions]:
    room, session = await Room.game(Agreement.of(target=31, hints=True))
    if out:
        await play_out(room.sessions, session)
    return room, session, CoachingActions(room.tables, room.store, Inline())


@pytest.mark.parametrize(("guild", "channel"), [(10, 20), (None, DM)])
async def test_the_last_game_is_the_channel_s_or_by_dm_any(guild: int | None, channel: int) -> None:
    _, _, coaching = await played()
    answer = asked_by(ADA, guild=guild, channel=channel)
    await coaching.last_review(answer)
    [(way, said)] = given(answer)
    assert way == "show"
    assert "You won" in said


async def test_in_another_channel_there_is_no_game_to_look_back_on() -> None:
    _, _, coaching = await played()
    with pytest.raises(NotFinished) as refused:
        await coaching.last_review(asked_by(ADA, channel=21))
    assert refused.value.record is None


async def test_a_game_is_not_looked_back_on_while_it_is_played_nor_by_others() -> None:
    _, session, coaching = await played(out=False)
    with pytest.raises(NotFinished) as refused:
        await coaching.review(asked_by(ADA, pressed=True), session.record.game, None)
    assert refused.value.record == session.record

    _, session, coaching = await played()
    with pytest.raises(NotPlayed):
        await coaching.review(asked_by(CLEO, pressed=True), session.record.game, None)


async def test_a_page_is_turned_in_place_without_thinking_again() -> None:
    room, session, coaching = await played()
    first, second = (asked_by(BEN, pressed=True) for _ in range(2))
    await coaching.review(first, session.record.game, None)
    log = room.store.log = AsyncMock()  # type: ignore[method-assign]
    await coaching.review(second, session.record.game, ReviewPage(1))
    assert [way for way, _ in given(first)] == ["show"]
    assert given(second) == []
    assert room.redrawn
    log.assert_not_awaited()


async def test_a_game_that_ends_while_a_hint_is_asked_for_has_no_hint() -> None:
    room, session, coaching = await played(out=False)
    asked = room.tables.lookup.table

    async def ends_meanwhile(interaction: Any) -> Any:
        record = await asked(interaction)
        await room.sessions.move(record.game, BEN.user, Resign)
        return record

    room.tables.lookup.table = ends_meanwhile  # type: ignore[method-assign]
    with pytest.raises(GameIsOver):
        await coaching.hint(asked_by(ADA))
    assert (await room.store.table(session.record.game)).status is Status.OVER


async def test_a_hint_s_figures_are_shown_while_its_decision_is_open() -> None:
    room, session, coaching = await played(out=False)
    game = session.record.game
    await cut_for_deal(room.sessions, session)
    hint, figures = asked_by(ADA), asked_by(ADA, pressed=True)
    await coaching.hint(hint)
    assert "[All 15]" in given(hint)[0][1]
    at = ChoicesId(game, 1, 6)
    assert str(at) in custom_ids(hint.show.await_args.args[0])
    await coaching.choices(figures, at)
    [(way, said)] = given(figures)
    assert way == "show"
    assert len(said[said.index("```") : said.rindex("```")].splitlines()) == 17

    for other in (ChoicesId(game, 2, 6), ChoicesId(game, 1, 4)):
        with refuses(CoachRefusal.CHOICE_MADE):
            await coaching.choices(asked_by(ADA, pressed=True), other)
    with pytest.raises(NotSeated):
        await coaching.choices(asked_by(CLEO, pressed=True), at)
    session = await room.sessions.get(game)
    given_away = session.game.view(session.seat_of(ADA.user)).hand[:2]
    await room.sessions.move(game, ADA.user, lambda seat: Discard(seat, given_away))
    with refuses(CoachRefusal.CHOICE_MADE):
        await coaching.choices(asked_by(ADA, pressed=True), at)


async def test_a_table_without_hints_has_no_figures_either() -> None:
    room, session = await Room.game(Agreement.of(target=31))
    await cut_for_deal(room.sessions, session)
    coaching = CoachingActions(room.tables, room.store, Inline())
    with refuses(CoachRefusal.NO_HINTS):
        await coaching.choices(asked_by(ADA, pressed=True), ChoicesId(session.record.game, 1, 6))


@pytest.mark.parametrize("preset", ["lowball", "five_card", "shotgun"])
async def test_the_coach_says_of_a_game_that_it_does_not_know_it(preset: str) -> None:
    length = 61 if preset != "shotgun" else None
    room, session = await Room.game(Agreement.of(preset=preset, hints=True, target=length))
    coaching = CoachingActions(room.tables, room.store, Inline())
    await cut_for_deal(room.sessions, session)
    knows = preset != "lowball"

    async def asked(work: Any) -> None:
        if knows:
            await work
        else:
            with pytest.raises(NotCoached):
                await work

    await asked(coaching.hint(asked_by(ADA)))
    await play_out(room.sessions, session)
    await asked(coaching.review(asked_by(ADA, pressed=True), session.record.game, None))
