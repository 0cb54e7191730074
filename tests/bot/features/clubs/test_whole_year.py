"""A year of a club of twelve: weekly nights, restarts anywhere, corrections, and a member who goes.

The year's table is compared with what the test has made happen, added up by plain code that shares nothing
with the bot. `NIGHTS=52` has a night in each week of the year.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.clubs.event import Ended, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import WEEK
from bot.features.clubs.year_store import YearStore
from bot.store.opening import Opened, open_database
from engine import Resign
from tests.bot.features.clubs.test_nights import Club
from tests.bot.features.clubs.test_store import GUILD

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Joe", "Kim", "Leo")
MEMBERS = dict(enumerate(NAMES, 2_000_000))
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
