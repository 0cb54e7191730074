"""The projection: finished games applied in order, once each, and the rebuild."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.maintenance import rebuild
from bot.model.errors import DatabaseUnusable
from bot.standings.projection import Projection
from bot.store.examination import damage_in
from engine import Seat
from tests.bot.standings.games import ADA, BEN, GUILD, NOON, SHORT, Club, played, resigned
from tests.bot.store.old_databases import OldTable, make


def sql(path: Path, statement: str, *values: object) -> list[tuple]:
    """Another program at the same file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


async def test_a_result_says_who_won_how_and_when(club: Club) -> None:
    game = await club.won(ADA, BEN)
    await club.projection.flush()
    assert sql(club.path, "SELECT * FROM results") == [(1, game, GUILD, NOON, 2, 0, "resigned", 3, 0, 1)]
    assert sql(club.path, "SELECT seat, user, won FROM result_seats ORDER BY seat") == [
        (0, ADA.user, 1),
        (1, BEN.user, 0),
    ]


async def test_what_another_version_computed_is_no_damage_before_it_is_computed_again(club: Club) -> None:
    await club.won(ADA, BEN)
    assert await club.projection.rebuild()
    sql(club.path, "UPDATE result_seats SET part = json_set(part, '$.figures', 'another form')")
    assert len(await damage_in(club.path)) == 2
    sql(club.path, "UPDATE projection SET figures = figures - 1")
    assert await damage_in(club.path) == ()


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


async def test_a_projection_that_was_stopped_goes_on_where_it_was(club: Club) -> None:
    for _ in range(3):
        await club.won(ADA, BEN)
    await club.projections.apply_next()
    again = await Club.open(club.path)
    await again.projection.flush()
    assert len(await again.appearances(ADA.user, GUILD)) == 3
    assert await again.projection.rebuild()
    await again.close()


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


async def test_games_from_before_the_standings_count_in_the_order_of_their_last_moves(tmp_path: Path) -> None:
    path, log = tmp_path / "games.sqlite3", resigned(Seat(1))
    ended = {"g1": NOON + 300, "g2": NOON + 100, "g3": NOON + 200}
    make(path, 2, *(OldTable(game, (ADA, BEN), "over", log, at) for game, at in ended.items()))
    club = await Club.open(path)
    await club.projection.flush()
    assert sql(club.path, "SELECT game FROM results ORDER BY number") == [("g2",), ("g3",), ("g1",)]
    await club.close()


async def test_who_asks_while_a_game_is_counted_waits_for_that_and_does_not_count_it_too() -> None:
    class Slow:
        """A store with one game that is not counted, and a look at who counts it."""

        behind, at_once, most_at_once = 1, 0, 0

        async def is_behind(self) -> bool:
            return self.behind > 0

        async def apply_next(self) -> str | None:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            await asyncio.sleep(0)
            found, self.behind = self.behind, 0
            self.at_once -= 1
            return "k3f9a" if found else None

    store: Any = Slow()
    projection = Projection(store)
    await asyncio.gather(*(projection.flush() for _ in range(3)))
    assert (store.behind, store.most_at_once) == (0, 1)
