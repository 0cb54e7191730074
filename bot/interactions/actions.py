"""The actions that commands and components call, within the error boundary.

A command or component parses its request and calls an action. The action finds the table, lets `tables`
decide and carry it out, and answers. Features have actions of their own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import discord

from bot.interactions.answering import Answer, answering
from bot.interactions.challenges import Challenges
from bot.interactions.ending_early import EndingEarly
from bot.interactions.own_data import OwnData
from bot.interactions.server_settings import ServerActions
from bot.interactions.substitutes import Substitutes
from bot.interactions.table_actions import TableActions
from bot.model.custom_ids import ComponentId


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The actions that people can request."""

    tables: TableActions
    challenges: Challenges
    ending: EndingEarly
    substitutes: Substitutes
    servers: ServerActions
    data: OwnData


class Verbs(Protocol):
    """The handlers of the buttons on a game's messages: those of the table and of the features."""

    async def act(self, actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
        """Handle a custom_id of a game. Raises `StaleButton` for a verb without a handler."""


class App(discord.Client):
    """The client as commands and components see it."""

    actions: Actions
    registry: Verbs


Interaction: TypeAlias = discord.Interaction[App]


@asynccontextmanager
async def handling(interaction: Interaction) -> AsyncIterator[tuple[Actions, Answer]]:
    """The actions, and an answer to this interaction, within the error boundary."""
    actions = interaction.client.actions
    async with answering(interaction, actions.tables.sync.voices) as answer:
        yield actions, answer
