"""The projection: finished games applied in order, once each, and the rebuild."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.maintenance import rebuild
from bot.model.errors import DatabaseUnusable
from bot.standings.projection import Projection
from bot.standings.ratings import Kind
from bot.store.examination import damage_in
from bot.store.projection import EDITIONS
from engine import Seat
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    GUILD,
    NOON,
    ON_BOTH,
    ON_SQLITE,
    SHORT,
    Club,
    played,
    resigned,
)


def steps_of(most: int, *, cheap: int) -> list[Any]:
    """Numbers of steps after which something else happens; all but one are deep."""
    return [
        steps if steps == cheap else pytest.param(steps, marks=pytest.mark.deep) for steps in range(most + 1)
    ]


@ON_BOTH
async def test_games_come_in_the_order_in_which_they_end(club: Club) -> None:
    first = await club.seated((ADA, BEN), SHORT)
    second = await club.seated((ADA, BEN), SHORT)
    log = resigned(Seat(0))
    for record in (first, second):
        await club.store.begin(record.game, log[:3])
    for record in (second, first):
        await club.store.append(record.game, 3, log[3:], over=True)
    assert await club.projections.is_behind()
    assert [await club.projections.apply_next() for _ in range(3)] == [second.game, first.game, None]
    assert not await club.projections.is_behind()


@ON_BOTH
async def test_computed_again_every_game_comes_to_the_same_and_the_old_answers_stay_meanwhile(
    club: Club,
) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        await club.won(winner, loser)
    await club.projection.flush()
    await club.projection.recount()
    assert not await club.projections.is_outdated()
    before = await club.projections.fingerprint()

    await club.projections.invalidate()
    assert await club.projections.is_outdated()
    steps = 0
    while await club.projections.is_outdated():
        assert await club.projections.fingerprint() == before
        assert await club.projections.recount()
        steps += 1
    assert steps > 3
    assert await club.projections.fingerprint() == before
    while await club.projections.recount():
        assert await club.projections.fingerprint() == before
    for name in EDITIONS:
        kept = await club.database.read(
            lambda connection, name=name: connection.fetch(f"SELECT DISTINCT edition FROM {name}")
        )
        assert len(kept) <= 1, f"what is left over in {name} is removed"


@pytest.mark.parametrize("steps", steps_of(8, cheap=1))
async def test_a_game_that_ends_while_all_is_computed_again_counts_too(club: Club, steps: int) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        await club.won(winner, loser)
    await club.projection.flush()
    await club.projections.invalidate()
    for _ in range(steps):
        await club.projections.recount()
    await club.finished((ADA, BEN), played(1, SHORT), SHORT)
    await club.projection.flush()
    at_once = await club.projections.fingerprint()
    await club.projection.recount()
    assert await club.projections.fingerprint() == at_once
    assert (await club.queries.career(ADA.user, GUILD)).games == 4


@pytest.mark.parametrize("steps", steps_of(8, cheap=3))
async def test_who_is_forgotten_while_all_is_computed_again_is_in_neither(club: Club, steps: int) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (BEN, CLEO)):
        await club.won(winner, loser)
    await club.projection.flush()
    await club.projections.invalidate()
    for _ in range(steps):
        await club.projections.recount()
    await club.forget(BEN.user)
    await club.projection.recount()
    assert (await club.board()).keys() == {ADA.user}
    assert await club.projection.rebuild()


async def test_a_game_counts_once_however_often_and_by_however_many_it_is_applied(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.won(BEN, ADA)
    others = [Projection(club.projections) for _ in range(3)]
    await asyncio.gather(*(each.flush() for each in others))
    await club.projection.flush()
    assert len(await club.appearances(ADA.user, GUILD)) == 2
    assert (await club.queries.ratings(ADA.user, GUILD))[Kind.TWO].games == 2
    assert not await club.projections.is_behind()
    assert await club.projections.apply_next() is None


async def test_several_that_compute_all_again_count_a_game_once(club: Club) -> None:
    for winner, loser in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        await club.won(winner, loser)
    await club.projection.flush()
    before = await club.projections.fingerprint()
    await club.projections.invalidate()
    while await club.projections.is_outdated():
        await asyncio.gather(*(club.projections.recount() for _ in range(8)))
    assert await club.projections.fingerprint() == before
    begun = "SELECT next_figures FROM projection"
    assert await club.database.read(lambda connection: connection.fetchval(begun)) is None, "none begins anew"


async def test_games_in_play_and_games_called_off_do_not_count(club: Club) -> None:
    playing = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    cancelled = await club.seated((ADA, BEN), SHORT)
    await club.store.cancel(cancelled.game)
    ended = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(ended.game, resigned(Seat(0))[:3])
    await club.store.call_off(ended.game)
    assert not await club.projections.is_behind()
    await club.projection.flush()
    assert await club.appearances(ADA.user, None) == {}


async def test_a_game_over_without_a_winner_is_passed_over(club: Club) -> None:
    await club.finished((ADA, BEN), resigned(Seat(0))[:-1], SHORT)
    await club.won(ADA, BEN)
    await club.projection.flush()
    assert list(await club.appearances(ADA.user, GUILD)) == [2]


# -- in a file -------------------------------------------------------------------------------------------


def sql(path: Path, statement: str, *values: object) -> list[tuple]:
    """Another program at the same file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


@ON_SQLITE
async def test_a_result_says_who_won_how_and_when(club: Club) -> None:
    game = await club.won(ADA, BEN)
    await club.projection.flush()
    assert sql(club.path, "SELECT * FROM results") == [(1, game, GUILD, NOON, 2, 0, "resigned", 3, 0, 1)]
    assert sql(club.path, "SELECT seat, user, won FROM result_seats ORDER BY seat") == [
        (0, ADA.user, 1),
        (1, BEN.user, 0),
    ]


@ON_SQLITE
async def test_what_another_version_computed_is_no_damage_before_it_is_computed_again(club: Club) -> None:
    await club.won(ADA, BEN)
    assert await club.projection.rebuild()
    sql(club.path, "UPDATE result_seats SET part = json_set(part, '$.figures', 'another form')")
    assert len(await damage_in(club.path)) == 2
    sql(club.path, "UPDATE projection SET figures = figures - 1")
    assert await damage_in(club.path) == ()


@ON_SQLITE
async def test_a_damaged_log_is_reported_and_holds_nobody_up(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = await club.won(ADA, BEN)
    sql(club.path, "DELETE FROM events WHERE game = ? AND version = 2", damaged)
    await club.won(ADA, BEN)
    with caplog.at_level(logging.ERROR):
        await club.projection.flush()
    assert f"the log of {damaged} cannot be read" in caplog.text
    assert [record.exc_info for record in caplog.records] == [None], "a traceback may name cards"
    assert list(await club.appearances(ADA.user, GUILD)) == [2]
    assert await club.projection.rebuild()


@ON_SQLITE
async def test_a_projection_that_was_stopped_goes_on_where_it_was(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    await club.projections.apply_next()
    again = await Club.open(club.path)
    await again.projection.flush()
    assert len(await again.appearances(ADA.user, GUILD)) == 3
    assert await again.projection.rebuild()
    await again.close()


@ON_SQLITE
async def test_figures_of_another_version_are_computed_anew_at_the_start(club: Club) -> None:
    await club.won(ADA, BEN)
    await club.projection.flush()
    before = await club.projections.fingerprint()
    sql(club.path, "UPDATE result_seats SET part = json_set(part, '$.score', 7)")
    sql(club.path, "UPDATE projection SET figures = 0")
    assert await club.projections.is_outdated()
    await club.projection.recount()
    assert await club.projections.fingerprint() == before
    assert not await club.projections.is_outdated()


@ON_SQLITE
async def test_the_command_computes_anew_and_says_whether_it_is_the_same(club: Club) -> None:
    for seed in range(4):
        await club.finished((ADA, BEN), played(seed, SHORT), SHORT)
    await club.projection.flush()
    before = await club.projections.fingerprint()
    assert "as they were" in await rebuild(club.path)
    sql(club.path, "UPDATE ratings SET mu = mu + 1 WHERE user = ?", ADA.user)
    assert "different before" in await rebuild(club.path)
    assert await club.projections.fingerprint() == before


async def test_the_command_refuses_what_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "diary.sqlite3"
    path.write_text("Dear diary,\n" * 1000)
    with pytest.raises(DatabaseUnusable):
        await rebuild(path)


async def test_who_asks_while_a_game_is_counted_waits_for_that_and_does_not_count_it_too() -> None:
    behind, counting, most_at_once = 1, 0, 0

    async def is_behind() -> bool:
        return behind > 0

    async def apply_next() -> str | None:
        nonlocal behind, counting, most_at_once
        counting += 1
        most_at_once = max(most_at_once, counting)
        await asyncio.sleep(0)
        found, behind = behind, 0
        counting -= 1
        return "k3f9a" if found else None

    store: Any = SimpleNamespace(is_behind=is_behind, apply_next=apply_next)
    projection = Projection(store)
    await asyncio.gather(*(projection.flush() for _ in range(3)))
    assert (behind, most_at_once) == (0, 1)
