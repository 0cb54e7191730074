"""The bot's commands as registered at Discord: a digest of them, and their ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCommands:
    """Registered commands of one application."""

    application: int
    digest: str
    """Digest of the commands, including their translations."""
    ids: Mapping[str, int]
    """Discord's id of each command by its first word, such as `crib`; empty while unknown."""
