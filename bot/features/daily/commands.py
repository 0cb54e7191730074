"""`/crib-daily` and its sub-commands, and the buttons of the daily hand. Each calls an action."""

from __future__ import annotations

import re

from discord import app_commands

from bot.features.daily.actions import DailyActions
from bot.features.daily.custom_ids import DailyId, DailyVerb
from bot.features.daily.errors import DailyRefusal
from bot.interactions.actions import Interaction, handling
from bot.interactions.installs import anywhere
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.errors import Refused


@anywhere
class CribDaily(app_commands.Group):
    """One hand a day, the same for everybody."""

    def __init__(self, actions: DailyActions) -> None:
        super().__init__(
            name="crib-daily", description=gettext_noop("Every day the same for all: a hand, and squares")
        )
        self._actions = actions

    @app_commands.command(
        name=pgettext_noop("command", "play"),
        description=gettext_noop("Play today's hand, or see how you did"),
    )
    async def play(self, interaction: Interaction) -> None:
        """Show today's hand."""
        async with handling(interaction) as (_, answer):
            await self._actions.play(answer)

    @app_commands.command(
        name=pgettext_noop("command", "practice"), description=gettext_noop("Play the hands of the past week")
    )
    async def practice(self, interaction: Interaction) -> None:
        """Show the days of the past week."""
        async with handling(interaction) as (_, answer):
            await self._actions.practise(answer)

    @app_commands.command(
        name=pgettext_noop("command", "share"),
        description=gettext_noop("Share today's grade, without the cards"),
    )
    async def share(self, interaction: Interaction) -> None:
        """Post the grade."""
        async with handling(interaction) as (_, answer):
            await self._actions.share(answer)

    @app_commands.command(
        name=pgettext_noop("command", "post"),
        description=gettext_noop("For moderators: post the daily hand in this channel"),
    )
    async def post(self, interaction: Interaction) -> None:
        """Open the settings of the post."""
        async with handling(interaction) as (_, answer):
            await self._actions.open_posting(answer)


async def press_daily(
    actions: DailyActions, interaction: Interaction, match: re.Match[str], values: list[str]
) -> None:
    """Handle a button or a select of the daily hand."""
    async with handling(interaction) as (_, answer):
        try:
            at = DailyId.from_match(match)
        except ValueError:
            raise Refused(DailyRefusal.OVER) from None
        value = "".join(values)
        match at.verb:
            case DailyVerb.PLAY:
                await actions.play(answer)
            case DailyVerb.PRACTICE:
                await actions.practise(answer)
            case DailyVerb.DAY:
                await actions.choose_day(answer, value)
            case DailyVerb.PICK:
                await actions.pick(answer, at.day, at.chosen)
            case DailyVerb.DISCARD:
                await actions.discard(answer, at.day, at.chosen)
            case DailyVerb.FIGURES:
                await actions.figures(answer, at.day, at.chosen)
            case DailyVerb.SHARE:
                await actions.share(answer, at.day)
            case DailyVerb.HOUR:
                await actions.set_posting(answer, value)
