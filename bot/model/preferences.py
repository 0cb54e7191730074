"""The preferences of one person, which outlive their games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Preferences of one person, chosen or observed."""

    dms_closed: bool = False
    """True if Discord has refused a direct message to them."""
    language: str | None = None
    """Language of their Discord client at their last press: a code such as `fr` or `en-GB`."""
    always_cut: bool = False
    """True to cut the starter for them without asking."""
    waits_for_word: bool = False
    """True if no game at their table begins by itself, so that they can give its deck a word."""
    dm_channel: int | None = None
    """Discord's id of their direct messages with the bot, once opened."""
