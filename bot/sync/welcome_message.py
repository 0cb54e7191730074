"""The welcome message: posted once per invitation, in the first channel that takes it.

The system channel comes first, where Discord announces new members; then text channels, announcement
channels, and the chats of voice channels.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

import discord

from bot.concurrency.keyed_tasks import KeyedTasks, RetryLater
from bot.render.messages.hello import welcome_drawing
from bot.render.text.voice import Voices
from bot.sync.discord_errors import NETWORK, described, is_transient
from bot.sync.permissions import obstacle

log = logging.getLogger(__name__)

_TRIED: Final = 3
"""Number of channels tried: the gateway's permissions are right, except for a quarantined bot."""

_Channel: TypeAlias = discord.TextChannel | discord.VoiceChannel


class WelcomeMessage:
    """Posts the welcome message in servers that have just invited the bot."""

    def __init__(self, client: discord.Client, voices: Voices, tasks: KeyedTasks) -> None:
        self._client = client
        self._voices = voices
        self._tasks = tasks

    def invited(self, guild: int) -> None:
        """Note an invitation. Non-blocking: schedules the message."""
        self._tasks.wake(("welcome message", str(guild)), partial(self._say, guild))

    async def _say(self, number: int) -> None:
        guild = self._client.get_guild(number)
        if guild is None:
            return  # it was removed again
        drawing = welcome_drawing(self._voices.of(str(guild.preferred_locale)))
        for channel in islice(_channels(guild), _TRIED):
            try:
                # The nonce makes a repeated invitation event post nothing new.
                await channel.send(**drawing.to_send(), nonce=f"hi.{guild.id}")
            except NETWORK as error:
                if is_transient(error):
                    raise RetryLater from None
                log.info("a server could not be greeted in one of its channels: %s", described(error))
            else:
                return


def _channels(guild: discord.Guild) -> Iterator[_Channel]:
    """The channels with write permission, in the order in which they are tried."""
    texts = sorted(guild.text_channels, key=lambda each: each.is_news())
    system = (guild.system_channel,) if guild.system_channel is not None else ()
    every: tuple[_Channel, ...] = (*system, *texts, *guild.voice_channels)
    return (channel for channel in dict.fromkeys(every) if obstacle(channel) is None)
