"""The custom_ids of the honest deck's explanation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.model.custom_ids import CustomId

CHECK = re.compile(r"replay:(?P<game>[a-z0-9]{1,16}):check:[0-9]{1,5}:[0-9]{1,20}")
"""Pattern of the custom_id of *Fair?* below a replay, and in the list of cancelled games."""

WAITING = re.compile(r"fair:(?P<game>[a-z0-9]{0,16}):(?P<wanted>on|off)")
"""Pattern of the custom_id of *Rematches wait for my word*."""


@dataclass(frozen=True, slots=True)
class WaitingId(CustomId):
    """The button with which games wait for a person's word, or do so no more."""

    game: str
    """The game that is explained above it; empty for none."""
    wanted: bool

    def __str__(self) -> str:
        return f"fair:{self.game}:{'on' if self.wanted else 'off'}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> WaitingId:
        """The id in a match of `WAITING`."""
        return cls(match["game"], match["wanted"] == "on")
