"""How often a table is tried again that cannot be told."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import create_autospec

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.announcer import Announcer
from bot.delivery.bumping import Bumping
from bot.delivery.mentions import Mentions
from bot.delivery.ringing import Ringing
from bot.model.errors import StoreUnavailable
from bot.model.table_record import TableRecord
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Chance
from tests.bot.leaping_loop import run_leaping


class Outage:
    """A store that tells when it was asked for an address card, and has none to give until it is over."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def table(self, game: str) -> TableRecord:
        self.asked.append(asyncio.get_running_loop().time())
        raise StoreUnavailable

    @property
    def pauses(self) -> list[float]:
        """Seconds between each time and the next."""
        return [later - earlier for earlier, later in pairwise(self.asked)]


def announcer_in(outage: Outage, tasks: KeyedTasks) -> Announcer:
    store: Any = outage
    return Announcer(
        create_autospec(discord.Client, instance=True),
        store,
        Sessions(store, Chance(Random(1))),
        Presence(),
        tasks,
        voices=Voices(),
        mentions=create_autospec(Mentions, instance=True),
        bumping=create_autospec(Bumping, instance=True),
        rated=create_autospec(RatedGames, instance=True),
        ringing=create_autospec(Ringing, instance=True),
    )


def test_a_table_that_cannot_be_told_is_tried_again_at_least_every_fifteen_seconds() -> None:
    outage = Outage()

    async def wait() -> None:
        tasks = KeyedTasks()
        announcer = announcer_in(outage, tasks)
        announcer.announce("a")
        await asyncio.sleep(110)
        await tasks.close()

    run_leaping(wait())
    assert outage.pauses == pytest.approx([1, 2, 4, 8, *[15] * 6])


def test_news_is_tried_at_once() -> None:
    """With news, such as a move, a table is retried at once: its player knows that Discord is reachable."""
    outage = Outage()

    async def move_during_the_pause() -> None:
        tasks = KeyedTasks()
        announcer = announcer_in(outage, tasks)
        announcer.announce("a")
        await asyncio.sleep(10)  # it was tried after 0, 1, 3 and 7 seconds, and is again after 15
        announcer.announce("a")
        await asyncio.sleep(1)
        await tasks.close()

    run_leaping(move_during_the_pause())
    assert outage.asked == pytest.approx([0, 1, 3, 7, 10])
