"""The commands that list and replay finished games, and the buttons under what they show.

They are in the groups in which players look for them. Each reads its options and calls an action.
"""

from __future__ import annotations

import re

import discord
from discord import app_commands

from bot.features.replay.actions import ReplayActions
from bot.features.replay.custom_ids import PastId
from bot.interactions.actions import Interaction, handling
from bot.interactions.installs import anywhere
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.custom_ids import ReplayId
from bot.model.errors import StaleButton


def sub_commands(actions: ReplayActions) -> tuple[SubCommand, ...]:
    """`/crib-stats history` and `/crib-coach replay`."""

    @app_commands.command(
        name=pgettext_noop("command", "history"),
        description=gettext_noop("Finished games, each with its replay"),
    )
    @app_commands.describe(
        player=gettext_noop("Another player (default: you)"), server=gettext_noop("All games of this server")
    )
    async def history(
        interaction: Interaction, player: discord.User | None = None, server: bool = False
    ) -> None:
        """List finished games."""
        async with handling(interaction) as (_, answer):
            await actions.history(answer, player or interaction.user, everybody=server)

    @app_commands.command(
        name=pgettext_noop("command", "replay"),
        description=gettext_noop("Replay your last game, hands open, with the coach's word"),
    )
    async def replay(interaction: Interaction) -> None:
        """Watch a game again."""
        async with handling(interaction) as (_, answer):
            await actions.last(answer)

    return (
        SubCommand("crib-stats", gettext_noop("Games played: figures and leaderboards"), history),
        SubCommand("crib-coach", gettext_noop("Play better: hints, counting and reviews"), replay),
    )


def replay_of_a_message(actions: ReplayActions) -> app_commands.ContextMenu:
    """*Replay this game* in the menu on a message."""

    @anywhere
    @app_commands.context_menu(name=pgettext_noop("command", "Replay this game"))
    async def replay(interaction: Interaction, message: discord.Message) -> None:
        """Watch the game of that result again."""
        async with handling(interaction) as (_, answer):
            await actions.replay_of(answer, message)

    return replay


async def turn_past(
    actions: ReplayActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button that turns the page of a list of games."""
    async with handling(interaction) as (_, answer):
        await actions.turn(answer, PastId.from_match(match))


async def press_replay(
    actions: ReplayActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button of a replay: go to a step, show it to everybody, or send the game's files."""
    async with handling(interaction) as (_, answer):
        try:
            at = ReplayId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        await actions.replay(answer, at)
