"""The whole state of the sandbox: users, the bot, guilds with their channels and messages, commands, files.

`World` changes the state and announces each change to its listeners (the gateway, tests, the page). It
refuses nothing; requests are authorized and validated before they reach it. There is one guild unless a test
adds more; people manage, and the page shows, the first.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sandbox import assumptions
from sandbox.model.channels import Attachment, Channel, ChannelType, Message, MessageFlag
from sandbox.model.guilds import Emoji, Guild
from sandbox.model.json_types import JSON
from sandbox.model.media import content_type, size_in_pixels
from sandbox.model.notifications import Notification, notify
from sandbox.model.permissions import (
    EVERYONE,
    IN_DIRECT_MESSAGES,
    NOTHING,
    TOLD_BETWEEN_PEOPLE,
    TOLD_IN_DIRECT_MESSAGES,
    WHILE_TIMED_OUT,
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
"""The text channels of each guild; each can have threads. People add channels of other kinds."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the state, under the name of its gateway event."""

    name: str
    data: JSON
    channel: Channel | None = None
    only_for: str | None = None
    """The id of the only user who sees it; None for everybody."""
    guild_id: str | None = None
    """The id of the changed guild, for a change that is not of a channel."""


class World:
    """The state of the sandbox, and its listeners."""

    def __init__(self, *, clock: Clock, url: str = "", home: int | None = None, shards: int = 1) -> None:
        """`home` is the first guild's shard, below `shards`; None leaves it to the guild's id."""
        self.clock = clock
        self._shards = shards
        self.snowflakes = Snowflakes(clock)
        self.url = url
        """The server's address without a trailing slash; the URLs of attachments begin with it."""

        self.users: dict[str, User] = {}
        self.dms: dict[str, Channel] = {}
        """DM channels with the bot, by user id."""
        self._dms_by_id: dict[str, Channel] = {}

        self.between_people: dict[str, Channel] = {}
        """Direct messages between people, without the bot, by channel id."""

        self.has_user_install = True
        """True if the application can be installed by people for themselves, and not for servers alone."""

        self.installs: set[str] = set()
        """The ids of the users who have installed the application for themselves."""

        self.commands: dict[str, JSON] = {}
        """Global application commands by id."""

        self.emojis: dict[str, Emoji] = {}
        self.files: dict[str, Attachment] = {}
        self.notifications: dict[str, list[Notification]] = {}
        """The push notifications that each person got, by user id, oldest first."""

        self.listeners: list[Callable[[Change], None]] = []
        self._next_change: asyncio.Future[None] | None = None

        self.bot = self._add_user("Fifteen Two", None, "#2d7d46", bot=True)
        self.application_id = self.bot.id
        self.host = self._add_user("sandbox", "Fifteen Two sandbox", "#4e5058", system=True)
        self.people = [self._add_user(username, shown, color) for username, shown, color in PEOPLE]
        guild_id = self.snowflakes.next() if home is None else self.snowflakes.next_of(home, shards)
        self.guilds: dict[str, Guild] = {}
        """By id, in the order in which they were made."""

        self.guild = self._found(guild_id, "The Crib Room")
        """The first guild, which the page shows."""

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
        for guild in self.guilds.values():
            if (found := guild.channels.get(channel_id)) is not None:
                return found
        return self.between_people.get(channel_id) or self._dms_by_id.get(channel_id)

    def guild_of(self, channel: Channel) -> Guild:
        """The guild of a channel; for direct messages the first one, for the names in their text."""
        return self.guild if channel.guild_id is None else self.guilds[channel.guild_id]

    def has_bot(self, guild: Guild) -> bool:
        """True if the bot is in a guild."""
        return self.bot.id in guild.members

    @property
    def bot_is_member(self) -> bool:
        """True if the bot is in the first guild."""
        return self.has_bot(self.guild)

    @property
    def guilds_of_bot(self) -> list[Guild]:
        """The guilds that the bot is in."""
        return [guild for guild in self.guilds.values() if self.has_bot(guild)]

    def meets_bot(self, user: User) -> bool:
        """True if a user and the bot share a guild, or the user has installed the application."""
        return user.id in self.installs or any(user.id in guild.members for guild in self.guilds_of_bot)

    def is_elsewhere(self, channel: Channel) -> bool:
        """True for a place without the bot: direct messages between people, or a guild that it is not in."""
        return channel.is_between_people or (
            channel.guild_id is not None and not self.has_bot(self.guilds[channel.guild_id])
        )

    def has_commands(self, guild: Guild) -> bool:
        """True if the application's commands can be used in a guild."""
        return self.has_bot(guild) or guild.has_bare_commands

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

    def app_permissions(self, channel: Channel, user: User | None = None) -> Permission:
        """The bot's permissions in `channel`, as an interaction of `user` there has them.

        They ignore membership of private threads.
        """
        if channel.guild_id is None:
            return TOLD_BETWEEN_PEOPLE if channel.is_between_people else TOLD_IN_DIRECT_MESSAGES
        guild = self.guild_of(channel)
        if not self.has_bot(guild):
            everyone = guild.roles[guild.id].permissions
            told = everyone & TOLD_IN_DIRECT_MESSAGES
            if not assumptions.BARE_COMMANDS_HAVE_EVERYONES_PERMISSIONS:
                told = NOTHING
            tells = assumptions.APP_PERMISSIONS_TELL_OF_EXTERNAL_APPS and not guild.has_bare_commands
            if user is not None and tells:
                told |= self.permissions(user, channel) & Permission.USE_EXTERNAL_APPS
            return told
        if assumptions.APP_PERMISSIONS_KNOW_PRIVATE_THREADS:
            return self.permissions(self.bot, channel)
        return self._resolved(self.bot, channel)

    def _resolved(self, user: User, channel: Channel) -> Permission:
        """The permissions of `user` from roles and overwrites alone."""
        if channel.is_between_people:
            return IN_DIRECT_MESSAGES if user in channel.people else NOTHING
        if channel.recipient is not None:
            return IN_DIRECT_MESSAGES if user in (channel.recipient, self.bot) else NOTHING
        guild = self.guild_of(channel)
        member = guild.members.get(user.id)
        if member is None:
            return NOTHING
        home = channel.parent or channel
        held = self.guild_permissions(user, guild)
        here = in_channel(held, home.overwrites, everyone=guild.id, roles=member.roles, member=user.id)
        is_timed_out = (member.timed_out_until or 0.0) > self.clock.now()
        return here & WHILE_TIMED_OUT if is_timed_out and Permission.ADMINISTRATOR not in held else here

    def guild_permissions(self, user: User, guild: Guild | None = None) -> Permission:
        """The permissions of a member in a guild, by default the first, before any channel's overwrites."""
        here = guild or self.guild
        member = here.members[user.id]
        return in_guild(
            [here.roles[role].permissions for role in (here.id, *member.roles)],
            owner=user.id == here.owner_id,
        )

    def available_commands(self, channel: Channel) -> list[JSON]:
        """The commands available in a channel: the global ones, and in a guild also its own."""
        here = [] if channel.guild_id is None else list(self.guild_of(channel).commands.values())
        return [*self.commands.values(), *here]

    def command(self, command_id: str) -> JSON:
        """A command by id, global or a guild's; raises KeyError if there is none."""
        every = dict(self.commands)
        for guild in self.guilds.values():
            every |= guild.commands
        return every[command_id]

    # Guilds and membership.

    def add_guild(self, name: str, *, with_bot: bool = True) -> Guild:
        """Add a guild with text channels and everybody who exists now; Ada owns it.

        Without the bot it has never heard of it. Guilds go to the shards in turn, independent of the
        first one's.
        """
        guild_id = self.snowflakes.next_of(len(self.guilds) % self._shards, self._shards)
        return self._found(guild_id, name, with_bot=with_bot)

    def _found(self, guild_id: str, name: str, *, with_bot: bool = True) -> Guild:
        guild = Guild(guild_id, name, owner_id=self.people[0].id)
        self.guilds[guild.id] = guild
        guild.roles[guild.id] = Role(guild.id, "@everyone", EVERYONE, 0)
        for user in self.users.values():
            if user is not self.bot:
                self._join(user, guild)
        for position, channel in enumerate(CHANNELS):
            self.add_channel(channel, position=position, guild=guild)
        if with_bot:
            self.invite_bot(guild=guild)
        return guild

    def invite_bot(self, permissions: Permission = EVERYONE, guild: Guild | None = None) -> None:
        """Add the bot to a guild, by default the first, with a managed role that grants `permissions`."""
        here = guild or self.guild
        role = Role(self.snowflakes.next(), "Fifteen Two", permissions, 1, managed_by=self.bot.id)
        here.roles[role.id] = role
        self._join(self.bot, here, role.id)
        here.viewed = {each.id for each in here.channels.values() if self._bot_views(each)}
        self.announce(Change("GUILD_CREATE", {"id": here.id}, guild_id=here.id))

    def add_bare_commands(self) -> None:
        """Add the application to the first guild without its bot: its commands work, it gets no events."""
        self.guild.has_bare_commands = True
        self.announce(Change("INSTALLS", {}))

    def kick_bot(self, guild: Guild | None = None) -> None:
        """Remove the bot from a guild, by default the first, with its managed role and its guild commands."""
        here = guild or self.guild
        here.has_bare_commands = False
        here.members.pop(self.bot.id, None)
        here.roles = {key: role for key, role in here.roles.items() if role.managed_by is None}
        here.commands.clear()
        self.announce(Change("GUILD_DELETE", {"id": here.id}, guild_id=here.id))

    def remove_member(self, user: User) -> None:
        """Remove a user from the first guild."""
        self.guild.members.pop(user.id, None)
        data = {"guild_id": self.guild.id, "user": user.payload()}
        self.announce(Change("GUILD_MEMBER_REMOVE", data, guild_id=self.guild.id))

    def time_out(self, user: User, until: float) -> None:
        """Time a member of the first guild out until then (s since 1970)."""
        member = self.guild.members[user.id]
        member.timed_out_until = until
        data = member.payload() | {"guild_id": self.guild.id}
        self.announce(Change("GUILD_MEMBER_UPDATE", data, guild_id=self.guild.id))

    def add_member(self, user: User, guild: Guild | None = None) -> None:
        """Add a user to a guild, by default the first, for the first time or again."""
        here = guild or self.guild
        member = self._join(user, here)
        data = member.payload() | {"guild_id": here.id}
        self.announce(Change("GUILD_MEMBER_ADD", data, guild_id=here.id))

    def add_person(self, name: str, guild: Guild | None = None) -> User:
        """Create a user and add them to a guild, by default the first."""
        user = self._add_user(name.lower().replace(" ", "_"), name, "#4e5058")
        self.add_member(user, guild)
        return user

    def update_role(self, role: Role, permissions: Permission) -> None:
        """Change a role of the first guild; CHANNEL_UPDATE follows for what the bot gains or loses."""
        role.permissions = permissions
        data = {"guild_id": self.guild.id, "role": role.payload()}
        self.announce(Change("GUILD_ROLE_UPDATE", data, guild_id=self.guild.id))
        for channel in self.guild.channels.values():
            if not channel.is_thread and self._bot_views(channel) != (channel.id in self.guild.viewed):
                self.update_channel(channel)

    def guild_payload(self, guild: Guild | None = None) -> JSON:
        """The data of GUILD_CREATE for the bot; its members are the bot alone."""
        here = guild or self.guild
        channels = [channel for channel in here.channels.values() if not channel.is_thread]
        bot = here.members[self.bot.id]
        return here.payload() | {
            "joined_at": iso(bot.joined_at),
            "large": False,
            "member_count": len(here.members),
            "voice_states": [],
            "members": [bot.payload()],
            "channels": [self.channel_payload(channel) for channel in channels],
            "threads": self.active_threads(here),
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def active_threads(self, guild: Guild, parent: Channel | None = None) -> list[JSON]:
        """The active threads that the bot can see, in one channel or all, as it is told of them."""
        every = [each for each in guild.channels.values() if each.is_thread and not each.archived]
        return [
            self.thread_payload(thread)
            for thread in every
            if parent in (None, thread.parent) and self._bot_views(thread)
        ]

    # Channels.

    def _bot_views(self, channel: Channel) -> bool:
        return Permission.VIEW_CHANNEL in self.permissions(self.bot, channel)

    def channel_payload(self, channel: Channel) -> JSON:
        """A channel other than a thread as the gateway describes it to the bot, which may not view it."""
        return channel.payload() if self._bot_views(channel) else channel.hidden()

    def _note_view(self, channel: Channel) -> None:
        """Note if the bot may view a channel; THREAD_LIST_SYNC follows if it may do so now."""
        guild = self.guild_of(channel)
        if not self._bot_views(channel):
            guild.viewed.discard(channel.id)
        elif channel.id not in guild.viewed:
            guild.viewed.add(channel.id)
            threads = self.active_threads(guild, channel)
            data: JSON = {"guild_id": guild.id, "channel_ids": [channel.id], "threads": threads}
            data["members"] = [thread["member"] for thread in threads if "member" in thread]
            self.announce(Change("THREAD_LIST_SYNC", data, channel))

    def add_channel(
        self,
        name: str,
        kind: ChannelType = ChannelType.TEXT,
        *,
        position: int = 0,
        guild: Guild | None = None,
    ) -> Channel:
        """Create a channel other than a thread in a guild, by default the first."""
        here = guild or self.guild
        channel = Channel(self.snowflakes.next(), kind, name, guild_id=here.id, position=position)
        here.channels[channel.id] = channel
        self.announce(Change("CHANNEL_CREATE", channel.payload(), channel))
        if self._bot_views(channel):
            here.viewed.add(channel.id)
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
        """Create a thread in `parent`, which archives itself after `minutes` (1,440) of inactivity.

        A thread that was started from a message has that message's id. In a forum it is a post.
        """
        kind = ChannelType.PRIVATE_THREAD if is_private else ChannelType.PUBLIC_THREAD
        if parent.type is ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        thread = Channel(
            self.snowflakes.next() if started_by is None else started_by.id,
            kind,
            name,
            guild_id=parent.guild_id,
            parent=parent,
            owner_id=owner.id,
            auto_archive_duration=minutes or 1440,
            members={owner.id},
            active_at=self.clock.now(),
            changed_at=self.clock.now(),
        )
        self.guild_of(parent).channels[thread.id] = thread
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
        """Add somebody to a thread; the bot gets THREAD_CREATE when it is added itself."""
        thread.members.add(user.id)
        if user is self.bot:
            self.announce(Change("THREAD_CREATE", self.thread_payload(thread), thread))

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        """Remove somebody from a thread; the bot gets an event only when it is removed itself."""
        thread.members.discard(user.id)
        if user is self.bot:
            data: JSON = {"id": thread.id, "guild_id": thread.guild_id, "member_count": len(thread.members)}
            data["removed_member_ids"] = [user.id]
            self.announce(Change("THREAD_MEMBERS_UPDATE", data, guild_id=thread.guild_id))

    def unarchive(self, thread: Channel) -> None:
        """Make an archived thread active again."""
        thread.archived, thread.active_at = False, self.clock.now()
        self.update_channel(thread)
        is_told = assumptions.UNARCHIVED_THREADS_TELL_OF_MEMBERSHIP
        if is_told and self.bot.id in thread.members:  # which THREAD_UPDATE does not say
            member = self.thread_payload(thread)["member"] | {"guild_id": thread.guild_id}
            self.announce(Change("THREAD_MEMBER_UPDATE", member, thread))

    def archive_idle_threads(self) -> None:
        """Archive every thread that was inactive for as long as its auto-archive duration."""
        now = self.clock.now()
        every = [each for guild in self.guilds.values() for each in guild.channels.values()]
        for thread in [each for each in every if each.is_thread]:
            if not thread.archived and now - thread.active_at >= thread.auto_archive_duration * 60:
                thread.archived = True
                self.update_channel(thread)

    def open_dm(self, user: User) -> Channel:
        """The DM channel between the bot and a user, created on first use."""
        if user.id not in self.dms:
            channel = Channel(self.snowflakes.next(), ChannelType.DM, recipient=user)
            self.dms[user.id] = self._dms_by_id[channel.id] = channel
            self.announce(Change("CHANNEL_CREATE", channel.payload(), channel))
        return self.dms[user.id]

    def restore_dm(self, channel: Channel) -> None:
        """Let a DM channel of an earlier world stand in this one."""
        assert channel.recipient is not None
        self.dms[channel.recipient.id] = self._dms_by_id[channel.id] = channel

    def open_between(self, people: list[User]) -> Channel:
        """The direct messages of two people, created on first use; the bot gets no event."""
        for channel in self.between_people.values():
            if channel.type is ChannelType.DM and {*channel.people} == {*people}:
                return channel
        return self._add_between(Channel(self.snowflakes.next(), ChannelType.DM, people=people))

    def open_group(self, people: list[User]) -> Channel:
        """Create a group of direct messages of these people, a new one each time; the bot gets no event."""
        owner = people[0].id
        return self._add_between(
            Channel(self.snowflakes.next(), ChannelType.GROUP_DM, people=people, owner_id=owner)
        )

    def _add_between(self, channel: Channel) -> Channel:
        self.between_people[channel.id] = channel
        self.announce(Change("CHANNEL_CREATE", channel.payload(), channel))
        return channel

    def install(self, user: User) -> None:
        """Install the application for a user."""
        self.installs.add(user.id)
        self.announce(Change("INSTALLS", {}, only_for=user.id))

    def uninstall(self, user: User) -> None:
        """Undo `install`."""
        self.installs.discard(user.id)
        self.announce(Change("INSTALLS", {}, only_for=user.id))

    def update_channel(self, channel: Channel) -> None:
        """Announce that a channel has changed."""
        channel.changed_at = self.clock.now()
        name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.announce(Change(name, channel.payload(), channel))
        if not channel.is_thread:
            self._note_view(channel)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, and the threads of a channel."""
        everything = self.guild_of(channel).channels
        for thread in [each for each in everything.values() if each.parent is channel]:
            self.delete_channel(thread)
        everything.pop(channel.id)
        channel.deleted = True
        starter = None if channel.parent is None else channel.parent.messages.get(channel.id)
        if starter is not None:
            starter.thread = None
            starter.flags &= ~MessageFlag.HAS_THREAD
            self.update_message(starter, edited=False)
        name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        self.announce(Change(name, channel.payload(), channel))

    # Messages.

    def add_file(self, channel: Channel, filename: str, content: bytes) -> Attachment:
        """Keep an uploaded file, which has an address from now on."""
        key = self.snowflakes.next()
        file = Attachment(
            key,
            filename,
            content,
            content_type(filename),
            f"{self.url}/cdn/attachments/{channel.id}/{key}/{filename}",
            size_in_pixels(content),
        )
        self.files[key] = file
        return file

    def add_message(self, message: Message) -> None:
        """Add a message to its channel, notify the people it calls, and unarchive a thread."""
        channel = message.channel
        channel.messages[message.id] = message
        if channel.is_thread and not message.is_ephemeral:
            channel.active_at = self.clock.now()
            if channel.archived:
                self.unarchive(channel)
        self._tell("MESSAGE_CREATE", message)
        for user in self._called(message):
            if (notification := notify(self.users, self.guild_of(channel), message, user)) is not None:
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
        """The people to notify of a message: those in a DM, or those it mentions who can see it."""
        channel = message.channel
        if channel.recipient is not None:
            return [channel.recipient]
        if channel.is_between_people and (
            message.author in channel.people or assumptions.ANSWERS_BETWEEN_PEOPLE_NOTIFY
        ):
            return channel.people
        called = {user.id: user for user in message.mentions}
        calls_many = message.mention_everyone or message.mention_roles
        for member in self.guild_of(channel).members.values() if calls_many else ():
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

    def _join(self, user: User, guild: Guild, *roles: str) -> Member:
        member = Member(user, list(roles), joined_at=self.clock.now())
        guild.members[user.id] = member
        return member
