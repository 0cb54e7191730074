"""The grammar of the squares' custom_ids: `squares:put:20261125:3:7`. None names a card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from bot.model.custom_ids import CustomId
from engine import CELLS

SQUARES: Final = re.compile(r"squares:(?P<verb>open|share)(?::(?P<day>[0-9]{8}))?")
"""Pattern of the custom_ids without a cell."""

PUT: Final = re.compile(r"squares:put:(?P<day>[0-9]{8}):(?P<number>[0-9]{1,2}):(?P<cell>[0-9]{1,2})")
"""Pattern of the custom_ids of cells."""


class SquaresVerb(Enum):
    """The request of a button without a cell."""

    OPEN = "open"
    """Open today's squares: the only verb on public messages."""
    SHARE = "share"
    """Post the user's squares of that day."""


@dataclass(frozen=True, slots=True)
class SquaresId(CustomId):
    """A button without a cell."""

    verb: SquaresVerb
    day: date | None = None

    def __str__(self) -> str:
        beginning = f"squares:{self.verb.value}"
        return beginning if self.day is None else f"{beginning}:{self.day:%Y%m%d}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> SquaresId:
        """The id in a match of `SQUARES`. Raises `ValueError` for a day that there is not."""
        day = match["day"]
        return cls(SquaresVerb(match["verb"]), date.fromisoformat(day) if day else None)


@dataclass(frozen=True, slots=True)
class PutId(CustomId):
    """The button of a cell."""

    day: date
    number: int
    """Number of the cards that were placed before: a second press with it changes nothing."""
    cell: int

    def __str__(self) -> str:
        return f"squares:put:{self.day:%Y%m%d}:{self.number}:{self.cell}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> PutId:
        """The id in a match of `PUT`. Raises `ValueError` for a day, card or cell that there is not."""
        number, cell = int(match["number"]), int(match["cell"])
        if not (number < CELLS and cell < CELLS):
            raise ValueError(match.string)
        return cls(date.fromisoformat(match["day"]), number, cell)
