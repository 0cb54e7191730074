"""Interactions: the state of each, and the registry that finds them by id or token and keeps their deadlines.

An `Interaction` is created when somebody uses a command, types into an option with autocomplete, presses a
button, chooses in a select or submits a modal. It is dispatched as INTERACTION_CREATE, and the first response
must come within three seconds. `answers` has the effects of responses, `client` the actions of people.
"""

import asyncio
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import partial
from random import Random

from sandbox.model.channels import Channel, Message
from sandbox.model.json_types import JSON
from sandbox.model.users import User
from sandbox.model.world import Change, World


class InteractionType(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


USER_COMMAND = 2
"""The type of a command that is used on a person, from their context menu."""

MESSAGE_COMMAND = 3
"""The type of a command that is used on a message, from its context menu."""


GUILD_INSTALL, USER_INSTALL = "0", "1"
"""Ways in which an application is installed (`integration_types`), as keys of its owners."""


class State(StrEnum):
    """The state of an interaction as its user sees it."""

    SENT = "sent"
    DEFERRED = "deferred"
    """The bot is "thinking" (callback type 5); the message is still to come."""

    ACKNOWLEDGED = "acknowledged"
    FAILED = "failed"
    """No response in time: "This interaction failed" or "The application did not respond"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """Time limits (s) of the bot's responses."""

    first_answer: float = 3.0
    token: float = 900.0
    """The token's lifetime, for follow-ups and edits after the first response."""


@dataclass(slots=True, eq=False, kw_only=True)
class Modal:
    """A modal that the bot opened for a person."""

    custom_id: str
    title: str
    components: list[JSON]
    interaction: "Interaction"
    """The interaction that it responds to."""

    used: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One use of the bot and its outcome. Await it to wait for the first response or the failure."""

    id: str
    token: str
    type: InteractionType
    user: User
    channel: Channel
    data: JSON
    made_at: float
    owners: dict[str, str]
    """By kind of installation of the application: the server (0 in the bot's DM), or the person."""

    message: Message | None = None
    """The message whose component was used, or from which the submitted modal was opened."""

    parent: "Interaction | None" = None
    """For a submitted modal: the interaction that opened it."""

    state: State = State.SENT
    follow_ups: int = 0
    """The number of follow-ups so far, without one that filled a deferred message."""

    callback_type: int | None = None
    original: Message | None = None
    """The message `@original`: the response, or the one with the component."""

    messages: list[Message] = field(default_factory=list)
    """The messages that this interaction created or edited, in order."""

    modal: Modal | None = None
    choices: list[JSON] | None = None
    deferral: Message | None = None
    """The deferred ("thinking") message that the first edit or follow-up will fill."""

    _first_answer: asyncio.Event = field(default_factory=asyncio.Event)
    _done: asyncio.Event = field(default_factory=asyncio.Event)

    def __await__(self) -> Generator[object, None, "Interaction"]:
        """Wait until the bot has responded or failed to; the result is the interaction itself."""
        yield from self._first_answer.wait().__await__()
        return self

    async def done(self, timeout: float = 60.0) -> "Interaction":  # noqa: ASYNC109 - the tests' own patience
        """Wait until neither the response nor the message after a deferral is pending.

        Raises TimeoutError after `timeout` seconds.
        """
        async with asyncio.timeout(timeout):
            await self._done.wait()
        return self

    @property
    def reply(self) -> Message:
        """The last message that this interaction created or edited; raises IndexError if there is none."""
        return self.messages[-1]

    @property
    def is_answered(self) -> bool:
        """True if the bot has sent its one interaction callback."""
        return self.callback_type is not None

    def metadata(self) -> JSON:
        """The `interaction_metadata` of its messages."""
        metadata: JSON = {
            "id": self.id,
            "type": int(self.type),
            "user": self.user.payload(),
            "authorizing_integration_owners": self.owners,
        }
        if self.type is InteractionType.COMMAND:
            metadata |= {"name": command_name(self.data), "command_type": self.data["type"]}
            if self.data["type"] == USER_COMMAND:
                target = self.data["target_id"]
                metadata["target_user"] = self.data["resolved"]["users"][target]
            if self.data["type"] == MESSAGE_COMMAND:
                metadata["target_message_id"] = self.data["target_id"]
        if self.type is InteractionType.COMPONENT and self.message is not None:
            metadata["interacted_message_id"] = self.message.id
        if self.type is InteractionType.MODAL and self.parent is not None:
            metadata["triggering_interaction_metadata"] = self.parent.metadata()
        return metadata


class Interactions:
    """All interactions so far, by id and by token."""

    def __init__(self, world: World, deadlines: Deadlines, random: Random) -> None:
        """Tokens come from `random`."""
        self._world = world
        self._random = random
        self.deadlines = deadlines
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self._expiries: dict[str, asyncio.TimerHandle] = {}
        """Pending deadlines by interaction id."""

    def begin(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: JSON,
        *,
        message: Message | None = None,
        parent: Interaction | None = None,
    ) -> Interaction:
        """Create an interaction, dispatch it to the bot, and start its deadline."""
        installed = partial(installations, self._world, user, channel)
        interaction = Interaction(
            id=self._world.snowflakes.next(),
            token=self._random.randbytes(32).hex(),
            type=kind,
            user=user,
            channel=channel,
            data=data,
            made_at=self._world.clock.now(),
            owners=self._owners(kind, data, message, parent, installed),
            message=message,
            parent=parent,
        )
        self.by_id[interaction.id] = interaction
        self.by_token[interaction.token] = interaction
        self._expiries[interaction.id] = asyncio.get_running_loop().call_later(
            self.deadlines.first_answer, self._expire, interaction
        )
        self._world.announce(Change("INTERACTION_CREATE", self.payload(interaction), channel))
        self.tell(interaction)
        return interaction

    def settle(self, interaction: Interaction, state: State) -> None:
        """Put the interaction into a new state, and wake the tasks that wait for it."""
        interaction.state = state
        interaction._first_answer.set()  # noqa: SLF001 - an interaction and its registry are one thing
        if state is not State.DEFERRED:
            interaction._done.set()  # noqa: SLF001 - as above
        self.tell(interaction)

    def tell(self, interaction: Interaction) -> None:
        """Announce the interaction's state to its user."""
        data: JSON = {"id": interaction.id, "state": interaction.state.value}
        self._world.announce(Change("INTERACTION", data, interaction.channel, interaction.user.id))

    def token_has_expired(self, interaction: Interaction) -> bool:
        """True if the token's lifetime of 15 minutes is over."""
        return self._world.clock.now() - interaction.made_at > self.deadlines.token

    def follow_ups_in(self, channel: Channel) -> list[int]:
        """The number of follow-ups to each interaction in a channel, oldest first."""
        return [each.follow_ups for each in self.by_id.values() if each.channel is channel]

    def close(self) -> None:
        """Cancel all deadlines."""
        for deadline in self._expiries.values():
            deadline.cancel()

    def payload(self, interaction: Interaction) -> JSON:
        """The data of the INTERACTION_CREATE event."""
        world, channel, user = self._world, interaction.channel, interaction.user
        theirs = str(int(world.permissions(user, channel)))
        payload: JSON = {
            "id": interaction.id,
            "application_id": world.application_id,
            "type": int(interaction.type),
            "data": interaction.data,
            "channel": channel.payload() | {"permissions": theirs},
            "channel_id": channel.id,
            "token": interaction.token,
            "version": 1,
            "app_permissions": str(int(world.app_permissions(channel, user))),
            "locale": user.locale,
            "entitlements": [],
            "authorizing_integration_owners": interaction.owners,
            "context": context_of(channel),
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if interaction.message is not None:
            payload["message"] = interaction.message.payload()
        if channel.guild_id is None:
            return payload | {"user": user.payload()}
        guild = world.guild_of(channel)
        return payload | {
            "guild_id": guild.id,
            "guild": {"id": guild.id, "features": guild.features, "locale": guild.preferred_locale},
            "guild_locale": guild.preferred_locale,
            "member": guild.members[user.id].payload() | {"permissions": theirs},
        }

    def _owners(
        self,
        kind: InteractionType,
        data: JSON,
        message: Message | None,
        parent: Interaction | None,
        installed: Callable[[JSON], dict[str, str]],
    ) -> dict[str, str]:
        """The owners of the installation of the command, or of the message or modal that led here."""
        if parent is not None:
            return parent.owners
        if kind in (InteractionType.COMMAND, InteractionType.AUTOCOMPLETE):
            return installed(self._world.command(data["id"]))
        came_of = {} if message is None else message.interaction or {}
        owners: dict[str, str] = came_of.get("authorizing_integration_owners") or installed({})
        return owners

    def _expire(self, interaction: Interaction) -> None:
        del self._expiries[interaction.id]
        if not interaction.is_answered:
            self.settle(interaction, State.FAILED)


def context_of(channel: Channel) -> int:
    """Discord's interaction context type: 0 in a guild, 1 in the bot's DM, 2 between people."""
    return 2 if channel.is_between_people else 1 if channel.is_dm else 0


def installations(world: World, user: User, channel: Channel, command: JSON) -> dict[str, str]:
    """The installations through which a person has a command in a channel, with the owner of each."""
    types = command.get("integration_types") or [0]
    owners = {}
    if (
        0 in types
        and not channel.is_between_people
        and (channel.guild_id is None or world.has_commands(world.guild_of(channel)))
    ):
        owners[GUILD_INSTALL] = channel.guild_id or "0"
    if 1 in types and user.id in world.installs:
        owners[USER_INSTALL] = user.id
    return owners


def command_name(data: JSON) -> str:
    """The full name of a command, with its group and sub-command."""
    names, at = [data["name"]], data
    while at := next((option for option in at.get("options") or () if option["type"] in (1, 2)), {}):
        names.append(at["name"])
    return " ".join(names)
