"""`/crib fair`, and the button that checks the deck of a game. Each calls an action."""

from __future__ import annotations

import re

from discord import app_commands
from discord.app_commands import Range

from bot.features.fair.actions import DeckActions
from bot.features.fair.custom_ids import WaitingId
from bot.interactions.actions import Actions, Interaction, handling
from bot.interactions.answering import Answer
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.custom_ids import ComponentId


def sub_command(actions: DeckActions) -> SubCommand:
    """`/crib fair`."""

    @app_commands.command(
        name=pgettext_noop("command", "fair"),
        description=gettext_noop("How the deck stays honest, and the check of a game"),
    )
    @app_commands.describe(
        game=gettext_noop("The id of an earlier game (default: the latest here)"),
    )
    async def fair(
        interaction: Interaction,
        game: Range[str, 1, 10] | None = None,
    ) -> None:
        """Explain the honest deck, and check that of a game."""
        async with handling(interaction) as (_, answer):
            await actions.explain(answer, game)

    return SubCommand("crib", gettext_noop("Play cribbage in this channel"), fair)


async def check(actions: DeckActions, interaction: Interaction, match: re.Match[str], _: list[str]) -> None:
    """Handle *Fair?*: explain the deck of that game, and check it if the game is over."""
    async with handling(interaction) as (__, answer):
        await actions.explain(answer, match["game"])


async def set_waiting(
    actions: DeckActions, interaction: Interaction, match: re.Match[str], _: list[str]
) -> None:
    """Handle *Rematches wait for my word*."""
    async with handling(interaction) as (__, answer):
        at = WaitingId.from_match(match)
        await actions.wait_for_word(answer, at.game or None, wanted=at.wanted)


async def ask_for_word(
    actions: DeckActions, _: Actions, answer: Answer, at: ComponentId, __: list[str]
) -> None:
    """Handle *Fair?* in a lobby: open the form that shows the player's note and takes their word."""
    await actions.ask_for_word(answer, at)


async def give_word(
    actions: DeckActions, _: Actions, answer: Answer, at: ComponentId, values: list[str]
) -> None:
    """Handle the form: give the deck the word that was typed."""
    await actions.give_word(answer, at.game, "".join(values), at.argument)
