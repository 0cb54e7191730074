"""What the person whom a table calls can do but join it: decline, once or for good, and take that back.

Who declines for good does so for one challenger. That is what people expect of a button under somebody's
name: to be left alone by them, not to be out of reach for friends. All challenges can be declined as well,
away from any name, in `/crib-data privacy`, which takes everything back, too.
"""

from __future__ import annotations

import logging

from bot.delivery.discord_errors import NETWORK, described
from bot.interactions.answering import Answer
from bot.interactions.hand_panel import is_private
from bot.interactions.table_actions import TableActions
from bot.model.table_record import TableRecord
from bot.render.messages.declined import declined_drawing, declined_line
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions

log = logging.getLogger(__name__)


class Challenges:
    """Declining, and taking it back."""

    def __init__(self, tables: TableActions, store: Store, sessions: Sessions, lobbies: Lobbies) -> None:
        self._tables = tables
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies

    async def decline(self, answer: Answer, game: str) -> None:
        """Say no to this challenge: the table stands open, and its challenger is told in private.

        The panel that answers offers to decline for good. Raises what `Lobbies.decline` does.
        """
        record = await self._lobbies.decline(game, answer.user)
        try:
            await self._show(answer, record, record.host, for_good=None)
        finally:
            self._tables.announcer.announce(game)
        await self._tell_challenger(game, answer.interaction.user.display_name)

    async def decline_for_good(self, answer: Answer, game: str, challenger: int) -> None:
        """Take no challenges from that person any more. They are not told: their next one stands open."""
        await self._store.decline(answer.user, challenger)
        record = await self._sessions.record(game)
        await self._show(answer, record, challenger, for_good=True)

    async def accept(self, answer: Answer, game: str, challenger: int) -> None:
        """Take that person's challenges again."""
        await self._store.accept(answer.user, challenger)
        record = await self._sessions.record(game)
        await self._show(answer, record, challenger, for_good=False)

    async def _show(
        self, answer: Answer, record: TableRecord, challenger: int, *, for_good: bool | None
    ) -> None:
        drawing = declined_drawing(record, challenger, answer.voice, for_good=for_good)
        if is_private(answer.interaction, record):
            await self._tables.hand_panel.redraw(answer, record.game, drawing)
        else:
            await answer.show(drawing)

    async def _tell_challenger(self, game: str, name: str) -> None:
        """Tell it below the answer to their command, as long as Discord takes what follows that."""
        challenger = self._tables.challengers.pop(game, None)
        if challenger is None or challenger.interaction.is_expired():
            return  # the lobby has ceased to call anybody, which says as much
        try:
            await challenger.tell(declined_line(name, challenger.voice))
        except NETWORK as error:
            log.info("a challenger could not be told that somebody declined: %s", described(error))
