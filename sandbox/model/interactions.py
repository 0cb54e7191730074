"""What a person does with the bot, and how far the bot has got with answering.

An `Interaction` is made when somebody uses a command, types into an option, presses, chooses or submits. It
becomes an INTERACTION_CREATE, and the first answer must come within three seconds. What an answer does is in
`answers`; what a person may do at all is in `people`.
"""

import asyncio
import secrets
from collections.abc import Generator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from sandbox.model.channels import Channel, Message
from sandbox.model.jsons import JSON
from sandbox.model.users import User
from sandbox.model.world import Change, World


class InteractionType(IntEnum):
    """Discord's numbers for the kinds of interaction."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class State(StrEnum):
    """How far an interaction has got, as its person sees it."""

    SENT = "sent"
    DEFERRED = "deferred"
    """The bot is thinking (type 5); the message is still to come."""

    ACKNOWLEDGED = "acknowledged"
    FAILED = "failed"
    """Nothing came in time: "This interaction failed" or "The application did not respond"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """How long the bot has, in seconds."""

    first_answer: float = 3.0
    token: float = 900.0
    """For follow-ups and edits after the first answer."""


@dataclass(slots=True, eq=False, kw_only=True)
class Modal:
    """A form that the bot asks a person to fill in."""

    custom_id: str
    title: str
    components: list[JSON]
    interaction: "Interaction"
    """The interaction that it answers."""

    used: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One thing a person did, and what came of it. Await it to wait for the first answer or the failure."""

    id: str
    token: str
    type: InteractionType
    user: User
    channel: Channel
    data: JSON
    made_at: float
    message: Message | None = None
    """The message whose component was used, also for a modal that such a component opened."""

    parent: "Interaction | None" = None
    """For a submitted modal: the interaction that opened it."""

    state: State = State.SENT
    callback_type: int | None = None
    original: Message | None = None
    """What `@original` means: the answering message, or the one the component is on."""

    messages: list[Message] = field(default_factory=list)
    """The messages this interaction made or edited, in order."""

    modal: Modal | None = None
    choices: list[JSON] | None = None
    deferral: Message | None = None
    """The "thinking" message that the first edit or follow-up will fill."""

    _first_answer: asyncio.Event = field(default_factory=asyncio.Event)
    _done: asyncio.Event = field(default_factory=asyncio.Event)

    def __await__(self) -> Generator[object, None, "Interaction"]:
        """Wait until the bot has answered or failed to; gives back the interaction itself."""
        yield from self._first_answer.wait().__await__()
        return self

    async def done(self, timeout: float = 5.0) -> "Interaction":  # noqa: ASYNC109 - the tests' own patience
        """Wait until nothing is pending any more: not the answer, and not the message after a deferral."""
        async with asyncio.timeout(timeout):
            await self._done.wait()
        return self

    @property
    def reply(self) -> Message:
        """The last message this interaction made or edited; asking before there is one is an error."""
        return self.messages[-1]

    @property
    def is_answered(self) -> bool:
        """Whether the bot has made its one callback."""
        return self.callback_type is not None

    def metadata(self) -> JSON:
        """The `interaction_metadata` of a message that came of it."""
        owner = self.channel.guild_id or "0"
        metadata: JSON = {
            "id": self.id,
            "type": int(self.type),
            "user": self.user.payload(),
            "authorizing_integration_owners": {"0": owner},
        }
        if self.type is InteractionType.COMMAND:
            metadata |= {"name": command_name(self.data), "command_type": 1}
        if self.type is InteractionType.COMPONENT and self.message is not None:
            metadata["interacted_message_id"] = self.message.id
        if self.type is InteractionType.MODAL and self.parent is not None:
            metadata["triggering_interaction_metadata"] = self.parent.metadata()
        return metadata


class Interactions:
    """All interactions there have been, found by id or by token."""

    def __init__(self, world: World, deadlines: Deadlines) -> None:
        self._world = world
        self.deadlines = deadlines
        self.by_id: dict[str, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self._timers: set[asyncio.TimerHandle] = set()

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
        """A person does something: tell the bot, and start the clock."""
        interaction = Interaction(
            id=self._world.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            type=kind,
            user=user,
            channel=channel,
            data=data,
            made_at=self._world.clock.now(),
            message=message,
            parent=parent,
        )
        self.by_id[interaction.id] = interaction
        self.by_token[interaction.token] = interaction
        loop = asyncio.get_running_loop()
        self._timers = {
            timer for timer in self._timers if not timer.cancelled() and timer.when() > loop.time()
        }
        self._timers.add(loop.call_later(self.deadlines.first_answer, self._expire, interaction))
        self._world.announce(Change("INTERACTION_CREATE", self.payload(interaction), channel))
        self.tell(interaction)
        return interaction

    def settle(self, interaction: Interaction, state: State) -> None:
        """The interaction has got further; wake whoever waits for it."""
        interaction.state = state
        interaction._first_answer.set()  # noqa: SLF001 - an interaction and its registry are one thing
        if state is not State.DEFERRED:
            interaction._done.set()  # noqa: SLF001 - as above
        self.tell(interaction)

    def tell(self, interaction: Interaction) -> None:
        """Let the person know how the interaction stands."""
        data: JSON = {"id": interaction.id, "state": interaction.state.value}
        self._world.announce(Change("INTERACTION", data, interaction.channel, interaction.user.id))

    def token_has_expired(self, interaction: Interaction) -> bool:
        """Whether the quarter of an hour for edits and follow-ups is over."""
        return self._world.clock.now() - interaction.made_at > self.deadlines.token

    def close(self) -> None:
        """Stop all clocks."""
        for timer in self._timers:
            timer.cancel()

    def payload(self, interaction: Interaction) -> JSON:
        """The INTERACTION_CREATE that the bot receives."""
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
            "app_permissions": str(int(world.permissions(world.bot, channel))),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": channel.guild_id or "0"},
            "context": 1 if channel.is_dm else 0,
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if interaction.message is not None:
            payload["message"] = interaction.message.payload()
        if channel.is_dm:
            return payload | {"user": user.payload()}
        guild = world.guild
        return payload | {
            "guild_id": guild.id,
            "guild": {"id": guild.id, "features": [], "locale": "en-US"},
            "guild_locale": "en-US",
            "member": guild.members[user.id].payload() | {"permissions": theirs},
        }

    def _expire(self, interaction: Interaction) -> None:
        if not interaction.is_answered:
            self.settle(interaction, State.FAILED)


def command_name(data: JSON) -> str:
    """A command as people write it, with its group and sub-command."""
    names, at = [data["name"]], data
    while at := next((option for option in at.get("options") or () if option["type"] in (1, 2)), {}):
        names.append(at["name"])
    return " ".join(names)
