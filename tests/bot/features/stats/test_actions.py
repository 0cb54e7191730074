"""Answers about figures and about oneself without a server or without figures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.stats.actions import StatsActions
from bot.features.stats.custom_ids import FiguresId, PageId, WallId
from bot.model.venue import Venue
from bot.standings.careers import Career
from bot.standings.leaderboards import Board, Span
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.seating import ADA, BEN

PAGE = PageId(board=Board.RATING, span=Span.EVER, asker=ADA.user)
ELSEWHERE = "Ask in a server: each has its own players and leaderboard."


class Known:
    """Standings without figures: they have only seats and people who hide."""

    def __init__(self, room: Room) -> None:
        self.people = AsyncMock()
        self.people.is_hidden.return_value = False
        self.people.open_games.return_value = ()
        self.people.forget.return_value = ()
        self.people.forget_more.return_value = None
        queries = SimpleNamespace(now=discord.utils.utcnow, servers=AsyncMock(return_value=()))
        standings: Any = SimpleNamespace(queries=queries, people=self.people)
        self.actions = StatsActions(standings, AsyncMock(), sync=room.sync)


@pytest.fixture
async def lobby() -> tuple[Room, str, Known]:
    room, game = await Room.lobby()
    return room, game, Known(room)


def person(user: int, name: str, *, bot: bool = False) -> Any:
    return SimpleNamespace(id=user, display_name=name, bot=bot)


async def test_a_bot_has_no_figures_and_a_direct_message_has_no_other_players(
    lobby: tuple[Room, str, Known],
) -> None:
    _, _, known = lobby
    of_a_bot, elsewhere = asked_by(ADA), asked_by(ADA, guild=None, channel=DM)
    await known.actions.stats(of_a_bot, person(99, "Fifteen Two", bot=True))
    await known.actions.stats(elsewhere, person(BEN.user, "Ben"))
    assert given(of_a_bot) == [("show", "Fifteen Two is a bot and has no statistics.")]
    assert given(elsewhere) == [("show", ELSEWHERE)]


async def test_who_has_played_in_no_server_has_no_leaderboard_in_a_direct_message(
    lobby: tuple[Room, str, Known],
) -> None:
    _, _, known = lobby
    opened, turned = (asked_by(ADA, guild=None, channel=DM, pressed=each) for each in (False, True))
    await known.actions.leaderboard(opened, PAGE)
    await known.actions.turn(turned, PAGE)
    assert given(opened) == [("show", ELSEWHERE)]
    assert given(turned) == [("redraw", ELSEWHERE)]


@pytest.mark.parametrize("guild", [None, 77], ids=["between people", "in a server without the bot"])
async def test_where_the_bot_is_no_member_one_is_shown_one_s_own_figures_of_all_servers_alone(
    lobby: tuple[Room, str, Known], guild: int | None
) -> None:
    _, _, known = lobby
    queries: Any = known.actions._queries
    queries.career = AsyncMock(return_value=Career(games=3, wins=2))
    queries.against_computers = AsyncMock(return_value={})
    own = asked_by(ADA, guild=guild, venue=Venue.ANYWHERE)
    shared = asked_by(ADA, guild=guild, venue=Venue.ANYWHERE, pressed=True)
    await known.actions.stats(own, person(ADA.user, "Ada"))
    await known.actions.share(shared, FiguresId(ADA.user).person)
    [(way, said)] = given(own)
    assert way == "show"
    assert "Show everybody" not in said
    queries.career.assert_awaited_once_with(ADA.user, None)
    assert given(shared) == [("show", ELSEWHERE)]


async def test_where_the_bot_is_no_member_there_are_no_boards(lobby: tuple[Room, str, Known]) -> None:
    _, _, known = lobby
    opened, walled = (asked_by(ADA, guild=77, venue=Venue.ANYWHERE) for _ in range(2))
    turned, wall_turned = (asked_by(ADA, guild=77, venue=Venue.ANYWHERE, pressed=True) for _ in range(2))
    at = WallId(0, ADA.user)
    await known.actions.leaderboard(opened, PAGE)
    await known.actions.wall(walled, at)
    await known.actions.turn(turned, PAGE)
    await known.actions.turn_wall(wall_turned, at)
    assert given(opened) == given(walled) == [("show", ELSEWHERE)]
    assert given(turned) == given(wall_turned) == [("redraw", ELSEWHERE)]
