"""Answers about figures and about oneself without a server or without figures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.stats.actions import StatsActions
from bot.features.stats.autocomplete import month_choices, month_in, zone_choices, zone_in
from bot.features.stats.custom_ids import FiguresId, PageId, SeasonId, WallId
from bot.features.stats.errors import StatsRefusal
from bot.features.stats.season_store import SeasonStore
from bot.language.languages import Language
from bot.model.errors import TableRefusal
from bot.model.venue import Venue
from bot.render.text.voice import Additions, Voice
from bot.standings.careers import Career, Rivalry
from bot.standings.leaderboards import Board, Span
from tests.bot.interactions.asking import DM, Room, asked_by, given
from tests.bot.refusing import refused
from tests.bot.seating import ADA, BEN, Guest
from tests.bot.standings.games import ADA as PLAYING
from tests.bot.standings.games import BEN as OTHER
from tests.bot.standings.games import Club

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
        self.queries: Any
        self.queries = queries = SimpleNamespace(now=discord.utils.utcnow, servers=AsyncMock(return_value=()))
        standings: Any = SimpleNamespace(queries=queries, people=self.people)
        self.actions = StatsActions(standings, AsyncMock(), AsyncMock(), sync=room.sync)


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


async def test_between_people_somebody_is_told_of_their_games_together_there_alone(
    lobby: tuple[Room, str, Known],
) -> None:
    _, _, known = lobby
    asked = asked_by(ADA, guild=None, channel=55)
    asked.interaction.context.dm_channel = False
    known.queries.rivalry_in = AsyncMock(return_value=Rivalry(games=3, won=1, lost=2))
    await known.actions.stats(asked, person(BEN.user, "Ben"))
    [(_, said)] = given(asked)
    assert "**Against you:** 3 games · Ben won 1, you 2" in said
    known.queries.rivalry_in.assert_awaited_once_with(BEN.user, ADA.user, 55)


async def test_who_has_played_in_no_server_has_no_leaderboard_in_a_direct_message(
    lobby: tuple[Room, str, Known],
) -> None:
    _, _, known = lobby
    opened, turned = (asked_by(ADA, guild=None, channel=DM, pressed=each) for each in (False, True))
    await known.actions.leaderboard(opened, PAGE)
    await known.actions.turn(turned, PAGE)
    assert given(opened) == [("show", ELSEWHERE)]
    assert given(turned) == [("redraw", ELSEWHERE)]


async def test_lines_of_other_features_are_for_the_person_alone(sqlite_club: Club) -> None:
    async def lines(user: int, voice: Voice) -> tuple[str, ...]:
        return (f"{voice.number(user % 1000)} drills",)

    sync: Any = SimpleNamespace(illustrator=None)
    standings = sqlite_club.opened_database.standings
    actions = StatsActions(standings, sqlite_club.projection, AsyncMock(), sync=sync)
    told = {}
    for game in (None, await sqlite_club.won(PLAYING, OTHER)):
        for asker, whom in ((PLAYING, PLAYING), (OTHER, PLAYING)):
            answer = asked_by(asker)
            answer.voice = Voice(additions=Additions(in_own_figures=(lines,)))
            await actions.stats(answer, person(whom.user, "Ada"))
            told[game, asker.name] = given(answer)[0][1]
        shared = asked_by(PLAYING, pressed=True)
        shared.voice = answer.voice
        await actions.share(shared, PLAYING.user)
        told[game, "everybody"] = given(shared)[0][1]
    assert {who for (_, who), said in told.items() if "0 drills" in said} == {PLAYING.name}
    assert all("0 drills" in told[game, PLAYING.name] for game, _ in told)


@pytest.mark.parametrize("guild", [None, 77], ids=["between people", "in a server without the bot"])
async def test_where_the_bot_is_no_member_one_is_shown_one_s_own_figures_of_all_servers_alone(
    lobby: tuple[Room, str, Known], guild: int | None
) -> None:
    _, _, known = lobby
    queries: Any = known.actions._queries
    queries.career = AsyncMock(return_value=Career(games=3, wins=2))
    queries.against_computers = AsyncMock(return_value={})
    queries.slams = AsyncMock(return_value=0)
    queries.other_games = AsyncMock(return_value={})
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


@pytest.fixture
def seasoned(any_club: Club) -> tuple[Club, StatsActions, SeasonStore]:
    seasons = any_club.opened_database.part(SeasonStore, "seasons")
    sync: Any = SimpleNamespace(illustrator=None)
    standings = any_club.opened_database.standings
    return any_club, StatsActions(standings, any_club.projection, seasons, sync=sync), seasons


async def test_a_season_is_shown_to_everybody_once_it_has_a_winner(
    seasoned: tuple[Club, StatsActions, SeasonStore],
) -> None:
    club, actions, _ = seasoned
    empty, led, elsewhere = asked_by(PLAYING), asked_by(PLAYING), asked_by(ADA, guild=None, channel=DM)
    await actions.season(empty)
    await club.won(PLAYING, OTHER)
    await actions.season(led)
    await actions.season(elsewhere)
    [(way, said)] = given(empty)
    assert (way, "## Season: November 2026" in said) == ("show", True)
    assert "Nobody has won a game with people yet." in said
    [(way, said)] = given(led)
    assert way == "post"
    assert f"🥇 **{PLAYING.name}** · 1 of 1 game won" in said
    assert given(elsewhere) == [("show", ELSEWHERE)]


async def test_a_month_is_shown_as_it_ended_and_one_without_games_in_private(
    seasoned: tuple[Club, StatsActions, SeasonStore],
) -> None:
    club, actions, _ = seasoned
    await club.won(PLAYING, OTHER)
    club.clock.now += 30 * 86_400
    shown, so_far, none, unknown = (asked_by(PLAYING) for _ in range(4))
    await actions.season(shown, "2026-11")
    await actions.season(so_far)
    await actions.season(none, "2026-10")
    with refused(StatsRefusal.NO_MONTH):
        await actions.season(unknown, "October")
    [(way, said)] = given(shown)
    assert way == "post"
    assert said.splitlines() == [
        "## Season: November 2026",
        "-# Ended <t:1796083200:R>",
        f"🥇 **{PLAYING.name}** · 1 of 1 game won",
        f"**2** {OTHER.name} · 0 of 1 game won",
        "-# 2 players · Most wins against people; of equal ones, fewest games",
    ]
    assert "## Season: December 2026" in given(so_far)[0][1]
    assert given(none) == [("reply", "No games between people were finished here in October 2026.")]
    hidden = asked_by(PLAYING)
    await club.people.set_hidden(PLAYING.user, hidden=True)
    await actions.season(hidden, "2026-11")
    [(way, said)] = given(hidden)
    assert way == "show"
    assert f"**1** {OTHER.name} · 0 of 1 game won" in said


async def test_a_month_of_many_is_turned_in_place_by_who_asked_and_in_private_by_others(
    seasoned: tuple[Club, StatsActions, SeasonStore],
) -> None:
    club, actions, _ = seasoned
    for number in range(12):
        await club.won(PLAYING, Guest(100 + number, f"P{number}"))
    at = SeasonId(202611, 1, PLAYING.user)
    own, other, there = asked_by(PLAYING), asked_by(ADA), asked_by(ADA, guild=None, channel=DM)
    for each in (own, other, there):
        await actions.turn_season(each, at)
    [(way, said)] = given(own)
    assert (way, said.count("0 of 1 game won"), "Previous" in said) == ("redraw", 3, True)
    assert [way for way, _ in given(other)] == ["show"]
    assert given(there) == [("redraw", ELSEWHERE)]


def test_months_and_zones_are_offered_as_they_are_typed() -> None:
    months = (202611, 202610, 202510)

    def offered(typed: str) -> list[str]:
        return [each.value for each in month_choices(months, typed, Voice())]

    assert offered("") == ["2026-11", "2026-10", "2025-10"]
    assert offered("octo") == ["2026-10", "2025-10"]
    assert offered("2025") == ["2025-10"]
    assert [each.name for each in month_choices(months, "2025", Voice(Language.of("fr")))] == ["octobre 2025"]
    assert [month_in(text) for text in ("2026-10", " 2026-10 ", "2026-13", "10", "")] == [
        *(202610, 202610, None, None, None),
    ]
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    first = zone_choices("", noon)
    assert (first[0].name, len(first)) == ("UTC · 12:00", 15)
    [york] = zone_choices("new york", noon)
    assert (york.name, york.value) == ("America/New_York · 08:00", "America/New_York")
    assert zone_choices("paris", noon)[0].value == "Europe/Paris"
    assert len(zone_choices("a", noon)) == 25
    assert [zone_in(text) for text in ("europe/paris", "America/New York", "utc", "Paris", "../../etc")] == [
        *("Europe/Paris", "America/New_York", "UTC", None, None),
    ]


async def test_moderators_choose_where_podiums_are_posted_from_the_next_month_on(
    seasoned: tuple[Club, StatsActions, SeasonStore],
) -> None:
    _, actions, seasons = seasoned
    december = datetime(2026, 12, 1, tzinfo=UTC)
    chosen, stopped, refused_one = asked_by(ADA), asked_by(ADA), asked_by(BEN)
    for each, may in ((chosen, True), (stopped, True), (refused_one, False)):
        each.interaction.permissions = discord.Permissions(manage_guild=may)
    with refused(TableRefusal.NOT_MODERATOR):
        await actions.set_podiums(refused_one, post=None, zone="Asia/Tokyo")
    await actions.set_podiums(chosen, post=None, zone=None)
    assert await seasons.due(december - timedelta(seconds=1)) == (), "October was before"
    [posting] = await seasons.due(december)
    assert (posting.posted, posting.over, posting.since) == (202610, 202611, december)
    await actions.set_podiums(stopped, post=False, zone=None)
    assert await seasons.due(december) == ()
    assert [said[:40] for _, said in given(stopped)] == ["I don't post the podium of the month her"]


async def test_moderators_choose_the_time_zone_and_the_posts_stay_as_they_are(
    seasoned: tuple[Club, StatsActions, SeasonStore],
) -> None:
    club, actions, seasons = seasoned
    alone, unknown, together = asked_by(ADA), asked_by(ADA), asked_by(ADA)
    for each in (alone, unknown, together):
        each.interaction.permissions = discord.Permissions(manage_guild=True)
    with refused(StatsRefusal.NO_ZONE):
        await actions.set_podiums(unknown, post=True, zone="Mars/Base")
    await actions.set_podiums(alone, post=None, zone="america/new_york")
    assert await seasons.due(datetime(2027, 1, 1, tzinfo=UTC)) == ()
    [(_, said)] = given(alone)
    assert said == (
        "From now on seasons end at midnight in **America/New_York**; past ones stay as they are. "
        "This one ends <t:1796101200:f>."
    )
    await actions.set_podiums(together, post=True, zone="Europe/Paris")
    [(_, said)] = given(together)
    assert said.splitlines()[1] == ("I'll post the podium of each month in <#20>. Next: <t:1796079600:f>")
    season = await club.queries.season(10)
    assert season.end.timestamp() == 1_796_079_600, "the last choice counts"
