"""A club's year: nights added up for each person, the best of them, and who is not in it.

The last test lives a year of a club of twelve: weekly nights, restarts anywhere, corrections, and a member
who goes. The year's table is compared with what the test has made happen, added up by plain code that shares
nothing with the bot. `NIGHTS=52` has a night in each week of the year.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.clubs.event import Ended, Entrant, Event, Outcome, Pairing, Phase, Points, Presence
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import WEEK
from bot.features.clubs.year import YearRow, start_of, year_rows
from bot.features.clubs.year_store import YearStore
from bot.model.table_record import Agreement
from bot.store import clubs as of_clubs
from bot.store.opening import Opened, open_database
from engine import Resign
from engine.computer import Level
from tests.bot.features.clubs.test_nights import Club
from tests.bot.features.clubs.test_store import ADA, BEN, CLEO, GUILD, night
from tests.bot.standings import games


@pytest.fixture
def opened(any_club: games.Club) -> Opened:
    """Each kind of database."""
    return any_club.opened_database


NAMES = {ADA: "Ada", BEN: "Ben", CLEO: "Cleo"}
HOUR = 3600
WIN, SKUNK, FORFEIT = Ended.WIN, Ended.SKUNK, Ended.FORFEIT


def ended(*games: tuple[int, int | None, Outcome], points: Points = Points.CONGRESS) -> Event:
    """A night of Ada, Ben and Cleo, numbered from 1, with those games."""
    return replace(
        night(),
        phase=Phase.OVER,
        points=points,
        round=1,
        entrants=tuple(
            Entrant(number=number, user=user, name=name, presence=Presence.HERE)
            for number, (user, name) in enumerate(NAMES.items(), 1)
        ),
        pairings=tuple(
            Pairing(round=1, table=table, home=home, away=away, outcome=outcome)
            for table, (home, away, outcome) in enumerate(games, 1)
        ),
    )


def won(winner: int, kind: Ended, *scores: int) -> Outcome:
    return Outcome(ended=kind, winner=winner, scores=(scores[0], scores[1]) if scores else (0, 0))


def figures(rows: Sequence[YearRow]) -> list[tuple[str, int, int, int, int]]:
    return [(each.name, each.points, each.won, each.spread, each.counted) for each in rows]


def test_the_nights_of_a_year_add_up_by_their_own_points() -> None:
    nights = (
        ended((1, 2, won(1, WIN, 61, 50)), (3, None, Outcome(ended=Ended.BYE, winner=3))),
        ended((1, 2, won(2, SKUNK, 20, 61)), (3, 1, won(3, FORFEIT))),
        ended((2, 3, won(3, SKUNK, 10, 61)), points=Points.PLAIN),
        ended((1, 2, Outcome(ended=Ended.NOTHING, winner=None))),
    )
    rows = year_rows(nights, None)
    assert figures(rows) == [
        ("Cleo", 2 + 2 + 2, 3, 51, 3),
        ("Ben", 3, 1, -11 + 41 - 51, 3),
        ("Ada", 2, 1, 11 - 41, 2),
    ]
    assert [each.place for each in rows] == [1, 2, 3]


def test_the_best_nights_of_each_count() -> None:
    nights = (
        ended((1, 2, won(1, WIN, 61, 50))),
        ended((1, 2, won(1, WIN, 61, 40))),
        ended((1, 2, won(2, SKUNK, 20, 61))),
    )
    rows = year_rows(nights, 1)
    assert figures(rows) == [("Ben", 3, 1, 41, 1), ("Ada", 2, 1, 21, 1)], "of equal points the spread"
    assert [each.nights for each in rows] == [3, 3]
    assert figures(year_rows(nights, 2)) == [("Ada", 4, 2, 32, 2), ("Ben", 3, 1, 30, 2)]
    assert year_rows(nights, 3) == year_rows(nights, None) == year_rows(nights, 9)


def test_equals_share_a_place_and_the_next_is_left_out() -> None:
    rows = year_rows((ended((1, 2, won(1, WIN)), (3, None, Outcome(ended=Ended.BYE, winner=3))),), None)
    assert [(each.name, each.place) for each in rows] == [("Ada", 1), ("Cleo", 1), ("Ben", 3)]


def test_partners_have_what_their_team_has_and_computers_nothing() -> None:
    four = ended((1, 3, won(1, SKUNK, 61, 20)))
    robot = Entrant(number=4, user=None, name="🤖", level=Level.STEADY, captain=3, presence=Presence.HERE)
    ada, ben, cleo = four.entrants
    event = replace(
        four,
        agreement=Agreement.of(players=4, preset="short"),
        entrants=(ada, replace(ben, captain=1), cleo, robot),
    )
    assert figures(year_rows((event,), None)) == [
        ("Ada", 3, 1, 41, 1),
        ("Ben", 3, 1, 41, 1),
        ("Cleo", 0, 0, -41, 1),
    ]


def test_who_hides_or_is_deleted_is_not_in_it_and_others_move_up() -> None:
    event = ended((1, 2, won(1, WIN, 61, 50)), (3, None, Outcome(ended=Ended.BYE, winner=3)))
    ada, ben, cleo = event.entrants
    event = replace(event, entrants=(ada, replace(ben, user=-77, name=""), cleo))
    assert [(each.name, each.place) for each in year_rows((event,), None, {ADA})] == [("Cleo", 1)]


def test_the_name_is_that_of_the_last_night() -> None:
    first = ended((1, 2, won(1, WIN)))
    renamed = replace(first, entrants=(replace(first.entrants[0], name="Lady Lovelace"), *first.entrants[1:]))
    assert year_rows((first, renamed), None)[0].name == "Lady Lovelace"


_channels = count(500)


async def played(
    opened: Opened,
    begun: int,
    results: Mapping[int, Outcome],
    *,
    phase: Phase = Phase.OVER,
    guild: int = GUILD,
) -> Event:
    """A night in a channel of its own that began then, with Ada, Ben and Cleo, and those results by table."""
    clubs = opened.part(ClubStore, "clubs")
    event = await clubs.open(night(next(_channels), guild))
    for user, name in NAMES.items():
        await clubs.enter(event.id, user, name, Presence.HERE)
    event = await clubs.begin_round(event.id, 0, [], ((1, 2), (3, None)), begun + event.hours * HOUR)
    assert event.begun == begun
    for pairing in event.pairings:
        if pairing.table in results:
            await clubs.settle(event.id, pairing, results[pairing.table])
    return await clubs.end(event.id, phase) if phase is not Phase.PLAYING else event


FIRST_WIN = {1: won(1, WIN, 61, 50), 2: Outcome(ended=Ended.BYE, winner=3)}
SECOND_WIN = {1: won(2, SKUNK, 20, 61)}


async def test_a_night_counts_in_the_year_in_which_it_began_once_it_has_ended(opened: Opened) -> None:
    years = opened.part(YearStore, "club_years")
    assert (await years.year(GUILD, 2026)).rows == ()
    new_year = start_of(2026)
    await played(opened, new_year - 1, FIRST_WIN)
    await played(opened, new_year, SECOND_WIN)
    await played(opened, start_of(2027) - 1, FIRST_WIN, phase=Phase.CLOSED)
    await played(opened, start_of(2029), FIRST_WIN)
    await played(opened, new_year + 9, FIRST_WIN, phase=Phase.PLAYING)
    await played(opened, new_year + 9, FIRST_WIN, guild=99)

    found = await years.year(GUILD, 2026)
    assert figures(found.rows) == [
        ("Ben", 3, 1, 30, 2),
        ("Cleo", 2, 1, 0, 1),
        ("Ada", 2, 1, -30, 2),
    ]
    assert (found.nights, found.best, found.before, found.after) == (2, None, 2025, 2029)
    assert [each.name for each in (await years.year(GUILD, 2025)).rows] == ["Ada", "Cleo", "Ben"]
    empty = await years.year(GUILD, 2027)
    assert (empty.rows, empty.before, empty.after) == ((), 2026, 2029)


async def test_a_choice_counts_from_its_year_on(opened: Opened) -> None:
    years = opened.part(YearStore, "club_years")
    await years.count_best(GUILD, 2026, 4)
    await years.count_best(GUILD, 2026, 1)
    await years.count_best(GUILD, 2028, None)
    found = [(await years.year(GUILD, year)).best for year in (2025, 2026, 2027, 2028, 2029)]
    assert found == [None, 1, 1, None, None]
    assert (await years.year(99, 2026)).best is None


async def test_a_correction_and_a_deletion_are_in_the_year_at_once(opened: Opened) -> None:
    years, clubs = opened.part(YearStore, "club_years"), opened.part(ClubStore, "clubs")
    event = await played(opened, start_of(2026), FIRST_WIN)
    await clubs.settle(event.id, event.pairings[0], replace(won(2, SKUNK, 20, 61), corrected=True))
    assert figures((await years.year(GUILD, 2026)).rows)[0] == ("Ben", 3, 1, 41, 1)
    await opened.standings.people.forget(BEN)
    assert [each.name for each in (await years.year(GUILD, 2026)).rows] == ["Cleo", "Ada"]
    await opened.standings.people.set_hidden(CLEO, hidden=True)
    assert [each.name for each in (await years.year(GUILD, 2026)).rows] == ["Ada"]


async def test_a_damaged_night_is_left_out(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    years = opened.part(YearStore, "club_years")
    event = await played(opened, start_of(2026), FIRST_WIN)
    await played(opened, start_of(2026) + 5, SECOND_WIN)
    statement = "UPDATE club_pairings SET winner = 99 WHERE club = $1"
    await opened.database.write(lambda connection: connection.execute(statement, event.id))
    assert [each.points for each in (await years.year(GUILD, 2026)).rows] == [3, 0]
    assert "left out of its year" in caplog.text


async def test_a_server_that_is_forgotten_has_no_years(opened: Opened) -> None:
    years = opened.part(YearStore, "club_years")
    await years.count_best(GUILD, 2026, 3)
    assert GUILD in await opened.database.read(of_clubs.servers)
    await opened.database.write(lambda connection: of_clubs.forget_server(connection, GUILD))
    assert await opened.database.read(of_clubs.servers) == set()
    assert (await years.year(GUILD, 2026)).best is None


# -- a whole year of a club of twelve --------------------------------------------------------------------

MEMBERS = {2_000_000 + number: f"M{number}" for number in range(12)}
SHY, GONE = 2_000_003, 2_000_007
"""People: one hides their figures, one deletes their data before Christmas."""

FIRST = int(datetime(2025, 12, 23, 19, tzinfo=UTC).timestamp())
WEEKS = 54
FORGOTTEN = WEEKS - 4
"""The week after which a member's data is deleted."""
OUTAGE = range(44, 46)
"""Weeks in which the bot is down."""
EMPTY = 48
"""The week in which nobody comes."""
NIGHTS = int(os.environ.get("NIGHTS", "17"))
"""Number of weeks whose event opens."""
SUMMER = range(7, 7 + WEEKS - len(OUTAGE) - NIGHTS)
"""Weeks without a night: an organiser stops them, and lets them begin again."""
BEST = 6


@pytest.fixture
async def year(tmp_path: Path) -> AsyncIterator[Any]:
    """The club, its database, chance, and by event: its year, and its pairings as they end."""
    path = tmp_path / "games.sqlite3"
    year = SimpleNamespace(path=path, random=Random(6), restarts=0, nights={})
    opened = await open_database(path, lambda: float(year.club.now))
    year.club = Club(opened.database)
    year.club.now = float(FIRST)
    _use(year, opened)
    yield year
    await year.club.tasks.close()
    year.club.worker.close()
    await year.opened.store.close()


def _use(year: Any, opened: Opened) -> None:
    """Start the bot on that database."""
    year.opened, club = opened, year.club
    club.database, club.store = opened.database, opened.store
    club.clubs = opened.part(ClubStore, "clubs")
    _restart(year)


def _restart(year: Any) -> None:
    year.restarts += 1
    year.club.seed = year.random.random()
    year.club.restart()


async def _may_restart(year: Any) -> None:
    """A restart at some points, and at some of them of the database, too."""
    club: Club = year.club
    if year.random.random() < 0.08:
        await club.tasks.close()
        if year.random.random() < 0.3:
            await year.opened.store.close()
            _use(year, await open_database(year.path, lambda: club.now))
        else:
            _restart(year)
        await club.nights.start()
        for key in club.tasks:
            club.tasks.stop(key)


async def _looked(year: Any, number: int) -> Event:
    """All steps that are due, though the bot dies in some of them."""
    club: Club = year.club
    while True:
        if year.random.random() < 0.1:
            club.dies_at = club.requests + year.random.randint(1, 4)
        try:
            return await club.reconcile(number)
        except SystemExit:
            await club.tasks.close()
            _restart(year)
        finally:
            club.dies_at = None


async def _night(year: Any, event: Event, week: int) -> None:
    """A night from the sign-up to its end, or to its early close."""
    club: Club = year.club
    members = [user for user in MEMBERS if week <= FORGOTTEN or user != GONE]
    came = [user for user in members if year.random.random() < 0.85]
    year.random.shuffle(came)
    for user in came:
        await club.clubs.enter(event.id, user, MEMBERS[user], Presence.HERE)
    await _may_restart(year)
    await club.nights.begin(event.id)
    club.tasks.stop(("club", str(event.id)))
    year.nights[event.id] = datetime.fromtimestamp(club.now, UTC).year, []
    closes = week % 11 == 5
    while (event := await _looked(year, event.id)).phase is Phase.PLAYING:
        pairings = [_noted(year, event, each) for each in event.current]
        if closes and event.round == 2:
            await club.clubs.end(event.id, Phase.CLOSED)
            await _looked(year, event.id)
            return
        is_late = False
        for pairing, kept in zip(event.current, pairings, strict=True):
            if pairing.away is not None:
                is_late |= await _play(year, pairing, kept)
                await _may_restart(year)
        if is_late:
            club.now += event.hours * 3600 * 0.8
            await _looked(year, event.id)
            club.now += event.hours * 3600 * 0.3
        else:
            club.now += 900


def _noted(year: Any, event: Event, pairing: Pairing) -> SimpleNamespace:
    """The pairing by people; a bye is won when it begins."""
    home = _person(event, pairing.home)
    away = None if pairing.away is None else _person(event, pairing.away)
    noted = SimpleNamespace(event=event.id, round=event.round, home=home, away=away, winner=None, low=None)
    if away is None:
        noted.winner = home
    year.nights[event.id][1].append(noted)
    return noted


def _person(event: Event, number: int) -> int:
    user = event.entrant(number).user
    assert user is not None
    return user


async def _play(year: Any, pairing: Pairing, noted: SimpleNamespace) -> bool:
    """Let a game come to some end; True if it waits for its deadline, as nobody moves."""
    club: Club = year.club
    chance, loser = year.random.random(), year.random.choice([noted.home, noted.away])
    if chance < 0.04:
        return True
    if chance < 0.1:
        await club.clubs.enter(noted.event, loser, MEMBERS[loser], Presence.LEFT)
    else:
        assert pairing.game is not None
        await club.sessions.move(pairing.game, loser, Resign)
    noted.winner = noted.home if loser == noted.away else noted.away
    return False


async def _correct_one(year: Any) -> None:
    """An organiser corrects a result of some night."""
    number = year.random.choice(sorted(year.nights))
    event = await year.club.clubs.event(number)
    pairing = year.random.choice([each for each in event.pairings if each.away is not None])
    one, other = event.entrant(pairing.home).user, event.entrant(pairing.away).user
    if pairing.outcome is None or not {one, other} <= MEMBERS.keys():
        return
    [noted] = [
        each
        for each in year.nights[number][1]
        if (each.round, each.home, each.away) == (pairing.round, one, other)
    ]
    noted.winner = year.random.choice([one, other, None])
    noted.low = year.random.choice([None, 12, 55]) if noted.winner is not None else None
    scores, kind = (0, 0), Ended.FORFEIT if noted.winner is not None else Ended.NOTHING
    if noted.low is not None:
        scores = (61, noted.low) if noted.winner == one else (noted.low, 61)
        kind = Ended.SKUNK if noted.low < 31 else Ended.WIN
    winner = {one: pairing.home, other: pairing.away, None: None}[noted.winner]
    outcome = Outcome(ended=kind, winner=winner, scores=scores, corrected=True)
    await year.club.nights.correct(number, pairing, outcome)


def _table(year: Any, best: int) -> list[tuple[int, str, int, int, int, int, int]]:
    """Place, name, points, games won, spread, nights that count, and nights, of each in 2026's table."""
    nights: dict[int, list[list[int]]] = defaultdict(list)
    for begun, pairings in year.nights.values():
        night: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for each in pairings:
            if begun != 2026 or each.winner is None:
                continue
            spread = 0 if each.low is None else 61 - each.low
            for person in {each.home, each.away} - {None}:
                is_winner = person == each.winner
                night[person][0] += (3 if spread > 30 else 2) if is_winner else 0
                night[person][1] += is_winner
                night[person][2] += spread if is_winner else -spread
        for person, figures in night.items():
            nights[person].append(figures)
    table = []
    for person in nights.keys() - {SHY, GONE}:
        kept = sorted(nights[person])[-best:]
        points, won, spread = map(sum, zip(*kept, strict=True))
        table.append((points, won, spread, MEMBERS[person], len(kept), len(nights[person])))
    return sorted(
        (1 + sum(other[:3] > each[:3] for other in table), each[3], *each[:3], *each[4:]) for each in table
    )


@pytest.mark.deep
async def test_a_year_of_a_club_of_twelve_adds_up_whatever_happens(year: Any) -> None:
    club: Club = year.club
    await year.opened.standings.people.set_hidden(SHY, hidden=True)
    await club.opened(people=(), rounds=3, hours=2, again=FIRST + WEEK)
    for week in range(WEEKS):
        club.now = float(FIRST + week * WEEK)
        if week in OUTAGE or week in SUMMER[1:-1]:
            continue
        if week in SUMMER[:1]:
            await club.clubs.repeat((await club.events())[-1].id, None)
        if week in SUMMER[-1:]:
            await club.clubs.repeat((await club.events())[-1].id, int(club.now) + WEEK)
        await _may_restart(year)
        await club.polled(club.now + 20)
        event = (await club.events())[-1]
        assert (event.phase is Phase.GATHERING) == (week not in SUMMER), week
        if week == EMPTY or week in SUMMER:
            continue
        await _night(year, event, week)
        if week % 3 == 1:
            await _correct_one(year)
        if week == FORGOTTEN:
            await year.opened.standings.people.forget(GONE)
            while await year.opened.standings.people.forget_more() is not None:
                await _may_restart(year)
    events = await club.events()
    assert len(club.told(":sign")) == len(events) == NIGHTS
    assert [each.id for each in events if each.was_missed] == [NIGHTS - (WEEKS - EMPTY) + 1]
    assert year.restarts > 15

    years = year.opened.part(YearStore, "club_years")
    for best in (None, BEST):
        await years.count_best(GUILD, 2026, best)
        found = [
            (each.place, each.name, each.points, each.won, each.spread, each.counted, each.nights)
            for each in (await years.year(GUILD, 2026)).rows
        ]
        assert sorted(found) == _table(year, best or 99)
        assert len(found) == 10
