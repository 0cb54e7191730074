"""Presses and commands at tables that only their tokens reach (`Venue.ANYWHERE`).

For fifteen minutes a token edits the message that was pressed, and posts up to five follow-ups, private hands
among them. So a table without a living token waits, and the next press shows what happened meanwhile. Nothing
is stored: after a restart, too, the next press shows the truth.

Discord makes answers private where a person may not use external apps, and once did so with follow-ups in
DMs. What comes back private is not the table: it becomes a sentence that says how to bring the table there.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

import discord

from bot.sync.discord_errors import NETWORK, Does, Request, done_after
from bot.sync.live_message import TokenExpired, TokenTransport

KEPT = 3_600.0
"""Time (s) for which presses are kept; the turn clock asks for half of it."""

_POLL = 0.01


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that was posted with a token."""

    message: int
    is_private: bool
    token: TokenTransport
    files: tuple[int, ...] = ()


class Press(Protocol):
    """A press or a command whose token can post: `bot.interactions.answering.Answer`."""

    @property
    def user(self) -> int:
        """The id of the person."""

    @property
    def channel(self) -> int | None:
        """The id of the channel that it was made in, the only one where its token posts."""

    @property
    def pressed_at(self) -> float:
        """Its time (s since 1970)."""

    @property
    def is_alive(self) -> bool:
        """True while its token is valid."""

    @property
    def may_post(self) -> bool:
        """True while its token is valid, has a follow-up left, and was not refused one."""

    @may_post.setter
    def may_post(self, may: bool) -> None: ...

    @property
    def may_have_posted(self) -> bool:
        """True after a post with an unknown outcome."""

    async def put(self, new: dict[str, Any]) -> Posted:
        """Post a public message with these arguments, as its response or a follow-up.

        Raises network errors, also `TimeoutError`.
        """

    async def explain(self, posted: Posted) -> None:
        """Turn a message that came back private into the sentence that says so. Raises network errors."""


class NoToken(discord.DiscordException):
    """Nothing can be posted there before the next press."""


class CameBackPrivate(NoToken):
    """Raised where a post came back private, and no other token can post it."""


class Presses:
    """The living presses, by channel: one at a table's result posts the next table, too."""

    def __init__(self) -> None:
        self._presses: dict[int, dict[int, Press]] = {}
        """By channel and person: the newest press. The newest channel and person are last."""
        self._posting = 0
        """Number of messages that are being posted, and not recorded yet."""

    def note(self, channel: int, press: Press) -> None:
        """Note a press in the channel, and evict the channels whose newest is out of date."""
        by_user = self._presses.pop(channel, {})
        by_user.pop(press.user, None)
        by_user[press.user] = press
        self._presses[channel] = by_user
        for other in tuple(self._presses):
            *_, newest = self._presses[other].values()
            if press.pressed_at - newest.pressed_at < KEPT:
                break
            del self._presses[other]

    def seen(self, channel: int, users: Iterable[int]) -> float | None:
        """The time (s since 1970) of the newest press of those of these people who have no living token.

        Minus infinity if each of them has one, and `None` if a person's press is unknown.
        """
        by_user = self._presses.get(channel, {})
        newest = [by_user.get(user) for user in users]
        known = [each for each in newest if each is not None]
        if len(known) < len(newest):
            return None
        return max((each.pressed_at for each in known if not each.is_alive), default=-math.inf)

    def can_post(self, channel: int) -> bool:
        """True if a token can post a message there."""
        return self._newest(channel) is not None

    async def post(self, channel: int, new: dict[str, Any]) -> Posted:
        """Post a public message with the newest token that can.

        A message that comes back private says so to its person, whose token posts no more, and the next is
        tried. After a post with an unknown outcome none is: the next press brings the message. Raises
        `NoToken`, `CameBackPrivate`, and network errors.
        """
        is_refused = False
        while (press := self._newest(channel)) is not None:
            try:
                posted = await press.put(new)
            except NETWORK as error:
                if press.may_have_posted:
                    for each in self._presses[channel].values():
                        each.may_post = False
                    raise NoToken from error
                if not _is_spent(error):
                    raise
                press.may_post = False
                continue
            if not posted.is_private:
                return posted
            press.may_post, is_refused = False, True
            await press.explain(posted)
        raise CameBackPrivate if is_refused else NoToken

    @contextmanager
    def posting(self) -> Iterator[None]:
        """Count a message as being posted until it is recorded: given up before, it may be posted twice."""
        self._posting += 1
        try:
            yield
        finally:
            self._posting -= 1

    async def posted(self, within: float) -> None:
        """Wait until no message is being posted, at most `within` (s)."""
        until = asyncio.get_running_loop().time() + within
        while self._posting and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 -- it ends soon
            await asyncio.sleep(_POLL)

    def _newest(self, channel: int) -> Press | None:
        presses = reversed(self._presses.get(channel, {}).values())
        return next((press for press in presses if press.may_post), None)


def _is_spent(error: Exception) -> bool:
    """True for the refusal of a token that posts nothing more."""
    if isinstance(error, discord.HTTPException):
        is_spent = done_after(Request.FOLLOW_UP, error) is Does.TAKES_NEXT_PRESS
        return is_spent or error.status == HTTPStatus.UNAUTHORIZED
    return isinstance(error, TokenExpired)
