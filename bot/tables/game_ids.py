"""The ids of games."""

from __future__ import annotations

import secrets
import string

_LETTERS = string.ascii_lowercase + string.digits


def new_id() -> str:
    """Random id of five letters and digits: 60 million values; the store refuses a duplicate."""
    return "".join(secrets.choice(_LETTERS) for _ in range(5))
