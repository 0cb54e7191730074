"""The permissions that the bot needs in a channel for a table, and checks of them.

There are two sources: an interaction has the bot's permissions in its own channel, and the gateway's cache
has those in all channels. A private thread that the bot was not added to refuses its messages even where the
interaction's permissions allow them; such a thread is missing in the gateway's cache.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import discord

from bot.model.errors import MissingPermissions, NotAddedToThread, Refused, RoomError, TableRefusal
from bot.model.venue import Venue
from bot.sync.venues import venue_of

INVITED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
)
"""The permissions in an invitation link; README lists the same ones."""

Place: TypeAlias = discord.abc.GuildChannel | discord.Thread
"""A channel of a server, or a thread."""

PLACES: Final = (discord.abc.GuildChannel, discord.Thread)
"""`Place`, for `isinstance`."""

_WITH_VOICE = (discord.VoiceChannel, discord.StageChannel)


def check_thread(interaction: discord.Interaction[Any]) -> None:
    """Raises `NO_THREADS` and `MissingPermissions` when a game could not get a thread of its own."""
    if venue_of(interaction) is not Venue.SERVER or not isinstance(interaction.channel, discord.TextChannel):
        raise Refused(TableRefusal.NO_THREADS)
    may = interaction.app_permissions
    needed = {
        "Create Public Threads": may.create_public_threads,
        "Send Messages in Threads": may.send_messages_in_threads,
    }
    if missing := tuple(name for name, allowed in needed.items() if not allowed):
        raise MissingPermissions(missing)


def check_permissions(interaction: discord.Interaction[Any]) -> None:
    """Raises the `RoomError` that says why the bot cannot play in this channel.

    In its own DM it may do all that it needs, and where the tokens of presses do all, it needs nothing.
    """
    if venue_of(interaction) is not Venue.SERVER:
        return
    if (error := _obstacle(interaction.channel, interaction.app_permissions)) is not None:
        raise error


def check_external(interaction: discord.Interaction[Any]) -> None:
    """Raises `NO_EXTERNAL_APPS` for a person whose answers Discord would make private here.

    It does so in servers where the app is installed for that person alone, without *Use External Apps*. What
    comes back private in the end decides (`bot.sync.presses`); this tells beforehand what to ask for.
    """
    is_guests = interaction.guild_id is not None and not interaction.is_guild_integration()
    if is_guests and not interaction.permissions.use_external_apps:
        raise Refused(TableRefusal.NO_EXTERNAL_APPS)


def check_opener(interaction: discord.Interaction[Any]) -> None:
    """Raises what keeps this person, or the bot, from opening a table in this channel.

    That is what `check_writer`, `check_permissions` and `check_external` raise.
    """
    check_writer(interaction)
    check_permissions(interaction)
    check_external(interaction)


def check_writer(interaction: discord.Interaction[Any]) -> None:
    """Raises `MAY_NOT_WRITE` for a person who could not write in this channel themselves."""
    if not may_write(interaction):
        raise Refused(TableRefusal.MAY_NOT_WRITE)


def may_write(interaction: discord.Interaction[Any]) -> bool:
    """True for a person who could write in this channel themselves."""
    if interaction.guild_id is None:
        return True
    may, place = interaction.permissions, interaction.channel
    if isinstance(place, discord.Thread):
        is_shut = place.locked and not may.manage_threads
        return may.send_messages_in_threads and not is_shut
    return may.send_messages


def is_known(place: Place) -> bool:
    """True if the gateway's cache has all that the bot's permissions there follow from.

    It lacks a thread's channel, or all of a server, that discord.py could not parse; at the next interaction
    there it makes up a membership without roles.
    """
    if isinstance(place, discord.Thread) and place.parent is None:
        return False
    me: object = place.guild.me
    has_me = isinstance(me, discord.Member) and me.joined_at is not None
    return has_me and place.guild.get_role(place.guild.id) is not None


def is_shut(client: discord.Client, channel: int) -> bool:
    """True if the gateway's cache says that the bot cannot write in the channel; false if it is unknown."""
    place = client.get_channel(channel)
    return isinstance(place, PLACES) and obstacle(place) is not None


def obstacle(place: Place) -> RoomError | None:
    """The reason why the bot cannot write there, from the gateway's cache; `None` if it can, or unknown."""
    if not is_known(place):
        return None
    return _obstacle(place, place.permissions_for(place.guild.me))


def _obstacle(place: object, may: discord.Permissions) -> RoomError | None:
    needed = {"View Channel": may.view_channel}
    if isinstance(place, discord.Thread):
        needed["Send Messages in Threads"] = may.send_messages_in_threads
    else:
        needed["Send Messages"] = may.send_messages
    if isinstance(place, _WITH_VOICE):
        needed["Connect"] = may.connect
    if missing := tuple(name for name, allowed in needed.items() if not allowed):
        return MissingPermissions(missing)
    if isinstance(place, discord.Thread) and not may.manage_threads:
        if place.is_private() and place.guild.get_thread(place.id) is None:
            return NotAddedToThread(place.guild.me.id)
        if place.locked:
            return Refused(TableRefusal.THREAD_LOCKED)
    return None
