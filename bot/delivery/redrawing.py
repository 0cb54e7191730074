"""Drawing on an answer again, by its own token, which Discord takes for a quarter of an hour.

Such an edit does not count towards the fifty requests a second of a bot.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

import discord
from discord.utils import utcnow

from bot.render.drawing import Drawing

_TO_SPARE = timedelta(seconds=30)
"""The last part of the quarter of an hour, in which the token is not used any more."""

_LONGEST = 6.0
"""Seconds for such an edit, for which discord.py would wait longer; then that token is used no more."""


def can_redraw(answer: discord.Interaction) -> bool:
    """Whether the answer may still be drawn on."""
    return utcnow() <= answer.expires_at - _TO_SPARE


async def redraw(answer: discord.Interaction, message: int, drawing: Drawing, shown: str) -> None:
    """Draw on that message of the answer, which shows a drawing of the digest `shown`, or nobody knows what.

    Raises network errors (`discord_errors.NETWORK`), also `TimeoutError`.
    """
    async with asyncio.timeout(_LONGEST):
        if _is_follow_up(answer, message):
            await answer.followup.edit_message(message, **drawing.to_edit(shown))
        else:
            await answer.edit_original_response(**drawing.to_edit(shown))


def _is_follow_up(answer: discord.Interaction, message: int) -> bool:
    """Whether the message came after the deferral of a component, whose message is the token's original."""
    is_deferred = answer.response.type is discord.InteractionResponseType.deferred_message_update
    return is_deferred and answer.message is not None and answer.message.id != message
