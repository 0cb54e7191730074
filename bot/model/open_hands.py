"""An open hand: a player's ephemeral message at a table, passed from one process to the next, which edits it.

It carries the token of an answer to the player, which lets its holder edit that message for a quarter of an
hour: it is in no `repr`, and never logged.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LentToken:
    """Credentials for editing one ephemeral message."""

    message: int
    application: int
    token: str = field(repr=False)
    is_original: bool
    """True if the message is the token's original one: its interaction's message or first response."""
    expires: float
    """Unix time (s) at which Discord stops accepting the token."""
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    """The newest copy of one player's hand, and its content's digest."""

    game: str
    user: int
    token: LentToken
    digest: str
    version: int
    draft: int | None

    def to_json(self) -> str:
        """The hand as JSON, for `open_hand_from`."""
        return json.dumps(asdict(self), separators=(",", ":"))


def open_hand_from(text: str) -> OpenHand | None:
    """The hand in `text`; None for one in another version's format."""
    try:
        given = json.loads(text)
        return OpenHand(**given | {"token": LentToken(**given["token"])})
    except (ValueError, TypeError, KeyError):
        return None
