"""The grammar of the daily hand's custom_ids: `daily:pick:20261125:5HJD`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from enum import Enum

from bot.model.custom_ids import CustomId
from engine import Cards, cards, spell

DAILY = re.compile(r"daily:(?P<verb>[a-z]+)(?::(?P<day>[0-9]{8})(?::(?P<cards>(?:[A2-9TJQK][CDHS]){0,2}))?)?")
"""Pattern of every custom_id of the daily hand. Those that name a card are on ephemeral messages only."""


class DailyVerb(Enum):
    """The request of a button or select of the daily hand."""

    PLAY = "play"
    """Open today's hand: the only verb on public messages."""
    PRACTICE = "practice"
    """Choose a day of the past week."""
    DAY = "day"
    """A select: the day to play for practice."""
    PICK = "pick"
    """Choose these cards (none to two) of that day's hand."""
    DISCARD = "discard"
    """Discard these two cards."""
    FIGURES = "figures"
    """Read the figures of every discard of that day, once one has discarded; the cards are one's practice."""
    SHARE = "share"
    """Post the user's grade of that day."""
    HOUR = "hour"
    """A select: the hour of the server's daily post."""


@dataclass(frozen=True, slots=True)
class DailyId(CustomId):
    """The custom_id of a button or select of the daily hand."""

    verb: DailyVerb
    day: date | None = None
    chosen: Cards = field(default=(), repr=False)

    def __str__(self) -> str:
        if self.day is None:
            return f"daily:{self.verb.value}"
        chosen = spell(self.chosen).replace(" ", "")
        return f"daily:{self.verb.value}:{self.day:%Y%m%d}:{chosen}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> DailyId:
        """The id in a match of `DAILY`. Raises `ValueError` for an unknown verb or day."""
        written, day = match["cards"] or "", match["day"]
        chosen = cards(" ".join(written[place : place + 2] for place in range(0, len(written), 2)))
        return cls(DailyVerb(match["verb"]), date.fromisoformat(day) if day else None, chosen)
