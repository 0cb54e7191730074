"""`/crib-club` for players, `/crib-organise` for organisers, and the buttons of club events."""

from __future__ import annotations

import re

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.features.clubs.actions import ClubActions
from bot.features.clubs.custom_ids import ClubId, YearId
from bot.features.clubs.event import MOST_ENTRANTS, Points
from bot.features.clubs.organising import Organising
from bot.features.clubs.year import FIRST, LAST
from bot.interactions import choices
from bot.interactions.actions import Interaction, handling
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.errors import StaleButton
from bot.model.table_record import Pace
from engine.computer import Level

_PACES = [
    Choice(name=gettext_noop("live: an evening, two minutes a move"), value=Pace.LIVE.value),
    Choice(name=gettext_noop("slow: a season, a day a move"), value=Pace.SLOW.value),
]
_POINTS = [
    Choice(name=gettext_noop("2 for a win, 3 for a skunk"), value=Points.CONGRESS.value),
    Choice(name=gettext_noop("1 for a win, 2 for a skunk"), value=Points.PLAIN.value),
]
_NOT_AT_CLUBS = frozenset({"lowball"})
"""Rule sets whose scores no club's standings could add up."""
_NOBODY = -1
_MOST_NIGHTS = 366
"""Limit of the nights that count for a year."""

_WINNERS = [
    Choice(name=gettext_noop("the player named first"), value=0),
    Choice(name=gettext_noop("the player named second"), value=1),
    Choice(name=gettext_noop("nobody"), value=_NOBODY),
]
_HOURS = {Pace.LIVE: 2, Pace.SLOW: 14 * 24}
"""Default time (h) for a round, by pace."""


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class CribClub(app_commands.Group):
    """Club nights and seasons, for those who play in them."""

    def __init__(self, actions: ClubActions) -> None:
        super().__init__(
            name="crib-club", description=gettext_noop("Club nights and seasons in this channel")
        )
        self._actions = actions

    @app_commands.command(
        name=pgettext_noop("command", "partner"),
        description=gettext_noop("Choose who you play with, before the start"),
    )
    @app_commands.describe(player=gettext_noop("Somebody who has signed up (default: anybody)"))
    async def partner(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Choose a partner."""
        async with handling(interaction) as (_, answer):
            await self._actions.choose_partner(answer, player)

    @app_commands.command(
        name=pgettext_noop("command", "standings"),
        description=gettext_noop("The standings of the event here"),
    )
    async def standings(self, interaction: Interaction) -> None:
        """Show the standings."""
        async with handling(interaction) as (_, answer):
            await self._actions.standings(answer)

    @app_commands.command(
        name=pgettext_noop("command", "year"),
        description=gettext_noop("The club's year: all its nights added up"),
    )
    @app_commands.describe(year=gettext_noop("An earlier year (default: this one)"))
    async def year(self, interaction: Interaction, year: Range[int, FIRST, LAST] | None = None) -> None:
        """Post the club's year."""
        async with handling(interaction) as (_, answer):
            await self._actions.year(answer, year)


@app_commands.guild_install()
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
class CribOrganise(app_commands.Group):
    """The commands of those who run club events."""

    def __init__(self, actions: Organising) -> None:
        super().__init__(
            name="crib-organise",
            description=gettext_noop("For organisers: run the club event in this channel"),
        )
        self._actions = actions

    @app_commands.command(
        name=pgettext_noop("command", "open"),
        description=gettext_noop("Open a club night or season; people sign up"),
    )
    @app_commands.describe(
        name=gettext_noop("Its name"),
        games=gettext_noop("How many games each plays (default: 5)"),
        partners=gettext_noop("Teams of two play (default: everybody for themselves)"),
        pace=gettext_noop("An evening, or a season (default: an evening)"),
        hours=gettext_noop("Hours for each round (default: 2, or 14 days in a season)"),
        rules=gettext_noop("Rule set (default: standard)"),
        points=gettext_noop("What a win is worth (default: 2, and 3 for a skunk)"),
        places=gettext_noop("Computers fill the places up to this number (default: no computers)"),
        computer=gettext_noop("How well those computers play (default: steady)"),
    )
    @app_commands.choices(pace=_PACES, points=_POINTS, computer=choices.LEVELS)
    @app_commands.choices(rules=choices.rule_sets(2, 4, but=_NOT_AT_CLUBS))
    async def open(
        self,
        interaction: Interaction,
        name: Range[str, 1, 80] = "",
        games: Range[int, 1, 22] = 5,
        pace: str = Pace.LIVE.value,
        hours: Range[int, 1, 1440] | None = None,
        rules: str = "standard",
        points: str = Points.CONGRESS.value,
        places: Range[int, 0, MOST_ENTRANTS] = 0,
        computer: str = Level.STEADY.value,
        partners: bool = False,
    ) -> None:
        """Open an event."""
        async with handling(interaction) as (_, answer):
            await self._actions.open(
                answer,
                name=name,
                games=games,
                pace=Pace(pace),
                hours=hours or _HOURS[Pace(pace)],
                preset=rules,
                points=Points(points),
                fill=places,
                level=Level(computer),
                partners=partners,
            )

    @app_commands.command(
        name=pgettext_noop("command", "weekly"),
        description=gettext_noop("Let another event open here every week, or no more"),
    )
    @app_commands.describe(
        repeat=gettext_noop("At this hour, from next week on, or no more (default: at this hour)")
    )
    async def weekly(self, interaction: Interaction, repeat: bool = True) -> None:
        """Let events follow each other, or no more."""
        async with handling(interaction) as (_, answer):
            await self._actions.weekly(answer, repeat=repeat)

    @app_commands.command(
        name=pgettext_noop("command", "best"),
        description=gettext_noop("How many nights of each player count for the club's year"),
    )
    @app_commands.describe(nights=gettext_noop("How many best nights of each player count (default: all)"))
    async def best(self, interaction: Interaction, nights: Range[int, 1, _MOST_NIGHTS] | None = None) -> None:
        """Choose how many nights count."""
        async with handling(interaction) as (_, answer):
            await self._actions.count_best(answer, nights)

    @app_commands.command(
        name=pgettext_noop("command", "start"),
        description=gettext_noop("Start it with everybody who is here"),
    )
    async def start(self, interaction: Interaction) -> None:
        """Start the event."""
        async with handling(interaction) as (_, answer):
            await self._actions.start(answer)

    @app_commands.command(
        name=pgettext_noop("command", "correct"),
        description=gettext_noop("Set the result of a game"),
    )
    @app_commands.describe(
        number=gettext_noop("The round"),
        table=gettext_noop("The table's number in that round"),
        winner=gettext_noop("Who won"),
        points=gettext_noop("The loser's points (without them: won by forfeit)"),
    )
    @app_commands.rename(number="round")
    @app_commands.choices(winner=_WINNERS)
    async def correct(
        self,
        interaction: Interaction,
        number: Range[int, 1, 22],
        table: Range[int, 1, MOST_ENTRANTS],
        winner: int,
        points: Range[int, 0, 240] | None = None,
    ) -> None:
        """Correct a result."""
        async with handling(interaction) as (_, answer):
            await self._actions.correct(
                answer,
                number=number,
                table=table,
                winner=None if winner == _NOBODY else winner,
                loser_points=points,
            )

    @app_commands.command(
        name=pgettext_noop("command", "remove"),
        description=gettext_noop("Take out somebody who is gone"),
    )
    @app_commands.describe(
        player=gettext_noop("Who no longer plays"),
        computer=gettext_noop("Who plays for them (default: nobody, and their opponent wins)"),
    )
    @app_commands.choices(computer=choices.LEVELS)
    async def remove(
        self, interaction: Interaction, player: discord.User, computer: str | None = None
    ) -> None:
        """Take somebody out."""
        async with handling(interaction) as (_, answer):
            await self._actions.remove(answer, player, Level(computer) if computer else None)

    @app_commands.command(
        name=pgettext_noop("command", "close"),
        description=gettext_noop("End the event early"),
    )
    async def close(self, interaction: Interaction) -> None:
        """End the event early."""
        async with handling(interaction) as (_, answer):
            await self._actions.close(answer)

    @app_commands.command(
        name=pgettext_noop("command", "role"),
        description=gettext_noop("For moderators: name the role that runs events"),
    )
    @app_commands.describe(role=gettext_noop("The role (without it: moderators only)"))
    async def role(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Name the organisers."""
        async with handling(interaction) as (_, answer):
            await self._actions.name_organisers(answer, role.id if role else None)


async def press_club(
    players: ClubActions,
    organising: Organising,
    interaction: Interaction,
    match: re.Match[str],
    __: list[str],
) -> None:
    """Handle a button under an event's message of any age."""
    async with handling(interaction) as (_, answer):
        try:
            at = ClubId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        await (organising if at.wish.is_organisers else players).press(answer, at)


async def turn_year(
    players: ClubActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button that turns the page of a club's year, on a message of any age."""
    async with handling(interaction) as (_, answer):
        await players.turn_year(answer, YearId.from_match(match))
