"""The client as the commands and components see it: a connection to Discord that has a room."""

from __future__ import annotations

import discord

from bot.room import Room


class Host(discord.Client):
    """A client with a room in which people play."""

    room: Room
