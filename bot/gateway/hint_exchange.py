"""Hints between processes about a table: sent to its owner, and received by it.

A hint says that a game has changed, and what the sending process has drawn on its messages while answering.
"""

from __future__ import annotations

from typing import Protocol

from bot.model.errors import BotError
from bot.model.hints import Hint
from bot.sync.parts import Sync
from bot.sync.table_state import TableState
from bot.tables.sessions import Sessions
from engine import Seat


class Hints(Protocol):
    """Sends hints to the other processes."""

    @property
    def member(self) -> int:
        """The number of this process."""

    async def send(self, hint: Hint) -> None:
        """Send the hint to all processes. Raises `StoreUnavailable`."""


class HintExchange:
    """Sends and receives hints for the tables of one process."""

    def __init__(self, hints: Hints, sync: Sync, sessions: Sessions) -> None:
        self._hints = hints
        self._sync = sync
        self._sessions = sessions

    async def forward(self, game: str) -> None:
        """See `Forwarding.forward`. Raises `StoreUnavailable` and keeps the table's state for a retry."""
        state = self._sync.tables.pop(game) or TableState()
        hint = Hint(
            game=game,
            sender=self._hints.member,
            is_to_be_reposted=state.is_to_be_reposted,
            hands_to_repost=tuple(sorted(state.hands_to_repost)),
            pressed=tuple(sorted(state.pressed)),
            drawn=tuple(state.drawn.values()),
        )
        try:
            await self._hints.send(hint)
        except BotError:
            self._sync.tables.put_back(game, state)
            raise
        self._sync.breaker.forget(game)

    async def receive(self, hint: Hint) -> None:
        """Reload a game that another process has changed, and apply the hint. Raises `StoreUnavailable`."""
        game, tables, queue = hint.game, self._sync.tables, self._sync.queue
        posts = tables.posts_in_use(game)
        if posts is not None:
            posts.drawn_elsewhere(hint.drawn)  # at once, before anything else is drawn
        record = await self._sessions.reload(game)
        if record is None:
            return
        if posts is None and hint.drawn:
            # Not in use here, perhaps because the game is over: the other process answered at its end.
            posts = await tables.posts(game)
            posts.drawn_elsewhere(hint.drawn)
        if posts is not None:
            tables.state(game).posts = posts  # until the sync
        for seat in map(Seat, hint.pressed):
            queue.note_turn(game, seat)
            user = record.occupants[seat].user if seat < len(record.occupants) else None
            if user is not None:
                queue.note_move(game, user)
                self._sync.hands.moved_to_dm(game, user)
        if hint.is_to_be_reposted or hint.hands_to_repost:
            state = tables.state(game)
            state.is_to_be_reposted |= hint.is_to_be_reposted
            state.hands_to_repost |= set(map(Seat, hint.hands_to_repost))
        queue.note_press(game)
        queue.schedule(game)

    async def reload(self, game: str) -> None:
        """Reload a game that another process has changed without a hint. Raises `StoreUnavailable`."""
        if await self._sessions.reload(game) is not None:
            self._sync.queue.schedule(game)
