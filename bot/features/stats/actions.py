"""The actions of statistics, for commands and buttons.

Who reads them is decided as for all figures (`interactions.audience`). A leaderboard is ephemeral, too, for a
user who hides their figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord

from bot.features.stats.autocomplete import month_in, zone_in
from bot.features.stats.custom_ids import FiguresId, PageId, SeasonId, WallId
from bot.features.stats.errors import StatsRefusal
from bot.features.stats.illustrations import statistics_pictures
from bot.features.stats.leaderboard import leaderboard_drawing, own_places_drawing
from bot.features.stats.player_pictures import StatsPicture
from bot.features.stats.player_stats import hidden_drawing, rivalry_drawing, stats_drawing
from bot.features.stats.season import (
    board_drawing,
    no_games_text,
    posting_text,
    season_drawing,
    zone_text,
)
from bot.features.stats.season_store import SeasonStore
from bot.features.stats.wall import wall_drawing
from bot.interactions.answering import Answer
from bot.interactions.audience import share, show_all, show_one
from bot.interactions.lookup import channel_of
from bot.interactions.server_settings import moderated
from bot.model.errors import Refused
from bot.model.venue import Venue
from bot.render.drawing import Drawing
from bot.render.messages.players import bot_drawing, elsewhere_drawing
from bot.render.text.voice import Voice
from bot.standings.careers import Profile, Rivalry
from bot.standings.leaderboards import Board, Leaderboard, Span
from bot.standings.projection import Projection
from bot.standings.protocol import Standings
from bot.standings.wall import Wall
from bot.sync.parts import Sync
from bot.sync.permissions import check_permissions
from bot.sync.venues import guild_of, venue_of

_PODIUM: Final = "crib-stats podium"


class StatsActions:
    """The actions behind `/crib-stats` and its buttons."""

    def __init__(
        self,
        standings: Standings,
        projection: Projection,
        seasons: SeasonStore,
        *,
        sync: Sync,
    ) -> None:
        self._seasons = seasons
        self._projection = projection
        self.sync = sync
        self._queries = standings.queries
        self._people = standings.people

    async def stats(self, answer: Answer, person: discord.User | discord.Member) -> None:
        """Show a person's figures in this server; in a DM, the user's own everywhere.

        Where the bot is no member, somebody else's figures are their games with the user in that channel.
        """
        guild, name = guild_of(answer.interaction), person.display_name
        own = person.id == answer.user
        if person.bot:
            await answer.show(bot_drawing(name, answer.voice))
            return
        if venue_of(answer.interaction) is Venue.ANYWHERE and not own:
            await self._projection.flush()
            here = await self._queries.rivalry_in(person.id, answer.user, channel_of(answer.interaction))
            await answer.show(rivalry_drawing(name, here, answer.voice))
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
        profile = await self._profile(person.id, guild, between)
        voice = answer.voice
        added = voice.additions.in_own_figures if own else ()
        more = [line for lines in added for line in await lines(person.id, voice)]
        drawn = await self._figures(name, profile, voice, own=own, here=guild is not None, more=more)
        is_for_others = guild is not None and profile.career.games
        await show_one(answer, drawn, FiguresId(person.id) if is_for_others else None)

    async def share(self, answer: Answer, person: int) -> None:
        """Post a person's figures, with those of both together if the user shows somebody else's.

        Figures that are hidden by now stay so. Raises `MAY_NOT_WRITE`.
        """
        guild, user = guild_of(answer.interaction), answer.interaction.user
        if guild is None:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        await self._projection.flush()
        # Every board has the person's last name in the server, whether or not they are on it.
        known = await self._queries.leaderboard(guild, Board.WINS, Span.EVER, asker=person)
        name = known.own.name if known.own else ""
        is_own = person == answer.user
        between = None if is_own else await self._queries.rivalry(person, answer.user, guild)
        if between is not None and await self._people.is_hidden(person):
            await answer.show(hidden_drawing(name, between, answer.voice))
            return
        profile = await self._profile(person, guild, between)
        name, rival = (user.display_name, None) if is_own else (name, user.display_name)
        await share(answer, await self._figures(name, profile, answer.voice, here=True, rival=rival))

    async def _profile(self, person: int, guild: int | None, between: Rivalry | None) -> Profile:
        ratings = await self._queries.ratings(person, guild) if guild is not None else {}
        computers = await self._queries.against_computers(person, guild)
        career = await self._queries.career(person, guild)
        course: tuple[int, ...] = ()
        shown = next((kind for kind, each in ratings.items() if not each.is_provisional), None)
        if guild is not None and shown is not None:
            course = await self._queries.rating_course(person, guild, shown)
        return Profile(
            career=career,
            computers=computers,
            ratings=ratings,
            rivalry=between,
            course=course,
            others=await self._queries.other_games(person, guild),
            slams=await self._queries.slams(person, guild),
        )

    async def _figures(
        self,
        name: str,
        profile: Profile,
        voice: Voice,
        *,
        own: bool = False,
        here: bool,
        rival: str | None = None,
        more: Sequence[str] = (),
    ) -> Drawing:
        illustrator = self.sync.illustrator
        pictures: tuple[StatsPicture, ...] = ()
        if illustrator and profile.career.games:
            pictures = await statistics_pictures(profile, illustrator, voice)
        return stats_drawing(
            name, profile, voice, own=own, here=here, rival=rival, pictures=pictures, more=more
        )

    async def leaderboard(self, answer: Answer, at: PageId) -> None:
        """Show a leaderboard to everybody, or in private if it is empty or the user hides their figures.

        In a DM, which belongs to no server, it shows only the user's own places.
        """
        guild = guild_of(answer.interaction)
        if guild is None:
            await answer.show(await self._own_places(answer, at))
            return
        found = await self._board(guild, at)
        private = not found.rows or await self._people.is_hidden(answer.user)
        await show_all(answer, self._page(answer, found, at, private=private), is_private=private)

    async def turn(self, answer: Answer, at: PageId) -> None:
        """Turn to another page: in place for the person who asked, in private for everybody else."""
        message = answer.interaction.message
        if answer.user == at.asker:
            private = message is not None and message.flags.ephemeral
            await answer.redraw(await self._turned(answer, at, private=private))
            return
        mine = PageId(board=at.board, span=at.span, page=at.page, asker=answer.user)
        await answer.show(await self._turned(answer, mine, private=True))

    async def wall(self, answer: Answer, at: WallId) -> None:
        """Show the server's wall to everybody, or in private if it is empty or the user hides their figures.

        A DM has none.
        """
        guild = guild_of(answer.interaction)
        if guild is None:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        found = await self._wall(guild, at)
        is_private = found.is_empty or await self._people.is_hidden(answer.user)
        await show_all(answer, wall_drawing(found, answer.user, answer.voice), is_private=is_private)

    async def turn_wall(self, answer: Answer, at: WallId) -> None:
        """Turn to another page: in place for the person who asked, in private for everybody else."""
        guild = guild_of(answer.interaction)
        if guild is None:
            await answer.redraw(elsewhere_drawing(answer.voice))
        elif answer.user == at.asker:
            await answer.redraw(wall_drawing(await self._wall(guild, at), at.asker, answer.voice))
        else:
            await answer.show(wall_drawing(await self._wall(guild, at), answer.user, answer.voice))

    async def _wall(self, guild: int, at: WallId) -> Wall:
        await self._projection.flush()
        return await self._queries.wall(guild, at.page)

    async def season(self, answer: Answer, month: str | None = None) -> None:
        """Show the server's season, or a month's leaderboard, to everybody.

        It is private if it is empty or the user hides their figures. A DM has none. Raises `NO_MONTH`.
        """
        guild = guild_of(answer.interaction)
        if guild is None:
            await answer.show(elsewhere_drawing(answer.voice))
            return
        await self._projection.flush()
        is_hidden = await self._people.is_hidden(answer.user)
        if month is None:
            now = await self._queries.season(guild)
            before = await self._queries.champions(guild)
            is_private = is_hidden or not (now.podium or before)
            await show_all(answer, season_drawing(now, before, answer.voice), is_private=is_private)
            return
        number = month_in(month)
        if number is None:
            raise Refused(StatsRefusal.NO_MONTH)
        found = await self._queries.season_board(guild, number)
        if found.rows:
            drawing = board_drawing(found, answer.user, answer.voice)
            await show_all(answer, drawing, is_private=is_hidden)
        else:
            await answer.reply(no_games_text(number, answer.voice))

    async def turn_season(self, answer: Answer, at: SeasonId) -> None:
        """Turn to another page: in place for the person who asked, in private for everybody else."""
        guild = guild_of(answer.interaction)
        if guild is None:
            await answer.redraw(elsewhere_drawing(answer.voice))
            return
        await self._projection.flush()
        found = await self._queries.season_board(guild, at.month, at.page)
        drawing = board_drawing(found, answer.user, answer.voice)
        await (answer.redraw(drawing) if answer.user == at.asker else answer.show(drawing))

    async def months(self, guild: int) -> tuple[int, ...]:
        """The months with games in the server, the newest first."""
        return await self._queries.months_played(guild)

    async def set_podiums(self, answer: Answer, *, post: bool | None, zone: str | None) -> None:
        """Let the podium of each month be posted in this channel, or nowhere, and seasons end in that zone.

        With a zone alone, the posts stay as they are; with neither, they come here. Raises `NoServer`,
        `NOT_MODERATOR`, `NO_ZONE`, and what `check_permissions` raises.
        """
        guild = moderated(answer, _PODIUM)
        here = post or (post is None and zone is None)
        if here:
            check_permissions(answer.interaction)
        name = None if zone is None else zone_in(zone)
        if zone is not None and name is None:
            raise Refused(StatsRefusal.NO_ZONE)
        now, said = self._queries.now(), []
        if name is not None:
            await self._seasons.choose_zone(guild, name, now)
        season = await self._queries.season(guild)
        if name is not None:
            said.append(zone_text(name, season, answer.voice))
        if here:
            await self._seasons.post_in(guild, channel_of(answer.interaction), now)
            said.append(posting_text(channel_of(answer.interaction), season, answer.voice))
        elif post is False:
            await self._seasons.stop(guild)
            said.append(posting_text(None, season, answer.voice))
        await answer.reply("\n".join(said))

    async def _own_places(self, answer: Answer, at: PageId) -> Drawing:
        """The user's place on that board, in each server in which they have played."""
        await self._projection.flush()
        found = []
        for guild, name in await self._queries.servers(answer.user):
            board = await self._queries.leaderboard(guild, at.board, at.span, asker=answer.user)
            found.append((name, board))
        played = [(name, each) for name, each in found if each.own is not None]
        return own_places_drawing(played, answer.voice) if played else elsewhere_drawing(answer.voice)

    async def _turned(self, answer: Answer, at: PageId, *, private: bool) -> Drawing:
        guild = guild_of(answer.interaction)
        if guild is None:
            return elsewhere_drawing(answer.voice)
        return self._page(answer, await self._board(guild, at), at, private=private)

    async def _board(self, guild: int, at: PageId) -> Leaderboard:
        await self._projection.flush()
        return await self._queries.leaderboard(guild, at.board, at.span, asker=at.asker, page=at.page)

    @staticmethod
    def _page(answer: Answer, found: Leaderboard, at: PageId, *, private: bool) -> Drawing:
        name = answer.interaction.user.display_name
        return leaderboard_drawing(found, at, name, answer.voice, private=private)
