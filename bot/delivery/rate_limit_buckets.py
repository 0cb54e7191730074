"""How often discord.py looks for rate limits of channels that it need not remember any more.

It keeps those of each channel for five minutes, and looks through all of them with each request to a new one.
A bot with thousands of tables has thousands: that took two fifths of its time when 3,700 tables were opened
within two minutes. Twice a minute is enough: they take some hundred bytes each.
"""

from __future__ import annotations

import asyncio

import discord

_BETWEEN = 30.0
"""Seconds."""


def clear_seldom(client: discord.Client) -> None:
    """Let the client look through them twice a minute at most."""
    # Private: discord.py has no setting for it; `pyproject.toml` pins the version.
    http = client.http
    clear, due = http._try_clear_expired_ratelimits, 0.0  # noqa: SLF001 -- see above

    def clear_if_due() -> None:
        nonlocal due
        now = asyncio.get_running_loop().time()
        if now >= due:
            due = now + _BETWEEN
            clear()

    http._try_clear_expired_ratelimits = clear_if_due  # type: ignore[method-assign]  # noqa: SLF001 -- see above
