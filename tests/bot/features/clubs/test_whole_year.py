"""A year of a club of twelve: weekly nights, restarts anywhere, corrections, and a member who goes.

What is stored at the end is compared with a ledger that the test keeps of what it has made happen, added up
by plain code that shares nothing with the bot. `NIGHTS=52` has a night in each week of the year.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.features.clubs.event import Ended, Event, Outcome, Pairing, Phase, Presence
from bot.features.clubs.store import ClubStore
from bot.features.clubs.weeks import WEEK
from bot.features.clubs.year_store import YearStore
from bot.standings import results
from bot.standings.projection import Projection
from bot.standings.wall import Feat, Wall
from bot.store.opening import Opened, open_database
from engine import Chance, CutForFirstDeal, Deal, DealBegan, Game, HandCounted, Pegged, Resign
from tests.bot.features.clubs.test_nights import Killed
from tests.bot.features.clubs.test_store import GUILD
from tests.bot.features.clubs.test_weekly import WeeklyClub

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
GREAT = 12
"""Points of a hand on the wall; hands of 24 are too rare at random."""


@dataclass
class Played:
    """A pairing as it came out: the people at home and away, and who won."""

    event: int
    round: int
    home: int
    away: int | None
    winner: int | None
    loser_points: int | None = None
    """`None` for a bye, a forfeit, or a resignation."""
    is_played_out: bool = False
    """True for a win on the board, or by resignation."""


@dataclass
class Ledger:
    """All that happened, as the test made it happen."""

    nights: dict[int, tuple[int, list[Played]]] = field(default_factory=dict)
    """By event: the year of its beginning, and its pairings."""
    games: list[tuple[int, int, int, int | None, int]] = field(default_factory=list)
    """In order of finishing: month as 202611, winner, loser, the loser's points unless resigned, comeback."""
    hands: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Great hands by person and points."""
    over: set[int] = field(default_factory=set)
    """Events that came to their end."""


class Twelve(WeeklyClub):
    """The club, the clock, and chance."""

    def __init__(self, path: Path, opened: Opened) -> None:
        self.random = Random(6)
        self.path = path
        self.ledger = Ledger()
        self.restarts = 0
        super().__init__(opened.database)
        self.now = float(FIRST)
        self.use(opened)

    def use(self, opened: Opened) -> None:
        """Start the bot on that database."""
        self.opened_database = opened
        self.database = opened.database
        self.store: Any = opened.store
        self.clubs = opened.part(ClubStore, "clubs")
        self.restart()

    def restart(self) -> None:
        self.seed = self.random.random()
        super().restart()

    async def may_restart(self) -> None:
        """A restart at some points, and at some of them of the database, too."""
        if self.random.random() < 0.08:
            self.restarts += 1
            await self.tasks.close()
            if self.random.random() < 0.3:
                await self.opened_database.store.close()
                self.use(await open_database(self.path, lambda: self.now))
            else:
                self.restart()
            await self.nights.start()
            for key in self.tasks:
                self.tasks.stop(key)

    async def looked(self, number: int) -> Event:
        """All steps that are due, though the bot dies in some of them."""
        while True:
            if self.random.random() < 0.1:
                self.discord.dies_at = self.discord.requests + self.random.randint(1, 4)
            try:
                return await self.reconcile(number)
            except Killed:
                self.restarts += 1
                await self.tasks.close()
                self.restart()
            finally:
                self.discord.dies_at = None

    # --- a night ---

    async def night(self, event: Event, week: int) -> None:
        """A night from the sign-up to its end, or to its early close."""
        members = [user for user in MEMBERS if week <= FORGOTTEN or user != GONE]
        came = [user for user in members if self.random.random() < 0.85]
        self.random.shuffle(came)
        for user in came:
            await self.clubs.enter(event.id, user, MEMBERS[user], Presence.HERE)
        await self.may_restart()
        await self.nights.begin(event.id)
        self.tasks.stop(("club", str(event.id)))
        self.ledger.nights[event.id] = datetime.fromtimestamp(self.now, UTC).year, []
        closes = week % 11 == 5
        while (event := await self.looked(event.id)).phase is Phase.PLAYING:
            if closes and event.round == 2:
                self.byes(event)
                await self.clubs.end(event.id, Phase.CLOSED)
                await self.looked(event.id)
                break
            await self.round(event)
        if event.phase is Phase.OVER:
            self.ledger.over.add(event.id)

    async def round(self, event: Event) -> None:
        """A round, as the bot has paired it."""
        self.byes(event)
        _, kept = self.ledger.nights[event.id]
        is_late = False
        for pairing in event.current:
            if pairing.away is None:
                continue
            home, away = self.person(event, pairing.home), self.person(event, pairing.away)
            played = Played(event.id, event.round, home, away, None)
            kept.append(played)
            is_late |= await self.play(pairing, played)
            await self.may_restart()
        if is_late:
            self.now += event.hours * 3600 * 0.8
            await self.looked(event.id)
            self.now += event.hours * 3600 * 0.3
        else:
            self.now += 900

    def byes(self, event: Event) -> None:
        """Those of a round are won when it begins."""
        for pairing in event.current:
            if pairing.away is None:
                home = self.person(event, pairing.home)
                self.ledger.nights[event.id][1].append(Played(event.id, event.round, home, None, home))

    async def play(self, pairing: Pairing, played: Played) -> bool:
        """Let a pairing come to some end; True if it waits for its deadline."""
        chance, game = self.random.random(), pairing.game
        assert game is not None
        assert played.away is not None
        both = [played.home, played.away]
        if chance < 0.03:  # nobody moves
            return True
        if chance < 0.06:
            leaver = self.random.choice(both)
            await self.clubs.enter(played.event, leaver, MEMBERS[leaver], Presence.LEFT)
            both.remove(leaver)
            [played.winner] = both
        elif chance < 0.45:
            loser = self.random.choice(both)
            await self.sessions.move(game, loser, Resign)
            both.remove(loser)
            [played.winner] = both
            played.is_played_out = True
            self.finished(played.winner, loser, None, 0)
        else:
            await self.play_out(game, both, played)
        return False

    async def play_out(self, game: str, both: list[int], played: Played) -> None:
        """Play at random to the end, in one step of the store's."""
        log = await self.store.log(game)
        table = Game.replay(
            log, chance=Chance(Random(self.random.random())), automatic={CutForFirstDeal, Deal}
        )
        while not table.is_over:
            seat = self.random.choice(table.table.waiting_for)
            moves = [each for each in table.legal_moves(seat) if type(each) is not Resign]
            table.apply(self.random.choice(moves))
        await self.store.append(game, len(log), table.log[len(log) :], over=True)
        await self.sessions.changed_elsewhere(game)
        scores, behind = [0, 0], [0, 0]
        for event in table.log:
            match event:
                case Pegged():
                    scores[event.seat] = min(61, scores[event.seat] + event.points)
                case DealBegan():
                    behind = [max(behind[0], scores[1] - scores[0]), max(behind[1], scores[0] - scores[1])]
                case HandCounted(points=points) if points >= GREAT:
                    self.ledger.hands[both[event.seat], points] += 1
        won = 0 if scores[0] > scores[1] else 1
        assert max(scores) == 61
        played.winner, played.loser_points, played.is_played_out = both[won], min(scores), True
        self.finished(both[won], both[1 - won], min(scores), behind[won])

    def finished(self, winner: int, loser: int, points: int | None, comeback: int) -> None:
        at = datetime.fromtimestamp(self.now, UTC)
        self.ledger.games.append((at.year * 100 + at.month, winner, loser, points, comeback))

    async def correct_one(self) -> None:
        """An organiser corrects a result of some night."""
        number = self.random.choice(sorted(self.ledger.nights))
        event = await self.clubs.event(number)
        pairing = self.random.choice([each for each in event.pairings if each.away is not None])
        if pairing.outcome is None:
            return
        known = {user for user in MEMBERS if event.entrant_of(user)}
        away = pairing.away
        assert away is not None
        one, other = self.person(event, pairing.home), self.person(event, away)
        if not {one, other} <= known:
            return
        [played] = [
            each
            for each in self.ledger.nights[number][1]
            if (each.round, each.home, each.away) == (pairing.round, one, other)
        ]
        played.winner = winner = self.random.choice([one, other, None])
        played.loser_points = points = self.random.choice([None, 12, 55]) if winner is not None else None
        played.is_played_out = points is not None
        numbers = {one: pairing.home, other: away, None: None}
        scores = (0, 0) if points is None else (61, points) if winner == one else (points, 61)
        kind = Ended.NOTHING if winner is None else Ended.FORFEIT
        if points is not None:
            kind = Ended.SKUNK if points < 31 else Ended.WIN
        outcome = Outcome(ended=kind, winner=numbers[winner], scores=scores, corrected=True)
        await self.nights.correct(number, pairing, outcome)

    @staticmethod
    def person(event: Event, number: int) -> int:
        user = event.entrant(number).user
        assert user is not None
        return user


# --- the reckoning, in plain code ---


def year_table(ledger: Ledger, year: int, best: int) -> list[tuple[int, str, int, int, int, int, int]]:
    """Place, name, points, games won, spread, nights that count, and nights, of each who is in the table."""
    nights: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for begun, pairings in ledger.nights.values():
        if begun != year:
            continue
        night: dict[int, list[int]] = {}
        for each in pairings:
            if each.winner is None:
                continue
            for person in (each.home, each.away):
                if person is not None:
                    night.setdefault(person, [0, 0, 0])
            is_skunk = each.loser_points is not None and each.loser_points <= 30
            night[each.winner][0] += 3 if is_skunk else 2
            night[each.winner][1] += 1
            if each.loser_points is not None and each.away is not None:
                loser = each.away if each.winner == each.home else each.home
                night[each.winner][2] += 61 - each.loser_points
                night[loser][2] -= 61 - each.loser_points
        for person, (points, won, spread) in night.items():
            nights[person].append((points, won, spread))
    table = []
    for person, all_nights in nights.items():
        if person in {SHY, GONE}:
            continue
        kept = sorted(all_nights)[-best:]
        points, won, spread = (sum(each[figure] for each in kept) for figure in range(3))
        table.append((points, won, spread, MEMBERS[person], len(kept), len(all_nights)))
    table.sort(reverse=True)
    return [
        (1 + sum(other[:3] > each[:3] for other in table), each[3], *each[:3], *each[4:]) for each in table
    ]


def named(best: dict[int, int], least: int) -> tuple[int, tuple[str, ...]]:
    """The highest number, and who has it; nobody below `least`."""
    shown = {MEMBERS[user]: number for user, number in best.items() if user not in {SHY, GONE}}
    most = max(shown.values(), default=0)
    if most < least:
        return 0, ()
    return most, tuple(sorted(name for name, number in shown.items() if number == most))


def slams(ledger: Ledger) -> dict[int, int]:
    found: Counter[int] = Counter()
    for event in ledger.over:
        pairings = ledger.nights[event][1]
        rounds = max(each.round for each in pairings)
        for user in MEMBERS:
            won = [each for each in pairings if each.winner == user]
            if len(won) == rounds and sum(each.is_played_out for each in won) >= 3:
                found[user] += 1
    return found


def streaks(ledger: Ledger) -> dict[int, int]:
    now: Counter[int] = Counter()
    best: Counter[int] = Counter()
    for _, winner, loser, *_ in ledger.games:
        now[winner] += 1
        now[loser] = 0
        best[winner] = max(best[winner], now[winner])
    return best


def champions(ledger: Ledger, month: int) -> list[tuple[int, str, int, int]]:
    """Place, name, games won and games, of the podium."""
    won: Counter[int] = Counter()
    games: Counter[int] = Counter()
    for at, winner, loser, *_ in ledger.games:
        if at == month:
            won[winner] += 1
            games.update((winner, loser))
    ranked = sorted((-won[user], games[user], user) for user in games if user != SHY)
    found = [
        (1 + sum(other[:2] < each[:2] for other in ranked), "" if each[2] == GONE else MEMBERS[each[2]], each)
        for each in ranked
    ]
    return sorted((place, name, -each[0], each[1]) for place, name, each in found if place <= 3 and each[0])


# --- the year ---


@pytest.fixture(autouse=True)
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "WALL", GREAT)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Twelve]:
    path = tmp_path / "games.sqlite3"
    twelve = Twelve(path, await open_database(path, lambda: twelve.now))
    yield twelve
    await twelve.tasks.close()
    twelve.worker.close()
    await twelve.opened_database.store.close()


@pytest.mark.deep
async def test_a_year_of_a_club_of_twelve_adds_up_whatever_happens(club: Twelve) -> None:
    await club.opened_database.standings.people.set_hidden(SHY, hidden=True)
    await club.opened(people=(), rounds=3, hours=2, again=FIRST + WEEK)
    for week in range(WEEKS):
        club.now = float(FIRST + week * WEEK)
        if week in OUTAGE or week in SUMMER[1:-1]:
            continue
        if week in SUMMER[:1]:
            await club.clubs.repeat((await club.events())[-1].id, None)
        if week in SUMMER[-1:]:
            await club.clubs.repeat((await club.events())[-1].id, int(club.now) + WEEK)
        await club.may_restart()
        await club.polled(club.now + 20)
        event = (await club.events())[-1]
        if week in SUMMER:
            assert event.phase is not Phase.GATHERING
            continue
        assert event.phase is Phase.GATHERING, week
        if week == EMPTY:
            continue
        await club.night(event, week)
        if week % 3 == 1:
            await club.correct_one()
        if week == FORGOTTEN:
            await forget(club)
    opens = [each for each in club.discord.said if ":sign" in each[1]]
    events = await club.events()
    assert len(opens) == len(events) == NIGHTS
    assert [each.id for each in events if each.was_missed] == [NIGHTS - (WEEKS - EMPTY) + 1]
    assert club.restarts > 15
    await compare(club)


async def forget(club: Twelve) -> None:
    people = club.opened_database.standings.people
    await Projection(club.opened_database.standings.projection).flush()
    await people.forget(GONE)
    while await people.forget_more() is not None:
        await club.may_restart()
        people = club.opened_database.standings.people


async def compare(club: Twelve) -> None:
    """The year, the wall and the champions, before and after a rebuild."""
    club.now = datetime(2027, 1, 10, tzinfo=UTC).timestamp()
    opened = club.opened_database
    years = opened.part(YearStore, "club_years")
    projection = Projection(opened.standings.projection)
    await projection.flush()
    for best in (None, BEST):
        await years.count_best(GUILD, 2026, best)
        found = await years.year(GUILD, 2026)
        table = [
            (each.place, each.name, each.points, each.won, each.spread, each.counted, each.nights)
            for each in found.rows
        ]
        assert table == year_table(club.ledger, 2026, best or 99)
        assert len(table) == 10
    wall = await opened.standings.queries.wall(GUILD)
    records = {feat: (each.number, each.names) for feat, each in wall.records.items()}
    skunks = Counter(
        winner for _, winner, _, points, _ in club.ledger.games if points is not None and points <= 30
    )
    comebacks = {
        user: max((each[4] for each in club.ledger.games if each[1] == user), default=0) for user in MEMBERS
    }
    wanted = {
        Feat.SLAMS: named(slams(club.ledger), 1),
        Feat.STREAK: named(streaks(club.ledger), 3),
        Feat.SKUNKS: named(skunks, 1),
        Feat.COMEBACK: named(comebacks, 30),
    }
    assert records == {feat: each for feat, each in wanted.items() if each[0]}
    assert {Feat.SLAMS, Feat.STREAK, Feat.SKUNKS} <= records.keys()
    podiums = [
        sorted((each.place, each.name, each.wins, each.games) for each in season.podium)
        for season in wall.champions
    ]
    assert podiums == [champions(club.ledger, 202612), champions(club.ledger, 202611)]
    assert await hands_on(opened, wall) == {
        ("somebody" if user == GONE else MEMBERS[user], points): number
        for (user, points), number in club.ledger.hands.items()
        if user != SHY
    }
    assert await projection.rebuild(), "nothing changes"
    assert await opened.standings.queries.wall(GUILD) == wall
    assert await years.year(GUILD, 2026) == found


async def hands_on(opened: Opened, wall: Wall) -> Counter[tuple[str, int]]:
    """The hands on all pages, by name and points."""
    found: Counter[tuple[str, int]] = Counter()
    for page in range(wall.pages):
        for each in (await opened.standings.queries.wall(GUILD, page)).hands:
            found[each.record.occupants[each.seat].name or "somebody", each.hand.points] += 1
    return found
