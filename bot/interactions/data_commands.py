"""`/crib-data` and the buttons under its answers. Each calls an action."""

from __future__ import annotations

import re

from discord import app_commands

from bot.interactions.actions import Interaction, handling
from bot.interactions.installs import anywhere
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.custom_ids import Wish
from bot.model.errors import StaleButton


@anywhere
class CribData(app_commands.Group):
    """The commands for the user's own data: see, export, delete."""

    def __init__(self) -> None:
        super().__init__(name="crib-data", description=gettext_noop("Your data: see it, get it, delete it"))

    @app_commands.command(
        name=pgettext_noop("command", "privacy"),
        description=gettext_noop("What is kept about you; hide your figures"),
    )
    @app_commands.describe(hide=gettext_noop("Leave all leaderboards, and keep your figures to yourself"))
    async def privacy(self, interaction: Interaction, hide: bool | None = None) -> None:
        """Show the stored data and the privacy settings."""
        async with handling(interaction) as (actions, answer):
            await actions.data.privacy(answer, hide=hide)

    @app_commands.command(
        name=pgettext_noop("command", "export"), description=gettext_noop("Get your data as a file, by DM")
    )
    async def export(self, interaction: Interaction) -> None:
        """Send the user's stored data as files."""
        async with handling(interaction) as (actions, answer):
            await actions.data.export(answer)

    @app_commands.command(
        name=pgettext_noop("command", "delete"), description=gettext_noop("Delete my data (asks first)")
    )
    async def delete(self, interaction: Interaction) -> None:
        """Delete the user's data, after a confirmation."""
        async with handling(interaction) as (actions, answer):
            await actions.data.ask_to_forget(answer)


async def grant_wish(interaction: Interaction, match: re.Match[str], _: list[str]) -> None:
    """Handle a button: delete the user's data, keep it, or switch challenges on or off."""
    async with handling(interaction) as (actions, answer):
        match match["wish"]:
            case Wish.FORGET.value:
                await actions.data.forget(answer)
            case Wish.KEEP.value:
                await actions.data.keep(answer)
            case Wish.DECLINE.value:
                await actions.data.take_challenges(answer, take=False)
            case Wish.ACCEPT.value:
                await actions.data.take_challenges(answer, take=True)
            case _:
                raise StaleButton(0, 0)
