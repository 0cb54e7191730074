"""`/crib-daily squares`, and the buttons of squares."""

from __future__ import annotations

import re

from discord import app_commands

from bot.features.squares.actions import SquaresActions
from bot.features.squares.custom_ids import PutId, SquaresId, SquaresVerb
from bot.features.squares.errors import SquaresRefusal
from bot.interactions.actions import Interaction, handling
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.errors import Refused


def sub_commands(actions: SquaresActions) -> tuple[SubCommand, ...]:
    """`/crib-daily squares`."""

    @app_commands.command(
        name=pgettext_noop("command", "squares"),
        description=gettext_noop("A game for one: sixteen cards, four by four"),
    )
    async def squares(interaction: Interaction) -> None:
        """Show today's squares."""
        async with handling(interaction) as (_, answer):
            await actions.open(answer)

    return (
        SubCommand("crib-daily", gettext_noop("Every day the same for all: a hand, and squares"), squares),
    )


async def press_squares(
    actions: SquaresActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a button without a cell."""
    async with handling(interaction) as (_, answer):
        try:
            at = SquaresId.from_match(match)
        except ValueError:
            raise Refused(SquaresRefusal.OVER) from None
        if at.verb is SquaresVerb.OPEN:
            await actions.open(answer)
        else:
            await actions.share(answer, at.day)


async def press_cell(
    actions: SquaresActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a cell."""
    async with handling(interaction) as (_, answer):
        try:
            at = PutId.from_match(match)
        except ValueError:
            raise Refused(SquaresRefusal.OVER) from None
        await actions.put(answer, at)
