"""Polls of a channel's last message, and bumps that follow."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from discord.utils import time_snowflake, utcnow

from bot.model.posts import Post, PostKind
from bot.sync.bumping import Bumping
from bot.sync.posts import Posts
from bot.sync.snapshots import GameSnapshot, snapshot_of
from bot.sync.table_state import TableState
from engine import Discard
from tests.bot.seating import ADA, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore


class Watch:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def minutes_ago(minutes: float) -> int:
    return time_snowflake(utcnow() - timedelta(minutes=minutes))


def posts_of(snapshot: GameSnapshot, table: int) -> Posts:
    post = Post(game=snapshot.record.game, kind=PostKind.TABLE, deal=1, channel=20, message=table, drawn="x")
    store: Any = MemoryStore()
    return Posts(snapshot.record.game, stand_in(discord.Client), store, (post,))


@pytest.fixture
async def snapshots() -> tuple[GameSnapshot, GameSnapshot]:
    """Snapshots of a game before and after a move."""
    sessions, _, session, _ = await sit_down(MemoryStore())
    before = snapshot_of(session)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    session, _ = await sessions.move(before.record.game, ADA.user, lambda seat: Discard(seat, given))
    return before, snapshot_of(session)


@pytest.fixture
def fetch() -> AsyncMock:
    return AsyncMock(spec=discord.Client.fetch_channel)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def bumping(fetch: AsyncMock, watch: Watch) -> Bumping:
    client = stand_in(discord.Client)
    client.fetch_channel = fetch
    return Bumping(client, lull=10.0, clock=watch)


def ends_with(message: int) -> SimpleNamespace:
    return SimpleNamespace(last_message_id=message)


@pytest.mark.parametrize(
    ("minutes", "apart", "buried"),
    [
        pytest.param((3, 1), 11, True, id="other talk below a table that has stood"),
        pytest.param((3, 3), 11, False, id="nothing below it"),
        pytest.param((1, 0.5), 11, False, id="a table just posted"),
        pytest.param((3, 1), 9, False, id="rapid play"),
    ],
)
async def test_a_table_is_buried_by_other_talk_while_it_stands_and_play_is_slow(  # noqa: PLR0917 -- fixtures
    snapshots: tuple[GameSnapshot, GameSnapshot],
    bumping: Bumping,
    fetch: AsyncMock,
    watch: Watch,
    minutes: tuple[float, float],
    apart: float,
    buried: bool,
) -> None:
    """`minutes` are the ages of the table's message and of the last message in its channel."""
    before, after = snapshots
    state = TableState()
    stood, talk = minutes
    table = minutes_ago(stood)
    assert not await bumping.is_to_be_bumped(before, posts_of(before, minutes_ago(0)), state)
    watch.now += apart
    fetch.return_value = ends_with(table if talk == stood else minutes_ago(talk))

    assert await bumping.is_to_be_bumped(after, posts_of(after, table), state) is buried


async def test_a_sync_without_a_move_polls_nothing(
    snapshots: tuple[GameSnapshot, GameSnapshot], bumping: Bumping, fetch: AsyncMock, watch: Watch
) -> None:
    before, _ = snapshots
    state = TableState()
    posts = posts_of(before, minutes_ago(3))
    fetch.return_value = ends_with(minutes_ago(1))
    assert await bumping.is_to_be_bumped(before, posts, state)
    watch.now += 600
    assert not await bumping.is_to_be_bumped(before, posts, state)
    assert fetch.await_count == 1


async def test_one_table_asks_at_most_twice_a_minute(
    snapshots: tuple[GameSnapshot, GameSnapshot], bumping: Bumping, fetch: AsyncMock, watch: Watch
) -> None:
    before, after = snapshots
    state = TableState()
    posts = posts_of(before, minutes_ago(3))
    fetch.return_value = ends_with(minutes_ago(4))
    await bumping.is_to_be_bumped(before, posts, state)
    watch.now += 29
    fetch.return_value = ends_with(minutes_ago(1))
    assert not await bumping.is_to_be_bumped(after, posts, state)
    assert fetch.await_count == 1


async def test_a_channel_that_does_not_answer_buries_nothing(
    snapshots: tuple[GameSnapshot, GameSnapshot], bumping: Bumping, fetch: AsyncMock
) -> None:
    fetch.side_effect = OSError
    posts = posts_of(snapshots[0], minutes_ago(3))
    assert not await bumping.is_to_be_bumped(snapshots[0], posts, TableState())
