"""All actions that commands and components call, and the one way to them: through the error boundary.

A command or component reads what was asked and calls an action; the action decides nothing about rules, but
finds the table, lets the tables do it, and answers. What is done at tables, with votes, by the coach and
with statistics is in a module for each.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import discord

from bot.features.clubs.actions import ClubActions
from bot.features.coaching.actions import CoachingActions
from bot.features.daily.actions import DailyActions
from bot.features.fair.actions import DeckActions
from bot.features.replay.actions import ReplayActions
from bot.features.stats.actions import StatsActions
from bot.interactions.answering import Answer, answering
from bot.interactions.challenges import Challenges
from bot.interactions.ending_early import EndingEarly
from bot.interactions.server_settings import ServerActions
from bot.interactions.substitutes import Substitutes
from bot.interactions.table_actions import TableActions


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The actions that people can request."""

    tables: TableActions
    challenges: Challenges
    ending: EndingEarly
    substitutes: Substitutes
    coaching: CoachingActions
    stats: StatsActions
    replays: ReplayActions
    daily: DailyActions
    servers: ServerActions
    clubs: ClubActions
    decks: DeckActions


class App(discord.Client):
    """A client as commands and components see it."""

    actions: Actions


Interaction: TypeAlias = discord.Interaction[App]


@asynccontextmanager
async def asked(interaction: Interaction) -> AsyncIterator[tuple[Actions, Answer]]:
    """The actions, and an answer to this interaction, within the error boundary."""
    actions = interaction.client.actions
    async with answering(interaction, actions.tables.sync.voices) as answer:
        yield actions, answer
