"""The ids of games."""

from __future__ import annotations

import string
from random import Random

_LETTERS = string.ascii_lowercase + string.digits


def new_id(random: Random) -> str:
    """Random id of five letters and digits: 60 million values; the store refuses a duplicate."""
    return "".join(random.choice(_LETTERS) for _ in range(5))
