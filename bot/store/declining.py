"""How it is kept whose challenges somebody takes no more.

A person declines for themselves, and their say is to last: also when the challenger has their own data
deleted, and comes back. So the challenger is not named in the row, which holds a digest of both ids: it can
tell whether a challenge is declined, and does not say by itself whose.
"""

from __future__ import annotations

import hashlib

EVERYBODY = b""
"""In place of a digest: no challenge at all."""


def digest(user: int, challenger: int | None) -> bytes:
    """What stands for a challenger in the row of a person; for `None`, everybody."""
    if challenger is None:
        return EVERYBODY
    return hashlib.blake2b(f"{user} {challenger}".encode(), digest_size=16).digest()
