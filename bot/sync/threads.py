"""Opens a game's own thread from its table's lobby when the game begins.

A thread that is started from a message has the message's id, and a message can have only one. So opening is
idempotent: after a crash between Discord's response and our commit, Discord refuses the next attempt, and the
thread's id is that of the lobby.

Discord archives a thread after a time without messages. The bot never does, since buttons do not work in an
archived thread. A new message reopens it, an edit does not (`posts` reposts what it cannot edit there).
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
from bot.sync.discord_errors import Does, Request, done_after, tell_owner
from bot.tables.sessions import Sessions
from engine import Seat

log = logging.getLogger(__name__)

_LONGEST_NAME: Final = 100
"""Discord's limit (characters) of a thread's name."""

_Minutes: TypeAlias = Literal[60, 1440, 4320, 10080]

_RESTS: Final[tuple[_Minutes, ...]] = (60, 1440, 4320, 10080)
"""The delays (minutes) of automatic archiving that Discord offers."""


class Threads:
    """Opens threads and records them as their games' channels."""

    def __init__(self, client: discord.Client, sessions: Sessions) -> None:
        self._client = client
        self._sessions = sessions

    async def move_into(self, record: TableRecord, lobby: Post, voice: Voice) -> None:
        """Move the game into its own thread, or leave it in its channel if Discord refuses one.

        Raises transient network errors, `discord.NotFound` if the channel is deleted, and `StoreUnavailable`;
        it is safe to call again.
        """
        thread = await self._open(record, lobby, voice)
        try:
            try:
                await self._sessions.settle_thread(record.game, thread)
            except ChannelTaken:  # a person has opened the lobby's thread, and another table in it
                await self._sessions.settle_thread(record.game, None)
        except (NoTable, StaleGame):
            log.info("%s ended before it had its thread", record.game)

    async def settled(self, record: TableRecord) -> TableRecord:
        """The table's current record: its channel may have changed."""
        return await self._sessions.record(record.game)

    async def _open(self, record: TableRecord, lobby: Post, voice: Voice) -> int | None:
        """Open the lobby's thread if it has none, and return its id; `None` if Discord refuses one."""
        channel = self._client.get_partial_messageable(lobby.channel, guild_id=record.guild)
        if channel.guild is None:
            raise ConnectionError("the server is not available")
        message = channel.get_partial_message(lobby.message)
        try:
            await message.create_thread(
                name=thread_name(record, voice), auto_archive_duration=rest_of(record)
            )
        except discord.HTTPException as error:
            match done_after(Request.THREAD, error):
                case Does.TAKES_THREAD:
                    return lobby.message
                case Does.STAYS_IN_CHANNEL:
                    tell_owner(Request.THREAD, error)
                    return None
                case _:
                    raise
        return lobby.message


def thread_name(record: TableRecord, voice: Voice) -> str:
    """The thread's name: the names of the players."""
    names = Names.at(record, voice)
    return voice.listing(names.plain(Seat(seat)) for seat in range(len(record.occupants)))[:_LONGEST_NAME]


def rest_of(record: TableRecord) -> _Minutes:
    """Delay (minutes) without a message after which Discord archives the thread.

    It is the shortest one in which a turn fits: buttons do not work in an archived thread.
    """
    turn = record.agreement.time_to_move / 60
    return next((rest for rest in _RESTS if rest >= turn), _RESTS[-1])
