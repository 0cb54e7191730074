"""What the bot says in a server that has invited it: once for each invitation, where it may write.

That is the system channel, where Discord says who has come, or else the first channel that takes it: a text
channel before one for announcements, and the chat of a voice channel last.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

import discord

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.delivery.discord_errors import NETWORK, described, passes_by_itself
from bot.delivery.permissions import obstacle
from bot.render.messages.hello import first_words_drawing
from bot.render.text.voice import Voices

log = logging.getLogger(__name__)

_TRIED: Final = 3
"""Channels that are tried at most: what Discord tells of permissions is right, but for a quarantined bot."""

_Channel: TypeAlias = discord.TextChannel | discord.VoiceChannel


class FirstWords:
    """Says something in servers that have just invited the bot."""

    def __init__(self, client: discord.Client, voices: Voices, tasks: KeyedTasks) -> None:
        self._client = client
        self._voices = voices
        self._tasks = tasks

    def invited(self, guild: int) -> None:
        """The bot was invited to that server. Only queues."""
        self._tasks.wake(("first words", str(guild)), partial(self._say, guild))

    async def _say(self, number: int) -> None:
        guild = self._client.get_guild(number)
        if guild is None:
            return  # it was removed again
        drawing = first_words_drawing(self._voices.of(str(guild.preferred_locale)))
        for channel in islice(_channels(guild), _TRIED):
            try:
                # Of an invitation that Discord tells of twice the second message is the first.
                await channel.send(**drawing.to_send(), nonce=f"hi.{guild.id}")
            except NETWORK as error:
                if passes_by_itself(error):
                    raise RetryLater from None
                log.info("a server could not be greeted in one of its channels: %s", described(error))
            else:
                return


def _channels(guild: discord.Guild) -> Iterator[_Channel]:
    """The channels in which the bot may write, in the order in which they are tried."""
    texts = sorted(guild.text_channels, key=lambda each: each.is_news())
    system = (guild.system_channel,) if guild.system_channel is not None else ()
    every: tuple[_Channel, ...] = (*system, *texts, *guild.voice_channels)
    return (channel for channel in dict.fromkeys(every) if obstacle(channel) is None)
