"""The client as the commands and components see it: a connection to Discord that has a room and a desk."""

from __future__ import annotations

import discord

from bot.room import Room
from bot.standing_desk import Desk


class Host(discord.Client):
    """A client with a room in which people play, and a desk where they ask about their games."""

    room: Room
    desk: Desk
