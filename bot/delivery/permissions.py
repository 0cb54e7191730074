"""What the bot must be allowed in a channel before a table can stand there."""

from __future__ import annotations

from typing import Any

import discord

from bot.model.errors import MissingPermissions, NoThreadsHere, NotInServer


def check_thread(interaction: discord.Interaction[Any]) -> None:
    """Raises `NoThreadsHere` and `MissingPermissions` when a game could not get a thread of its own."""
    if not isinstance(interaction.channel, discord.TextChannel):
        raise NoThreadsHere
    may = interaction.app_permissions
    needed = {
        "Create Public Threads": may.create_public_threads,
        "Send Messages in Threads": may.send_messages_in_threads,
    }
    if missing := tuple(name for name, allowed in needed.items() if not allowed):
        raise MissingPermissions(missing)


def check_permissions(interaction: discord.Interaction[Any]) -> None:
    """Raises `MissingPermissions` when the bot could not play in this channel.

    In its own DM it may do all that it needs. Raises `NotInServer` in any other place outside a server.
    """
    if interaction.context.dm_channel:
        return
    if interaction.guild_id is None:
        raise NotInServer
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = {
        "View Channel": may.view_channel,
        "Send Messages in Threads" if in_thread else "Send Messages": (
            may.send_messages_in_threads if in_thread else may.send_messages
        ),
    }
    if missing := tuple(name for name, allowed in needed.items() if not allowed):
        raise MissingPermissions(missing)
