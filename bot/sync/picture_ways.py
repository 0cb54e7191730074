"""The ways in which edits carry pictures, by channel: what Discord refuses twice is done another way there.

Every picture rests on two things that no document promises: an edit may show a file of its message without
listing it, and an edit may bring a file. Where one of them is refused, the message is posted anew, which
Discord takes; so nothing would be learned from that, and a table would be posted anew at each card. After the
second refusal in a row its channel changes its way, until the next start:

- A file that stays is left out of the edit; then listed by its id; then brought again with each edit.
- Where no edit may bring a file, a new picture comes with a new message only, and until then the message is
  text.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus

import discord

from bot.render.drawing import Drawing
from bot.sync.discord_errors import NOT_FOR_A_PICTURE, described

log = logging.getLogger(__name__)

_SECOND = 2
"""Number of refusals in a row after which a channel changes its way."""

_FOR_PICTURES = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})


class Way(Enum):
    """The way in which an edit carries its picture."""

    LEFT_OUT = "a file that stays is left out"
    LISTED = "a file that stays is listed by its id"
    BROUGHT = "the file is brought"


@dataclass(slots=True)
class _Channel:
    """The ways that a channel has refused."""

    refused: set[Way] = field(default_factory=set)
    in_a_row: Counter[Way] = field(default_factory=Counter)


class PictureWays:
    """The ways of all channels in which Discord has refused one."""

    def __init__(self) -> None:
        self._channels: dict[int, _Channel] = {}
        self._warned: set[Way] = set()

    def way(self, channel: int, drawing: Drawing, standing: str, files: tuple[int, ...]) -> Way | None:
        """The way of an edit over a content with the digest `standing`; `None` if it must do without.

        `files` are the ids of the message's files, if they are known.
        """
        if not drawing.files:
            return Way.LEFT_OUT
        refused = self._channels[channel].refused if channel in self._channels else ()
        ways = [Way.BROUGHT]
        if drawing.has_files_of(standing):
            ways = [Way.LEFT_OUT, *([Way.LISTED] if files else []), Way.BROUGHT]
        return next((way for way in ways if way not in refused), None)

    def taken(self, channel: int, way: Way) -> None:
        """Note that Discord has taken an edit."""
        if channel in self._channels:
            del self._channels[channel].in_a_row[way]

    def refused(self, channel: int, way: Way, error: discord.HTTPException) -> None:
        """Note that Discord has refused an edit, and taken the same message in another form."""
        known = self._channels.setdefault(channel, _Channel())
        known.in_a_row[way] += 1
        if known.in_a_row[way] < _SECOND or way in known.refused:
            return
        known.refused.add(way)
        level = logging.INFO if way in self._warned else logging.WARNING
        self._warned.add(way)
        log.log(
            level,
            "Discord refuses edits in which %s (%s): they are done another way there",
            way.value,
            described(error),
        )


def may_be_for_the_picture(error: discord.HTTPException) -> bool:
    """True if Discord may take the same message without its picture."""
    if error.code in NOT_FOR_A_PICTURE:
        return False
    return error.status in _FOR_PICTURES or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
