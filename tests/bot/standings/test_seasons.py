"""Seasons: who wins a month, and what stays of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.features.stats.season_store import SeasonStore
from bot.model.table_record import Agreement, computer_at
from bot.standings.seasons import Calendar, Season, Winner, month_after, month_before, number_of, zones
from bot.store.examination import damage_in
from engine import Seat
from engine.computer import Level
from tests.bot.seating import Guest
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DAN,
    ELSEWHERE,
    EVE,
    GUILD,
    ON_BOTH,
    ON_SQLITE,
    SHORT,
    Club,
    played,
    resigned,
)

NOVEMBER, DECEMBER = (datetime(2026, month, 1, tzinfo=UTC) for month in (11, 12))
JANUARY = datetime(2027, 1, 1, tzinfo=UTC)
CHANNEL = 20


async def season(club: Club, month: int = 202611, guild: int = GUILD) -> Season:
    await club.projection.flush()
    return await club.queries.season(guild, month)


def podium(found: Season) -> list[tuple[int, str, int, int]]:
    return [(each.place, each.name, each.wins, each.games) for each in found.podium]


def test_months_follow_each_other_through_the_years() -> None:
    months = [*range(202601, 202613), *range(202701, 202713)]
    assert [month_after(month) for month in months] == [*months[1:], 202801]
    assert [month_before(month) for month in months] == [202512, *months[:-1]]
    assert Calendar().month_at(datetime(2027, 1, 31, 23, 59, tzinfo=UTC)) == 202701
    assert Calendar().end(202612) == JANUARY


def test_a_month_begins_at_midnight_of_its_zone_through_summer_time() -> None:
    paris = Calendar(((202603, "Europe/Paris"),))
    assert paris.begin(202602) == datetime(2026, 2, 1, tzinfo=UTC), "before the choice"
    assert paris.begin(202603) == datetime(2026, 2, 28, 23, tzinfo=UTC), "winter time"
    assert paris.begin(202604) == datetime(2026, 3, 31, 22, tzinfo=UTC), "summer time"
    assert paris.begin(202611) == datetime(2026, 10, 31, 23, tzinfo=UTC)
    end = datetime(2026, 3, 31, 22, tzinfo=UTC)
    assert [paris.month_at(end + timedelta(seconds=after)) for after in (-1, 0)] == [202603, 202604]
    assert Calendar(((202603, "Nowhere/Atall"),)).begin(202603) == datetime(2026, 3, 1, tzinfo=UTC)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(zones())), max_size=6),
    st.integers(0, 24 * 800),
)
def test_whatever_zones_are_chosen_each_hour_is_of_one_month(
    chosen: list[tuple[int, str]], hour: int
) -> None:
    months = [number_of(date(2026 + number // 12, number % 12 + 1, 1)) for number in range(31)]
    calendar = Calendar(tuple(sorted({months[number]: zone for number, zone in chosen}.items())))
    begins = [calendar.begin(month) for month in months]
    assert begins == sorted(begins)
    now = datetime(2026, 1, 2, tzinfo=UTC) + timedelta(hours=hour)
    month = calendar.month_at(now)
    assert calendar.begin(month) <= now < calendar.end(month)


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
    assert podium(await season(club, 202612)) == [(1, CLEO.name, 1, 1)]
    assert await club.queries.season(GUILD) == await season(club, 202612), "December is under way"
    assert await season(club, 202610) == Season(month=202610, end=NOVEMBER, people=0, podium=())
    assert await club.queries.months_played(GUILD) == (202612, 202611)
    assert await club.queries.months_played(999) == ()


@ON_BOTH
async def test_a_new_zone_counts_from_the_end_of_the_month_under_way_and_every_game_once(club: Club) -> None:
    seasons = club.opened_database.part(SeasonStore, "seasons")
    times = {
        "before November": NOVEMBER.timestamp() - 3600,
        "as it begins": NOVEMBER.timestamp(),
        "in its middle": datetime(2026, 11, 21, 12, tzinfo=UTC).timestamp(),
        "as it ends in UTC": DECEMBER.timestamp() - 1,
        "still in New York": DECEMBER.timestamp() + 5 * 3600 - 1,
        "in December there": DECEMBER.timestamp() + 5 * 3600,
    }
    for name, at in times.items():
        if name == "in its middle":
            await seasons.choose_zone(GUILD, "Asia/Tokyo", datetime.fromtimestamp(at, UTC))
            await seasons.choose_zone(GUILD, "America/New_York", datetime.fromtimestamp(at, UTC))
        club.clock.now = at
        await club.won(ADA, BEN)
    games = [(await season(club, month)).podium[0].games for month in (202610, 202611, 202612)]
    assert games == [1, 4, 1]
    assert await club.queries.months_played(GUILD) == (202612, 202611, 202610)
    assert (await season(club)).end == DECEMBER + timedelta(hours=5)
    await seasons.choose_zone(GUILD, "UTC", datetime.fromtimestamp(club.clock.now, UTC))
    assert [(await season(club, month)).podium[0].games for month in (202610, 202611, 202612)] == games
    assert (await season(club, 202612)).end == JANUARY
    assert await club.projection.rebuild()
    assert (await season(club)).podium[0].games == 4


async def test_a_month_that_is_over_in_the_new_zone_ends_at_once(club: Club) -> None:
    seasons = club.opened_database.part(SeasonStore, "seasons")
    club.clock.now = DECEMBER.timestamp() - 6 * 3600
    await club.won(ADA, BEN)
    await seasons.choose_zone(GUILD, "Asia/Tokyo", datetime.fromtimestamp(club.clock.now, UTC))
    assert podium(await season(club)) == []
    assert podium(await season(club, 202612)) == [(1, ADA.name, 1, 1)]


async def test_a_month_s_board_has_everybody_page_by_page_champions_first(club: Club) -> None:
    people = [ADA, BEN, CLEO, DAN, EVE, *(Guest(100 + number, f"P{number}") for number in range(8))]
    for person in people[1:]:
        await club.won(ADA, person)
    await club.won(BEN, CLEO)
    await club.projection.flush()
    first = await club.queries.season_board(GUILD, 202611)
    assert (first.people, first.pages, len(first.rows), first.is_over) == (13, 2, 10, False)
    assert [(each.place, each.name, each.wins, each.games) for each in first.rows[:3]] == [
        (1, ADA.name, 12, 12),
        (2, BEN.name, 1, 2),
        (3, "P0", 0, 1),
    ]
    club.clock.now = DECEMBER.timestamp()
    last = await club.queries.season_board(GUILD, 202611, 7)
    assert (last.page, len(last.rows), last.is_over) == (1, 3, True)
    assert last.rows[-1] == Winner(place=13, name=CLEO.name, wins=0, games=2)
    await club.people.set_hidden(ADA.user, hidden=True)
    assert (await club.queries.season_board(GUILD, 202611)).rows[0].name == BEN.name
    assert (await club.queries.season_board(GUILD, 202610)).rows == ()


@ON_BOTH
async def test_champions_stand_on_the_wall_without_a_name_once_their_data_is_deleted(club: Club) -> None:
    await club.won(ADA, BEN)
    assert (await club.queries.wall(GUILD)).champions == (), "November is not over"
    club.clock.now = DECEMBER.timestamp()
    await club.projection.flush()
    [november] = (await club.queries.wall(GUILD)).champions
    assert november == await season(club) == (await club.queries.champions(GUILD))[0]
    await club.people.set_hidden(ADA.user, hidden=True)
    assert await club.queries.champions(GUILD) == ()
    await club.people.set_hidden(ADA.user, hidden=False)
    await club.people.forget(ADA.user)
    [leaving] = await club.queries.champions(GUILD)
    assert podium(leaving) == [(1, "", 1, 1)], "also before all of it is deleted"
    await club.forget(ADA.user)
    [left] = await club.queries.champions(GUILD)
    assert podium(left) == [(1, "", 1, 1)]
    assert await club.projection.rebuild()
    assert await club.queries.champions(GUILD) == (left,)


@ON_SQLITE
async def test_the_zone_goes_with_the_server_and_a_name_that_is_none_is_told(club: Club) -> None:
    seasons = club.opened_database.part(SeasonStore, "seasons")
    await seasons.post_in(GUILD, CHANNEL, NOVEMBER)
    for guild in (GUILD, ELSEWHERE):
        await seasons.choose_zone(guild, "Asia/Tokyo", NOVEMBER)
    await club.store.forget_servers_but(frozenset({ELSEWHERE}))
    assert (await club.queries.season(GUILD, 202612)).end == JANUARY
    assert (await club.queries.season(ELSEWHERE, 202612)).end == JANUARY - timedelta(hours=9)
    assert await seasons.due(JANUARY) == ()
    assert await damage_in(club.path) == ()
    await seasons.choose_zone(GUILD, "Asia/Nowhere", NOVEMBER)
    assert await damage_in(club.path) == (f"season_zones: there is no time zone 'Asia/Nowhere' (of {GUILD})",)
