"""Interaction responses: the callback, edits of its message, and follow-ups.

All of them are addressed by the interaction's token, so none needs the bot's own token or its permissions.
Deadlines and the lifetime of the token are kept by `model.interactions`.
"""

from collections.abc import Callable, Sequence

from sandbox import assumptions
from sandbox.answers.messages import compose, revise
from sandbox.errors import Form, Refusal
from sandbox.model.channels import Message, MessageFlag
from sandbox.model.interactions import GUILD_INSTALL, Interaction, Interactions, InteractionType, Modal, State
from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.world import Change, World
from sandbox.validation.messages import Upload
from sandbox.validation.modals import validate_choices, validate_modal

MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Discord's interaction callback types."""

MOST_FOLLOW_UPS = 5
"""Follow-ups to an interaction of an application that is installed for a user alone (API reference)."""

COMMAND_ANSWERS = {1: 20, 2: 23, 3: 23}
"""By type of command: the type of the message that answers it, CHAT_INPUT_COMMAND or CONTEXT_MENU_COMMAND."""

_ALLOWED: dict[InteractionType, set[int]] = {
    InteractionType.COMMAND: {MESSAGE, DEFERRED_MESSAGE, MODAL},
    InteractionType.COMPONENT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL},
    InteractionType.AUTOCOMPLETE: {CHOICES},
    InteractionType.MODAL: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE},
}


class Answers:
    """Carries out the bot's responses to interactions."""

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions

    def callback(self, interaction_id: str, token: str, body: JSON, uploads: Sequence[Upload]) -> JSON:
        """Carry out the callback, which is allowed once; returns the body for `with_response`."""
        interaction = self._interactions.by_id.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise Refusal.UNKNOWN_INTERACTION.error()
        if interaction.is_answered:
            raise Refusal.ALREADY_ACKNOWLEDGED.error()
        if interaction.state is State.FAILED:
            raise Refusal.UNKNOWN_INTERACTION.error()
        kind = body.get("type")
        if not isinstance(kind, int) or not self._fits(interaction, kind):
            form = Form()
            form.fault(
                ("type",), assumptions.MISSING_REPLY_CODE, "This interaction cannot be answered like that."
            )
            form.check()
        data = body.get("data") or {}
        handlers: dict[int | None, Callable[[Interaction, JSON, Sequence[Upload]], None]] = {
            MESSAGE: self._message,
            DEFERRED_MESSAGE: self._deferred_message,
            DEFERRED_UPDATE: self._deferred_update,
            UPDATE: self._update,
            CHOICES: self._choices,
            MODAL: self._modal,
        }
        handlers[kind](interaction, data, uploads)
        interaction.callback_type = kind
        self._interactions.settle(
            interaction, State.DEFERRED if kind == DEFERRED_MESSAGE else State.ACKNOWLEDGED
        )
        return _response(interaction)

    def by_token(self, application_id: str, token: str) -> Interaction:
        """The interaction that a webhook path belongs to, if its token has not expired."""
        interaction = self._interactions.by_token.get(token)
        if interaction is None or application_id != self._world.application_id:
            raise Refusal.UNKNOWN_WEBHOOK.error()
        if self._interactions.token_has_expired(interaction):
            raise Refusal.INVALID_WEBHOOK_TOKEN.error()
        if not interaction.is_answered:
            raise Refusal.UNKNOWN_WEBHOOK.error()
        return interaction

    def message(self, interaction: Interaction, message_id: str) -> Message:
        """A message that can be reached with the interaction's token, by id or as `@original`."""
        original = interaction.original
        found = original if message_id == "@original" else None
        for message in (*interaction.messages, *((original,) if original else ())):
            if message.id == message_id:
                found = message
        if found is None or found.deleted:
            raise Refusal.UNKNOWN_MESSAGE.error()
        return found

    def follow_up(self, interaction: Interaction, body: JSON, uploads: Sequence[Upload]) -> Message:
        """Post another message; after a deferral the first follow-up fills the deferred message."""
        deferred = interaction.deferral
        if deferred is not None and not deferred.deleted:
            return self.edit(interaction, deferred, body, uploads)
        if GUILD_INSTALL not in interaction.owners and interaction.follow_ups >= MOST_FOLLOW_UPS:
            raise Refusal.TOO_MANY_FOLLOW_UPS.error()
        only_for = self._only_for(interaction, body)
        if interaction.channel.is_between_people and assumptions.FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE:
            only_for = interaction.user.id
        message = self._compose(interaction, body, uploads, path=(), only_for=only_for)
        interaction.follow_ups += 1
        first = interaction.original
        if first is not None and not first.deleted:
            message.type, message.reference = assumptions.COMPONENT_REPLY_TYPE, _reference(first)
        self._world.add_message(message)
        interaction.messages.append(message)
        self._interactions.tell(interaction)
        return message

    def edit(
        self, interaction: Interaction, message: Message, body: JSON, uploads: Sequence[Upload]
    ) -> Message:
        """Edit a message with the interaction's token."""
        was_loading = message.is_loading
        _not_archived(message)
        self._may_attach(interaction, uploads)
        revise(self._world, message, body, uploads)
        self._world.update_message(message, edited=not was_loading)
        interaction.messages = [each for each in interaction.messages if each is not message] + [message]
        if interaction.deferral is message:
            interaction.deferral = None
            self._interactions.settle(interaction, State.ACKNOWLEDGED)
        else:
            self._interactions.tell(interaction)
        return message

    def delete(self, interaction: Interaction, message: Message) -> None:
        """Delete a message with the interaction's token."""
        self._world.delete_message(message)
        if interaction.deferral is message:
            interaction.deferral = None
            self._interactions.settle(interaction, State.ACKNOWLEDGED)

    def _fits(self, interaction: Interaction, kind: int) -> bool:
        needs_message = kind in (DEFERRED_UPDATE, UPDATE)
        return kind in _ALLOWED[interaction.type] and not (needs_message and interaction.message is None)

    def _message(self, interaction: Interaction, data: JSON, uploads: Sequence[Upload]) -> None:
        only_for = self._only_for(interaction, data)
        message = self._compose(interaction, data, uploads, path=("data",), only_for=only_for)
        self._add_original(interaction, message)
        interaction.messages.append(message)

    def _deferred_message(self, interaction: Interaction, data: JSON, _uploads: Sequence[Upload]) -> None:
        only_for = self._only_for(interaction, data)
        message = Message(
            self._world.snowflakes.next(), interaction.channel, self._world.bot, only_for=only_for
        )
        message.flags = MessageFlag.LOADING
        if only_for is not None:
            message.flags |= MessageFlag.EPHEMERAL
        self._mark(interaction, message)
        self._add_original(interaction, message)
        interaction.deferral = message

    def _deferred_update(self, interaction: Interaction, _data: JSON, _uploads: Sequence[Upload]) -> None:
        interaction.original = interaction.message

    def _update(self, interaction: Interaction, data: JSON, uploads: Sequence[Upload]) -> None:
        message = interaction.message
        if message is None or message.deleted:
            raise Refusal.UNKNOWN_MESSAGE.error()
        kept = {} if assumptions.UPDATE_RESPONSE_KEEPS_FILES else {"attachments": _listed(uploads)}
        _not_archived(message)
        self._may_attach(interaction, uploads)
        revise(self._world, message, kept | data, uploads, path=("data",))
        interaction.original = message
        interaction.messages.append(message)
        self._world.update_message(message)

    def _choices(self, interaction: Interaction, data: JSON, _uploads: Sequence[Upload]) -> None:
        validate_choices(interaction.data, data)
        interaction.choices = list(data.get("choices") or [])
        news = {"id": interaction.id, "choices": interaction.choices}
        self._world.announce(Change("CHOICES", news, interaction.channel, interaction.user.id))

    def _modal(self, interaction: Interaction, data: JSON, _uploads: Sequence[Upload]) -> None:
        validate_modal(data)
        interaction.modal = Modal(
            custom_id=data["custom_id"],
            title=data["title"],
            components=data["components"],
            interaction=interaction,
        )
        news = {"id": interaction.id}
        self._world.announce(Change("MODAL", news, interaction.channel, interaction.user.id))

    def _only_for(self, interaction: Interaction, data: JSON) -> str | None:
        """The one person who sees an answer: the bot wants it, or Discord makes it private.

        That it does in a guild whose members may not use applications that are not installed there.
        """
        channel, user = interaction.channel, interaction.user
        is_forced = (
            channel.guild_id is not None
            and GUILD_INSTALL not in interaction.owners
            and Permission.USE_EXTERNAL_APPS not in self._world.permissions(user, channel)
        )
        wanted = MessageFlag.EPHEMERAL in MessageFlag(data.get("flags") or 0)
        return user.id if wanted or is_forced else None

    def _compose(
        self,
        interaction: Interaction,
        data: JSON,
        uploads: Sequence[Upload],
        *,
        path: tuple[str, ...],
        only_for: str | None,
    ) -> Message:
        if (
            assumptions.ANSWERS_NEED_SEND_MESSAGES
            and not self._world.is_elsewhere(interaction.channel)
            and Permission.SEND_MESSAGES not in self._world.permissions(self._world.bot, interaction.channel)
        ):
            raise Refusal.MISSING_PERMISSIONS.error()
        self._may_attach(interaction, uploads)
        if interaction.channel.archived and interaction.channel.locked:
            raise Refusal.THREAD_ARCHIVED.error()
        message = compose(
            self._world,
            interaction.channel,
            self._world.bot,
            data,
            uploads,
            path=path,
            only_for=only_for,
        )
        self._mark(interaction, message)
        return message

    def _may_attach(self, interaction: Interaction, uploads: Sequence[Upload]) -> None:
        held = self._world.app_permissions(interaction.channel)
        if uploads and assumptions.ANSWERS_NEED_ATTACH_FILES and Permission.ATTACH_FILES not in held:
            raise Refusal.MISSING_PERMISSIONS.error()

    def _mark(self, interaction: Interaction, message: Message) -> None:
        """Set the fields that name the interaction from which a message came."""
        message.application_id = self._world.application_id
        message.interaction = interaction.metadata()
        if interaction.message is not None:
            message.type = assumptions.COMPONENT_REPLY_TYPE
            message.reference = _reference(interaction.message)
        elif interaction.type is InteractionType.COMMAND:
            message.type = COMMAND_ANSWERS[interaction.data["type"]]

    def _add_original(self, interaction: Interaction, message: Message) -> None:
        interaction.original = message
        self._world.add_message(message)


def _listed(uploads: Sequence[Upload]) -> list[JSON]:
    """A list of attachments that has the uploaded files and nothing else."""
    return [{"id": upload.index} for upload in uploads]


def _not_archived(message: Message) -> None:
    """Raise 50083 if the message is in an archived thread, whose messages can only be deleted."""
    if message.channel.archived:
        raise Refusal.THREAD_ARCHIVED.error()


def _reference(message: Message) -> JSON:
    reference: JSON = {"type": 0, "channel_id": message.channel.id, "message_id": message.id}
    if message.channel.guild_id is not None:
        reference["guild_id"] = message.channel.guild_id
    return reference


def _response(interaction: Interaction) -> JSON:
    """The callback response: the interaction and, if one was created or edited at once, the message."""
    answered: JSON = {"id": interaction.id, "type": int(interaction.type)}
    answered["channel_id"] = interaction.channel.id
    if interaction.channel.guild_id is not None:
        answered["guild_id"] = interaction.channel.guild_id
    response: JSON = {"interaction": answered}
    if (message := interaction.original) is not None:
        answered |= {
            "response_message_id": message.id,
            "response_message_loading": message.is_loading,
            "response_message_ephemeral": message.is_ephemeral,
        }
        if interaction.callback_type in (MESSAGE, UPDATE):
            response["resource"] = {"type": interaction.callback_type, "message": message.payload()}
    return response
