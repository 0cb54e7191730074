"""The actions of statistics, for commands and buttons.

A player's figures are ephemeral. A leaderboard is public, unless the user hides their figures. Its buttons
turn the page for the user who asked for it; others get an ephemeral page of their own.
"""

from __future__ import annotations

import discord

from bot.features.stats.custom_ids import PageId, WallId
from bot.features.stats.illustrations import statistics_pictures
from bot.features.stats.leaderboard import leaderboard_drawing, own_places_drawing
from bot.features.stats.player_stats import hidden_drawing, stats_drawing
from bot.features.stats.wall import wall_drawing
from bot.interactions.answering import Answer
from bot.render.drawing import Drawing
from bot.render.messages.players import bot_drawing, elsewhere_drawing
from bot.render.text.voice import Voice
from bot.standings.careers import Profile
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.sync.parts import Sync


class StatsActions:
    """The actions behind `/crib-stats` and its buttons."""

    def __init__(
        self,
        standings: Standings,
        projection: Projection,
        *,
        sync: Sync,
    ) -> None:
        self._projection = projection
        self.sync = sync
        self._queries = standings.queries
        self._people = standings.people

    async def stats(self, answer: Answer, person: discord.User | discord.Member) -> None:
        """Show a person's figures in this server; in a DM, the user's own everywhere."""
        guild, name = answer.interaction.guild_id, person.display_name
        own = person.id == answer.user
        if person.bot:
            await answer.show(bot_drawing(name, answer.voice))
            return
        if guild is None and not own:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        await self._projection.flush()
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
        """Post a leaderboard, or show it in private to a user who hides their figures.

        In a DM, which belongs to no server, it shows only the user's own places.
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
        """Post the server's wall, or show it in private to a user who hides their figures; a DM has none."""
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
        await self._projection.flush()
        return wall_drawing(await self._queries.wall(guild, at.page), at.asker, voice)

    async def _own_places(self, answer: Answer, at: PageId) -> Drawing:
        """The user's place on that board, in each server in which they have played."""
        await self._projection.flush()
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
        await self._projection.flush()
        found = await self._queries.leaderboard(guild, at.board, at.span, asker=at.asker, page=at.page)
        name = answer.interaction.user.display_name
        return leaderboard_drawing(found, at, name, answer.voice, private=private)
