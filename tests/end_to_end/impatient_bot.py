"""The bot as it is, but that at its start it waits for what is out of reach two seconds, not five minutes."""

from __future__ import annotations

import bot.starting


def alter() -> None:
    """Let the bot of this process give up soon."""
    bot.starting.PATIENCE = 2.0
