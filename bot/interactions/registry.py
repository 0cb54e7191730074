"""The registry of commands and components, of the table and of the features.

The table and each feature register theirs as a `Feature`. The registry finds the handler of a press by the
first word of the custom_id, then by its pattern. No state is kept in memory, so messages of any age work, and
discord.py need not build the items of the pressed message. A custom_id without a handler belongs to a feature
that is no longer listed: it is refused like a stale button.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.interactions.actions import Actions, Interaction, handling
from bot.interactions.answering import Answer
from bot.interactions.installs import anywhere
from bot.interactions.modals import points_in
from bot.model.custom_ids import ComponentId, Verb
from bot.model.errors import StaleButton
from bot.model.table_record import TableRecord
from bot.render.text.voice import Additions

Command: TypeAlias = app_commands.Group | app_commands.Command[Any, ..., Any] | app_commands.ContextMenu

Press: TypeAlias = Callable[[Interaction, re.Match[str], list[str]], Awaitable[None]]
"""Handles a press, given the match of its pattern and the values of a select or a modal."""

Act: TypeAlias = Callable[[Actions, Answer, ComponentId, list[str]], Awaitable[None]]
"""Handles a verb of a game's custom_id, within the error boundary."""


@dataclass(frozen=True, slots=True)
class Component:
    """The handler of custom_ids that begin with `word` and match `pattern`."""

    word: str
    pattern: re.Pattern[str]
    press: Press


@dataclass(frozen=True, slots=True)
class SubCommand:
    """A command in a group of another feature; without that feature, the group is created for it."""

    group: str
    description: str
    """The group's description in Discord."""
    command: app_commands.Command[Any, ..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Everything that a feature registers; each part is optional.

    Background work runs in the bot's supervised tasks (`KeyedTasks`), which end with the bot.
    """

    name: str
    commands: tuple[Command, ...] = ()
    sub_commands: tuple[SubCommand, ...] = ()
    components: tuple[Component, ...] = ()
    verbs: Mapping[Verb, Act] = field(default_factory=dict)
    """Handlers of buttons on messages of a game."""
    additions: Additions = field(default_factory=Additions)
    """Additions to messages of the table, and to the help."""
    game_ended: Callable[[TableRecord], None] | None = None
    """Called after each game that is over or cancelled. Must not block."""
    pressed: Callable[[int], None] | None = None
    """Called with the id of each person who sends a command or presses something. Must not block."""
    channel_gone: Callable[[int], Awaitable[None]] | None = None
    """Awaited after each deletion of a channel."""
    shards_gained: Callable[[], None] | None = None
    """Called after this process has gained shards and checked their tables. Must not block."""
    start: Callable[[], Awaitable[None]] | None = None
    """Awaited once, before the first connection."""


class Registry:
    """All registered commands, components and additions."""

    def __init__(self, features: Iterable[Feature], contact: str | None = None) -> None:
        """The order of `features` is that of commands, buttons below a message, and lines in the help.

        `contact` is where people reach the bot's owner.
        """
        self.features = tuple(features)
        self._contact = contact
        self.verbs: dict[Verb, Act] = {}
        self._components: defaultdict[str, list[Component]] = defaultdict(list)
        for feature in self.features:
            self.verbs |= feature.verbs
            for component in feature.components:
                self._components[component.word].append(component)
        self.commands = _with_sub_commands(
            [command for feature in self.features for command in feature.commands],
            [each for feature in self.features for each in feature.sub_commands],
        )
        """Every top-level command."""

    @property
    def additions(self) -> Additions:
        """The additions of all features to messages."""
        return Additions.together((each.additions for each in self.features), self.answers, self._contact)

    def pressed(self, user: int) -> None:
        """Notify the features that the person has sent a command or pressed something."""
        for feature in self.features:
            if feature.pressed is not None:
                feature.pressed(user)

    async def act(self, actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
        """Handle a custom_id of a game. Raises `StaleButton` for a verb without a handler."""
        act = self.verbs.get(at.verb)
        if act is None:
            raise StaleButton(0, 0)
        await act(actions, answer, at, values)

    def answers(self, custom_id: str) -> bool:
        """True if a press with that custom_id has a handler."""
        return self._find(custom_id) is not None

    async def press(self, interaction: Interaction) -> None:
        """Handle a pressed button, a select or a submitted modal."""
        data: Any = interaction.data or {}
        if found := self._find(data.get("custom_id", "")):
            press, match = found
            is_modal = interaction.type is discord.InteractionType.modal_submit
            await press(interaction, match, [points_in(data)] if is_modal else list(data.get("values", ())))
        else:
            async with handling(interaction):
                raise StaleButton(0, 0)

    def _find(self, custom_id: str) -> tuple[Press, re.Match[str]] | None:
        for component in self._components.get(custom_id.partition(":")[0], ()):
            if match := component.pattern.fullmatch(custom_id):
                return component.press, match
        return None


def _with_sub_commands(commands: list[Command], sub_commands: list[SubCommand]) -> tuple[Command, ...]:
    """The top-level commands, with each sub-command in its group."""
    groups = {each.name: each for each in commands if isinstance(each, app_commands.Group)}
    for each in sub_commands:
        if each.group not in groups:
            groups[each.group] = _group(each)
            commands.append(groups[each.group])
        groups[each.group].add_command(each.command)
    return tuple(commands)


def _group(first: SubCommand) -> app_commands.Group:
    """A group that is offered as the features' own groups are."""
    return anywhere(app_commands.Group(name=first.group, description=first.description))
