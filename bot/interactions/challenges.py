"""The actions on challenges: declining one, declining all of a person's, and undoing that.

*Not now* holds for a day, and for longer each time (`bot.store.declined`), so that nobody is called again and
again.
Declining for good blocks one challenger, as people expect from a button below a name; friends can still
challenge the user. `/crib-data privacy` declines all challenges, or accepts all again.
"""

from __future__ import annotations

import logging
import math

from bot.interactions.answering import Answer
from bot.interactions.hand_panel import is_private
from bot.interactions.table_actions import TableActions
from bot.model.table_record import TableRecord
from bot.render.messages.declined import declined_drawing, declined_line, declined_there_line
from bot.store import Store
from bot.sync.direct_messages import DirectMessages
from bot.sync.discord_errors import TROUBLE, described
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions

log = logging.getLogger(__name__)


class Challenges:
    """The actions on challenges."""

    def __init__(
        self,
        tables: TableActions,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        direct_messages: DirectMessages,
    ) -> None:
        self._tables = tables
        self._direct_messages = direct_messages
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies

    async def decline(self, answer: Answer, game: str) -> None:
        """Decline this challenge and, for a time, further ones of its challenger, who is notified in private.

        The table opens to everybody. From the host it takes the challenge back. The answer offers to decline
        for good. Raises what `Lobbies.decline` raises.
        """
        record = await self._lobbies.decline(game, answer.user)
        if answer.user == record.host:
            self._tables.sync.queue.schedule(game)
            await answer.reply(answer.voice.gettext("The held seat is free for everybody now."))
            return
        declined = await self._store.declined_until(answer.user, record.host)
        until = math.inf if declined is None else declined
        try:
            await self._show(answer, record, record.host, for_good=None, until=until)
        finally:
            self._tables.sync.queue.schedule(game)
        await self._tell_challenger(record, answer.interaction.user.display_name, until)

    async def decline_for_good(self, answer: Answer, game: str, challenger: int) -> None:
        """Block challenges from that person, who is not notified.

        Their lobbies that invite the user open to everybody, as later ones will.
        """
        for opened in await self._lobbies.decline_for_good(answer.user, challenger):
            self._tables.sync.queue.schedule(opened)
        record = await self._sessions.record(game)
        await self._show(answer, record, challenger, for_good=True)

    async def accept(self, answer: Answer, game: str, challenger: int) -> None:
        """Accept that person's challenges again."""
        await self._store.accept(answer.user, challenger)
        record = await self._sessions.record(game)
        await self._show(answer, record, challenger, for_good=False)

    async def _show(
        self,
        answer: Answer,
        record: TableRecord,
        challenger: int,
        *,
        for_good: bool | None,
        until: float = math.inf,
    ) -> None:
        drawing = declined_drawing(record, challenger, answer.voice, for_good=for_good, until=until)
        if is_private(answer.interaction, record):
            await self._tables.hand_panel.redraw(answer, record.game, drawing)
        else:
            await answer.show(drawing)

    async def _tell_challenger(self, record: TableRecord, name: str, until: float) -> None:
        """Notify the challenger as a follow-up to their command; by DM once its token has expired.

        A token lasts fifteen minutes and lives in this process; a lobby lasts an hour and survives a restart.
        A DM needs no stored state, and is silent since the game waits for nobody.
        """
        challenger = self._tables.challengers.get(record.game)
        try:
            if challenger is not None and challenger.is_alive:
                await challenger.reply(declined_line(name, challenger.voice, until=until))
                return
            language = (await self._store.preferences(record.host)).language or record.language
            voice = self._tables.sync.voices.of(language)
            line = declined_there_line(name, record.channel, voice, until=until)
            await self._direct_messages.say_quietly(record.host, line)
        except TROUBLE as error:
            log.info("a challenger could not be told that somebody declined: %s", described(error))
