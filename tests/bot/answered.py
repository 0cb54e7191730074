"""An answer that was given, which its token may draw on again, and the copies that are drawn so."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace

from discord import ui
from discord.utils import utcnow

from bot.delivery.open_hands import OpenHands


class Answered:
    """An interaction whose answer can be drawn on, at the pace of a test."""

    def __init__(self, user: int = 1, message: int = 70, *, age: timedelta = timedelta()) -> None:
        self.user = SimpleNamespace(id=user)
        self.message = SimpleNamespace(id=message)
        self.expires_at = utcnow() - age + timedelta(minutes=15)
        self.edits: list[str] = []
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.errors: list[Exception] = []
        """Of the edits that come next."""

    async def edit_original_response(self, *, view: ui.LayoutView) -> None:
        texts = (each for each in view.walk_children() if isinstance(each, ui.TextDisplay))
        self.edits.append("\n".join(each.content for each in texts))
        await self.is_open.wait()
        if self.errors:
            raise self.errors.pop(0)


async def drawn(copies: OpenHands) -> None:
    """Until nothing more is drawn on any copy."""
    while copies._drawing:
        await asyncio.gather(*copies._drawing)
        await asyncio.sleep(0)
