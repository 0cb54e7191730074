"""The grammar of the lesson's custom_ids: `learn:fifteen:5C`, the step and the choice made at it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.model.custom_ids import CustomId

LEARN: Final = re.compile(r"learn:(?P<step>[a-z]{1,20})(?::(?P<choice>[A-Za-z0-9]{0,20}))?")
"""Pattern of every custom_id of the lesson. Those that name a card are on the learner's own message only."""

OPEN: Final = "open"
"""In place of a step: open the lesson where the person left it. The only one on public messages."""
AGAIN: Final = "again"
"""In place of a step: begin again."""
GAME: Final = "game"
"""In place of a step: start the first game."""

SKIP: Final = "skip"
"""A choice at every step: go on without an answer."""


@dataclass(frozen=True, slots=True)
class LearnId(CustomId):
    """The custom_id of a button of the lesson."""

    step: str
    choice: str | None = None

    def __str__(self) -> str:
        return f"learn:{self.step}" if self.choice is None else f"learn:{self.step}:{self.choice}"
