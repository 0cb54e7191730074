"""The buttons under lists of games. Each reads what was pressed and calls an action."""

from __future__ import annotations

import re

from bot.features.replay.custom_ids import PastId
from bot.interactions.actions import Interaction, asked


async def turn_past(interaction: Interaction, match: re.Match[str]) -> None:
    """Turn to the page of finished games that a button names, on any message, however old."""
    async with asked(interaction) as (actions, answer):
        await actions.replays.turn(answer, PastId.from_match(match))
