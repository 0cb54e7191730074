"""A hand that its player has opened at a table, as one process gives it to the next, which draws it on.

With it goes the token of an answer to the player, with which anybody could draw there for a quarter of an
hour: it is in no `repr`, and never logged.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LentToken:
    """What edits one message that only its reader sees."""

    message: int
    application: int
    token: str = field(repr=False)
    is_original: bool
    """Whether the message is the one that the token's interaction was about, or its first answer."""
    expires: float
    """Until when Discord takes the token, in seconds since 1970."""
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    """The newest copy of one player's hand, and what it shows."""

    game: str
    user: int
    token: LentToken
    digest: str
    version: int
    draft: int | None

    def to_json(self) -> str:
        """For `open_hand_from`."""
        return json.dumps(asdict(self), separators=(",", ":"))


def open_hand_from(text: str) -> OpenHand | None:
    """The hand, if the text is one: another version of the bot may write what this one does not know."""
    try:
        given = json.loads(text)
        return OpenHand(**given | {"token": LentToken(**given["token"])})
    except (ValueError, TypeError, KeyError):
        return None
