"""Presses and commands at tables that only their tokens reach (`Venue.ANYWHERE`).

For fifteen minutes a token edits the message that was pressed, and posts up to five follow-ups, private hands
among them. So a table without a living token waits, and the next press shows what happened meanwhile. Nothing
is stored: after a restart, too, the next press shows the truth.

Discord makes answers private where a person may not use external apps, and once did so with follow-ups in
DMs. What comes back private is not the table: it becomes a sentence that says how to bring the table there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

import discord

from bot.sync.live_message import TokenTransport

_SPENT = frozenset({10015, 10062, 40094})
"""Discord's error codes for an unknown webhook or interaction, and for a sixth follow-up."""


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
    def is_alive(self) -> bool:
        """True while its token is valid."""

    @property
    def may_post(self) -> bool:
        """True while its token is valid, and has a follow-up left."""

    async def put(self, new: dict[str, Any]) -> Posted:
        """Post a public message with these arguments, as its response or a follow-up.

        Raises network errors, also `TimeoutError`.
        """

    async def explain(self, posted: Posted) -> None:
        """Turn a message that came back private into the sentence that says so. Raises network errors."""


class NoToken(discord.DiscordException):
    """Nothing can be posted there before the next press."""


class Presses:
    """The living presses, by channel: one at a table's result posts the next table, too."""

    def __init__(self) -> None:
        self._presses: dict[int, dict[int, Press]] = {}
        """By channel and person: the newest press. The newest channel and person are last."""

    def note(self, channel: int, press: Press) -> None:
        """Note a press in the channel, and evict the channels without a living one."""
        by_user = self._presses.pop(channel, {})
        by_user.pop(press.user, None)
        by_user[press.user] = press
        self._presses[channel] = by_user
        for oldest in tuple(self._presses):
            if any(each.is_alive for each in self._presses[oldest].values()):
                break
            del self._presses[oldest]

    def are_living(self, channel: int, users: Collection[int]) -> bool:
        """True if each of these people has pressed within a token's lifetime."""
        by_user = self._presses.get(channel, {})
        return all(user in by_user and by_user[user].is_alive for user in users)

    def can_post(self, channel: int) -> bool:
        """True if a token can post a message there."""
        return self._newest(channel) is not None

    async def post(self, channel: int, new: dict[str, Any]) -> Posted:
        """Post a public message with the newest token that can.

        A message that comes back private says so to its person, whose token posts no more, and the next is
        tried. Raises `NoToken`, and network errors.
        """
        while (press := self._newest(channel)) is not None:
            try:
                posted = await press.put(new)
            except discord.HTTPException as error:
                if error.status != HTTPStatus.UNAUTHORIZED and error.code not in _SPENT:
                    raise
                self._drop(channel, press)
                continue
            if not posted.is_private:
                return posted
            self._drop(channel, press)
            await press.explain(posted)
        raise NoToken

    def _newest(self, channel: int) -> Press | None:
        presses = reversed(self._presses.get(channel, {}).values())
        return next((press for press in presses if press.may_post), None)

    def _drop(self, channel: int, press: Press) -> None:
        by_user = self._presses.get(channel, {})
        if by_user.get(press.user) is press:  # unless there is a newer one
            del by_user[press.user]
