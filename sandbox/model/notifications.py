"""Push notifications: the messages that give one, their recipients, and the text on a locked phone.

A phone does not draw components, so a message of Components V2 notifies without text. The model ignores if
the person has the channel open; the page decides if it shows the notification.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox import assumptions
from sandbox.model.channels import Message, MessageFlag
from sandbox.model.guilds import Guild
from sandbox.model.json_types import JSON
from sandbox.model.users import User

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_CHANNEL = re.compile(r"<#(\d+)>")
_EMOJI = re.compile(r"<a?(:\w{2,32}:)\d+>")
_COMMAND = re.compile(r"<(/[^\n<>:]{1,100}):\d+>")


@dataclass(frozen=True, slots=True)
class Notification:
    """One push notification of one person."""

    message: Message
    title: str
    """The author, and outside of DMs the channel and the server."""

    text: str
    """The content as plain text when the message was sent; empty if it had none."""

    def payload(self) -> JSON:
        """The notification as sent to the page; not an object of Discord's API."""
        message = self.message
        told = {"message_id": message.id, "channel_id": message.channel.id}
        return told | {"title": self.title, "text": self.text, "author": message.author.payload()}


def notify(users: Mapping[str, User], guild: Guild, message: Message, user: User) -> Notification | None:
    """The notification that a new message gives to a person whom it calls; None if it gives none."""
    if message.author is user or MessageFlag.SUPPRESS_NOTIFICATIONS in message.flags:
        return None
    if message.is_loading or (message.is_ephemeral and not assumptions.EPHEMERALS_NOTIFY):
        return None
    if _answers(message, user) and not assumptions.OWN_ANSWERS_NOTIFY:
        return None
    name = message.author.global_name or message.author.username
    place = "" if message.channel.guild_id is None else f" (#{message.channel.name}, {guild.name})"
    words = message.content
    if message.is_v2 and not assumptions.COMPONENTS_NOTIFY_WITHOUT_A_WORD:
        words = message.text
    return Notification(message, name + place, plain_text(users, guild, words))


def plain_text(users: Mapping[str, User], guild: Guild, content: str) -> str:
    """Content with its mentions, emojis and commands spelled out; markdown stays as it was written."""

    def person(found: re.Match[str]) -> str:
        user = users.get(found[1])
        return "@unknown-user" if user is None else f"@{user.global_name or user.username}"

    def role(found: re.Match[str]) -> str:
        return f"@{guild.roles[found[1]].name}" if found[1] in guild.roles else "@unknown-role"

    def channel(found: re.Match[str]) -> str:
        return f"#{guild.channels[found[1]].name}" if found[1] in guild.channels else "#unknown"

    text = _CHANNEL.sub(channel, _ROLE.sub(role, _USER.sub(person, content)))
    return _COMMAND.sub(r"\1", _EMOJI.sub(r"\1", text))


def _answers(message: Message, user: User) -> bool:
    """True if a message answers this person's own command, press or modal."""
    return message.interaction is not None and message.interaction["user"]["id"] == user.id
