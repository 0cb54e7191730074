"""A hundred games, with every figure computed a second time, in another way, from the same logs."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from bot.model.table_record import Agreement, Occupant
from bot.standings.careers import Skunks, career
from bot.standings.leaderboards import Board, Span
from bot.standings.ratings import Kind, Rating, rated
from engine import (
    Card,
    Cards,
    DealBegan,
    Ending,
    GameWon,
    HandShown,
    Pegged,
    Skunk,
    Source,
    StarterCut,
    count,
)
from engine.secret_events import LoggedEvent
from tests.bot.standings.games import GUILD, PEOPLE, Club, played

pytestmark = pytest.mark.deep

GAMES = 96
AGREEMENTS = (
    Agreement.of(preset="short"),
    Agreement.of(preset="short", players=3),
    Agreement.of(preset="short", players=4),
    Agreement.of(preset="short", players=4, partners=False),
    Agreement.of(preset="lurch", target=61),
    Agreement.of(preset="family", target=61, players=3),
    Agreement.of(preset="parlour", target=61),
    Agreement(),
)


@dataclass
class Kept:
    """A game as this test keeps it."""

    people: tuple[Occupant, ...]
    agreement: Agreement
    log: tuple[LoggedEvent, ...]
    at: int

    @property
    def winner(self) -> int:
        last = self.log[-1]
        assert isinstance(last, GameWon)
        return last.side

    def side(self, seat: int) -> int:
        return seat % (2 if self.agreement.rules.partners else len(self.people))

    def seat_of(self, person: Occupant) -> int | None:
        return self.people.index(person) if person in self.people else None

    @property
    def is_rated(self) -> bool:
        """True if it reached its third deal, or a side 31; no two people here play ten games in a day."""
        if sum(isinstance(event, DealBegan) for event in self.log) >= 3:
            return True
        return any(self.holes(seat) >= 31 for seat in range(len(self.people)))

    def holes(self, seat: int) -> int:
        """Holes pegged by the seat's side."""
        return sum(
            event.points
            for event in self.log
            if isinstance(event, Pegged) and self.side(event.seat) == self.side(seat)
        )

    def skunk(self, seat: int) -> Skunk:
        """By the holes that its side has pegged, where the game was played out."""
        last = self.log[-1]
        assert isinstance(last, GameWon)
        if self.side(seat) == last.side or last.ending is not Ending.PEGGED_OUT:
            return Skunk.NONE
        return self.agreement.rules.skunk_at(self.holes(seat))


@dataclass
class Book:
    """One seat's points, added up deal by deal."""

    pegged: dict[bool, int] = field(default_factory=lambda: defaultdict(int))
    deals: dict[bool, int] = field(default_factory=lambda: defaultdict(int))
    hands: dict[bool, list[int]] = field(default_factory=lambda: defaultdict(list))
    cribs: list[int] = field(default_factory=list)
    best: list[tuple[int, Cards, Card]] = field(default_factory=list)


def deals_of(log: tuple[LoggedEvent, ...]) -> list[tuple[LoggedEvent, ...]]:
    starts = [place for place, event in enumerate(log) if isinstance(event, DealBegan)]
    return [log[start:end] for start, end in pairwise([*starts, len(log)])]


def add_up(game: Kept, books: dict[Occupant, Book]) -> None:
    """The show is counted again from the cards; all other points were pegged before it."""
    rules = game.agreement.rules
    for deal in deals_of(game.log):
        assert isinstance(deal[0], DealBegan)
        dealer = deal[0].dealer
        starter = next((event.card for event in deal if isinstance(event, StarterCut)), None)
        if starter is None:
            continue
        totals = {
            seat: sum(event.points for event in deal if isinstance(event, Pegged) and event.seat == seat)
            for seat in range(len(game.people))
        }
        for seat, person in enumerate(game.people):
            books[person].deals[seat == dealer] += 1
        for event in deal:
            if not isinstance(event, HandShown):
                continue
            is_crib = event.source is Source.CRIB
            points = count(event.cards, starter=starter, rules=rules, crib=is_crib).points
            totals[event.seat] -= points
            book = books[game.people[event.seat]]
            if is_crib:
                book.cribs.append(points)
            else:
                book.hands[event.seat == dealer].append(points)
                book.best.append((points, event.cards, starter))
        for seat, person in enumerate(game.people):
            books[person].pegged[seat == dealer] += totals[seat]


def rate_by_hand(games: list[Kept]) -> dict[tuple[bool, Occupant], Rating]:
    ratings: dict[tuple[bool, Occupant], Rating] = defaultdict(Rating)
    for game in games:
        if not game.is_rated:
            continue
        two = len(game.people) == 2
        teams: dict[int, list[Occupant]] = defaultdict(list)
        for seat, person in enumerate(game.people):
            teams[game.side(seat)].append(person)
        after = rated([[ratings[two, each] for each in team] for team in teams.values()], game.winner)
        for team, news in zip(teams.values(), after, strict=True):
            for person, new in zip(team, news, strict=True):
                ratings[two, person] = new
    return ratings


@pytest.fixture(scope="module")
def games() -> list[Kept]:
    random = Random(152)
    made = []
    for seed in range(GAMES):
        agreement = AGREEMENTS[seed % len(AGREEMENTS)]
        people = tuple(random.sample(PEOPLE, agreement.players))
        made.append(
            Kept(people, agreement, played(2_000 + seed, agreement), at=1_790_000_000 + seed * 20_000)
        )
    return made


@pytest.fixture(scope="module")
def book(games: list[Kept], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database after all those games, applied in several goes."""
    path = tmp_path_factory.mktemp("club") / "games.sqlite3"

    async def keep() -> None:
        club = await Club.open(path)
        for number, game in enumerate(games):
            club.clock.now = game.at
            await club.finished(game.people, game.log, game.agreement)
            if number % 20 == 0:
                await club.projection.flush()
        await club.projection.flush()
        await club.close()

    asyncio.run(keep())
    return path


@pytest.fixture
async def full_club(book: Path) -> AsyncIterator[Club]:
    club = await Club.open(book)
    yield club
    await club.close()


async def test_every_figure_is_what_the_logs_say(full_club: Club, games: list[Kept]) -> None:
    books: dict[Occupant, Book] = defaultdict(Book)
    by_kind: dict[Kind, dict[Occupant, Book]] = {kind: defaultdict(Book) for kind in Kind}
    for game in games:
        add_up(game, books)
        add_up(game, by_kind[Kind.of(len(game.people))])
    for person in PEOPLE:
        mine = [game for game in games if person in game.people]
        seats = [game.seat_of(person) or 0 for game in mine]
        won = [game.side(seat) == game.winner for game, seat in zip(mine, seats, strict=True)]
        told = await full_club.queries.career(person.user, GUILD)
        assert told == career((await full_club.appearances(person.user, GUILD)).values())

        assert (told.games, told.wins) == (len(mine), sum(won))
        text = "".join("w" if each else "l" for each in won)
        assert told.longest == max(map(len, text.split("l")))
        run = len(text) - len(text.rstrip(text[-1]))
        assert told.streak == (run if text[-1] == "w" else -run)
        assert told.taken == tally(game.skunk(seat) for game, seat in zip(mine, seats, strict=True))
        assert told.given == tally(
            game.skunk(side)
            for game, is_won in zip(mine, won, strict=True)
            if is_won
            for side in range(2 if game.agreement.rules.partners else len(game.people))
        )
        best = max(points for points, _, _ in books[person].best)
        first = next(each for each in books[person].best if each[0] == best)
        assert told.best is not None
        assert (told.best.points, told.best.cards, told.best.starter) == first
        for kind, books_of_kind in by_kind.items():
            book, figures = books_of_kind[person], told.figures[kind]
            for is_dealer, role in ((True, figures.dealing), (False, figures.not_dealing)):
                assert role.deals == book.deals[is_dealer] > 0
                assert role.pegged == book.pegged[is_dealer] > 0
                assert (role.hands, role.points) == (len(book.hands[is_dealer]), sum(book.hands[is_dealer]))
            assert (figures.cribs, figures.crib_points) == (len(book.cribs), sum(book.cribs))


def tally(skunks: object) -> Skunks:
    found = list(skunks)  # type: ignore[call-overload]
    return Skunks(
        single=found.count(Skunk.SKUNK), double=found.count(Skunk.DOUBLE), lurch=found.count(Skunk.LURCH)
    )


async def test_ratings_are_those_of_the_games_in_their_order(full_club: Club, games: list[Kept]) -> None:
    expected = rate_by_hand(games)
    for person in PEOPLE:
        told = await full_club.queries.ratings(person.user, GUILD)
        for kind, rating in told.items():
            by_hand = expected[kind is Kind.TWO, person]
            assert (rating.mu, rating.sigma) == (by_hand.mu, by_hand.sigma)
            assert rating.games == sum(
                game.is_rated and person in game.people and Kind.of(len(game.people)) is kind
                for game in games
            )
        assert set(told) == set(Kind)


async def test_rivals_have_the_record_that_their_games_say(full_club: Club, games: list[Kept]) -> None:
    ada, ben = PEOPLE[0], PEOPLE[1]
    told = await full_club.queries.rivalry(ada.user, ben.user, GUILD)
    assert replace(told, won=told.lost, lost=told.won) == await full_club.queries.rivalry(
        ben.user, ada.user, GUILD
    )
    both = [game for game in games if {ada, ben} <= set(game.people)]
    against = [g for g in both if g.side(g.people.index(ada)) != g.side(g.people.index(ben))]
    partners = [g for g in both if g not in against]
    assert (told.games, told.together) == (len(against), len(partners))
    assert told.won == sum(g.side(g.people.index(ada)) == g.winner for g in against) > 0
    assert told.lost == sum(g.side(g.people.index(ben)) == g.winner for g in against) > 0
    assert told.won + told.lost < told.games, "a third player wins now and then"
    assert told.won_together == sum(g.side(g.people.index(ada)) == g.winner for g in partners) > 0


async def test_boards_are_in_the_order_of_their_figures(full_club: Club, games: list[Kept]) -> None:
    wins = {
        person.name: sum(
            game.side(game.people.index(person)) == game.winner for game in games if person in game.people
        )
        for person in PEOPLE
    }
    board = await full_club.queries.leaderboard(GUILD, Board.WINS, Span.EVER, asker=PEOPLE[0].user)
    told = [(row.tally.name, row.tally.wins) for row in board.rows]
    assert sorted(told) == sorted(wins.items())
    assert [each for _, each in told] == sorted(wins.values(), reverse=True)


async def test_computed_anew_it_is_the_same_to_the_last_bit(full_club: Club) -> None:
    before = await full_club.projections.fingerprint()
    assert await full_club.projection.rebuild()
    assert await full_club.projections.fingerprint() == before


def test_the_games_hold_what_they_are_to_prove(games: list[Kept]) -> None:
    """Skunks of every sort, resignations, and games won in the play and at the show."""
    skunks = {game.skunk(seat) for game in games for seat in range(len(game.people))}
    assert skunks == set(Skunk)
    endings = {event.ending for game in games for event in game.log[-1:] if isinstance(event, GameWon)}
    assert endings >= {Ending.PEGGED_OUT, Ending.RESIGNED}
    assert {game.is_rated for game in games} == {True, False}
    assert len({sum(isinstance(event, DealBegan) for event in game.log) for game in games}) > 4
