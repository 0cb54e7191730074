"""Threads of their own for games: each is opened from its table's lobby when the game begins.

A thread that is started from a message has the message's id, and a message can have one only. So opening is
idempotent: after a crash between Discord's answer and our note, the next attempt is told that the lobby has a
thread already, and knows which.

A thread archives itself after a rest, and is never archived by us: nobody can press anything in an archived
one. What is posted there opens it again, an edit does not (`posts` posts again what cannot be edited there).
"""

from __future__ import annotations

import logging
from typing import Final, Literal, TypeAlias

import discord

from bot.model.errors import ChannelTaken, NoTable, StaleGame
from bot.model.posts import Post
from bot.model.table_record import TableRecord
from bot.render.text.names import Names
from bot.render.text.voice import Voice
from bot.sync.discord_errors import GONE, described, passes_by_itself
from bot.tables.sessions import Sessions
from engine import Seat

log = logging.getLogger(__name__)

_HAS_THREAD: Final = 160004
"""Discord's code for a message from which a thread was started before."""

_LONGEST_NAME: Final = 100
"""Characters that Discord takes in a thread's name."""

_Minutes: TypeAlias = Literal[60, 1440, 4320, 10080]

_RESTS: Final[tuple[_Minutes, ...]] = (60, 1440, 4320, 10080)
"""The rests, in minutes, after which Discord archives a thread: it offers these four."""


class Threads:
    """Opens the threads, and notes in which of them games are played."""

    def __init__(self, client: discord.Client, sessions: Sessions) -> None:
        self._client = client
        self._sessions = sessions

    async def move_into(self, record: TableRecord, lobby: Post, voice: Voice) -> None:
        """Let the game go on in a thread of its own, or, where Discord does not allow one, in its channel.

        Raises network errors that may pass by themselves, `discord.NotFound` when the channel is gone, and
        `StoreUnavailable`; then nothing is settled, and doing it again is safe.
        """
        thread = await self._opened(record, lobby, voice)
        try:
            try:
                await self._sessions.settle_thread(record.game, thread)
            except ChannelTaken:  # somebody opened a thread from the lobby before us, and a table in it
                await self._sessions.settle_thread(record.game, None)
        except (NoTable, StaleGame):
            log.info("%s ended before it had its thread", record.game)

    async def settled(self, record: TableRecord) -> TableRecord:
        """The table's record by now: where it is played may have changed."""
        return await self._sessions.record(record.game)

    async def _opened(self, record: TableRecord, lobby: Post, voice: Voice) -> int | None:
        """The id of the lobby's thread, opened now or before; `None` where Discord does not allow one."""
        channel = self._client.get_partial_messageable(lobby.channel, guild_id=record.guild)
        if channel.guild is None:
            raise ConnectionError("the server is not available")
        message = channel.get_partial_message(lobby.message)
        try:
            await message.create_thread(
                name=thread_name(record, voice), auto_archive_duration=rest_of(record)
            )
        except discord.HTTPException as error:
            if error.code == _HAS_THREAD:
                return lobby.message
            if passes_by_itself(error) or error.code in GONE:
                raise
            log.info("%s gets no thread of its own: %s", record.game, described(error))
            return None
        return lobby.message


def thread_name(record: TableRecord, voice: Voice) -> str:
    """The thread's name: the players."""
    names = Names.at(record, voice)
    return voice.listing(names.plain(Seat(seat)) for seat in range(len(record.occupants)))[:_LONGEST_NAME]


def rest_of(record: TableRecord) -> _Minutes:
    """After how many minutes without a message the thread archives itself.

    That is an hour; a game with longer turns gets the shortest rest in which a turn fits, because its buttons
    would not work otherwise.
    """
    turn = record.agreement.time_to_move / 60
    return next((rest for rest in _RESTS if rest >= turn), _RESTS[-1])
