"""The actions on the user's own data: see it, hide it, export it as files, delete it."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import discord

from bot.interactions.answering import Answer
from bot.interactions.cooldowns import Cooldowns
from bot.model.errors import AlreadyBegun, DamagedGame, NoTable, NotAtTable, NotSeated, StaleGame
from bot.model.table_record import Status
from bot.render.drawing import Drawing
from bot.render.messages.privacy import (
    EXPORT_GOES_ON,
    EXPORT_SENT,
    EXPORTED,
    ask_to_forget_drawing,
    forgetting_drawing,
    forgotten_drawing,
    kept_drawing,
    privacy_drawing,
)
from bot.standings.forgetting import forget_to_the_end
from bot.standings.projection import Projection
from bot.standings.protocol import PeopleData
from bot.store import Store
from bot.sync.discord_errors import Request, done_after
from bot.sync.parts import Sync
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import EngineError, Resign

log = logging.getLogger(__name__)

_ATTEMPTS = 3
"""Attempts to leave all open tables before a deletion, as the user may join one concurrently."""
_FILES = 10
"""Discord's limit of files in a message."""
_PAUSE = 600.0
"""Cooldown (s) of exports, and of deletions, per person."""


class OwnData:
    """The actions behind `/crib-data` and its buttons."""

    def __init__(
        self,
        people: PeopleData,
        projection: Projection,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        *,
        sync: Sync,
    ) -> None:
        self.sync = sync
        self._projection = projection
        self._people = people
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies
        self._exports = Cooldowns(_PAUSE)
        self._deletions = Cooldowns(_PAUSE)

    async def privacy(self, answer: Answer, *, hide: bool | None) -> None:
        """Show the stored data and its purpose; `hide` takes the user off leaderboards, or restores them."""
        if hide is not None:
            await self._people.set_hidden(answer.user, hidden=hide)
        await answer.show(await self._privacy(answer))

    async def take_challenges(self, answer: Answer, *, take: bool) -> None:
        """Accept all challenges again, or decline all from now on."""
        if take:
            await self._store.accept(answer.user, None)
        else:
            for game in await self._lobbies.decline_for_good(answer.user, None):
                self.sync.queue.schedule(game)
        await answer.redraw(await self._privacy(answer))

    async def _privacy(self, answer: Answer) -> Drawing:
        hidden = await self._people.is_hidden(answer.user)
        declined = await self._store.declined(answer.user)
        return privacy_drawing(answer.voice, hidden=hidden, declined=declined)

    async def export(self, answer: Answer) -> None:
        """Send the user's stored data by DM, or as an ephemeral answer if DMs are closed.

        Raises `TooSoon`.
        """
        with self._exports.once(answer.user):
            await answer.defer()
            await self._projection.flush()
            directory = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="fifteen-two-")
            try:
                await self._send(answer, await self._people.export(answer.user, Path(directory.name)))
            finally:
                await asyncio.to_thread(directory.cleanup)

    async def _send(self, answer: Answer, files: Sequence[Path]) -> None:
        """Send the files of an export in as few messages as Discord's limits allow."""
        is_dm_open = True
        for first in range(0, len(files), _FILES):
            some = files[first : first + _FILES]
            sentence = answer.voice.gettext(EXPORT_GOES_ON if first else EXPORTED)
            if is_dm_open:
                try:
                    with _opened(some) as opened:
                        await answer.interaction.user.send(sentence, files=opened)
                    continue
                except discord.HTTPException as error:
                    if done_after(Request.DM_OPENING, error) is None:
                        raise
                    is_dm_open = False
            with _opened(some) as opened:
                await answer.reply(sentence, opened)
        if is_dm_open:
            await answer.reply(answer.voice.gettext(EXPORT_SENT))

    async def ask_to_forget(self, answer: Answer) -> None:
        """Ask the user to confirm the deletion of their data."""
        tables = await self._people.open_games(answer.user)
        await answer.show(ask_to_forget_drawing(len(tables), answer.voice))

    async def keep(self, answer: Answer) -> None:
        """Cancel the deletion."""
        await answer.redraw(kept_drawing(answer.voice))

    async def forget(self, answer: Answer) -> None:
        """Leave the lobbies, resign the games in play, and anonymize the user in all that remains.

        Raises `TooSoon`.
        """
        with self._deletions.once(answer.user):
            await answer.redraw(forgetting_drawing(answer.voice))
            await self._forget(answer.user)
            await answer.redraw(forgotten_drawing(answer.voice))

    async def forget_ordered(self) -> None:
        """Delete the data of those whom the owner orders to forget, or whom an older copy brought back."""
        for user in await self._people.ordered():
            await self._forget(user)
            log.info("somebody's data was deleted, as was ordered")

    async def _forget(self, user: int) -> None:
        left: set[str] = set()
        for _ in range(_ATTEMPTS):
            tables = await self._people.open_games(user)
            if not tables:
                break
            left.update(tables)
            for game in tables:
                await self._take_leave(game, user)
        await self._projection.flush()
        for game in await self._people.forget(user):
            await self._sessions.changed_elsewhere(game)
        for game in left:
            self.sync.queue.schedule(game)
        await forget_to_the_end(self._people, self._sessions.forget)
        await self._people.keep_deletions()

    async def _take_leave(self, game: str, user: int) -> None:
        """Leave the lobby, or resign the game; the deletion calls off a game that cannot be left."""
        try:
            if (await self._store.table(game)).status is Status.GATHERING:
                await self._lobbies.leave(game, user)
            else:
                await self._sessions.move(game, user, Resign)
        except (AlreadyBegun, DamagedGame, NoTable, NotAtTable, NotSeated, StaleGame) as error:
            log.info("%s changed while somebody left: %s", game, type(error).__name__)
        except EngineError as error:
            log.warning("%s cannot be resigned, and is called off: %s", game, type(error).__name__)


@contextmanager
def _opened(paths: Sequence[Path]) -> Iterator[list[discord.File]]:
    """The files, opened for streaming and closed after they are sent."""
    with ExitStack() as stack:
        files = []
        for path in paths:
            file = discord.File(path)
            stack.callback(file.close)
            files.append(file)
        yield files
