"""Discord's client: forwards each event of the gateway to the part of the bot that it concerns."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

import aiohttp
import discord
import yarl
from discord import app_commands

from bot.gateway.sharded_client import ShardedClient
from bot.interactions.actions import App
from bot.interactions.bans import Bans
from bot.interactions.registry import Registry
from bot.interactions.shares import Shares
from bot.sync.discord_internals import clear_rate_limits_seldom, forget_thread, limit_requests
from bot.sync.discord_time import DISCORD_TIME

log = logging.getLogger(__name__)

# The bot uses no voice: silence discord.py's warning at each start about its missing libraries.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

TIME_LIMIT = aiohttp.ClientTimeout(total=10.0)
"""Timeout of one attempt at a request, including its upload."""

CONNECTIONS = 200
"""Limit of connections to Discord's API, which is none in discord.py; further requests wait for one.

Fifty requests a second, as Discord allows, fill them when each takes four seconds. A system that allows a
process 1,024 open files, as most do, leaves room for the database, shards and metrics: 241 were open when
300 people opened tables while seven of ten requests were never answered.
"""

_BY_CUSTOM_ID = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})
"""Interactions that the registry dispatches by custom_id; discord.py dispatches commands itself."""


class EventHandler(Protocol):
    """The bot behind the client: handles Discord's events."""

    async def start(self) -> None:
        """Start all work. Awaited once, between login and connection."""

    def connected(self) -> None:
        """Handle a new session of a shard."""

    def access_changed(self, guild: int, channel: int | None = None) -> None:
        """Handle a possible change of the bot's permissions in a channel, or in a whole server."""

    async def channel_gone(self, channel: int) -> None:
        """Handle the deletion of a channel."""

    async def thread_gone(self, thread: int) -> None:
        """Handle the deletion of a thread."""

    async def close(self) -> None:
        """Finish the answers in flight, and stop all work."""


def connections(most: int = CONNECTIONS) -> aiohttp.BaseConnector:
    """At most so many connections to Discord's API."""
    return aiohttp.TCPConnector(limit=0, limit_per_host=most)


class FifteenTwo(ShardedClient, App):
    """The connection to Discord, with the fewest intents that the bot needs, none of them privileged.

    The intent for guilds lists the servers; the one for direct messages lets the bot answer a hello in its
    DM. The latter also delivers the bot's own messages in DMs and its ephemeral ones: 1.8 events of 2 kB per
    action for hands by DM, 3.3 at the table. In the benchmark `moves`, run twice with the intent and twice
    without, an action cost the time of 5.8 instead of 5.5 commands that do nothing by DM, 7.1 instead of 7.0
    at the table, and 10.2 instead of 9.6 alone: 0.3 more on average (0.4 ms). An event takes 5 µs for its
    JSON and the bot's handler; discord.py's `Message` would take 18 µs more.
    """

    bot: EventHandler
    bans: Bans
    registry: Registry

    def __init__(
        self,
        *,
        connector: Callable[[], aiohttp.BaseConnector] = connections,
        heartbeat_timeout: float = 60.0,
    ) -> None:
        """`connector` makes the connections to Discord. A shard reconnects after `heartbeat_timeout` seconds
        without an event.
        """
        self._shares = Shares()
        self._connector = connector
        super().__init__(
            heartbeat_timeout=heartbeat_timeout,
            intents=discord.Intents(guilds=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            activity=discord.CustomActivity("/crib new"),
        )
        limit_requests(self, TIME_LIMIT)
        clear_rate_limits_seldom(self)
        self.tree = _Commands(self)

    async def login(self, token: str) -> None:
        """Log in, by a bounded number of connections."""
        self.http.connector = self._connector()
        await super().login(token)

    async def setup_hook(self) -> None:
        """Start the bot's work; discord.py awaits this once, before the first connection."""
        await self.bot.start()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Drop events after the client is closed: discord.py would fail without its loop."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Notify the features, and dispatch components and modals.

        discord.py's own views would not survive a restart.
        """
        DISCORD_TIME.observe_id(interaction.id)
        self.registry.pressed(interaction.user.id)
        if interaction.type in _BY_CUSTOM_ID and await self.admits(interaction):
            await self.registry.press(interaction)

    async def admits(self, interaction: discord.Interaction[Any]) -> bool:
        """Wait for the person's share; true unless it drops the interaction. Answers the banned."""
        return await self._shares.admit(interaction.user.id) and not await self.bans.refuse(interaction)

    async def on_connect(self) -> None:
        """Handle a new session of a shard."""
        self.bot.connected()

    async def on_ready(self) -> None:
        """Log that the bot is connected."""
        servers = len(self.guilds)
        log.info("connected as %s, in %d %s", self.user, servers, "server" if servers == 1 else "servers")

    async def on_guild_join(self, _: discord.Guild) -> None:
        """The bot was invited to a server, perhaps again."""
        log.info("invited to a server")

    async def on_guild_remove(self, _: discord.Guild) -> None:
        """The bot was removed from a server."""
        log.info("removed from a server")

    # Events that may change the bot's permission to write in a channel.

    async def on_guild_update(self, _: discord.Guild, guild: discord.Guild) -> None:
        """A server has changed."""
        self.bot.access_changed(guild.id)

    async def on_guild_role_create(self, role: discord.Role) -> None:
        """There is a new role."""
        self.bot.access_changed(role.guild.id)

    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """A role has changed."""
        self.bot.access_changed(role.guild.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role is gone."""
        self.bot.access_changed(role.guild.id)

    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """The bot's own roles have changed: without the privileged intent there are no events of others."""
        self.bot.access_changed(member.guild.id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """There is a new channel, or the bot has gained access to one."""
        self.bot.access_changed(channel.guild.id, channel.id)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """A channel has changed."""
        self.bot.access_changed(channel.guild.id, channel.id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot was added to a thread, or has gained access to one."""
        self.bot.access_changed(thread.guild.id, thread.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread was archived, unarchived, locked or unlocked."""
        self.bot.access_changed(payload.guild_id, payload.thread_id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted, with all messages in it."""
        await self.bot.channel_gone(channel.id)

    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """The bot was removed from a thread: a private one is now out of reach, though still in the cache."""
        forget_thread(thread)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, with the table in it."""
        await self.bot.thread_gone(payload.thread_id)

    async def close(self) -> None:
        """Stop all work, then disconnect."""
        await self.bot.close()
        await super().close()


class _Commands(app_commands.CommandTree[FifteenTwo]):
    """The commands, behind bans and shares."""

    async def interaction_check(self, interaction: discord.Interaction[FifteenTwo], /) -> bool:
        """True if the command or its autocompletion may run; discord.py asks before each."""
        return await interaction.client.admits(interaction)


def point_at(url: str) -> None:
    """Use another API host than Discord's own, such as the sandbox's.

    Call it before creating the client; it holds for the whole process.
    """
    base = yarl.URL(url)
    gateway = base.with_scheme("wss" if base.scheme == "https" else "ws") / "gateway"
    discord.http.Route.BASE = str(base / "api/v10")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
    discord.asset.Asset.BASE = str(base / "cdn")
