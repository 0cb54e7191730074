"""The ids of games."""

from __future__ import annotations

import secrets
import string

_LETTERS = string.ascii_lowercase + string.digits


def new_id() -> str:
    """Five letters and digits: sixty million of them, and a clash is refused by the store."""
    return "".join(secrets.choice(_LETTERS) for _ in range(5))
