"""A persistent button or select: it works on any message, however old, and nothing of it is kept in memory.

It parses and touches nothing before its callback, because discord.py logs and drops errors there.
"""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ui


class PersistentItem(ui.DynamicItem[ui.Item[Any]], template=r"(?!)"):
    """What all kinds share: each names the template of its custom_ids, and this one matches none."""

    def __init__(self, item: ui.Item[Any], match: re.Match[str]) -> None:
        super().__init__(item)
        self._match = match

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Keep the match; nothing is looked at before the callback."""
        return cls(item, match)
