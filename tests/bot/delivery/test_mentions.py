"""Whom a slow game calls to the table, and when it calls nobody."""

from __future__ import annotations

from typing import Any

from bot.background.autoplay import plain_move
from bot.delivery.mentions import Mentions
from bot.delivery.ringing import Ringing
from bot.delivery.snapshots import snapshot_of
from bot.model.table_record import Agreement, Pace
from bot.render.text.voice import Voice
from engine import Stage
from tests.bot.seating import sit_down
from tests.bot.store.memory import MemoryStore


class Said:
    """Stands in for the posts of a game: records who is called."""

    def __init__(self) -> None:
        self.to: list[int] = []

    def all(self, _: object) -> list[object]:
        return []

    def get(self, *_: object, **__: object) -> None:
        return None

    async def say(self, _text: str, user: int, *_: object, **__: object) -> None:
        self.to.append(user)


async def test_a_player_of_a_slow_game_is_called_to_their_turn_and_nobody_while_a_show_is_read() -> None:
    sessions, _, session, _ = await sit_down(MemoryStore(), Agreement.of(pace=Pace.SLOW))
    now = 0.0
    mentions = Mentions(120, Ringing(180, clock=lambda: now), clock=lambda: now)
    now = 1000.0
    called: dict[Stage, list[int]] = {}
    while session.game.table.stage is not Stage.DEALING:
        seat = session.game.table.waiting_for[0]
        move = plain_move(session.game.view(seat))
        await sessions.move(
            session.record.game, session.record.occupants[seat].user or 0, lambda _, move=move: move
        )
        posts: Any = Said()
        await mentions.call(snapshot_of(session), posts, Voice(), None)
        waiting = [session.record.occupants[seat].user for seat in session.game.table.waiting_for]
        assert posts.to == ([] if session.game.table.stage is Stage.DEALING else waiting)
        called[session.game.table.stage] = posts.to

    assert set(called) == {Stage.DISCARDING, Stage.CUTTING, Stage.PLAYING, Stage.DEALING}
