"""Direct messages: opens each person's DM channel once, stores its id, and posts lines there."""

from __future__ import annotations

import discord

from bot.store import Store
from bot.sync.discord_errors import CLOSED_DMS, GONE


class DirectMessages:
    """Finds, opens and writes to people's DM channels."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store

    async def channel(self, user: int) -> int:
        """The id of the person's DM channel: the stored one, or one that is opened now."""
        kept = (await self._store.preferences(user)).dm_channel
        return kept if kept is not None else await self.open(user)

    async def open(self, user: int) -> int:
        """Let Discord open the person's DM channel, and store its id. Idempotent."""
        channel = await self._client.create_dm(discord.Object(user))
        await self._store.prefer(user, dm_channel=channel.id)
        return channel.id

    async def say_quietly(self, user: int, line: str) -> None:
        """Post the line without a notification, unless the person's DMs are closed.

        Stores newly closed DMs. Raises `discord.HTTPException` when Discord refuses for another reason.
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
