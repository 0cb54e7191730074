"""Seasons: who wins a month, what stays of it, and that its podium is posted once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.concurrency.keyed_tasks import KeyedTasks
from bot.features.stats.season import podium_drawing
from bot.features.stats.season_posts import SeasonPosts
from bot.features.stats.season_store import SeasonStore
from bot.features.stats.wall import wall_drawing
from bot.model.table_record import Agreement, computer_at
from bot.render.drawing import Drawing
from bot.render.text.voice import Voice, Voices
from bot.standings.seasons import Season, Winner, month_after, month_before
from engine import Seat
from engine.computer import Level
from tests.bot.render.games import words
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DAN,
    ELSEWHERE,
    EVE,
    GUILD,
    SHORT,
    Club,
    played,
    resigned,
)
from tests.bot.store.memory import MemoryStore

OCTOBER, NOVEMBER, DECEMBER = (datetime(2026, month, 1, tzinfo=UTC) for month in (10, 11, 12))
CHANNEL = 20


@pytest.fixture
def club(any_club: Club) -> Club:
    """In each kind of database."""
    return any_club


async def season(club: Club, month: datetime = NOVEMBER, guild: int = GUILD) -> Season:
    await club.projection.flush()
    return await club.queries.season(guild, month)


def podium(found: Season) -> list[tuple[int, str, int, int]]:
    return [(each.place, each.name, each.wins, each.games) for each in found.podium]


def test_months_follow_each_other_through_the_years() -> None:
    january = datetime(2027, 1, 1, tzinfo=UTC)
    assert month_before(datetime(2027, 1, 31, 23, 59, tzinfo=UTC)) == DECEMBER
    assert month_after(DECEMBER) == january
    assert [month_after(datetime(2027, month, 1, tzinfo=UTC)).month for month in range(1, 13)] == [
        *range(2, 13),
        1,
    ]


async def test_most_wins_lead_and_of_equal_ones_fewest_games(club: Club) -> None:
    for winner, loser in ((ADA, BEN), (ADA, DAN), (BEN, CLEO), (BEN, ADA), (CLEO, DAN), (EVE, DAN)):
        await club.won(winner, loser)
    found = await season(club)
    assert podium(found) == [(1, ADA.name, 2, 3), (1, BEN.name, 2, 3), (3, EVE.name, 1, 1)]
    assert found.people == 5
    assert found.champions == found.podium[:2]
    assert await club.projection.rebuild()
    assert await season(club) == found


async def test_a_month_has_games_between_people_in_its_server_and_time_alone(club: Club) -> None:
    await club.won(BEN, ADA, guild=ELSEWHERE)
    lost = resigned(Seat(1), deal=3)
    await club.finished((BEN, computer_at(Level.STEADY, ())), lost, SHORT)
    shotgun = Agreement.of(preset="shotgun")
    await club.finished((BEN, ADA), played(2, shotgun), shotgun)
    club.clock.now = DECEMBER.timestamp() - 1
    await club.won(ADA, BEN)
    club.clock.now = DECEMBER.timestamp()
    await club.won(CLEO, BEN)
    assert podium(await season(club)) == [(1, ADA.name, 1, 1)]
    assert podium(await season(club, DECEMBER)) == [(1, CLEO.name, 1, 1)]
    assert await season(club, OCTOBER) == Season(month=OCTOBER, people=0, podium=())


async def test_champions_stand_on_the_wall_without_a_name_once_their_data_is_deleted(club: Club) -> None:
    await club.won(ADA, BEN)
    assert (await club.queries.wall(GUILD)).champions == (), "November is not over"
    club.clock.now = DECEMBER.timestamp()
    await club.projection.flush()
    [november] = (await club.queries.wall(GUILD)).champions
    assert november == await season(club) == (await club.queries.champions(GUILD))[0]
    assert f"**Champions of the month**\nNovember 2026: {ADA.name}, 1 win" in words(
        wall_drawing(await club.queries.wall(GUILD), 1, Voice())
    )
    await club.people.set_hidden(ADA.user, hidden=True)
    assert await club.queries.champions(GUILD) == ()
    await club.people.set_hidden(ADA.user, hidden=False)
    await club.people.forget(ADA.user)
    [leaving] = await club.queries.champions(GUILD)
    assert podium(leaving) == [(1, "", 1, 1)], "also before all of it is deleted"
    await club.forget(ADA.user)
    [left] = await club.queries.champions(GUILD)
    assert podium(left) == [(1, "", 1, 1)]
    assert "November 2026: somebody, 1 win" in words(wall_drawing(await club.queries.wall(GUILD), 1, Voice()))
    assert await club.projection.rebuild()
    assert await club.queries.champions(GUILD) == (left,)


def test_a_podium_reads_as_it_should() -> None:
    found = Season(
        month=NOVEMBER,
        people=12,
        podium=(
            Winner(place=1, name="Ada", wins=21, games=30),
            Winner(place=2, name="", wins=9, games=9),
        ),
    )
    assert words(podium_drawing(found, Voice())).splitlines() == [
        "## Season: November 2026",
        "🥇 **Ada** · 21 of 30 games won",
        "🥈 **somebody** · 9 of 9 games won",
        "-# 12 players · Most wins against people; of equal ones, fewest games",
        "A new season has begun: `/crib-stats season`",
    ]


class Town:
    """A server whose channel keeps messages by nonce."""

    def __init__(self, club: Club) -> None:
        self.club, self.fails = club, list[BaseException]()
        self.messages: dict[str, Drawing] = {}
        client: Any = SimpleNamespace(
            get_guild=lambda _: SimpleNamespace(unavailable=False, preferred_locale="en-GB"),
            get_channel=lambda _: None,
            get_partial_messageable=lambda _: SimpleNamespace(send=self._send),
        )
        self.seasons = club.opened_database.part(SeasonStore, "seasons")
        self.posts = SeasonPosts(
            client,
            self.seasons,
            club.queries,
            club.projection,
            store=MemoryStore(),
            voices=Voices(),
            tasks=KeyedTasks(),
            now=club.clock,
        )

    async def _send(self, *, view: Any, nonce: str) -> None:
        if self.fails:
            raise self.fails.pop()
        assert nonce not in self.messages
        self.messages[nonce] = Drawing(view)

    async def send(self, at: datetime) -> None:
        self.club.clock.now = at.timestamp() + 60
        for _ in range(2):
            await self.posts.send_due()


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    club = await Club.open(tmp_path / "games.sqlite3")
    town = Town(club)
    await town.seasons.post_in(GUILD, CHANNEL, 202610)
    yield town
    await club.close()


async def test_a_podium_is_posted_once_as_soon_as_its_month_is_over(town: Town) -> None:
    await town.club.won(ADA, BEN)
    await town.send(NOVEMBER)
    assert town.messages == {}
    await town.send(DECEMBER)
    [(nonce, drawing)] = town.messages.items()
    assert nonce == f"m202611.{GUILD:x}"
    assert f"🥇 **{ADA.name}**" in words(drawing)
    await town.send(datetime(2027, 1, 1, tzinfo=UTC))
    assert len(town.messages) == 1, "in December nobody won"
    assert await town.seasons.due(202612) == ()


async def test_a_refused_podium_waits_a_month_and_a_deleted_channel_ends_it(town: Town) -> None:
    response: Any = SimpleNamespace(status=403, reason="no")
    await town.club.won(ADA, BEN)
    town.fails = [discord.Forbidden(response, {"code": 50013, "message": "no"})]
    await town.send(DECEMBER)
    assert town.messages == {}
    await town.club.won(ADA, BEN)
    town.fails = [discord.NotFound(response, {"code": 10003, "message": "no"})]
    await town.send(datetime(2027, 1, 1, tzinfo=UTC))
    assert await town.seasons.due(209901) == ()
