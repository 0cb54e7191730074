"""Milestones: which game reached one, and that no other game tells it, before or after a rebuild."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import TypeAlias

import pytest

from bot.language.languages import Language
from bot.model.great_moments import LONG_WAY
from bot.model.table_record import Agreement, computer_at
from bot.render.text.milestones import milestones_line
from bot.render.text.voice import Voice
from bot.standings.figures import figures
from bot.standings.milestones import GAMES, HANDS, Milestone, Played, reached
from bot.standings.rated_games import RatedGames
from bot.standings.results import result_of
from engine import Chance, CountAloud, CutForFirstDeal, Deal, Game, Seat, StandIn
from engine.computer import Level, plain_move
from engine.secret_events import LoggedEvent
from tests.bot.standings.games import ADA, BEN, CLEO, ON_BOTH, SHORT, Club, played, resigned

Log: TypeAlias = Sequence[LoggedEvent]

ALOUD = Agreement.of(aloud=True)

PLAIN = Played(
    won=True, beaten=frozenset(), comeback=0, best=12, aloud=12, games=7,
    had_won=True, had_beaten=frozenset(), had_come_back=False, best_before=29, had_counted=False,
)  # fmt: skip


async def told(club: Club, game: str) -> tuple[tuple[Milestone, ...], ...]:
    rated = RatedGames(club.projection, club.queries)
    await rated.changes(game)
    return await rated.milestones(game)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, ()),
        ({"had_won": False}, (Milestone.PEOPLE,)),
        ({"had_won": False, "won": False}, ()),
        ({"comeback": LONG_WAY}, (Milestone.COMEBACK,)),
        ({"comeback": LONG_WAY - 1}, ()),
        ({"comeback": LONG_WAY, "had_come_back": True}, ()),
        ({"best": 24, "best_before": 19}, (Milestone.TWENTY, Milestone.TWENTY_FOUR)),
        ({"best": 29, "best_before": 24}, (Milestone.TWENTY_EIGHT,)),
        ({"aloud": 20}, (Milestone.ALOUD,)),
        ({"aloud": 19}, ()),
        ({"aloud": 24, "had_counted": True}, ()),
        ({"games": 100}, (Milestone.HUNDRED,)),
        ({"games": 101}, ()),
    ],
)
def test_what_a_game_reached(facts: dict[str, int], expected: tuple[Milestone, ...]) -> None:
    assert reached(replace(PLAIN, **facts), among_people=True) == expected  # type: ignore[arg-type]


def test_a_computer_is_beaten_for_the_first_time_once() -> None:
    first = replace(PLAIN, had_won=False, beaten=frozenset({Level.STEADY, Level.EXPERT}))
    assert reached(first, among_people=False) == (Milestone.STEADY, Milestone.EXPERT)
    again = replace(first, had_beaten=frozenset({Level.STEADY}))
    assert reached(again, among_people=False) == (Milestone.EXPERT,)


def test_there_are_fourteen_and_each_has_its_words_in_each_language() -> None:
    assert len(Milestone) == 14
    for voice in (Voice(), Voice(Language.of("fr"))):
        lines = [milestones_line((each,), voice) for each in Milestone]
        assert len(set(lines)) == 14
    assert milestones_line((Milestone.PEOPLE, Milestone.HUNDRED), Voice()) == (
        "Milestones: your first win against people, 100 games finished"
    )
    assert milestones_line((), Voice()) == ""


@ON_BOTH
async def test_the_first_win_is_told_by_its_game_alone_and_by_a_rebuild_too(club: Club) -> None:
    first, second = await club.won(ADA, BEN), await club.won(ADA, CLEO)
    third = await club.won(BEN, ADA)
    assert await told(club, first) == ((Milestone.PEOPLE,), ())
    assert await told(club, second) == ((), ())
    assert await told(club, third) == ((Milestone.PEOPLE,), ())
    assert await club.projection.rebuild()
    assert [await told(club, game) for game in (first, second, third)] == [
        ((Milestone.PEOPLE,), ()),
        ((), ()),
        ((Milestone.PEOPLE,), ()),
    ]
    assert await club.queries.milestones("nowhere") == ()
    await club.forget(ADA.user)
    assert await told(club, first) == ((), ())


async def test_a_computer_of_each_level_has_a_first_win(club: Club) -> None:
    lost = resigned(Seat(1), deal=3)

    async def beat(level: Level) -> str:
        return await club.finished((ADA, computer_at(level, ())), lost, SHORT)

    games = [await beat(level) for level in (Level.BEGINNER, Level.STEADY, Level.BEGINNER)]
    assert [await told(club, game) for game in games] == [
        ((Milestone.BEGINNER,), ()),
        ((Milestone.STEADY,), ()),
        ((), ()),
    ]
    won = resigned(Seat(0), deal=3)
    beaten_by = await club.finished((BEN, computer_at(Level.BEGINNER, ())), won, SHORT)
    assert await told(club, beaten_by) == ((), ())


async def test_hands_comebacks_and_numbers_of_games_are_those_of_the_games_and_told_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDS, Milestone.TWENTY, 8)
    monkeypatch.setitem(GAMES, Milestone.TEN, 4)
    for module in ("bot.standings.milestones", "bot.store.milestones"):
        monkeypatch.setattr(f"{module}.LONG_WAY", 3)
    games, best, has_come_back = [], [0, 0], [False, False]
    expected: dict[Milestone, list[list[bool]]] = {Milestone.TWENTY: [], Milestone.COMEBACK: []}
    for seed in range(5):
        log = played(seed, Agreement())
        games.append(await club.finished((ADA, BEN), log, Agreement()))
        result = result_of(log)
        assert result is not None
        comes_back = [part.comeback >= 3 for part in result.seats]
        expected[Milestone.TWENTY].append(
            [before < 8 <= now for before, now in zip(best, most(log), strict=True)]
        )
        expected[Milestone.COMEBACK].append(
            [now and not before for before, now in zip(has_come_back, comes_back, strict=True)]
        )
        best = [max(both) for both in zip(best, most(log), strict=True)]
        has_come_back = [any(both) for both in zip(has_come_back, comes_back, strict=True)]
    found = [await told(club, game) for game in games]
    for milestone, when in expected.items():
        assert [[milestone in each for each in both] for both in found] == when
        assert any(map(any, when))
    assert [Milestone.TEN in both[0] for both in found] == [False, False, False, True, False]


async def test_a_game_of_a_variant_reaches_nothing(club: Club) -> None:
    shotgun = Agreement.of(preset="shotgun")
    assert await told(club, await club.finished((ADA, BEN), played(2, shotgun), shotgun)) == ()


@lru_cache(maxsize=8)
def counted_aloud(seed: int, *, made_for: Seat | None = None, errs: Seat | None = None) -> Log:
    """A game in which all count aloud; the clock moves for one seat, another counts a point too few."""
    game = Game.new(ALOUD.rules, chance=Chance(Random(seed)), automatic={CutForFirstDeal, Deal})
    while not game.is_over:
        seat = game.table.waiting_for[0]
        move = plain_move(game.view(seat))
        if isinstance(move, CountAloud) and seat == errs and move.points:
            move = replace(move, points=move.points - 1)
        game.apply(StandIn(move) if seat == made_for else move)
    return game.log


def most(log: Log) -> list[int]:
    """By seat: the points of the best hand as it was counted."""
    result = result_of(log)
    assert result is not None
    return [part.figures.best.points if part.figures.best else 0 for part in result.seats]


def heard(log: Log) -> list[int]:
    """By seat: the points of the best hand that was counted right aloud."""
    return [seat.aloud for seat in figures(log)]


def test_a_hand_is_counted_right_by_its_player_and_nobody_else() -> None:
    log = counted_aloud(1)
    assert heard(log) == most(log)
    assert min(heard(log)) > 0
    assert heard(counted_aloud(1, made_for=Seat(0)))[0] == 0
    assert heard(counted_aloud(1, made_for=Seat(0)))[1] > 0
    assert heard(counted_aloud(1, errs=Seat(1)))[1] == 0
    assert heard(played(1, Agreement())) == [0, 0], "nobody counts aloud there"


@pytest.mark.deep
async def test_the_first_hand_counted_right_aloud_is_told_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("bot.standings.milestones", "bot.store.milestones"):
        monkeypatch.setattr(f"{module}.TWENTY", 8)

    async def both(log: Log) -> str:
        return await club.finished((ADA, BEN), log, ALOUD)

    logs = [
        counted_aloud(1, made_for=Seat(0), errs=Seat(1)),
        counted_aloud(2, errs=Seat(1)),
        counted_aloud(3),
        counted_aloud(4),
    ]
    games = [await both(log) for log in logs]
    assert min(min(heard(log)) for log in logs[2:]) >= 8
    expected = [[False, False], [True, False], [False, True], [False, False]]

    async def found() -> list[list[bool]]:
        return [[Milestone.ALOUD in each for each in await told(club, game)] for game in games]

    assert await found() == expected
    assert await club.projection.rebuild()
    assert await found() == expected


async def test_while_old_games_lack_the_figure_nothing_is_told_twice(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("bot.standings.milestones", "bot.store.milestones"):
        monkeypatch.setattr(f"{module}.TWENTY", 8)
    monkeypatch.setattr("bot.standings.milestones.HANDS", {})
    before = await club.finished((ADA, BEN), counted_aloud(3), ALOUD)
    await club.projection.flush()
    rows = await club.database.read(
        lambda connection: connection.fetch("SELECT seat, part FROM result_seats")
    )
    for row in rows:
        part = json.loads(row["part"])
        del part["figures"]["aloud"]
        await club.database.write(
            lambda connection, row=row, part=part: connection.execute(
                "UPDATE result_seats SET part = $1 WHERE seat = $2", json.dumps(part), row["seat"]
            )
        )
    after = await club.finished((ADA, BEN), counted_aloud(4), ALOUD)
    for game in (before, after):
        assert not any(Milestone.ALOUD in each for each in await told(club, game))
    await club.projection.rebuild()
    assert all(Milestone.ALOUD in each for each in await told(club, before))
    assert not any(Milestone.ALOUD in each for each in await told(club, after))
