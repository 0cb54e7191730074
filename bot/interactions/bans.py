"""Refuses the people and servers that the bot's owner has banned, before anything is read or changed.

The list is a setting, BANNED, and not kept in the database: a restart takes seconds and loses nothing, all
processes read the same list, restoring a backup lifts no ban, and who has their data deleted leaves nothing
behind that would have to stay for the ban.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import discord

from bot.interactions.answering import answering
from bot.model.errors import Refused, TableRefusal
from bot.render.text.voice import Voices


class Bans:
    """The gate before every command and component."""

    def __init__(self, banned: AbstractSet[int], voices: Voices) -> None:
        """`banned` are ids of people and servers."""
        self._banned = banned
        self._voices = voices

    async def refuse(self, interaction: discord.Interaction) -> bool:
        """Answer the interaction in one sentence if it is of a banned person or server; true if it is."""
        is_banned = not self._banned.isdisjoint({interaction.user.id, interaction.guild_id})
        if is_banned and interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif is_banned:
            async with answering(interaction, self._voices):
                raise Refused(TableRefusal.BANNED)
        return is_banned
