"""Mentions of players in slow games."""

from __future__ import annotations

from discord.utils import utcnow

from bot.model.table_record import Agreement, Pace
from bot.sync.plan import Known, Mention, Person, plan
from bot.sync.snapshots import snapshot_of
from engine import Stage
from engine.computer import plain_move
from tests.bot.seating import sit_down
from tests.bot.store.memory import MemoryStore


async def test_a_player_of_a_slow_game_is_called_to_their_turn_and_nobody_while_a_show_is_read() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(pace=Pace.SLOW))
    known = Known(posts={}, now=utcnow(), people=(Person(idle=1000.0),) * 2, mention_after=120.0)
    called: dict[Stage, list[int]] = {}
    while session.game.table.stage is not Stage.DEALING:
        seat = session.game.table.waiting_for[0]
        move = plain_move(session.game.view(seat))
        await sessions.move(
            session.record.game, session.record.occupants[seat].user or 0, lambda _, move=move: move
        )
        items = plan(session.record, snapshot_of(session), known)
        to = [item.line.user for item in items if isinstance(item, Mention)]
        waiting = [session.record.occupants[seat].user for seat in session.game.table.waiting_for]
        assert to == ([] if session.game.table.stage is Stage.DEALING else waiting)
        called[session.game.table.stage] = to

    assert set(called) == {Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.DEALING}
