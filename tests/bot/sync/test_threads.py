"""A game's own thread: it is opened, or refused and the game stays in its channel."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.model.errors import ChannelTaken, NoTable
from bot.model.posts import Post, PostKind
from bot.model.table_record import Agreement, OwnThread, Pace
from bot.render.text.voice import Voice
from bot.sync.threads import Threads, rest_of, thread_name
from bot.tables.sessions import Sessions
from tests.bot.render.games import record_of
from tests.bot.stand_in import stand_in

LOBBY = Post(game="k3f9a", kind=PostKind.LOBBY, channel=20, message=500)
RECORD = replace(record_of(Agreement()), guild=10, thread=OwnThread.WANTED)


def refused(status: int, code: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": ""})


class Door:
    """A fake of Discord's threads and of the sessions that record them."""

    def __init__(self, *errors: Exception, is_known: bool = True) -> None:
        self.create = AsyncMock(side_effect=[*errors, None])
        message = SimpleNamespace(create_thread=self.create)
        channel = SimpleNamespace(guild=object() if is_known else None, get_partial_message=lambda _: message)
        client = stand_in(discord.Client)
        client.get_partial_messageable.return_value = channel
        self.sessions = stand_in(Sessions)
        self.threads = Threads(client, self.sessions)

    async def move(self) -> list[int | None]:
        """Move into the thread, and return the recorded threads, in order."""
        await self.threads.move_into(RECORD, LOBBY, Voice())
        return [call.args[1] for call in self.sessions.settle_thread.await_args_list]


async def test_the_thread_is_the_lobbys_id_also_when_it_was_opened_before() -> None:
    assert await Door().move() == [500]
    assert await Door(refused(400, 160004)).move() == [500]


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (400, 160006), (404, 10008), (400, 50024)])
async def test_what_discord_will_never_allow_leaves_the_game_in_its_channel(status: int, code: int) -> None:
    assert await Door(refused(status, code)).move() == [None]


@pytest.mark.parametrize("error", [refused(500, 0), refused(429, 0), refused(404, 10003), OSError()])
async def test_what_may_pass_or_ends_the_table_settles_nothing(error: Exception) -> None:
    door = Door(error)
    with pytest.raises(type(error)):
        await door.move()
    door.sessions.settle_thread.assert_not_awaited()


async def test_a_server_that_is_not_available_is_asked_later() -> None:
    door = Door(is_known=False)
    with pytest.raises(ConnectionError):
        await door.move()
    door.create.assert_not_awaited()


async def test_another_table_in_the_thread_keeps_the_game_in_its_channel() -> None:
    door = Door()
    door.sessions.settle_thread.side_effect = [ChannelTaken(500, "other"), None]
    assert await door.move() == [500, None]


async def test_a_game_that_has_ended_needs_no_thread() -> None:
    door = Door()
    door.sessions.settle_thread.side_effect = NoTable
    assert await door.move() == [500]


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [(None, 60), (15, 60), (7_200, 1440), (86_400, 1440), (259_200, 4320), (604_800, 10080)],
)
def test_a_thread_rests_for_an_hour_or_longer_than_a_turn(seconds: int | None, minutes: int) -> None:
    agreement = Agreement(pace=Pace.LIVE, seconds=seconds)
    assert rest_of(replace(RECORD, agreement=agreement)) == minutes


def test_a_thread_is_named_after_the_players_as_far_as_the_name_may_go() -> None:
    assert thread_name(RECORD, Voice()) == "Ada and Ben"
    four = record_of(Agreement.of(players=4))
    long = replace(four, occupants=tuple(replace(each, name="a" * 60) for each in four.occupants))
    assert len(thread_name(long, Voice())) == 100
