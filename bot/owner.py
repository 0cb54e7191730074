"""The owner's commands that speak to Discord or to the running bot.

    python -m bot notice TEXT   posts a line at every open table
    python -m bot leave ID      leaves a server
    python -m bot forget ID     deletes a person's data, for one who asks by mail

The first two are requests by the bot's token, for which no bot need run: Discord tells the running one that
it has left a server, and a notice is a message that it never edits. A deletion has to reach what the running
bot has in memory, and to end games as their other players see them end. So it is noted in the database, and
the bot that holds the first shard carries it out within seconds, as after `/crib-data delete`; where none
runs, the next one does. Bans and the contact are settings (`bot.interactions.bans` says why).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.model.database_address import DatabaseAddress
from bot.store.opening import Opened, open_database
from bot.sync.discord_errors import NETWORK, described

_PATIENCE = 30.0
"""Time-out (s) for a bot that is writing at the moment."""

_BETWEEN_NOTICES = 0.1
"""Pause (s) between two notices: the running bot shares the limit of requests."""

_LOOKS, _BETWEEN_LOOKS = 30, 1.0
"""Number of times, and pause (s) between them, that `forget` looks whether the running bot is done."""


async def notice(address: DatabaseAddress, token: str, text: str, *, pause: float = _BETWEEN_NOTICES) -> str:
    """Post `text` once in each channel with a table, as far as the bot is a member; returns a sentence."""
    async with _opened(address) as database:
        tables = await database.store.open_tables()
    channels = {record.channel for record in tables if not record.is_anywhere}
    elsewhere = {record.channel for record in tables if record.is_anywhere}
    refused = 0
    async with _client(token) as client:
        for channel in channels:
            try:
                await client.get_partial_messageable(channel).send(text)
            except discord.HTTPException:  # such as a channel that the bot may no longer write to
                refused += 1
            await asyncio.sleep(pause)
    posted = len(channels) - refused
    left = f"; Discord refused it in {refused}" if refused else ""
    unreached = f" The bot is no member of {len(elsewhere)} more, and cannot post there." if elsewhere else ""
    return f"The notice was posted in {posted} of {len(channels)} channels with a table{left}.{unreached}"


async def leave(token: str, guild: int) -> str:
    """Leave a server; returns a sentence about it."""
    async with _client(token) as client:
        try:
            await client.http.leave_guild(guild)
        except discord.NotFound:
            return f"The bot is in no server {guild}."
        except NETWORK as error:
            return f"The server {guild} could not be left: {described(error)}"
    return f"The bot has left the server {guild}. It can be invited again, unless BANNED names the server."


async def forget(
    address: DatabaseAddress, user: int, *, looks: int = _LOOKS, pause: float = _BETWEEN_LOOKS
) -> str:
    """Have the bot delete a person's data, and wait for it; returns a sentence about it."""
    async with _opened(address) as database:
        people = database.standings.people
        await people.order_to_forget(user)
        for _ in range(looks):
            if not await people.is_leaving(user):
                return f"The data of {user} is deleted."
            await asyncio.sleep(pause)
    return f"It is noted that the data of {user} is to be deleted: the bot does so as soon as it runs."


@asynccontextmanager
async def _opened(address: DatabaseAddress) -> AsyncIterator[Opened]:
    database = await open_database(address, patience=_PATIENCE)
    try:
        yield database
    finally:
        await database.store.close()


@asynccontextmanager
async def _client(token: str) -> AsyncIterator[discord.Client]:
    """Discord's API by the bot's token, without a connection to the gateway."""
    client = discord.Client(
        intents=discord.Intents(guilds=True),  # the library warns of a client without them
        allowed_mentions=discord.AllowedMentions.none(),
        max_messages=None,
    )
    async with client:
        await client.login(token)
        yield client
