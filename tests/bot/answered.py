"""An answer that was given, which its token may draw on again."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace

from discord import ui
from discord.utils import utcnow


class Answered:
    """An interaction whose answer can be drawn on, at the pace of a test."""

    def __init__(self, user: int = 1, message: int = 70, *, age: timedelta = timedelta()) -> None:
        self.user = SimpleNamespace(id=user)
        self.message = SimpleNamespace(id=message)
        self.expires_at = utcnow() - age + timedelta(minutes=15)
        self.edits: list[str] = []
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.error: Exception | None = None

    async def edit_original_response(self, *, view: ui.LayoutView) -> None:
        texts = (each for each in view.walk_children() if isinstance(each, ui.TextDisplay))
        self.edits.append("\n".join(each.content for each in texts))
        await self.is_open.wait()
        if self.error is not None:
            raise self.error
