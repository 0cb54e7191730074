"""What people can ask about finished games and about themselves, by a command or a button.

Figures are answered in private, as one asks for them about oneself. A leaderboard is for everybody: it is
posted, unless the asker hides. Its buttons turn the page for the asker; others get a page of their own.
"""

from __future__ import annotations

import gzip
import io
import json
import logging

import discord

from bot.delivery.announcer import Announcer
from bot.interactions.answering import Answer
from bot.model.errors import AlreadyBegun, NoTable, NotAtTable, NotSeated, StaleGame
from bot.model.table_record import Status
from bot.render.drawing import Drawing
from bot.render.stats.leaderboard import leaderboard_drawing, own_places_drawing
from bot.render.stats.player_stats import bot_drawing, elsewhere_drawing, hidden_drawing, stats_drawing
from bot.render.stats.privacy import (
    EXPORT_SENT,
    EXPORTED,
    ask_to_forget_drawing,
    forgotten_drawing,
    kept_drawing,
    privacy_drawing,
)
from bot.standings.careers import Profile, career, rivalry
from bot.standings.leaderboards import leaderboard
from bot.standings.page_ids import PageId
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import EngineError, Resign

log = logging.getLogger(__name__)

_ATTEMPTS = 3
"""How often the open tables of somebody who goes are looked for: one may be joined meanwhile."""
_MOST_PLAIN = 8_000_000
"""Bytes of an export that are sent as they are; Discord takes ten million or so. More is compressed."""


class StatsActions:
    """Everything that people can ask for about finished games and about themselves."""

    def __init__(
        self, standings: Standings, store: Store, sessions: Sessions, lobbies: Lobbies, announcer: Announcer
    ) -> None:
        self.projection = Projection(standings.projection, standings.people)
        self.announcer = announcer
        self._queries = standings.queries
        self._people = standings.people
        self._store = store
        self._sessions = sessions
        self._lobbies = lobbies

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
        games = await self._queries.appearances(person.id, guild)
        theirs = () if own else await self._queries.appearances(answer.user, guild)
        between = None if own else rivalry(games, theirs)
        if between is not None and await self._people.is_hidden(person.id):
            await answer.show(hidden_drawing(name, between, answer.voice))
            return
        ratings = await self._queries.ratings(person.id, guild) if guild is not None else {}
        computers = await self._queries.against_computers(person.id, guild)
        profile = Profile(career=career(games), computers=computers, ratings=ratings, rivalry=between)
        await answer.show(stats_drawing(name, profile, answer.voice, own=own, here=guild is not None))

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

    async def privacy(self, answer: Answer, *, hide: bool | None) -> None:
        """Say what is kept and why; with `hide`, stand on leaderboards or not from now on."""
        if hide is not None:
            await self._people.set_hidden(answer.user, hidden=hide)
        hidden = await self._people.is_hidden(answer.user)
        await answer.show(privacy_drawing(answer.voice, hidden=hidden))

    async def export(self, answer: Answer) -> None:
        """Send all that is kept about a person by DM, or show it here if DMs are closed."""
        await answer.defer()
        await self.projection.catch_up()
        known = await self._people.everything_about(answer.user)
        known = {"made_at": self._queries.now().isoformat(), **known}
        told = answer.voice.say(EXPORTED)
        try:
            await answer.interaction.user.send(told, file=_file(known))
        except discord.Forbidden:  # closed DMs, in any of Discord's ways
            await answer.tell(told, _file(known))
            return
        await answer.tell(answer.voice.say(EXPORT_SENT))

    async def ask_to_forget(self, answer: Answer) -> None:
        """Ask whether somebody means to be forgotten."""
        tables = await self._people.open_games(answer.user)
        await answer.show(ask_to_forget_drawing(len(tables), answer.voice))

    async def keep(self, answer: Answer) -> None:
        """Forget nobody after all."""
        await answer.redraw(kept_drawing(answer.voice))

    async def forget(self, answer: Answer) -> None:
        """Leave the lobbies, resign the games in play, and put nobody in the person's place."""
        user = answer.user
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
            self.announcer.announce(game)
        await self._people.scrub()
        await answer.redraw(forgotten_drawing(answer.voice))

    async def _take_leave(self, game: str, user: int) -> None:
        """Leave the lobby, or resign from a game; what cannot be left is called off with the rest."""
        try:
            if (await self._store.table(game)).status is Status.GATHERING:
                await self._lobbies.leave(game, user)
            else:
                await self._sessions.move(game, user, Resign)
        except (AlreadyBegun, NoTable, NotAtTable, NotSeated, StaleGame) as error:
            log.info("%s changed while somebody left: %s", game, type(error).__name__)
        except EngineError as error:
            log.warning("%s cannot be resigned, and is called off: %s", game, type(error).__name__)

    async def _own_places(self, answer: Answer, at: PageId) -> Drawing:
        """Where the person who asks stands on that board, in each server in which they have played."""
        await self.projection.catch_up()
        found = []
        for guild, name in await self._queries.servers(answer.user):
            tallies = await self._queries.tallies(guild, at.board, at.span)
            found.append((name, leaderboard(at.board, at.span, tallies, answer.user, self._queries.now())))
        played = [(name, each) for name, each in found if each.own is not None]
        return own_places_drawing(played, answer.voice) if played else elsewhere_drawing(answer.voice)

    async def _page(self, answer: Answer, at: PageId, *, private: bool) -> Drawing:
        guild = answer.interaction.guild_id
        if guild is None:
            return elsewhere_drawing(answer.voice)
        await self.projection.catch_up()
        tallies = await self._queries.tallies(guild, at.board, at.span)
        found = leaderboard(at.board, at.span, tallies, at.asker, self._queries.now())
        name = answer.interaction.user.display_name
        return leaderboard_drawing(found, at, name, answer.voice, private=private)


def _file(known: dict[str, object]) -> discord.File:
    body = json.dumps(known, ensure_ascii=False, indent=1).encode()
    if len(body) <= _MOST_PLAIN:
        return discord.File(io.BytesIO(body), "fifteen-two.json")
    return discord.File(io.BytesIO(gzip.compress(body, mtime=0)), "fifteen-two.json.gz")
