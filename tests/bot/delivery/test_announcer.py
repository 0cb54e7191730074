"""How often a table is tried again that cannot be told."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any, NoReturn
from unittest.mock import AsyncMock, create_autospec

import discord
import pytest

from bot.delivery.announcer import Announcer
from bot.delivery.bumping import Burials
from bot.delivery.mentions import Caller
from bot.model.errors import StoreUnavailable
from bot.model.table_record import TableRecord
from tests.bot.leaping_loop import run_leaping
from tests.bot.store.memory import MemoryStore


class Outage:
    """A store that tells when it was asked for an address card, and has none to give until it is over."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def record(self, game: str) -> TableRecord:
        self.asked.append(asyncio.get_running_loop().time())
        raise StoreUnavailable

    @property
    def pauses(self) -> list[float]:
        """Seconds between each time and the next."""
        return [later - earlier for earlier, later in pairwise(self.asked)]


def announcer_in(outage: Outage) -> Announcer:
    def never(*_: object) -> NoReturn:
        raise AssertionError("nothing is known of the table")

    store: Any = MemoryStore()
    return Announcer(
        create_autospec(discord.Client, instance=True),
        store,
        AsyncMock(side_effect=never),
        never,
        AsyncMock(side_effect=never),
        record=outage.record,
        caller=create_autospec(Caller, instance=True),
        burials=create_autospec(Burials, instance=True),
        rests=never,
    )


def test_a_table_that_cannot_be_told_is_tried_again_at_least_every_fifteen_seconds() -> None:
    outage = Outage()

    async def wait() -> None:
        announcer = announcer_in(outage)
        announcer.announce("a")
        await asyncio.sleep(110)
        await announcer.close()

    run_leaping(wait())
    assert outage.pauses == pytest.approx([1, 2, 4, 8, *[15] * 6])


def test_news_is_tried_at_once() -> None:
    """A move, say: whoever made it sees that somebody is at home as soon as Discord is."""
    outage = Outage()

    async def move_during_the_pause() -> None:
        announcer = announcer_in(outage)
        announcer.announce("a")
        await asyncio.sleep(10)  # it was tried after 0, 1, 3 and 7 seconds, and is again after 15
        announcer.announce("a")
        await asyncio.sleep(1)
        await announcer.close()

    run_leaping(move_during_the_pause())
    assert outage.asked == pytest.approx([0, 1, 3, 7, 10])
