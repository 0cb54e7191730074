"""The commands that Discord has of the bot: a digest of what was sent, and the ids that it has given them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCommands:
    """What was sent to Discord in the name of one application."""

    application: int
    digest: str
    """Of what was sent, with its translations."""
    ids: Mapping[str, int]
    """Discord's id of each command by its first word, as `crib`; none while they are not known."""
