"""`/crib-stats` and its sub-commands, and the buttons under their answers. Each calls an action."""

from __future__ import annotations

import re

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.features.stats.actions import StatsActions
from bot.features.stats.autocomplete import month_choices, zone_choices
from bot.features.stats.custom_ids import FiguresId, PageId, RemindersId, SeasonId, WallId
from bot.features.stats.leaderboard import TITLES
from bot.features.stats.own_games import OwnGames
from bot.interactions.actions import Interaction, handling
from bot.interactions.answering import let_stop_wait
from bot.interactions.installs import anywhere
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.errors import StaleButton
from bot.standings.leaderboards import Board, Span
from bot.sync.venues import guild_of

_BOARDS = [Choice(name=title, value=board.value) for board, title in TITLES.items()]
_SPANS = [
    Choice(name=gettext_noop("this month"), value=Span.MONTH.value),
    Choice(name=gettext_noop("all time"), value=Span.EVER.value),
]


@anywhere
class CribStats(app_commands.Group):
    """The figures of finished games."""

    def __init__(self, actions: StatsActions, own_games: OwnGames) -> None:
        super().__init__(
            name="crib-stats", description=gettext_noop("Games played: figures and leaderboards")
        )
        self._actions = actions
        self._own_games = own_games

    @app_commands.command(
        name=pgettext_noop("command", "player"),
        description=gettext_noop("Games, skunks, streaks and the best hand"),
    )
    @app_commands.describe(player=gettext_noop("Another player (default: you)"))
    async def player(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Show a person's figures."""
        async with handling(interaction) as (_, answer):
            await self._actions.stats(answer, player or interaction.user)

    @app_commands.command(
        name=pgettext_noop("command", "leaderboard"),
        description=gettext_noop("The best players of this server"),
    )
    @app_commands.describe(
        by=gettext_noop("What it goes by (default: the rating for two players)"),
        games=gettext_noop("Since when games count (default: all time)"),
    )
    @app_commands.choices(by=_BOARDS, games=_SPANS)
    async def leaderboard(
        self, interaction: Interaction, by: str = Board.RATING.value, games: str = Span.EVER.value
    ) -> None:
        """Post a leaderboard."""
        async with handling(interaction) as (_, answer):
            await self._actions.leaderboard(
                answer, PageId(board=Board(by), span=Span(games), asker=answer.user)
            )

    @app_commands.command(
        name=pgettext_noop("command", "wall"),
        description=gettext_noop("Great hands of this server, and its records"),
    )
    async def wall(self, interaction: Interaction) -> None:
        """Post the wall."""
        async with handling(interaction) as (_, answer):
            await self._actions.wall(answer, WallId(0, answer.user))

    @app_commands.command(
        name=pgettext_noop("command", "games"),
        description=gettext_noop("Your open games, anywhere, and whose turn it is"),
    )
    async def games(self, interaction: Interaction) -> None:
        """List the user's open games."""
        async with handling(interaction) as (_, answer):
            await self._own_games.show(answer)

    @app_commands.command(
        name=pgettext_noop("command", "season"),
        description=gettext_noop("Who leads this month, and the champions before"),
    )
    @app_commands.describe(month=gettext_noop("A past month's whole leaderboard (default: this month)"))
    async def season(self, interaction: Interaction, month: Range[str, 1, 40] | None = None) -> None:
        """Post the season, or a month's leaderboard."""
        async with handling(interaction) as (_, answer):
            await self._actions.season(answer, month)

    @season.autocomplete("month")
    async def months(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Offer the months with games."""
        let_stop_wait()  # discord.py answers with the result in this task
        guild = guild_of(interaction)
        if guild is None:
            return []
        voice = interaction.client.actions.tables.sync.voices.of(str(interaction.locale))
        return month_choices(await self._actions.months(guild), typed, voice)

    @app_commands.command(
        name=pgettext_noop("command", "podium"),
        description=gettext_noop(
            "For moderators: each month's podium in this channel, and the server's time zone"
        ),
    )
    @app_commands.describe(
        post=gettext_noop("Post it here, or nowhere (default: here)"),
        zone=gettext_noop("The server's time zone, as Europe/Paris (at first: UTC)"),
    )
    async def podium(
        self, interaction: Interaction, post: bool | None = None, zone: Range[str, 1, 60] | None = None
    ) -> None:
        """Choose where podiums are posted, and when seasons end."""
        async with handling(interaction) as (_, answer):
            await self._actions.set_podiums(answer, post=post, zone=zone)

    @podium.autocomplete("zone")
    async def zones(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Offer time zones."""
        let_stop_wait()  # as above
        return zone_choices(typed, interaction.created_at)


def stats_of_a_person(actions: StatsActions) -> app_commands.ContextMenu:
    """*Cribbage stats* in the menu on a person."""

    @anywhere
    @app_commands.context_menu(name=pgettext_noop("command", "Cribbage stats"))
    async def stats(interaction: Interaction, user: discord.User) -> None:
        """Show that person's figures."""
        async with handling(interaction) as (_, answer):
            await actions.stats(answer, user)

    return stats


async def turn_page(
    actions: StatsActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button that turns the page of a leaderboard, on a message of any age."""
    async with handling(interaction) as (_, answer):
        try:
            at = PageId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        await actions.turn(answer, at)


async def turn_wall(
    actions: StatsActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button that turns the page of the wall, on a message of any age."""
    async with handling(interaction) as (_, answer):
        await actions.turn_wall(answer, WallId.from_match(match))


async def turn_season(
    actions: StatsActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button that turns the page of a month's leaderboard, on a message of any age."""
    async with handling(interaction) as (_, answer):
        await actions.turn_season(answer, SeasonId.from_match(match))


async def set_reminders(
    own_games: OwnGames, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle the button that turns reminders on or off."""
    async with handling(interaction) as (_, answer):
        await own_games.remind(answer, wanted=RemindersId.from_match(match).wanted)


async def share_figures(
    actions: StatsActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *Show everybody* under a person's figures."""
    async with handling(interaction) as (_, answer):
        await actions.share(answer, FiguresId.from_match(match).person)
