"""Calls of overdue players, and bumps of tables that have scrolled out of sight."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import discord
import pytest
from discord.utils import time_snowflake, utcnow

from bot.model.posts import Post, PostKind
from bot.sync.bumping import Bumping
from bot.sync.posts import Posts
from bot.sync.snapshots import GameSnapshot, snapshot_of
from bot.sync.table_state import TableState
from bot.sync.turns import Turns
from engine import Discard, Seat
from tests.bot.clock import Clock
from tests.bot.seating import ADA, sit_down
from tests.bot.stand_in import stand_in
from tests.bot.store.memory import MemoryStore

# -- calls, once a turn ----------------------------------------------------------------------------------

ADAS, BENS = Seat(0), Seat(1)


class Watched:
    """Turns with a clock that tests set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns = Turns()

    def waits_for(self, turns: dict[Seat, int]) -> None:
        self.turns.waits_for(turns, self.now)

    def pressed(self, seat: Seat, now: float) -> None:
        self.now = now
        self.turns.pressed(seat, now)

    @property
    def due_in(self) -> float | None:
        return self.turns.due_in(180, self.now)

    def take(self, now: float) -> set[Seat]:
        self.now = now
        return set(self.turns.take(180, now))


@pytest.fixture
def watched() -> Watched:
    watched = Watched()
    watched.waits_for({ADAS: 1, BENS: 2})
    return watched


def test_who_has_pressed_nothing_is_called_once_a_turn(watched: Watched) -> None:
    assert watched.take(179) == set()
    assert watched.take(180) == {ADAS, BENS}
    watched.waits_for({ADAS: 1, BENS: 2})
    assert watched.take(1_000) == set()
    watched.waits_for({ADAS: 5, BENS: 2})
    assert watched.take(1_179) == set()
    assert watched.take(1_180) == {ADAS}, "another turn of Ada's, and still the same of Ben's"


def test_who_was_mentioned_in_this_turn_is_not_called_once_more(watched: Watched) -> None:
    watched.turns.called(ADAS)
    assert ADAS in watched.turns.all_called
    assert BENS not in watched.turns.all_called
    assert watched.take(180) == {BENS}
    assert watched.due_in is None
    watched.waits_for({ADAS: 5})
    assert ADAS not in watched.turns.all_called
    assert watched.take(360) == {ADAS}


def test_a_press_begins_the_time_again(watched: Watched) -> None:
    watched.pressed(ADAS, 100)
    assert watched.take(180) == {BENS}
    assert watched.take(280) == {ADAS}


def test_when_the_next_call_is_due(watched: Watched) -> None:
    assert watched.due_in == 180
    watched.pressed(BENS, 60)
    assert watched.due_in == 120
    assert watched.take(180) == {ADAS}
    assert watched.due_in == 60
    watched.now = 1_000
    assert watched.due_in == 0
    watched.take(1_000)
    assert watched.due_in is None


def test_nobody_is_called_where_nobody_is_waited_for(watched: Watched) -> None:
    watched.waits_for({})
    assert watched.take(180) == set()
    assert watched.due_in is None
    watched.pressed(ADAS, 180)
    assert watched.due_in is None


# -- polls of a channel's last message, and bumps that follow --------------------------------------------


def minutes_ago(minutes: float) -> int:
    return time_snowflake(utcnow() - timedelta(minutes=minutes))


class Buried:
    """A game before and after a move, and its channel, of which the last message is asked for."""

    def __init__(self, before: GameSnapshot, after: GameSnapshot) -> None:
        self.before, self.after = before, after
        self.last: int | None = None
        """`None` if the channel does not answer."""
        self.asked = 0
        self.watch, self.state = Clock(), TableState()
        client = stand_in(discord.Client, fetch_channel=self._fetch)
        self._bumping = Bumping(client, lull=10.0, clock=self.watch)

    async def _fetch(self, _: int) -> SimpleNamespace:
        self.asked += 1
        if self.last is None:
            raise OSError
        return SimpleNamespace(last_message_id=self.last)

    async def is_bumped(self, snapshot: GameSnapshot, table: int) -> bool:
        """True if the table's message is posted again."""
        game = snapshot.record.game
        post = Post(game=game, kind=PostKind.TABLE, deal=1, channel=20, message=table, drawn="x")
        posts = Posts(game, stand_in(discord.Client), MemoryStore(), (post,))
        return await self._bumping.is_to_be_bumped(snapshot, posts, self.state)


@pytest.fixture
async def buried() -> Buried:
    sessions, _, session, _ = await sit_down(MemoryStore())
    before = snapshot_of(session)
    given = session.game.view(session.seat_of(ADA.user)).hand[:2]
    session, _ = await sessions.move(before.record.game, ADA.user, lambda seat: Discard(seat, given))
    return Buried(before, snapshot_of(session))


@pytest.mark.parametrize(
    ("minutes", "apart", "is_bumped"),
    [
        pytest.param((3, 1), 11, True, id="other talk below a table that has stood"),
        pytest.param((3, 3), 11, False, id="nothing below it"),
        pytest.param((1, 0.5), 11, False, id="a table just posted"),
        pytest.param((3, 1), 9, False, id="rapid play"),
        pytest.param((3, None), 11, False, id="a channel that does not answer"),
    ],
)
async def test_a_table_is_bumped_below_other_talk_when_it_has_stood_and_play_is_slow(
    buried: Buried, minutes: tuple[float, float | None], apart: float, is_bumped: bool
) -> None:
    """`minutes` are the ages of the table's message and of the last message in its channel."""
    stood, talk = minutes
    table = minutes_ago(stood)
    assert not await buried.is_bumped(buried.before, minutes_ago(0))
    buried.watch.now += apart
    buried.last = None if talk is None else table if talk == stood else minutes_ago(talk)

    assert await buried.is_bumped(buried.after, table) is is_bumped


async def test_a_sync_without_a_move_polls_nothing(buried: Buried) -> None:
    buried.last, table = minutes_ago(1), minutes_ago(3)
    assert await buried.is_bumped(buried.before, table)
    buried.watch.now += 600
    assert not await buried.is_bumped(buried.before, table)
    assert buried.asked == 1


@pytest.mark.parametrize(("apart", "asked"), [(29, 1), (30, 2)])
async def test_one_table_asks_at_most_twice_a_minute(buried: Buried, apart: float, asked: int) -> None:
    buried.last, table = minutes_ago(4), minutes_ago(3)
    await buried.is_bumped(buried.before, table)
    buried.watch.now += apart
    buried.last = minutes_ago(1)
    assert await buried.is_bumped(buried.after, table) is (asked == 2)
    assert buried.asked == asked
