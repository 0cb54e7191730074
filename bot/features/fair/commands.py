"""`/crib fair`, and the button that checks the deck of a game. Each calls an action."""

from __future__ import annotations

import re

from discord import app_commands
from discord.app_commands import Range

from bot.features.fair.actions import DeckActions
from bot.interactions.actions import Interaction, handling
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop
from engine.fair import LONGEST_WORD

CHECK = re.compile(r"replay:(?P<game>[a-z0-9]{1,16}):check:[0-9]{1,5}:[0-9]{1,20}")
"""Pattern of the custom_id of *Fair?* below a replay, and in the list of cancelled games."""


def sub_command(actions: DeckActions) -> SubCommand:
    """`/crib fair`."""

    @app_commands.command(
        name=pgettext_noop("command", "fair"),
        description=gettext_noop("How the deck stays honest: check it, or add a word"),
    )
    @app_commands.describe(
        word=gettext_noop("A word of your own, mixed into the deck before the game starts"),
        game=gettext_noop("The id of an earlier game (default: the latest here)"),
    )
    async def fair(
        interaction: Interaction,
        word: Range[str, 1, LONGEST_WORD] | None = None,
        game: Range[str, 1, 10] | None = None,
    ) -> None:
        """Explain the honest deck, or give it a word."""
        async with handling(interaction) as (_, answer):
            if word is not None:
                await actions.give_word(answer, word)
            else:
                await actions.explain(answer, game)

    return SubCommand("crib", gettext_noop("Play cribbage in this channel"), fair)


async def check(actions: DeckActions, interaction: Interaction, match: re.Match[str], _: list[str]) -> None:
    """Handle *Fair?*: explain the deck of that game, and check it if the game is over."""
    async with handling(interaction) as (__, answer):
        await actions.explain(answer, match["game"])
