"""What is remembered of one person from game to game, apart from their games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What one person likes, as far as it was told or seen."""

    dms_closed: bool = False
    """Whether the person was seen to refuse direct messages."""
    language: str | None = None
    """The language that their Discord spoke when they were last here: a code such as `fr` or `en-GB`."""
    always_cut: bool = False
    """Whether the starter is cut for them without asking."""
    dm_channel: int | None = None
    """Discord's id of their direct messages with the bot, once these were opened."""
