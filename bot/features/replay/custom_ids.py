"""The grammar of the custom_ids of lists of games.

past:123:before:55         finished games of user 123 (0: the server's), the page before game number 55
past:123:before:55:share   that page, posted in the channel
past:123:before:55:7       that page, in a list that user 7 has posted
cancelled:123:before:55    likewise for cancelled games
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.model.custom_ids import CustomId

PAST = re.compile(
    r"(?P<list>past|cancelled):(?P<whose>[0-9]{1,20}):(?P<way>before|after):(?P<number>[0-9]{1,12})"
    r"(?::(?P<posted>share|[0-9]{1,20}))?"
)
"""Pattern of the custom_id of a page of finished or cancelled games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastId(CustomId):
    """A page of finished or cancelled games: those before or after a given one, or the newest."""

    whose: int | None
    """The user's id; `None` for all games of the server."""
    before: int | None = None
    after: int | None = None
    is_cancelled: bool = False
    owner: int = 0
    """The user who posted the list in the channel, and alone turns its pages; 0 for an ephemeral list."""
    is_shared: bool = False
    """True for the button that posts an ephemeral list."""

    def __str__(self) -> str:
        way, number = ("before", self.before) if self.after is None else ("after", self.after)
        posted = ":share" if self.is_shared else f":{self.owner}" if self.owner else ""
        return f"{'cancelled' if self.is_cancelled else 'past'}:{self.whose or 0}:{way}:{number or 0}{posted}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> PastId:
        """The id in a match of `PAST`."""
        number = int(match["number"]) or None
        is_before, posted = match["way"] == "before", match["posted"] or "0"
        return cls(
            whose=int(match["whose"]) or None,
            before=number if is_before else None,
            after=None if is_before else number,
            is_cancelled=match["list"] == "cancelled",
            owner=0 if posted == "share" else int(posted),
            is_shared=posted == "share",
        )
