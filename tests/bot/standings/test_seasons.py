"""Seasons and the wall: who wins a month, and what stands on a server's wall, whatever is counted again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.stats.custom_ids import WALL, WallId
from bot.features.stats.season_store import SeasonStore
from bot.features.stats.wall import wall_drawing
from bot.model.table_record import Agreement, computer_at
from bot.render.text.voice import Voice
from bot.standings import results
from bot.standings.seasons import Calendar, Season, Winner, month_after, month_before, number_of, zones
from bot.standings.wall import ON_A_PAGE, Feat, Record, Wall
from bot.standings.wall import WALL as POINTS
from bot.store import wall as stored
from bot.store.examination import damage_in
from engine import HandCounted, HandShown, Seat, Source
from engine.computer import Level
from engine.secret_events import LoggedEvent
from tests.bot.render.games import custom_ids
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


# -- the wall --------------------------------------------------------------------------------------------

WORTH = 8
"""In these tests a hand stands on the wall from fewer points on: of 28 there is one in fifteen thousand."""


@pytest.fixture(autouse=True)
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "WALL", WORTH)


def test_twenty_four_is_what_it_takes() -> None:
    assert POINTS == 24


def the_log() -> tuple[LoggedEvent, ...]:
    return played(2, SHORT)


def great() -> list[tuple[int, Source, int]]:
    return [
        (event.seat, event.source, event.points)
        for event in the_log()
        if isinstance(event, HandCounted) and event.points >= WORTH
    ]


async def wall(club: Club, guild: int = GUILD, page: int = 0) -> Wall:
    await club.projection.flush()
    return await club.queries.wall(guild, page)


def on(found: Wall) -> list[tuple[int, Source, int]]:
    return [(each.seat, each.source, each.hand.points) for each in found.hands]


@ON_BOTH
async def test_every_great_hand_and_crib_stands_there_with_its_cards(club: Club) -> None:
    game = await club.finished((ADA, BEN), the_log(), SHORT)
    found = await wall(club)
    assert great()
    assert set(on(found)) == set(great())
    assert found.total == len(great())
    points = [each.hand.points for each in found.hands]
    assert points == sorted(points, reverse=True)
    shown = [set(event.cards) for event in the_log() if isinstance(event, HandShown)]
    assert all(set(each.hand.cards) in shown and each.record.game == game for each in found.hands)
    assert (await wall(club, ELSEWHERE)).hands == ()


async def test_it_stays_when_statistics_are_computed_again_and_nothing_stands_there_twice(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    before = await wall(club)
    assert await club.projection.rebuild()
    assert await wall(club) == before
    await club.change("DELETE FROM wall")
    assert await club.projection.rebuild()
    assert await wall(club) == before, "and what older games have is found again"


async def test_a_computer_s_hand_is_not_on_it_and_a_person_s_against_one_is(club: Club) -> None:
    await club.finished((ADA, computer_at(Level.STEADY, ())), the_log(), SHORT)
    found = await wall(club)
    assert {each.seat for each in found.hands} == {0}
    assert len(found.hands) == sum(seat == 0 for seat, _, _ in great()) > 0
    assert found.win is None, "beginners would be beaten for it"


async def test_a_hand_that_cannot_be_read_is_left_out_and_the_others_stay(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    before = await wall(club)
    await club.change("UPDATE wall SET hand = '{' WHERE hand = (SELECT min(hand) FROM wall)")
    after = await wall(club)
    assert set(after.hands) < set(before.hands)
    assert after.hands
    assert after.total == before.total
    assert after.win == before.win


async def test_the_biggest_win_is_the_one_by_most_holes_the_earliest_of_several(club: Club) -> None:
    logs = [played(seed, SHORT) for seed in (1, 2)]
    games = [await club.finished((ADA, BEN), log, SHORT) for log in (*logs, logs[0])]
    await club.finished((CLEO, BEN), resigned(Seat(1), deal=3), SHORT)
    found = (await wall(club)).win
    assert found is not None
    margins = []
    for log in logs:
        result = results.result_of(log)
        assert result is not None
        won, lost = sorted((each.score for each in result.seats), reverse=True)
        margins.append(won - lost)
    assert found.holes == max(margins)
    assert found.record.game == games[margins.index(max(margins))]
    assert await club.projection.rebuild()
    assert (await wall(club)).win == found


async def test_who_hides_is_left_out_and_who_is_forgotten_has_no_name(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), SHORT)
    assert ADA.user is not None
    await club.people.set_hidden(ADA.user, hidden=True)
    assert {each.seat for each in (await wall(club)).hands} <= {1}
    await club.people.set_hidden(ADA.user, hidden=False)
    everything = await wall(club)
    await club.forget(ADA.user)
    left = await wall(club)
    assert on(left) == on(everything)
    assert {name for each in left.hands for name in each.record.names} == {"", BEN.name}


async def test_pages_are_turned_and_a_page_that_there_is_not_is_the_last(club: Club) -> None:
    for _ in range(ON_A_PAGE // len(great()) + 1):
        await club.finished((ADA, BEN), the_log(), SHORT)
    first, last = await wall(club), await wall(club, page=99)
    assert (first.page, last.page) == (0, first.pages - 1)
    assert first.pages > 1
    assert len(first.hands) == ON_A_PAGE
    assert custom_ids(wall_drawing(first, 7, Voice())) == ["wall:1:7"]
    assert custom_ids(wall_drawing(last, 7, Voice())) == [f"wall:{last.page - 1}:7"]
    match = WALL.fullmatch("wall:1:7")
    assert match
    assert WallId.from_match(match) == WallId(1, 7)


@ON_BOTH
async def test_records_are_the_server_s_highest_of_people_who_do_not_hide(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    assert (await wall(club)).records == {Feat.STREAK: Record(number=3, names=(ADA.name,))}
    for winner, loser in ((CLEO, ADA), (CLEO, BEN), (CLEO, BEN)):
        await club.won(winner, loser)
    assert (await wall(club)).records[Feat.STREAK].names == (ADA.name, CLEO.name), "both have three"
    await club.won(CLEO, BEN)
    found = (await wall(club)).records
    assert found[Feat.STREAK] == Record(number=4, names=(CLEO.name,))
    assert await club.projection.rebuild()
    assert (await wall(club)).records == found
    await club.people.set_hidden(CLEO.user, hidden=True)
    assert (await wall(club)).records[Feat.STREAK] == Record(number=3, names=(ADA.name,))
    assert (await wall(club, ELSEWHERE)).is_empty
    await club.forget(ADA.user)
    assert (await wall(club)).records == {}, "two wins of Ben's are none, and who is forgotten has none"


async def test_the_biggest_comeback_and_most_skunks_are_of_games_as_they_were_played(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(stored.LEAST, Feat.COMEBACK, 3)  # of these games none is from a street behind
    logs = [played(seed, Agreement()) for seed in range(6)]
    parts = [part for log in logs if (result := results.result_of(log)) for part in result.seats]
    furthest = max(part.comeback for part in parts)
    assert furthest >= 3
    for log in logs:
        await club.finished((ADA, BEN), log, Agreement())
    found = (await wall(club)).records
    by_seat = [[part for part in parts if part.seat == seat] for seat in (0, 1)]
    comeback = {name for name, mine in zip((ADA.name, BEN.name), by_seat, strict=True)
                if max(part.comeback for part in mine) == furthest}  # fmt: skip
    assert found[Feat.COMEBACK] == Record(number=furthest, names=tuple(sorted(comeback)))
    skunks = max(sum(len(part.beaten) for part in mine) for mine in by_seat)
    assert found[Feat.SKUNKS].number == skunks > 0


async def test_a_career_that_cannot_be_read_has_no_record(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    assert (await wall(club)).records
    await club.change('UPDATE careers SET career = \'{"longest": "many"}\'')
    assert (await wall(club)).records == {}


async def test_a_game_in_no_server_is_on_no_wall(club: Club) -> None:
    await club.finished((ADA, BEN), the_log(), Agreement.of(preset="short"), guild=None)
    await club.projection.flush()
    assert await club.rows("SELECT * FROM wall") == []
