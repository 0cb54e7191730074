"""Draws parts of a table for answers to presses, with the renderer of the table's own messages."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.messages.last_deal import LastDeal
from bot.render.messages.own_table import Begun
from bot.render.text.voice import Voice
from bot.sync.open_tables import OpenTables
from bot.sync.snapshots import snapshot_of
from bot.sync.table_state import TableState
from bot.sync.table_sync import Services
from bot.tables.sessions import Session
from engine import Seat


class AnswerDrawings:
    """Draws with pictures unless Discord has refused one of the table's."""

    def __init__(self, services: Services, tables: OpenTables) -> None:
        self._renderer = services.renderer
        self._services = services
        self._tables = tables

    async def last_deal(
        self, session: Session, seat: Seat, voice: Voice, *, with_picture: bool
    ) -> LastDeal | None:
        """The last deal's result, which heads a player's message by DM; `None` before there is one."""
        record = session.record
        state = self._tables.get(record.game) or TableState()
        return await self._renderer.last_deals.of(
            state,
            record,
            session.game.table,
            lambda number: snapshot_of(session).deal(number),
            seat=seat,
            voice=voice,
            has_picture=with_picture and self._services.draws_pictures(record) and state.has_pictures_by_dm,
        )

    async def own_table(self, session: Session, begun: Begun, *, with_picture: bool) -> Drawing:
        """The table in its player's own DM, with what they have `begun` on it."""
        state = self._tables.get(session.record.game)
        has_picture = self._services.draws_pictures(session.record) and (state is None or state.has_pictures)
        has_picture = has_picture and with_picture
        snapshot = snapshot_of(session)
        has_lost = state is not None and state.lost_in == snapshot.latest
        return await self._renderer.own_table(
            snapshot, begun, has_picture=has_picture, has_lost_moves=has_lost
        )
