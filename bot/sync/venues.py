"""The venue of an interaction."""

from __future__ import annotations

from typing import Any

import discord

from bot.model.venue import Venue


def venue_of(interaction: discord.Interaction[Any]) -> Venue:
    """The kind of place in which the interaction happened.

    The servers in which the bot is a member are listed when a session begins, before any interaction of
    theirs; a server without the bot may have its commands all the same.
    """
    if interaction.guild_id is None:
        return Venue.BOT_DM if interaction.context.dm_channel else Venue.ANYWHERE
    is_member = interaction.client.get_guild(interaction.guild_id) is not None
    return Venue.SERVER if is_member else Venue.ANYWHERE


def guild_of(interaction: discord.Interaction[Any]) -> int | None:
    """The id of the interaction's server, if the bot is a member there: nothing is kept of other servers."""
    return interaction.guild_id if venue_of(interaction) is Venue.SERVER else None
