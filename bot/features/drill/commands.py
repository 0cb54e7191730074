"""`/crib-coach drill`, and the buttons of the drills."""

from __future__ import annotations

import re

from discord import app_commands
from discord.app_commands import Choice

from bot.features.drill.actions import DrillActions
from bot.features.drill.custom_ids import CountId, DealId, Wish
from bot.features.drill.records import Kind
from bot.interactions.actions import Interaction, handling
from bot.interactions.registry import SubCommand
from bot.language.languages import gettext_noop, pgettext_noop
from bot.model.errors import StaleButton

_KINDS: list[Choice[str]] = [
    Choice(name=gettext_noop("counting: how many points is a hand?"), value=Kind.COUNTING.value),
    Choice(name=gettext_noop("discards: which two go to the crib?"), value=Kind.DISCARDS.value),
]


def sub_commands(actions: DrillActions) -> tuple[SubCommand, ...]:
    """`/crib-coach drill`."""

    @app_commands.command(
        name=pgettext_noop("command", "drill"),
        description=gettext_noop("A minute's practice: count hands, or choose discards"),
    )
    @app_commands.describe(kind=gettext_noop("What to practise"))
    @app_commands.choices(kind=_KINDS)
    async def drill(interaction: Interaction, kind: str) -> None:
        """Ask a first question."""
        async with handling(interaction) as (_, answer):
            await actions.open(answer, Kind(kind))

    return (SubCommand("crib-coach", gettext_noop("Play better: hints, counting and reviews"), drill),)


async def press_drill(
    actions: DrillActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle *Next*, *Stop* and the buttons that begin a drill."""
    async with handling(interaction) as (_, answer):
        if Wish(match["wish"]) is Wish.STOP:
            await actions.stop(answer)
        else:
            await actions.go_on(answer, Kind(match["kind"]))


async def press_points(
    actions: DrillActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle the points of a hand."""
    async with handling(interaction) as (_, answer):
        at = CountId.from_match(match)
        if at is None:
            raise StaleButton(0, 0)
        await actions.count(answer, at)


async def press_card(
    actions: DrillActions, interaction: Interaction, match: re.Match[str], __: list[str]
) -> None:
    """Handle a card to discard, and the button that discards."""
    async with handling(interaction) as (_, answer):
        at = DealId.from_match(match)
        if at is None:
            raise StaleButton(0, 0)
        await actions.choose(answer, at)
