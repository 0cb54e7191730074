"""The client as the commands and components see it: a connection to Discord that has a room and its desks."""

from __future__ import annotations

import discord

from bot.interactions.coaching_actions import CoachingDesk
from bot.interactions.stats_actions import Desk
from bot.interactions.table_actions import Room


class Host(discord.Client):
    """A client with a room in which people play, a desk where they ask about their games, and the coach's."""

    room: Room
    desk: Desk
    coaching: CoachingDesk
