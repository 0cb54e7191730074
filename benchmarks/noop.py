"""A bot that does nothing: `python -m benchmarks.noop`, one command that answers "ok".

The same library, event loop and JSON as ours, and nothing else: what one command costs it is the least that
any answer costs with them, and the unit in which `benchmarks moves` measures ours.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import discord
import yarl
from discord import app_commands

try:
    import uvloop
except ImportError:  # as for the bot itself, which takes it where there is one
    _LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
else:
    _LOOP = uvloop.new_event_loop

COMMAND = "ok"


class Noop(discord.Client):
    """A client with that one command, connected with as little as our bot."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(ok)

    async def setup_hook(self) -> None:
        """Tell Discord of the command."""
        await self.tree.sync()


@app_commands.command(name=COMMAND, description="Answers ok.")
async def ok(interaction: discord.Interaction) -> None:
    """Answer, to nobody but the person who asked."""
    await interaction.response.send_message("ok", ephemeral=True)


async def _start(token: str, url: str) -> None:
    discord.http.Route.BASE = f"{url}/api/v10"
    gateway = yarl.URL(url).with_scheme("ws") / "gateway"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
    async with Noop() as client:
        await client.start(token)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=_LOOP) as runner:
        runner.run(_start(os.environ["DISCORD_TOKEN"], os.environ["DISCORD_URL"]))
