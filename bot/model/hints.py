"""Hint: a message between processes that one of them has changed a game that another one syncs.

It names no card, person or token. Its receiver reloads the game; a lost hint is made up for by the scan for
unsynced games.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class Drawn:
    """The edit of a game's message by an answer to a press."""

    message: int
    digest: str
    version: int
    draft: int | None
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A change of one game."""

    game: str
    sender: int
    """Number of the sending process, which ignores its own hints."""
    is_to_be_reposted: bool = False
    hands_to_repost: tuple[int, ...] = ()
    """Seats whose hand by DM should be posted again."""
    pressed: tuple[int, ...] = ()
    """Seats of the players who have pressed something in their DM."""
    drawn: tuple[Drawn, ...] = field(default=())

    def to_json(self) -> str:
        """The hint as JSON, for `hint_from`."""
        fields = asdict(self)
        fields["coming_down"] = fields.pop("hands_to_repost")  # its name in the format
        return json.dumps(fields, separators=(",", ":"))


def hint_from(text: str) -> Hint | None:
    """The hint in `text`; None for one in another version's format."""
    try:
        given = json.loads(text)
        return Hint(
            game=str(given["game"]),
            sender=int(given["sender"]),
            is_to_be_reposted=bool(given["is_to_be_reposted"]),
            hands_to_repost=tuple(map(int, given["coming_down"])),
            pressed=tuple(map(int, given["pressed"])),
            drawn=tuple(Drawn(**each) for each in given["drawn"]),
        )
    except (ValueError, TypeError, KeyError):
        return None
