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
from typing import Any, Protocol

import discord

from bot.sync.live_message import TokenTransport


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
    """The living presses, by game."""

    def __init__(self) -> None:
        self._presses: dict[str, dict[int, Press]] = {}
        """By game and person: the newest press, the newest person last."""

    def note(self, game: str, press: Press) -> None:
        """Note a press at the game."""
        by_user = self._presses.setdefault(game, {})
        by_user.pop(press.user, None)
        by_user[press.user] = press

    def are_living(self, game: str, users: Collection[int]) -> bool:
        """True if each of these people has pressed within a token's lifetime."""
        by_user = self._presses.get(game, {})
        return all(user in by_user and by_user[user].is_alive for user in users)

    def can_post(self, game: str) -> bool:
        """True if a token can post a message there."""
        return any(press.may_post for press in self._presses.get(game, {}).values())

    async def post(self, game: str, new: dict[str, Any]) -> Posted:
        """Post a public message with the newest token that can.

        A message that comes back private says so to its person, whose token posts no more, and the next is
        tried. Raises `NoToken`, and network errors.
        """
        while (press := self._newest(game)) is not None:
            posted = await press.put(new)
            if not posted.is_private:
                return posted
            del self._presses[game][press.user]
            await press.explain(posted)
        raise NoToken

    def forget(self, game: str) -> None:
        """Evict a game that has nothing more to show."""
        self._presses.pop(game, None)

    def _newest(self, game: str) -> Press | None:
        presses = reversed(self._presses.get(game, {}).values())
        return next((press for press in presses if press.may_post), None)
