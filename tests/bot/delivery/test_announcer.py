"""How often a table is tried again that cannot be told."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random
from typing import Any
from unittest.mock import create_autospec, patch

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.delivery.announcer import Announcer
from bot.delivery.bumping import Bumping
from bot.delivery.mentions import Mentions
from bot.delivery.ringing import Ringing
from bot.delivery.sync import GameSync
from bot.model.errors import StoreUnavailable
from bot.model.posts import Post, PostKind
from bot.model.table_record import TableRecord
from bot.render.text.voice import Voices
from bot.standings.rated_games import RatedGames
from bot.tables.presence import Presence
from bot.tables.sessions import Sessions
from engine import Chance
from tests.bot.leaping_loop import run_leaping
from tests.bot.seating import sit_down
from tests.bot.store.memory import MemoryStore


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


def announcer_in(
    store: Any, tasks: KeyedTasks, *, sessions: Sessions | None = None, merge: float = 0.0
) -> Announcer:
    ringing = create_autospec(Ringing, instance=True)
    ringing.due_in.return_value = None
    bumping = create_autospec(Bumping, instance=True)
    bumping.is_to_be_bumped.return_value = False
    return Announcer(
        create_autospec(discord.Client, instance=True),
        store,
        sessions or Sessions(store, Chance(Random(1))),
        Presence(),
        tasks,
        voices=Voices(),
        mentions=create_autospec(Mentions, instance=True),
        bumping=bumping,
        rated=create_autospec(RatedGames, instance=True),
        ringing=ringing,
        merge=merge,
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


def test_in_quick_play_the_table_waits_while_the_hands_are_told() -> None:
    """The first telling after a quiet time is made at once; moves that follow soon are one edit."""
    told: list[tuple[str, float]] = []

    async def play() -> None:
        tasks = KeyedTasks()
        store = MemoryStore()
        sessions, _, session, _ = await sit_down(store)
        announcer = announcer_in(store, tasks, sessions=sessions, merge=1.5)
        now = asyncio.get_running_loop().time

        async def hands(*_: object) -> None:
            told.append(("hands", now()))

        async def all_of_it(sync: GameSync, *_: object) -> None:
            told.append(("table", now()))
            post = Post(
                game=session.record.game,
                kind=PostKind.TABLE,
                deal=1,
                channel=20,
                message=7,
                drawn=str(len(told)),
            )
            await sync._posts._book.keep(post)

        with patch.object(GameSync, "tell_game", all_of_it), patch.object(GameSync, "tell_hands", hands):
            for pause in (0, 0.5, 0.5, 5):
                await asyncio.sleep(pause)
                announcer.announce(session.record.game)
            await asyncio.sleep(5)
        await tasks.close()

    run_leaping(play())
    assert [what for what, _ in told] == ["table", "hands", "hands", "table", "table"]
    assert [at for _, at in told] == pytest.approx([0, 0.5, 1, 1.5, 6])
