"""The whole state of the sandbox: users, the bot, one guild with its channels and messages, commands, files.

`World` changes the state and announces each change to its listeners (the gateway, tests, the page). It
refuses nothing; requests are authorized and validated before they reach it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sandbox import assumptions
from sandbox.model.channels import Attachment, Channel, ChannelType, Message, MessageFlag
from sandbox.model.guilds import Emoji, Guild
from sandbox.model.json_types import JSON
from sandbox.model.notifications import Notification, notify
from sandbox.model.permissions import (
    EVERYONE,
    IN_DIRECT_MESSAGES,
    NOTHING,
    TOLD_IN_DIRECT_MESSAGES,
    TOLD_IN_GROUPS,
    Permission,
    in_channel,
    in_guild,
)
from sandbox.model.snowflakes import Clock, Snowflakes, iso
from sandbox.model.users import Member, Role, User

PEOPLE = (
    ("ada", "Ada", "#c9553f"),
    ("ben", "Ben", "#3f7cc9"),
    ("cleo", "Cleo", "#8d5fc4"),
    ("dan", "Dan", "#3f9e62"),
)
"""The simulated people: username, display name, colour on the page. Ada owns the guild."""

CHANNELS = ("cribbage", "second-table", "general")
"""The text channels of the guild; each can have threads. People add channels of other kinds."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the state, under the name of its gateway event."""

    name: str
    data: JSON
    channel: Channel | None = None
    only_for: str | None = None
    """The id of the one user who is to see it; None for everybody."""


class World:
    """The state of the sandbox, and its listeners."""

    def __init__(self, *, clock: Clock, url: str = "", home: int | None = None, shards: int = 1) -> None:
        """`home` is the shard, of so many `shards`, to which the guild belongs; None leaves it to its id."""
        self.clock = clock
        self.snowflakes = Snowflakes(clock)
        self.url = url
        """The server's address without a trailing slash; the URLs of attachments begin with it."""

        self.users: dict[str, User] = {}
        self.dms: dict[str, Channel] = {}
        """DM channels with the bot, by user id."""

        self.groups: dict[str, Channel] = {}
        """Groups of people, without the bot, by channel id."""

        self.installs: set[str] = set()
        """The ids of the users who have installed the application for themselves."""

        self.commands: dict[str, JSON] = {}
        """Global application commands by id."""

        self.guild_commands: dict[str, JSON] = {}
        self.emojis: dict[str, Emoji] = {}
        self.files: dict[str, Attachment] = {}
        self.notifications: dict[str, list[Notification]] = {}
        """The push notifications that each person got, by user id, oldest first."""

        self.has_bare_commands = False
        """Whether the application was added with `applications.commands` alone, without its bot."""

        self.listeners: list[Callable[[Change], None]] = []
        self._next_change: asyncio.Future[None] | None = None

        self.bot = self._add_user("Fifteen Two", None, "#2d7d46", bot=True)
        self.application_id = self.bot.id
        self.host = self._add_user("sandbox", "Fifteen Two sandbox", "#4e5058", system=True)
        self.people = [self._add_user(username, shown, color) for username, shown, color in PEOPLE]
        guild_id = self.snowflakes.next() if home is None else self.snowflakes.next_of(home, shards)
        self.guild = Guild(guild_id, "The Crib Room", owner_id=self.people[0].id)
        self.guild.roles[self.guild.id] = Role(self.guild.id, "@everyone", EVERYONE, 0)
        for user in (*self.people, self.host):
            self._join(user)
        self.invite_bot()
        for position, name in enumerate(CHANNELS):
            self.add_channel(name, position=position)
        clock.listeners.append(self.archive_idle_threads)

    # Changes.

    def announce(self, change: Change) -> None:
        """Call every listener, and wake the tasks that wait for a change."""
        for listener in list(self.listeners):
            listener(change)
        if self._next_change is not None and not self._next_change.done():
            self._next_change.set_result(None)

    async def changed(self) -> None:
        """Wait for the next change of anything."""
        if self._next_change is None or self._next_change.done():
            self._next_change = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._next_change)

    # Lookup.

    def channel(self, channel_id: str) -> Channel | None:
        """A channel, thread or DM by id."""
        if (found := self.guild.channels.get(channel_id)) is not None:
            return found
        dms = (dm for dm in self.dms.values() if dm.id == channel_id)
        return self.groups.get(channel_id) or next(dms, None)

    @property
    def bot_is_member(self) -> bool:
        """Whether the bot is in the guild."""
        return self.bot.id in self.guild.members

    @property
    def has_commands(self) -> bool:
        """Whether the application's commands can be used in the guild."""
        return self.bot_is_member or self.has_bare_commands

    def permissions(self, user: User, channel: Channel) -> Permission:
        """The permissions of `user` in `channel`, which they cannot use where they have no access."""
        held = self._resolved(user, channel)
        if channel.is_private_thread and not (
            user.id in channel.members or Permission.MANAGE_THREADS in held
        ):
            return NOTHING
        if assumptions.VOICE_TEXT_NEEDS_CONNECT and channel.has_voice and Permission.CONNECT not in held:
            return held & Permission.VIEW_CHANNEL
        return held

    def app_permissions(self, channel: Channel) -> Permission:
        """What an interaction in `channel` says of the bot's permissions there.

        It says nothing of private threads that the bot was not added to.
        """
        if channel.guild_id is None:
            return TOLD_IN_GROUPS if channel.is_group else TOLD_IN_DIRECT_MESSAGES
        if not self.bot_is_member:
            everyone = self.guild.roles[self.guild.id].permissions
            return everyone if assumptions.BARE_COMMANDS_HAVE_EVERYONES_PERMISSIONS else NOTHING
        if assumptions.APP_PERMISSIONS_KNOW_PRIVATE_THREADS:
            return self.permissions(self.bot, channel)
        return self._resolved(self.bot, channel)

    def _resolved(self, user: User, channel: Channel) -> Permission:
        """The permissions of `user` as roles and overwrites have them."""
        if channel.is_group:
            return IN_DIRECT_MESSAGES if user in channel.people else NOTHING
        if channel.recipient is not None:
            return IN_DIRECT_MESSAGES if user in (channel.recipient, self.bot) else NOTHING
        member = self.guild.members.get(user.id)
        if member is None:
            return NOTHING
        home = channel.parent or channel
        held = self.guild_permissions(user)
        return in_channel(held, home.overwrites, everyone=self.guild.id, roles=member.roles, member=user.id)

    def guild_permissions(self, user: User) -> Permission:
        """The permissions of a member in the guild, before any channel's overwrites."""
        member = self.guild.members[user.id]
        return in_guild(
            [self.guild.roles[role].permissions for role in (self.guild.id, *member.roles)],
            owner=user.id == self.guild.owner_id,
        )

    def available_commands(self, channel: Channel) -> list[JSON]:
        """The commands available in a channel: the global ones, and in the guild also its own."""
        here = [] if channel.guild_id is None else list(self.guild_commands.values())
        return [*self.commands.values(), *here]

    # Membership.

    def invite_bot(self, permissions: Permission = EVERYONE) -> None:
        """Add the bot to the guild with a managed role that grants `permissions`."""
        role = Role(self.snowflakes.next(), "Fifteen Two", permissions, 1, managed_by=self.bot.id)
        self.guild.roles[role.id] = role
        self._join(self.bot, role.id)
        self.announce(Change("GUILD_CREATE", {"id": self.guild.id}))

    def add_bare_commands(self) -> None:
        """Add the application to the guild without its bot: its commands work, and it is told of nothing."""
        self.has_bare_commands = True

    def kick_bot(self) -> None:
        """Remove the bot from the guild, with its managed role and its guild commands."""
        self.has_bare_commands = False
        self.guild.members.pop(self.bot.id, None)
        self.guild.roles = {key: role for key, role in self.guild.roles.items() if role.managed_by is None}
        self.guild_commands.clear()
        self.announce(Change("GUILD_DELETE", {"id": self.guild.id}))

    def remove_member(self, user: User) -> None:
        """Remove a user from the guild."""
        self.guild.members.pop(user.id, None)
        data = {"guild_id": self.guild.id, "user": user.payload()}
        self.announce(Change("GUILD_MEMBER_REMOVE", data))

    def add_member(self, user: User) -> None:
        """Add a user to the guild, for the first time or again."""
        member = self._join(user)
        self.announce(Change("GUILD_MEMBER_ADD", member.payload() | {"guild_id": self.guild.id}))

    def add_person(self, name: str) -> User:
        """Create a user and add them to the guild."""
        user = self._add_user(name.lower().replace(" ", "_"), name, "#4e5058")
        self.add_member(user)
        return user

    def update_role(self, role: Role, permissions: Permission) -> None:
        """Change the permissions of a role."""
        role.permissions = permissions
        data = {"guild_id": self.guild.id, "role": role.payload()}
        self.announce(Change("GUILD_ROLE_UPDATE", data))

    def guild_payload(self) -> JSON:
        """The data of GUILD_CREATE for the bot; its members are the bot alone."""
        channels = [channel for channel in self.guild.channels.values() if not channel.is_thread]
        threads = [channel for channel in self.guild.channels.values() if channel.is_thread]
        bot = self.guild.members[self.bot.id]
        return self.guild.payload() | {
            "joined_at": iso(bot.joined_at),
            "large": False,
            "member_count": len(self.guild.members),
            "voice_states": [],
            "members": [bot.payload()],
            "channels": [channel.payload() for channel in channels],
            "threads": [
                self.thread_payload(thread)
                for thread in threads
                if not thread.archived and Permission.VIEW_CHANNEL in self.permissions(self.bot, thread)
            ],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    # Channels.

    def add_channel(self, name: str, kind: ChannelType = ChannelType.TEXT, *, position: int = 0) -> Channel:
        """Create a channel, which is no thread."""
        channel = Channel(self.snowflakes.next(), kind, name, guild_id=self.guild.id, position=position)
        self.guild.channels[channel.id] = channel
        self.announce(Change("CHANNEL_CREATE", channel.payload(), channel))
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner: User,
        *,
        started_by: Message | None = None,
        minutes: int | None = None,
        is_private: bool = False,
    ) -> Channel:
        """Create a thread in `parent`, which archives itself after `minutes` of rest (1,440).

        A thread that was started from a message has that message's id. In a forum it is a post.
        """
        kind = ChannelType.PRIVATE_THREAD if is_private else ChannelType.PUBLIC_THREAD
        if parent.type is ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        thread = Channel(
            self.snowflakes.next() if started_by is None else started_by.id,
            kind,
            name,
            guild_id=self.guild.id,
            parent=parent,
            owner_id=owner.id,
            auto_archive_duration=minutes or 1440,
            members={owner.id},
            active_at=self.clock.now(),
            changed_at=self.clock.now(),
        )
        self.guild.channels[thread.id] = thread
        created = self.thread_payload(thread) | {"newly_created": True}
        self.announce(Change("THREAD_CREATE", created, thread))
        if started_by is not None:
            started_by.thread = thread
            started_by.flags |= MessageFlag.HAS_THREAD
            self.update_message(started_by, edited=False)
        return thread

    def thread_payload(self, thread: Channel) -> JSON:
        """A thread as the gateway describes it to the bot: with its membership, if it was added."""
        payload = thread.payload()
        if self.bot.id in thread.members:
            joined = {"id": thread.id, "user_id": self.bot.id}
            payload["member"] = joined | {"join_timestamp": iso(thread.changed_at), "flags": 0}
        return payload

    def add_to_thread(self, thread: Channel, user: User) -> None:
        """Add somebody to a thread; a bot is told of it as of a new thread."""
        thread.members.add(user.id)
        if user is self.bot:
            self.announce(Change("THREAD_CREATE", self.thread_payload(thread), thread))

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        """Remove somebody from a thread, of which the bot is told only if it is the one."""
        thread.members.discard(user.id)
        if user is self.bot:
            data: JSON = {"id": thread.id, "guild_id": self.guild.id, "member_count": len(thread.members)}
            self.announce(Change("THREAD_MEMBERS_UPDATE", data | {"removed_member_ids": [user.id]}))

    def unarchive(self, thread: Channel) -> None:
        """Make an archived thread active again."""
        thread.archived, thread.active_at = False, self.clock.now()
        self.update_channel(thread)
        is_told = assumptions.UNARCHIVED_THREADS_TELL_OF_MEMBERSHIP
        if is_told and self.bot.id in thread.members:  # which THREAD_UPDATE does not say
            member = self.thread_payload(thread)["member"] | {"guild_id": self.guild.id}
            self.announce(Change("THREAD_MEMBER_UPDATE", member, thread))

    def archive_idle_threads(self) -> None:
        """Archive every thread that was inactive for as long as its auto-archive duration."""
        now = self.clock.now()
        for thread in [each for each in self.guild.channels.values() if each.is_thread]:
            if not thread.archived and now - thread.active_at >= thread.auto_archive_duration * 60:
                thread.archived = True
                self.update_channel(thread)

    def open_dm(self, user: User) -> Channel:
        """The DM channel between the bot and a user, created on first use."""
        if user.id not in self.dms:
            channel = Channel(self.snowflakes.next(), ChannelType.DM, recipient=user)
            self.dms[user.id] = channel
            self.announce(Change("CHANNEL_CREATE", channel.payload(), channel))
        return self.dms[user.id]

    def open_group(self, people: list[User]) -> Channel:
        """A group of direct messages of these people, of which the bot is told nothing."""
        group = Channel(self.snowflakes.next(), ChannelType.GROUP_DM, people=people, owner_id=people[0].id)
        self.groups[group.id] = group
        return group

    def update_channel(self, channel: Channel) -> None:
        """Announce that a channel has changed."""
        channel.changed_at = self.clock.now()
        name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.announce(Change(name, channel.payload(), channel))

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, and the threads of a channel."""
        for thread in [each for each in self.guild.channels.values() if each.parent is channel]:
            self.delete_channel(thread)
        self.guild.channels.pop(channel.id)
        channel.deleted = True
        starter = None if channel.parent is None else channel.parent.messages.get(channel.id)
        if starter is not None:
            starter.thread = None
            starter.flags &= ~MessageFlag.HAS_THREAD
            self.update_message(starter, edited=False)
        name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        self.announce(Change(name, channel.payload(), channel))

    # Messages.

    def add_message(self, message: Message) -> None:
        """Add a message to its channel, and notify those whom it calls; it unarchives a thread."""
        channel = message.channel
        channel.messages[message.id] = message
        if channel.is_thread and not message.is_ephemeral:
            channel.active_at = self.clock.now()
            if channel.archived:
                self.unarchive(channel)
        self._tell("MESSAGE_CREATE", message)
        for user in self._called(message):
            if (notification := notify(self.users, self.guild, message, user)) is not None:
                self.notifications.setdefault(user.id, []).append(notification)
                self.announce(Change("NOTIFICATION", notification.payload(), channel, user.id))

    def update_message(self, message: Message, *, edited: bool = True) -> None:
        """Announce that a message has changed."""
        if edited:
            message.edited_at = self.clock.now()
        self._tell("MESSAGE_UPDATE", message)

    def delete_message(self, message: Message) -> None:
        """Delete a message."""
        message.channel.messages.pop(message.id, None)
        message.deleted = True
        data: JSON = {"id": message.id, "channel_id": message.channel.id}
        if message.channel.guild_id is not None:
            data["guild_id"] = message.channel.guild_id
        self.announce(Change("MESSAGE_DELETE", data, message.channel, message.only_for))

    def _called(self, message: Message) -> list[User]:
        """The people whom a message is for: the recipient of a DM, or those it mentions who can see it."""
        channel = message.channel
        if channel.recipient is not None:
            return [channel.recipient]
        called = {user.id: user for user in message.mentions}
        for member in self.guild.members.values():
            if message.mention_everyone or any(role in member.roles for role in message.mention_roles):
                called[member.user.id] = member.user
        seeing = [
            user for user in called.values() if Permission.VIEW_CHANNEL in self.permissions(user, channel)
        ]
        return [user for user in seeing if not user.bot and not user.system]

    def _tell(self, name: str, message: Message) -> None:
        if message.dismissed:
            return
        self.announce(Change(name, message.payload(), message.channel, message.only_for))

    def _add_user(
        self, username: str, shown: str | None, color: str, *, bot: bool = False, system: bool = False
    ) -> User:
        user = User(self.snowflakes.next(), username, shown, color, bot=bot, system=system)
        self.users[user.id] = user
        return user

    def _join(self, user: User, *roles: str) -> Member:
        member = Member(user, list(roles), joined_at=self.clock.now())
        self.guild.members[user.id] = member
        return member
