"""Runs the bot: settings, logging, store, client. What prevents a start is said in one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys

import discord

from bot.client import FifteenTwo, point_at
from bot.errors import StartUpError
from bot.logs import configure
from bot.settings import Settings, load_settings
from bot.store import SqliteStore

log = logging.getLogger("bot")


def main() -> int:
    """Run until stopped; the exit status is 0 after a stop, 1 when the bot could not start."""
    try:
        settings = load_settings()
        configure(settings)
        asyncio.run(_run(settings))
    except StartUpError as error:
        return _fail(str(error))
    except discord.LoginFailure:
        return _fail(
            "Discord does not accept DISCORD_TOKEN: copy the bot's token anew from the developer portal."
        )
    except discord.PrivilegedIntentsRequired:
        return _fail("Discord refused the connection for an intent that is not allowed to this bot.")
    except (OSError, discord.HTTPException, discord.GatewayNotFound) as error:
        return _fail(
            f"Discord cannot be reached ({type(error).__name__}): check the network and DISCORD_URL."
        )
    return 0


async def _run(settings: Settings) -> None:
    if settings.discord_url is not None:
        point_at(settings.discord_url)
    store = await SqliteStore.open(settings.database)
    try:
        client = FifteenTwo(store, settings)
        running = asyncio.create_task(client.start(settings.discord_token.get_secret_value()))
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # Windows has no handlers in its loop
                loop.add_signal_handler(stop, running.cancel)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await running
        finally:
            await client.close()
    finally:
        await store.close()


def _fail(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
