"""Channels, messages and attachments, with the payload of each.

They have only state. `permissions` decides who may see them, the routes who may change them.
"""

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from sandbox import assumptions
from sandbox.model.components import SELECTS, ComponentType, as_read, walk
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Overwrite, Permission
from sandbox.model.snowflakes import iso, made_at
from sandbox.model.users import User


class ChannelType(IntEnum):
    """The kinds of channel that the sandbox has."""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


THREADS = frozenset({ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD})
"""Channels inside another channel, whose permissions they have."""

VOICES = frozenset({ChannelType.VOICE, ChannelType.STAGE})
"""Channels in which people speak, each with a text chat."""


HIDDEN = 1 << 17
"""The flag of a channel that is hidden from the bot."""

_NOT_HIDDEN = ("id", "type", "guild_id", "position", "parent_id")
"""What a bot is told of a hidden channel."""


class MessageFlag(IntFlag):
    """The message flags that have an effect in the sandbox."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    IS_COMPONENTS_V2 = 1 << 15


NO_FLAGS = MessageFlag(0)


@dataclass(slots=True, eq=False)
class Attachment:
    """An uploaded file."""

    id: str
    filename: str
    content: bytes
    content_type: str
    url: str
    size_in_pixels: tuple[int, int] | None = None
    description: str | None = None
    title: str | None = None

    def payload(self, *, ephemeral: bool = False) -> JSON:
        """The attachment object of Discord's API."""
        attachment: JSON = {
            "id": self.id,
            "filename": self.filename,
            "size": len(self.content),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
        }
        if self.size_in_pixels is not None:
            attachment["width"], attachment["height"] = self.size_in_pixels
        if self.description is not None:
            attachment["description"] = self.description
        if self.title is not None:
            attachment["title"] = self.title
        if ephemeral:
            attachment["ephemeral"] = True
        return attachment

    def unfurled(self) -> JSON:
        """The unfurled media item of Discord's API, for use inside a component."""
        width, height = self.size_in_pixels or (None, None)
        return {
            "id": self.id,
            "url": self.url,
            "proxy_url": self.url,
            "width": width,
            "height": height,
            "content_type": self.content_type,
            "attachment_id": self.id,
        }


@dataclass(slots=True, eq=False)
class Message:
    """The current state of a message; edits change it in place."""

    id: str
    channel: "Channel"
    author: User
    type: int = 0
    content: str = ""
    embeds: list[JSON] = field(default_factory=list)
    components: list[JSON] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    """Every file of the message; those shown inside components or embeds are not listed as attachments."""

    flags: MessageFlag = NO_FLAGS
    edited_at: float | None = None
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[str] = field(default_factory=list)
    mention_everyone: bool = False
    nonce: str | int | None = None
    reference: JSON | None = None
    interaction: JSON | None = None
    """Its `interaction_metadata`, if it came of an interaction."""

    application_id: str | None = None
    only_for: str | None = None
    """The one user who can see an ephemeral message."""

    thread: "Channel | None" = None
    """The thread that was started from it."""

    deleted: bool = False
    dismissed: bool = False
    """True if its reader has dismissed it; the bot gets no event, and can still edit and delete it."""

    _walked: tuple[list[JSON], tuple[JSON, ...]] | None = field(default=None, repr=False)
    """Cache: the components, and all of them in order; reads are far more frequent than changes."""

    @property
    def every_component(self) -> tuple[JSON, ...]:
        """All its components in reading order, parents before children."""
        if self._walked is None or self._walked[0] is not self.components:
            self._walked = self.components, tuple(walk(self.components))
        return self._walked[1]

    @property
    def is_v2(self) -> bool:
        """True if it uses Components V2."""
        return MessageFlag.IS_COMPONENTS_V2 in self.flags

    @property
    def is_ephemeral(self) -> bool:
        """True if only one person sees it."""
        return self.only_for is not None

    @property
    def is_loading(self) -> bool:
        """True while it reads "thinking..."."""
        return MessageFlag.LOADING in self.flags

    @property
    def attachments(self) -> list[Attachment]:
        """The files listed below the message rather than shown inside it."""
        inside = str(self.components) + str(self.embeds)
        return [file for file in self.files if file.url not in inside]

    @property
    def text(self) -> str:
        """All its text from top to bottom, as it is read: content, text displays, embeds."""
        texts = [self.content]
        texts += [
            each["content"] for each in self.every_component if each["type"] == ComponentType.TEXT_DISPLAY
        ]
        for embed in self.embeds:
            fields = [(each["name"], each["value"]) for each in embed.get("fields") or ()]
            texts += [
                embed.get("title") or "",
                embed.get("description") or "",
                *(text for pair in fields for text in pair),
            ]
        return as_read("\n".join(text for text in texts if text))

    @property
    def buttons(self) -> list[JSON]:
        """Its buttons in order, including disabled ones."""
        return [each for each in self.every_component if each["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[JSON]:
        """Its selects in order, including disabled ones."""
        return [each for each in self.every_component if each["type"] in SELECTS]

    @property
    def link(self) -> str:
        """Its link on discord.com."""
        return f"https://discord.com/channels/{self.channel.guild_id or '@me'}/{self.channel.id}/{self.id}"

    def payload(self) -> JSON:
        """The message object of Discord's API."""
        message: JSON = {
            "id": self.id,
            "channel_id": self.channel.id,
            "author": self.author.payload(),
            "type": self.type,
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": [file.payload(ephemeral=self.is_ephemeral) for file in self.attachments],
            "flags": int(self.flags),
            "timestamp": iso(made_at(self.id)),
            "edited_timestamp": None if self.edited_at is None else iso(self.edited_at),
            "mentions": [user.payload() for user in self.mentions],
            "mention_roles": self.mention_roles,
            "mention_everyone": self.mention_everyone,
            "pinned": False,
            "tts": False,
        }
        if self.nonce is not None:
            message["nonce"] = self.nonce
        if self.reference is not None:
            message["message_reference"] = self.reference
        if self.interaction is not None:
            message["interaction_metadata"] = self.interaction
        if self.application_id is not None:
            message |= {"application_id": self.application_id, "webhook_id": self.application_id}
        if self.thread is not None:
            message["thread"] = self.thread.payload()
        return message


@dataclass(slots=True, eq=False)
class Channel:
    """A channel of a guild, a thread or a DM, with its messages."""

    id: str
    type: ChannelType
    name: str = ""
    guild_id: str | None = None
    position: int = 0
    topic: str | None = None
    parent: "Channel | None" = None
    overwrites: list[Overwrite] = field(default_factory=list)
    recipient: User | None = None
    """The person at the other end of a DM with the bot."""

    people: list[User] = field(default_factory=list)
    """The people in direct messages of their own, two or a group, in which no bot can be."""

    owner_id: str | None = None
    archived: bool = False
    locked: bool = False
    auto_archive_duration: int = 1440
    """Minutes without activity after which a thread archives itself."""

    members: set[str] = field(default_factory=set)
    """Ids of the people added to a private thread: they see it, and so does Manage Threads."""

    active_at: float = 0.0
    """Time (Unix, s) of a thread's last activity: a message, an unarchiving, a new auto-archive duration."""

    changed_at: float = 0.0
    messages: dict[str, Message] = field(default_factory=dict)
    """By id, oldest first, including ephemeral ones."""

    deleted: bool = False

    @property
    def is_thread(self) -> bool:
        """True for a thread, such as a post in a forum."""
        return self.type in THREADS

    @property
    def is_private_thread(self) -> bool:
        """True for a thread that only people see who were added to it."""
        return self.type is ChannelType.PRIVATE_THREAD

    @property
    def has_voice(self) -> bool:
        """True for a voice or stage channel."""
        return self.type in VOICES

    @property
    def is_dm(self) -> bool:
        """True for the DM of the bot and one person."""
        return self.recipient is not None

    @property
    def is_between_people(self) -> bool:
        """True for the direct messages of two people or of a group, without the bot."""
        return bool(self.people)

    @property
    def last_message_id(self) -> str | None:
        """The id of the newest message that is not ephemeral."""
        shared = (message.id for message in reversed(self.messages.values()) if not message.is_ephemeral)
        return next(shared, None)

    def hidden(self) -> JSON:
        """The channel object for a bot that may not view it, of a channel other than a thread.

        So it is since 16 November 2026, from Discord's change log of 12 August.
        """
        whole = self.payload()
        shown = dict.fromkeys(whole) if assumptions.HIDDEN_FIELDS_ARE_NULL else {}
        shown |= {key: whole[key] for key in _NOT_HIDDEN}
        denied = Overwrite(str(self.guild_id), deny=Permission.VIEW_CHANNEL)
        return shown | {
            "name": "___hidden___",
            "flags": HIDDEN,
            "permission_overwrites": [denied.payload()],
        }

    def payload(self) -> JSON:
        """The channel object of Discord's API for this type of channel."""
        channel: JSON = {
            "id": self.id,
            "type": int(self.type),
            "last_message_id": self.last_message_id,
            "flags": 0,
        }
        if self.recipient is not None:
            return channel | {"recipients": [self.recipient.payload()]}
        if self.is_between_people:
            channel["recipients"] = [user.payload() for user in self.people]
            group = {"name": None, "icon": None, "owner_id": self.owner_id}
            return channel | (group if self.type is ChannelType.GROUP_DM else {})
        channel |= {"guild_id": self.guild_id, "name": self.name, "rate_limit_per_user": 0}
        if self.parent is None:
            channel |= {
                "parent_id": None,
                "position": self.position,
                "topic": self.topic,
                "nsfw": False,
                "permission_overwrites": [overwrite.payload() for overwrite in self.overwrites],
            }
            if self.has_voice:
                channel |= {"bitrate": 64_000, "user_limit": 0, "rtc_region": None}
            if self.type is ChannelType.FORUM:
                channel |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
            return channel
        metadata: JSON = {
            "archived": self.archived,
            "archive_timestamp": iso(self.changed_at),
            "auto_archive_duration": self.auto_archive_duration,
            "locked": self.locked,
            "create_timestamp": iso(made_at(self.id)),
        }
        if self.is_private_thread:
            metadata["invitable"] = True
        return channel | {
            "parent_id": self.parent.id,
            "owner_id": self.owner_id,
            "thread_metadata": metadata,
            "message_count": len(self.messages),
            "member_count": 1,
            "total_message_sent": len(self.messages),
        }
