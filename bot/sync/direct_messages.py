"""Direct messages: the channel to each person, opened once and kept, and a line said there."""

from __future__ import annotations

import discord

from bot.store import Store
from bot.sync.discord_errors import CLOSED_DMS, GONE


class DirectMessages:
    """The ways to people in private."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store

    async def channel(self, user: int) -> int:
        """The channel of the direct messages with that person: the one that is kept, else a new one."""
        kept = (await self._store.preferences(user)).dm_channel
        return kept if kept is not None else await self.open(user)

    async def open(self, user: int) -> int:
        """The same, asked of Discord and kept: it opens the channel if there is none."""
        channel = await self._client.create_dm(discord.Object(user))
        await self._store.prefer(user, dm_channel=channel.id)
        return channel.id

    async def say_quietly(self, user: int, line: str) -> None:
        """Say it, without a notification, to somebody whose direct messages are open.

        Closed ones are remembered. Raises `discord.HTTPException` when Discord refuses for another reason.
        """
        if (await self._store.preferences(user)).dms_closed:
            return
        try:
            try:
                await self._send(await self.channel(user), line)
            except discord.NotFound as error:
                if error.code not in GONE:
                    raise
                await self._send(await self.open(user), line)
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                raise
            await self._store.prefer(user, dms_closed=True)

    async def _send(self, channel: int, line: str) -> None:
        await self._client.get_partial_messageable(channel).send(line, silent=True)
