"""What people can ask about finished games and about themselves, by a command or a button.

Figures are answered in private, as one asks for them about oneself. A leaderboard is for everybody: it is
posted, unless the asker hides. Its buttons turn the page for the asker; others get a page of their own.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import discord

from bot.features.stats.custom_ids import PageId, WallId
from bot.features.stats.illustrations import statistics_pictures
from bot.features.stats.leaderboard import leaderboard_drawing, own_places_drawing
from bot.features.stats.player_stats import hidden_drawing, stats_drawing
from bot.features.stats.wall import wall_drawing
from bot.interactions.answering import Answer
from bot.interactions.cooldowns import Pauses
from bot.model.errors import AlreadyBegun, DamagedGame, NoTable, NotAtTable, NotSeated, StaleGame
from bot.model.table_record import Status
from bot.render.drawing import Drawing
from bot.render.messages.players import bot_drawing, elsewhere_drawing
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
from bot.render.text.voice import Voice
from bot.standings.careers import Profile
from bot.standings.forgetting import forget_to_the_end
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.store import Store
from bot.sync.parts import Sync
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import EngineError, Resign

log = logging.getLogger(__name__)

_ATTEMPTS = 3
"""How often the open tables of somebody who goes are looked for: one may be joined meanwhile."""
_FILES = 10
"""The most files of a message, which is Discord's limit."""
_PAUSE = 600.0
"""Seconds between two exports for the same person, and between two deletions."""


class StatsActions:
    """Everything that people can ask for about finished games and about themselves."""

    def __init__(
        self,
        standings: Standings,
        projection: Projection,
        store: Store,
        sessions: Sessions,
        lobbies: Lobbies,
        *,
        sync: Sync,
    ) -> None:
        self.projection = projection
        self.sync = sync
        self._queries = standings.queries
        self._people = standings.people
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies
        self._exports = Pauses(_PAUSE)
        self._deletions = Pauses(_PAUSE)

    async def stats(self, answer: Answer, person: discord.User | discord.Member) -> None:
        """Show a person's figures, in the server where it is asked; in a DM, one's own everywhere."""
        guild, name = answer.interaction.guild_id, person.display_name
        own = person.id == answer.user
        if person.bot:
            await answer.show(bot_drawing(name, answer.voice))
            return
        if guild is None and not own:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        await self.projection.catch_up()
        between = None
        if guild is not None and not own:
            between = await self._queries.rivalry(person.id, answer.user, guild)
        if between is not None and await self._people.is_hidden(person.id):
            await answer.show(hidden_drawing(name, between, answer.voice))
            return
        ratings = await self._queries.ratings(person.id, guild) if guild is not None else {}
        computers = await self._queries.against_computers(person.id, guild)
        career = await self._queries.career(person.id, guild)
        course: tuple[int, ...] = ()
        if guild is not None and ratings:
            course = await self._queries.rating_course(person.id, guild, next(iter(ratings)))
        profile = Profile(career=career, computers=computers, ratings=ratings, rivalry=between, course=course)
        illustrator = self.sync.illustrator
        pictures = (
            await statistics_pictures(profile, illustrator, answer.voice)
            if illustrator and career.games
            else ()
        )
        await answer.show(
            stats_drawing(name, profile, answer.voice, own=own, here=guild is not None, pictures=pictures)
        )

    async def leaderboard(self, answer: Answer, at: PageId) -> None:
        """Post a leaderboard, or show it in private to somebody who hides.

        A DM belongs to no server, and other players are nobody's business there: it shows one's own places.
        """
        if answer.interaction.guild_id is None:
            await answer.show(await self._own_places(answer, at))
            return
        private = await self._people.is_hidden(answer.user)
        drawn = await self._page(answer, at, private=private)
        if private:
            await answer.show(drawn)
        else:
            await answer.post(drawn)

    async def turn(self, answer: Answer, at: PageId) -> None:
        """Turn to another page: in place for the person who asked, in private for everybody else."""
        message = answer.interaction.message
        if answer.user == at.asker:
            private = message is not None and message.flags.ephemeral
            await answer.redraw(await self._page(answer, at, private=private))
            return
        mine = PageId(board=at.board, span=at.span, page=at.page, asker=answer.user)
        await answer.show(await self._page(answer, mine, private=True))

    async def wall(self, answer: Answer, at: WallId) -> None:
        """Post the server's wall, or show it in private to somebody who hides; a DM has none."""
        guild = answer.interaction.guild_id
        if guild is None:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        drawn = await self._wall(guild, at, answer.voice)
        if await self._people.is_hidden(answer.user):
            await answer.show(drawn)
        else:
            await answer.post(drawn)

    async def turn_wall(self, answer: Answer, at: WallId) -> None:
        """Turn to another page: in place for the person who asked, in private for everybody else."""
        guild = answer.interaction.guild_id
        if guild is None:
            await answer.redraw(elsewhere_drawing(answer.voice))
        elif answer.user == at.asker:
            await answer.redraw(await self._wall(guild, at, answer.voice))
        else:
            await answer.show(await self._wall(guild, WallId(at.page, answer.user), answer.voice))

    async def _wall(self, guild: int, at: WallId, voice: Voice) -> Drawing:
        await self.projection.catch_up()
        return wall_drawing(await self._queries.wall(guild, at.page), at.asker, voice)

    async def privacy(self, answer: Answer, *, hide: bool | None) -> None:
        """Say what is kept and why; with `hide`, stand on leaderboards or not from now on."""
        if hide is not None:
            await self._people.set_hidden(answer.user, hidden=hide)
        await answer.show(await self._privacy(answer))

    async def take_challenges(self, answer: Answer, *, take: bool) -> None:
        """Take all challenges again that were declined, or none from anybody from now on."""
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
        """Send all that is kept about a person by DM, or show it here if DMs are closed.

        Raises `TooSoon`.
        """
        with self._exports.once(answer.user):
            await answer.defer()
            await self.projection.catch_up()
            directory = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="fifteen-two-")
            try:
                await self._send(answer, await self._people.export(answer.user, Path(directory.name)))
            finally:
                await asyncio.to_thread(directory.cleanup)

    async def _send(self, answer: Answer, files: Sequence[Path]) -> None:
        """Send the files of an export, as few messages as Discord's limits allow."""
        is_dm_open = True
        for first in range(0, len(files), _FILES):
            some = files[first : first + _FILES]
            told = answer.voice.say(EXPORT_GOES_ON if first else EXPORTED)
            if is_dm_open:
                try:
                    with _opened(some) as opened:
                        await answer.interaction.user.send(told, files=opened)
                    continue
                except discord.Forbidden:  # closed DMs, in any of Discord's ways
                    is_dm_open = False
            with _opened(some) as opened:
                await answer.tell(told, opened)
        if is_dm_open:
            await answer.tell(answer.voice.say(EXPORT_SENT))

    async def ask_to_forget(self, answer: Answer) -> None:
        """Ask whether somebody means to be forgotten."""
        tables = await self._people.open_games(answer.user)
        await answer.show(ask_to_forget_drawing(len(tables), answer.voice))

    async def keep(self, answer: Answer) -> None:
        """Forget nobody after all."""
        await answer.redraw(kept_drawing(answer.voice))

    async def forget(self, answer: Answer) -> None:
        """Leave the lobbies, resign the games in play, and put nobody in the person's place.

        Raises `TooSoon`.
        """
        with self._deletions.once(answer.user):
            await answer.redraw(forgetting_drawing(answer.voice))
            await self._forget(answer.user)
            await answer.redraw(forgotten_drawing(answer.voice))

    async def _forget(self, user: int) -> None:
        left: set[str] = set()
        for _ in range(_ATTEMPTS):
            tables = await self._people.open_games(user)
            if not tables:
                break
            left.update(tables)
            for game in tables:
                await self._take_leave(game, user)
        await self.projection.catch_up()
        for game in await self._people.forget(user):
            await self._sessions.changed_elsewhere(game)
        for game in left:
            self.sync.queue.schedule(game)
        await forget_to_the_end(self._people, self._sessions.forget)

    async def _take_leave(self, game: str, user: int) -> None:
        """Leave the lobby, or resign from a game; what cannot be left is called off with the rest."""
        try:
            if (await self._store.table(game)).status is Status.GATHERING:
                await self._lobbies.leave(game, user)
            else:
                await self._sessions.move(game, user, Resign)
        except (AlreadyBegun, DamagedGame, NoTable, NotAtTable, NotSeated, StaleGame) as error:
            log.info("%s changed while somebody left: %s", game, type(error).__name__)
        except EngineError as error:
            log.warning("%s cannot be resigned, and is called off: %s", game, type(error).__name__)

    async def _own_places(self, answer: Answer, at: PageId) -> Drawing:
        """Where the person who asks stands on that board, in each server in which they have played."""
        await self.projection.catch_up()
        found = []
        for guild, name in await self._queries.servers(answer.user):
            board = await self._queries.leaderboard(guild, at.board, at.span, asker=answer.user)
            found.append((name, board))
        played = [(name, each) for name, each in found if each.own is not None]
        return own_places_drawing(played, answer.voice) if played else elsewhere_drawing(answer.voice)

    async def _page(self, answer: Answer, at: PageId, *, private: bool) -> Drawing:
        guild = answer.interaction.guild_id
        if guild is None:
            return elsewhere_drawing(answer.voice)
        await self.projection.catch_up()
        found = await self._queries.leaderboard(guild, at.board, at.span, asker=at.asker, page=at.page)
        name = answer.interaction.user.display_name
        return leaderboard_drawing(found, at, name, answer.voice, private=private)


@contextmanager
def _opened(paths: Sequence[Path]) -> Iterator[list[discord.File]]:
    """The files, open as long as they are being sent: piece by piece."""
    with ExitStack() as stack:
        files = []
        for path in paths:
            file = discord.File(path)
            stack.callback(file.close)
            files.append(file)
        yield files
