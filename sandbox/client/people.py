"""The simulated people: each has the actions of Discord's client, and no others.

A `Person` is used by tests and by the page alike. Each use of the bot returns the `Interaction`:
await it for the first response, or look at it later. An action that the client would not offer raises
`NotOfferedError`.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from sandbox import assumptions
from sandbox.client.interaction_data import (
    NotOfferedError,
    autocomplete_data,
    chosen_data,
    command_data,
    localized,
    menu,
    message_command_data,
    offered_commands,
    submitted_components,
    user_command_data,
)
from sandbox.model.channels import Channel, ChannelType, Message, MessageFlag
from sandbox.model.components import LINK_STYLE, as_read
from sandbox.model.interactions import USER_COMMAND, Interaction, Interactions, InteractionType, Modal
from sandbox.model.json_types import JSON
from sandbox.model.notifications import Notification
from sandbox.model.permissions import EVERYONE, NOTHING, Overwrite, Permission
from sandbox.model.users import LOCALES, User
from sandbox.model.world import Change, World

__all__ = ["NotOfferedError", "Person"]

T = TypeVar("T")
_CREATED = frozenset(
    {ChannelType.TEXT, ChannelType.VOICE, ChannelType.ANNOUNCEMENT, ChannelType.STAGE, ChannelType.FORUM}
)
_WITH_PRIVATE_THREADS = frozenset({ChannelType.TEXT})
_WITH_THREADS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.FORUM})
_NEEDED_TO_POST = Permission.SEND_MESSAGES
"""In a forum this permission is the one to create posts."""

_MOST_IN_GROUP = 10
"""The largest number of people in a group of direct messages."""

_PATIENCE = 0.02
"""Seconds between two checks of a predicate when nothing changes."""


class Person:
    """A member of the guild with Discord's client open."""

    def __init__(self, user: User, world: World, interactions: Interactions) -> None:
        self.user = user
        self._world = world
        self._interactions = interactions
        self._loaded_at = "0"
        """The snowflake of the client's load: it has no ephemeral messages from before."""

    def __repr__(self) -> str:
        return f"Person({self.name!r})"

    @property
    def id(self) -> str:
        """Their user id."""
        return self.user.id

    @property
    def name(self) -> str:
        """Their display name."""
        return self.user.global_name or self.user.username

    # Seeing.

    @property
    def channels(self) -> list[Channel]:
        """The channels and threads of the first guild that they can see."""
        guild = self._world.guild.channels.values()
        return [channel for channel in guild if Permission.VIEW_CHANNEL in self.permissions(channel)]

    @property
    def dm(self) -> Channel | None:
        """Their DM channel with the bot, if there is one."""
        return self._world.dms.get(self.id)

    def permissions(self, channel: Channel) -> Permission:
        """Their permissions in a channel."""
        return NOTHING if channel.deleted else self._world.permissions(self.user, channel)

    def sees(self, channel: Channel | str) -> list[Message]:
        """The messages they see in a channel, oldest first, including ephemeral ones for them."""
        here = self._place(channel)
        if Permission.VIEW_CHANNEL not in self.permissions(here):
            return []
        return self.seen_since(self._loaded_at, here)

    def seen_since(self, loaded_at: str, channel: Channel) -> list[Message]:
        """The messages of a channel as a client shows them that was loaded at this snowflake.

        Ephemeral messages from before are gone: no client keeps them, and no server has them.
        """
        return [
            message
            for message in channel.messages.values()
            if message.only_for is None or (message.only_for == self.id and int(message.id) > int(loaded_at))
        ]

    def reload(self) -> None:
        """Load the client again: every ephemeral message that it had is gone."""
        self._loaded_at = self._world.snowflakes.next()

    @property
    def notifications(self) -> list[Notification]:
        """The push notifications they got, oldest first: each made their phone ring once."""
        return list(self._world.notifications.get(self.id, ()))

    def dms(self) -> list[Message]:
        """The messages of their DM with the bot, oldest first."""
        return [] if self.dm is None else self.sees(self.dm)

    def can_see(self, message: Message) -> bool:
        """True if a message exists and is visible to them."""
        return not message.deleted and message in self.sees(message.channel)

    def commands(self, channel: Channel | str) -> list[JSON]:
        """The commands they are offered in a channel."""
        return offered_commands(self._world, self.user, self._place(channel))

    def menu(self, channel: Channel | str) -> dict[str, str]:
        """The slash commands they are offered in a channel: full name and description in their language."""
        return menu(self.commands(channel), self.locale)

    def menu_on_people(self, channel: Channel | str) -> list[str]:
        """The commands they are offered on a person's name in a channel, in their language."""
        offered = [each for each in self.commands(channel) if each["type"] == USER_COMMAND]
        return [localized(each, "name", self.locale) for each in offered]

    async def until(self, predicate: Callable[[], T], timeout: float = 60.0) -> T:  # noqa: ASYNC109 - a test's patience
        """Wait until `predicate()` is true, and return its result.

        Raises TimeoutError after `timeout` seconds.
        """
        ends = asyncio.get_running_loop().time() + timeout
        while not (result := predicate()):
            if asyncio.get_running_loop().time() > ends:
                raise TimeoutError(f"{self.name} waited {timeout} seconds for nothing")
            await self.something()
        return result

    async def something(self) -> None:
        """Wait for a change, at most `_PATIENCE`: a predicate may depend on more than the world."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self._world.changed()

    # Settings.

    @property
    def locale(self) -> str:
        """The language of their client, which interactions bring as `locale`."""
        return self.user.locale

    def choose_language(self, locale: str) -> None:
        """Choose another language for the client, e.g. `fr`."""
        if locale not in LOCALES:
            raise NotOfferedError(f"there is no language {locale!r}")
        self.user.locale = locale

    # Talking.

    def say(self, channel: Channel | str, text: str) -> Message:
        """Write an ordinary message."""
        here = self._place(channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if here.is_thread else Permission.SEND_MESSAGES
        held = self.permissions(here)
        if (
            here.type is ChannelType.FORUM
            or needed not in held
            or (here.locked and Permission.MANAGE_THREADS not in held)
        ):
            raise NotOfferedError(f"{self.name} cannot write there")
        if not 1 <= len(text.strip()) <= 2000:
            raise NotOfferedError("a message has 1 to 2,000 characters")
        message = Message(self._world.snowflakes.next(), here, self.user, content=text.strip())
        message.mentions = [user for user in self._world.users.values() if user.mention in text]
        for user in message.mentions if here.is_private_thread else ():
            if user.id in self._world.guild_of(here).members:  # whom a message there mentions is added
                self._world.add_to_thread(here, user)
        self._world.add_message(message)
        return message

    def say_in_dm(self, text: str) -> Message:
        """Write to the bot; the DM is opened first when there is none."""
        if not self._world.meets_bot(self.user):
            raise NotOfferedError(f"{self.name} shares no server with the bot, and has not installed it")
        return self.say(self.open_dm(), text)

    def delete(self, message: Message) -> None:
        """Delete a message: their own, or anybody's with Manage Messages."""
        theirs = message.author is self.user
        if not self.can_see(message) or message.is_ephemeral:
            raise NotOfferedError("there is no such message to delete")
        if not theirs and (
            message.channel.guild_id is None
            or Permission.MANAGE_MESSAGES not in self.permissions(message.channel)
        ):
            raise NotOfferedError(f"{self.name} cannot delete messages of others there")
        self._world.delete_message(message)

    def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message; the bot receives no event."""
        if message.only_for != self.id or message.deleted:
            raise NotOfferedError("only an ephemeral message can be dismissed")
        message.channel.messages.pop(message.id, None)
        message.dismissed = True
        data = {"id": message.id, "channel_id": message.channel.id}
        self._world.announce(Change("MESSAGE_DELETE", data, message.channel, self.id))

    # Using the bot.

    def command(self, channel: Channel | str, name: str, /, **options: object) -> Interaction:
        """Use a slash command, e.g. `ada.command("cribbage", "crib new", players=2)`."""
        here = self._active(channel)
        data = command_data(self._world, self.user, here, name, options)
        return self._interactions.begin(InteractionType.COMMAND, self.user, here, data)

    def command_on(self, name: str, person: "Person", /, channel: Channel | str = "cribbage") -> Interaction:
        """Use a user command on somebody, e.g. `ada.command_on("Challenge to cribbage", ben)`."""
        return self.command_on_user(name, person.user, channel)

    def command_on_user(self, name: str, user: User, channel: Channel | str) -> Interaction:
        """Like `command_on`, on any user: the bot has a context menu too."""
        here = self._active(channel)
        data = user_command_data(self._world, self.user, here, name, user)
        return self._interactions.begin(InteractionType.COMMAND, self.user, here, data)

    def command_on_message(self, name: str, message: Message, /) -> Interaction:
        """Use a message command, e.g. `ada.command_on_message("Replay this game", result)`."""
        if not self.can_see(message) or message.is_ephemeral:
            raise NotOfferedError("there is no such message to use a command on")
        here = self._active(message.channel)
        data = message_command_data(self._world, self.user, here, name, message)
        return self._interactions.begin(InteractionType.COMMAND, self.user, here, data)

    def complete(
        self, channel: Channel | str, name: str, /, *, option: str, typed: str = "", **others: object
    ) -> Interaction:
        """Type into an option with autocomplete; the interaction's `choices` are the suggestions."""
        return self.complete_with(channel, name, option=option, typed=typed, others=others)

    def complete_with(
        self, channel: Channel | str, name: str, *, option: str, typed: str, others: Mapping[str, object]
    ) -> Interaction:
        """Like `complete`, with the other options as a mapping."""
        here = self._place(channel)
        data = autocomplete_data(
            self._world, self.user, here, name, option=option, typed=typed, others=others
        )
        return self._interactions.begin(InteractionType.AUTOCOMPLETE, self.user, here, data)

    def press(self, message: Message, button: str) -> Interaction:
        """Press a button, named by its label, its emoji or its custom_id."""
        found = [each for each in self._components(message) if button in _button_names(each)]
        if not found:
            names = [name for each in message.buttons for name in _button_names(each)[:1]]
            raise NotOfferedError(f"there is no button {button!r}; there is {names}")
        return self._press(message, found[0])

    def choose(self, message: Message, select: str, values: Sequence[object]) -> Interaction:
        """Choose `values` in a select, named by its custom_id or its placeholder."""
        selects = [each for each in message.selects if select in (each["custom_id"], each.get("placeholder"))]
        if not selects or not self.can_see(message):
            raise NotOfferedError(f"there is no select {select!r}")
        component = selects[0]
        if component.get("disabled"):
            raise NotOfferedError(f"{select!r} is disabled")
        data = chosen_data(self._world, message.channel, component, values)
        return self._begin_on(message, data)

    def submit(self, modal: Modal, values: dict[str, object]) -> Interaction:
        """Submit a modal with values by the custom_ids of its fields."""
        opened_by = modal.interaction
        if opened_by.user is not self.user or modal.used:
            raise NotOfferedError("this modal is not open")
        components, resolved = submitted_components(self._world, opened_by.channel, modal.components, values)
        modal.used = True
        data: JSON = {"custom_id": modal.custom_id, "components": components}
        if resolved:
            data["resolved"] = resolved
        return self._interactions.begin(
            InteractionType.MODAL,
            self.user,
            opened_by.channel,
            data,
            message=opened_by.message,
            parent=opened_by,
        )

    # Direct messages.

    def open_dm(self) -> Channel:
        """Open the DM with the bot, which creates the channel if there is none."""
        return self._world.open_dm(self.user)

    def open_dm_with(self, other: "Person") -> Channel:
        """Open the direct messages with another person, without the bot; the same channel each time."""
        if other.user is self.user:
            raise NotOfferedError("nobody has direct messages with themselves")
        return self._world.open_between([self.user, other.user])

    def open_group(self, *others: "Person") -> Channel:
        """Open a new group of direct messages with other people, without the bot."""
        people = [self.user, *(each.user for each in others)]
        if len({*people}) < len(people) or not 2 <= len(people) <= _MOST_IN_GROUP:
            raise NotOfferedError(f"a group has up to {_MOST_IN_GROUP} people, each once")
        return self._world.open_group(people)

    @property
    def between_people(self) -> list[Channel]:
        """Their direct messages with other people, oldest first."""
        return [each for each in self._world.between_people.values() if self.user in each.people]

    @property
    def has_app(self) -> bool:
        """True if they have installed the application for themselves."""
        return self.id in self._world.installs

    def install_app(self) -> None:
        """Install the application for themselves: its commands for users come with them everywhere."""
        if not self._world.has_user_install:
            raise NotOfferedError("this app can be added to servers alone")
        self._world.install(self.user)

    def uninstall_app(self) -> None:
        """Undo `install_app`."""
        self._world.uninstall(self.user)

    def open_dms(self) -> None:
        """Allow direct messages from members of the guild."""
        self.user.dms_open = True

    def close_dms(self) -> None:
        """Allow no direct messages from members of the guild."""
        self.user.dms_open = False

    # Managing the guild.

    def create_channel(self, name: str, kind: ChannelType = ChannelType.TEXT) -> Channel:
        """Create a channel of the guild."""
        held = self._world.guild_permissions(self.user)
        if Permission.MANAGE_CHANNELS not in held or kind not in _CREATED:
            raise NotOfferedError(f"{self.name} cannot create that")
        return self._world.add_channel(name, kind, position=len(self._world.guild.channels))

    def choose_system_channel(self, channel: Channel | str | None) -> None:
        """Choose the channel in which Discord welcomes members."""
        self._needs_ownership()
        self._world.guild.system_channel_id = None if channel is None else self._place(channel).id
        self._announce_guild()

    def start_thread(self, channel: Channel | str, name: str, *, is_private: bool = False) -> Channel:
        """Create a thread in a channel, or a post in a forum."""
        here = self._place(channel)
        needed = _NEEDED_TO_POST if here.type is ChannelType.FORUM else Permission.CREATE_PUBLIC_THREADS
        if is_private:
            needed = Permission.CREATE_PRIVATE_THREADS
        kinds = _WITH_PRIVATE_THREADS if is_private else _WITH_THREADS
        if here.type not in kinds or needed not in self.permissions(here):
            raise NotOfferedError(f"{self.name} cannot begin a thread there")
        return self._world.add_thread(here, name, self.user, is_private=is_private)

    def lock(self, thread: Channel, *, locked: bool = True) -> None:
        """Lock a thread, so that only moderators can write, or unlock it."""
        if not thread.is_thread or Permission.MANAGE_THREADS not in self.permissions(thread):
            raise NotOfferedError(f"{self.name} cannot lock that")
        thread.locked = locked
        self._world.update_channel(thread)

    def remove_from_thread(self, thread: Channel, user: User) -> None:
        """Remove somebody from a private thread; needs its owner or Manage Threads."""
        needed = Permission.MANAGE_THREADS
        if not thread.is_private_thread or (
            thread.owner_id != self.id and needed not in self.permissions(thread)
        ):
            raise NotOfferedError(f"{self.name} cannot remove anybody there")
        self._world.remove_from_thread(thread, user)

    def archive(self, thread: Channel, *, lock: bool = False) -> None:
        """Archive a thread, and optionally lock it."""
        needed = Permission.MANAGE_THREADS
        if not thread.is_thread or (thread.owner_id != self.id and needed not in self.permissions(thread)):
            raise NotOfferedError(f"{self.name} cannot archive that")
        thread.archived, thread.locked = True, lock
        self._world.update_channel(thread)

    def delete_channel(self, channel: Channel | str) -> None:
        """Delete a channel or a thread."""
        here = self._place(channel)
        needed = Permission.MANAGE_THREADS if here.is_thread else Permission.MANAGE_CHANNELS
        if here.guild_id is None or needed not in self.permissions(here):
            raise NotOfferedError(f"{self.name} cannot delete that")
        self._world.delete_channel(here)

    def set_overwrite(self, channel: Channel | str, overwrite: Overwrite) -> None:
        """Set the permission overwrite of a role or a member in a channel."""
        here = self._place(channel)
        if Permission.MANAGE_CHANNELS not in self.permissions(here):
            raise NotOfferedError(f"{self.name} cannot manage that channel")
        here.overwrites = [each for each in here.overwrites if each.target != overwrite.target] + [overwrite]
        self._world.update_channel(here)

    def choose_server_language(self, locale: str) -> None:
        """Make it a Community server with this language, which interactions bring as `guild_locale`."""
        if locale not in LOCALES:
            raise NotOfferedError(f"there is no language {locale!r}")
        self._needs_ownership()
        self._world.guild.preferred_locale = locale
        self._announce_guild()

    def leave_guild(self) -> None:
        """Leave the guild."""
        self._world.remove_member(self.user)

    def join_guild(self) -> None:
        """Join the guild again."""
        self._world.add_member(self.user)

    def kick(self, other: "Person") -> None:
        """Remove somebody from the guild, as a ban does, too; in the sandbox only the guild's owner can."""
        self._needs_ownership()
        self._world.remove_member(other.user)

    def time_out(self, other: "Person", seconds: float) -> None:
        """Let somebody only read in the guild for so long; in the sandbox only the guild's owner can."""
        self._needs_ownership()
        self._world.time_out(other.user, self._world.clock.now() + seconds)

    def kick_bot(self) -> None:
        """Remove the bot from the guild; in the sandbox only the guild's owner can."""
        self._needs_ownership()
        self._world.kick_bot()

    def invite_bot(self, permissions: Permission = EVERYONE) -> None:
        """Invite the bot again, with a role that grants `permissions`."""
        self._needs_ownership()
        if self._world.bot_is_member:
            raise NotOfferedError("the bot is in the guild already")
        self._world.invite_bot(permissions)

    def add_bare_commands(self) -> None:
        """Add the application with `applications.commands` alone: its commands come without its bot."""
        self._needs_ownership()
        if self._world.bot_is_member:
            raise NotOfferedError("the bot is in the guild already")
        self._world.add_bare_commands()

    def _announce_guild(self) -> None:
        guild = self._world.guild
        self._world.announce(Change("GUILD_UPDATE", guild.payload(), guild_id=guild.id))

    def _needs_ownership(self) -> None:
        if self._world.guild.owner_id != self.id:
            raise NotOfferedError(f"{self.name} does not own the guild")

    def _place(self, channel: Channel | str) -> Channel:
        if isinstance(channel, Channel):
            return channel
        name = channel.removeprefix("#")
        found = [each for each in self._world.guild.channels.values() if each.name == name]
        if not found:
            raise NotOfferedError(f"there is no channel #{name}")
        return found[0]

    def _active(self, channel: Channel | str) -> Channel:
        """A channel in which the bot can be used; raises NotOfferedError in an archived thread."""
        here = self._place(channel)
        if here.archived and not assumptions.ARCHIVED_THREADS_TAKE_PRESSES:
            raise NotOfferedError(
                f"An error occurred: {here.name} is archived. Write there to open it again."
            )
        return here

    def _components(self, message: Message) -> list[JSON]:
        """The current components of a message; raises NotOfferedError if it cannot be used."""
        if not self.can_see(message) or MessageFlag.LOADING in message.flags:
            raise NotOfferedError("that message is not there any more")
        return list(message.every_component)

    def _press(self, message: Message, component: JSON) -> Interaction:
        if component.get("disabled"):
            raise NotOfferedError(f"{_button_names(component)[0]!r} is disabled")
        if component["style"] == LINK_STYLE:
            raise NotOfferedError("a link opens in the browser; the bot is not told")
        data = {"custom_id": component["custom_id"], "component_type": 2, "id": component["id"]}
        return self._begin_on(message, data)

    def _begin_on(self, message: Message, data: JSON) -> Interaction:
        if message.author is not self._world.bot:
            raise NotOfferedError("that message has no components that work")
        self._active(message.channel)
        return self._interactions.begin(
            InteractionType.COMPONENT, self.user, message.channel, data, message=message
        )


def _button_names(component: JSON) -> list[str]:
    if component["type"] != 2:
        return []
    label = as_read(component.get("label") or "")
    names = [label, (component.get("emoji") or {}).get("name"), component.get("custom_id")]
    return [name for name in names if name]
