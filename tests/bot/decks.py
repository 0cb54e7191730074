"""Secrets of honest decks that a test knows."""

from __future__ import annotations

from engine.fair import MOST_SEATS, Secrets

SECRET = bytes(range(32))
SECRETS = Secrets(secret=SECRET, salts=tuple(bytes([number]) * 32 for number in range(1, MOST_SEATS + 1)))


def secrets() -> Secrets:
    """The same for every table."""
    return SECRETS
