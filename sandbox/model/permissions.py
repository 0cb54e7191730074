"""Discord's permission bits, and their computation from roles and from a channel's overwrites.

Only the bits that the sandbox checks, or that @everyone commonly has, are named here. It is written from
Discord's documentation and shares no code with discord.py, so that neither can hide a mistake of the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntFlag

from sandbox.model.json_types import JSON


class Permission(IntFlag):
    """Discord's permission bits under Discord's names."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


EVERYTHING = Permission(sum(Permission))
NOTHING = Permission(0)

EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.ADD_REACTIONS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""The permissions of the guild's @everyone role."""

WHILE_TIMED_OUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""The permissions that a timeout leaves to a member who is no administrator."""

IN_DIRECT_MESSAGES = EVERYONE
"""The permissions of both users in a DM."""

TOLD_BETWEEN_PEOPLE = Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE
"""`app_permissions` of interactions in direct messages between people (API reference)."""

TOLD_IN_DIRECT_MESSAGES = TOLD_BETWEEN_PEOPLE | Permission.USE_EXTERNAL_EMOJIS
"""`app_permissions` of interactions in the bot's own direct messages."""


@dataclass(slots=True)
class Overwrite:
    """A channel's permission overwrite for one role or one member."""

    target: str
    """The id of a role or a user."""

    is_member: bool = False
    allow: Permission = field(default=NOTHING, kw_only=True)
    deny: Permission = field(default=NOTHING, kw_only=True)

    def payload(self) -> JSON:
        """The overwrite object of Discord's API."""
        kind = 1 if self.is_member else 0
        return {"id": self.target, "type": kind, "allow": str(int(self.allow)), "deny": str(int(self.deny))}


def in_guild(roles: Iterable[Permission], *, owner: bool) -> Permission:
    """A member's permissions in the guild, before any channel's overwrites: the union of their roles."""
    held = NOTHING
    for role in roles:
        held |= role
    return EVERYTHING if owner or Permission.ADMINISTRATOR in held else held


def in_channel(
    held: Permission, overwrites: Iterable[Overwrite], *, everyone: str, roles: Iterable[str], member: str
) -> Permission:
    """The permissions in a channel: overwrites of @everyone, then of all roles at once, then the member's."""
    if Permission.ADMINISTRATOR in held:
        return EVERYTHING
    by_target = {overwrite.target: overwrite for overwrite in overwrites}
    if (first := by_target.get(everyone)) is not None:
        held = held & ~first.deny | first.allow
    theirs = [by_target[role] for role in roles if role in by_target and role != everyone]
    for overwrite in theirs:
        held &= ~overwrite.deny
    for overwrite in theirs:
        held |= overwrite.allow
    if (last := by_target.get(member)) is not None:
        held = held & ~last.deny | last.allow
    return _implied(held)


def _implied(held: Permission) -> Permission:
    """Implicit denials: all without VIEW_CHANNEL, and embeds, files and @everyone without SEND_MESSAGES."""
    if Permission.VIEW_CHANNEL not in held:
        return NOTHING
    if Permission.SEND_MESSAGES not in held:
        held &= ~(Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE)
    return held
