"""What one process tells the others of a game that it has changed and another one tells: a hint.

It names no card, no person and no token. A process that hears it reads the game again; a hint that is
lost is made up for by looking at what is untold.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class Drawn:
    """What an answer to a press has drawn on a message of the game."""

    message: int
    digest: str
    version: int
    draft: int | None
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """Something has happened at that table."""

    game: str
    sender: int
    """The number of the process, which need not hear its own."""
    is_to_be_reposted: bool = False
    coming_down: tuple[int, ...] = ()
    """The seats whose hand by DM is to be posted once more."""
    pressed: tuple[int, ...] = ()
    """The seats of those who have pressed something in their DM."""
    drawn: tuple[Drawn, ...] = field(default=())

    def to_json(self) -> str:
        """For `hint_from`."""
        return json.dumps(asdict(self), separators=(",", ":"))


def hint_from(text: str) -> Hint | None:
    """The hint, if the text is one: a newer version of the bot may send what this one does not know."""
    try:
        given = json.loads(text)
        return Hint(
            game=str(given["game"]),
            sender=int(given["sender"]),
            is_to_be_reposted=bool(given["is_to_be_reposted"]),
            coming_down=tuple(map(int, given["coming_down"])),
            pressed=tuple(map(int, given["pressed"])),
            drawn=tuple(Drawn(**each) for each in given["drawn"]),
        )
    except (ValueError, TypeError, KeyError):
        return None
