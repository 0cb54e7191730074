"""Databases of the first releases: their rules, results and sums are migrated."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random

import pytest

from bot.model.table_record import Agreement
from bot.standings.leaderboards import Board, Span
from bot.standings.ratings import Kind
from bot.store.drivers.sqlite import schema
from engine import Chance, CutForFirstDeal, Deal, Game, Stage, decode_rules
from tests.bot.seating import ADA, BEN, CLEO, DAN
from tests.bot.standings.games import Club, played
from tests.bot.store.old_databases import RELEASED, OldTable, make
from tests.bot.store.opened import open_store

FOUR = Agreement.of(players=4, preset="short", target=31, partners=False)
FAMILY = Agreement.of(players=3, preset="family", target=31, muggins=True)
PLAIN = Agreement.of(target=31)
SHORT = Agreement.of(preset="short")


_PROJECTED = """
    INSERT INTO results (number, game, guild, at, seats, winner, ending, deals)
    VALUES (1, 'over1', 10, 2000, 2, 0, 'pegged_out', 5);
    INSERT INTO result_seats VALUES
        (1, 0, 1, NULL, 0, 1, 61, 'none', 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    INSERT INTO ratings VALUES (10, 'two', 1, 99, 1, 50);
    UPDATE projection SET through = 1, figures = 1;
"""
"""A projection of the first game by such a release, with figures that no log yields."""


def begun(agreement: Agreement) -> Game:
    """A game whose first starter is still to be cut."""
    game = Game.new(agreement.rules, chance=Chance(Random(3)), automatic={CutForFirstDeal, Deal})
    while game.table.stage is not Stage.CUTTING:
        seat = game.table.waiting_for[0]
        game.apply(game.legal_moves(seat).moves[0])
    return game


@pytest.fixture(
    params=[*(pytest.param(each, marks=pytest.mark.deep) for each in RELEASED[:-1]), RELEASED[-1]]
)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of each release: two lobbies, a game in play, and two that are over."""
    four = {"preset": "short", "target": 31, "partners": 0}
    family = {"preset": "family", "target": 31, "aloud": 1, "muggins": 1}
    path = tmp_path / "games.sqlite3"
    make(
        path,
        request.param,
        OldTable("over1", (ADA, BEN), "over", played(1, SHORT), 2_000, {"preset": "short"}),
        OldTable("over2", (ADA, BEN), "over", played(2, SHORT), 3_000, {"preset": "short"}),
        OldTable("plays", (ADA, BEN, CLEO, DAN), "playing", begun(FOUR).log, 4_000, four),
        OldTable("plain", (ADA, BEN), choices={"target": 31}),
        OldTable("fancy", (ADA, BEN, CLEO), choices=family),
    )
    return path


async def test_its_tables_have_the_rules_that_were_agreed_on(path: Path) -> None:
    store = await open_store(path)
    agreements = {each.game: each.agreement for each in await store.open_tables()}
    assert (await store.table("over1")).agreement.rules == SHORT.rules
    await store.close()

    assert {game: each.rules for game, each in agreements.items()} == {
        "plays": FOUR.rules,
        "plain": PLAIN.rules,
        "fancy": FAMILY.rules,
    }
    assert [each.preset for each in agreements.values()] == ["short", "standard", "family"]


async def test_its_results_count_in_the_order_of_their_ends(path: Path) -> None:
    with closing(sqlite3.connect(path)) as old, old:
        if old.execute("SELECT 1 FROM sqlite_schema WHERE name = 'projection'").fetchone():
            old.executescript(_PROJECTED)
    club = await Club.open(path)
    assert await club.projections.is_outdated()
    await club.projection.flush()
    await club.projection.recount()
    assert not await club.projections.is_outdated()
    found = [(number, each.part.score) for number, each in (await club.appearances(ADA.user, 10)).items()]
    scores = [Game.replay(played(seed, SHORT)).table.scores[0] for seed in (1, 2)]
    assert found == list(enumerate(scores, 1))
    assert (await club.queries.ratings(ADA.user, 10))[Kind.TWO].games == 2
    await club.database.close()


def test_every_choice_of_old_becomes_the_rules_that_it_was() -> None:
    """`Agreement.of` gives the same rules for everything that the columns could hold."""
    agreed = schema.FUNCTIONS["rules_agreed"][1]
    presets = ("standard", "short", "lurch", "piecepack", "parlour", "family")
    every = product(presets, (2, 3, 4), (None, 61), (0, 1), (0, 1))
    for preset, players, target, aloud, muggins in every:
        for partners in (None, 0, 1) if players == 4 else (None, 0):
            body = json.loads(agreed(players, preset, target, partners, aloud, muggins))
            one = None if partners is None else bool(partners)
            same = Agreement.of(
                players=players,
                preset=preset,
                target=target,
                partners=one,
                aloud=bool(aloud),
                muggins=bool(muggins),
            )
            assert decode_rules(body) == same.rules


@pytest.mark.deep
async def test_what_an_older_bot_has_counted_stays_and_what_it_deleted_goes(tmp_path: Path) -> None:
    """Migration 17: the sums so far are readable before the projection is rebuilt."""
    club = await Club.open(tmp_path / "new.sqlite3")
    three = Agreement.of(preset="short", players=3)
    for seed in range(6):
        club.clock.now += 40 * 86_400 * (seed % 2)
        await club.finished((ADA, BEN), played(seed, SHORT), SHORT, guild=(10, None)[seed == 4])
        await club.finished((BEN, CLEO, ADA), played(seed, three), three)
    await club.projection.flush()
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA secure_delete = OFF")
        old.create_function("rules_agreed", 6, schema.FUNCTIONS["rules_agreed"][1])
        for script in schema.migrations()[: schema.WIPES_SINCE - 1]:
            old.executescript(script)
        old.execute(f"PRAGMA application_id = {schema.MARK}")
        old.execute(f"PRAGMA user_version = {schema.WIPES_SINCE - 1}")
        old.execute("ATTACH ? AS new", (str(club.path),))
        for name in ("games", "seats", "events", "finished", "results", "result_seats", "ratings"):
            columns = ", ".join(
                row[1] for row in old.execute(f"PRAGMA main.table_xinfo({name})") if not row[6]
            )
            old.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM new.{name}")
        old.execute(
            """
            UPDATE result_seats SET part = json_set(part, '$.rating', json_object(
                'before', new.rating_changes.before, 'after', new.rating_changes.after))
            FROM new.rating_changes
            WHERE (result_seats.number, result_seats.seat) = (rating_changes.number, rating_changes.seat)
            """
        )
        old.execute("UPDATE projection SET through = 12, figures = 2")
        old.executemany("INSERT INTO people (user, dms_closed) VALUES (?, 0)", [(ADA.user,), (5,)])
        old.execute("CREATE TABLE secrets AS SELECT 'Lord Byron' AS name")
        old.execute("DROP TABLE secrets")
        old.commit()
    assert path.read_bytes().count(b"Lord Byron") > 0

    again = await Club.open(path, club.clock)
    assert path.read_bytes().count(b"Lord Byron") == 0
    assert await again.projections.is_outdated()
    for person in (ADA, BEN, CLEO):
        for guild in (10, None):
            career = await again.queries.career(person.user, guild)
            assert career == await club.queries.career(person.user, guild)
            assert career.games > 0
        assert await again.queries.ratings(person.user, 10) == await club.queries.ratings(person.user, 10)
    for board in Board:
        for span in Span:
            assert await again.board(board, span) == await club.board(board, span)
    for game in ("g1", "g2"):
        assert await again.queries.rating_changes(game) == await club.queries.rating_changes(game)
    await again.projection.recount()
    assert await again.projections.fingerprint() == await club.projections.fingerprint()
    await again.database.close()
    await club.database.close()
