"""Installs and contexts of the commands: servers that installed the app, and persons who did for themselves.

Discord refuses all commands of an application that declares more than its *Installation* page allows, so at
the start the bot asks what that is (`integration_types_config`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.render.text.voice import Voices

log = logging.getLogger(__name__)

_Offered = TypeVar("_Offered")


def anywhere(command: _Offered) -> _Offered:
    """Decorator: offer the command or group in servers, in the bot's DM, and between people."""
    offered: Any = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)
    return app_commands.guild_install(app_commands.user_install(offered))  # type: ignore[no-any-return]


def offer_as_allowed(client: discord.Client, commands: Iterable[Any], voices: Voices) -> None:
    """Offer the install link if people can install the app for themselves.

    Otherwise withdraw the commands from persons, and log that.
    """
    application = client.application
    if application is None or application.user_integration_config is not None:
        if application is not None:
            url = discord.utils.oauth_url(application.id, scopes=("applications.commands",))
            voices.offer_install(f"{url}&integration_type=1")
        return
    log.info(
        "people cannot install this app for themselves, so it is played in servers only: "
        "docs/directory.md says how to switch User Install on"
    )
    for command in commands:
        if command.allowed_installs is not None:
            command.allowed_installs.user = False
        if command.allowed_contexts is not None:
            command.allowed_contexts.private_channel = False
