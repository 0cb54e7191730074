"""Refuses the people and servers that the bot's owner has banned, before anything is read or changed.

The list is a setting, BANNED, and not kept in the database: a restart takes seconds and loses nothing, all
processes read the same list, restoring a backup lifts no ban, and who has their data deleted leaves nothing
behind that would have to stay for the ban.
"""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.interactions.answering import answering
from bot.model.errors import TableRefusal
from bot.render.text.voice import Voices


class Bans:
    """The gate before every command and component."""

    def __init__(self, banned: Collection[int], voices: Voices) -> None:
        """`banned` are ids of people and servers."""
        self._banned = banned
        self._voices = voices

    async def refuse(self, interaction: discord.Interaction) -> bool:
        """Answer the interaction in one sentence if it is of a banned person or server; true if it is."""
        if interaction.user.id not in self._banned and interaction.guild_id not in self._banned:
            return False
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
            return True
        async with answering(interaction, self._voices) as answer:
            await answer.reply(answer.voice.gettext(TableRefusal.BANNED.sentence))
        return True
