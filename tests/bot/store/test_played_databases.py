"""A database of each schema is opened by this bot, checked, and played to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.maintenance import check
from bot.model.database_address import DatabaseAddress
from bot.model.errors import DatabaseTooOld, StaleGame
from bot.model.table_record import Occupant, Status
from bot.standings.projection import Projection
from bot.store.drivers.migrations import migrations_of
from bot.store.drivers.postgresql.database import connected
from bot.store.moving import move
from bot.store.opening import Opened, open_database
from bot.tables.sessions import Sessions
from engine import Game
from engine.fair import read_proof
from tests.bot.seating import room_of
from tests.bot.store.opened import have_next
from tests.played_database import PlayedDatabase, stems
from tests.postgresql import Server

_ZOE = Occupant(9, "Zoe")

Played = tuple[PlayedDatabase, DatabaseAddress]

_EACH = [
    stem if stem == stems(driver)[-1] else pytest.param(stem, marks=pytest.mark.deep)
    for driver in ("sqlite", "postgresql")
    for stem in stems(driver)
]
"""All of them; that of the newest schema of each driver is in every run."""


@pytest.fixture(params=_EACH)
async def played(request: pytest.FixtureRequest, tmp_path: Path) -> Played:
    """Each database, and the address of a copy."""
    played = PlayedDatabase.read(request.param)
    if played.driver == "sqlite":
        return played, played.unpacked(tmp_path / "games.sqlite3")
    server: Server = request.getfixturevalue("postgres_server")
    address = await server.create("played")
    async with connected(address) as connection:
        await connection.execute(played.content.decode())
    return played, address


@pytest.fixture
async def opened(played: Played) -> AsyncIterator[Opened]:
    """The copy, opened by this bot a minute after its last event."""
    database = await open_database(played[1], lambda: played[0].at + 60)
    yield database
    await database.store.close()


async def test_its_games_are_as_the_bot_of_its_day_left_them_and_are_played_to_their_end(
    played: Played, opened: Opened
) -> None:
    for game, then in played[0].games.items():
        record = await opened.store.table(game)
        assert (record.status.value, record.version) == (then.status, then.events)
        assert [each.name for each in record.occupants] == then.seats
        if not then.events:
            continue
        replayed = Game.replay(await opened.store.log(game))
        assert replayed.rules == record.agreement.rules
        assert replayed.table.scores == tuple(then.scores or ())
        assert replayed.table.stage.value == then.stage
        assert (replayed.table.result and replayed.table.result.winner) == then.winner

    projection = Projection(opened.standings.projection)
    await projection.flush()
    await projection.recount(in_haste=True)
    assert not await opened.standings.projection.is_outdated()
    assert await check(played[1]) == ()

    sessions, lobbies, _ = room_of(opened.store)
    left_open = await opened.store.open_tables()
    assert {each.game for each in left_open} == {
        game for game, then in played[0].games.items() if then.status in {"gathering", "playing"}
    }
    for record in left_open:
        if record.status is Status.GATHERING:
            if len(record.occupants) < record.agreement.players:
                await lobbies.join(record.game, _ZOE)
            try:
                await lobbies.start(record.game, record.host)
            except StaleGame:
                # the rules have an option that the terms of its words lack: it drops them first
                assert record.words
                assert (await opened.store.table(record.game)).words_dropped
                await lobbies.start(record.game, record.host)
            assert (await sessions.get(record.game)).game.version > 0
        else:
            await play_out(sessions, record.game)
            assert (await opened.store.table(record.game)).status is Status.OVER

    assert await check(played[1]) == ()
    proofs = {game: await opened.store.proof(game) for game in played[0].games}
    for game, proof in proofs.items():
        if proof is not None:
            assert all(finding.holds is not False for finding in proof.check()), game
            assert read_proof(proof.write()) == proof
    ended = {game for game, then in played[0].games.items() if then.status in {"playing", "over"}}
    assert ended <= {game for game, proof in proofs.items() if proof is not None}


async def test_before_it_is_migrated_it_is_neither_checked_nor_copied(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_next(monkeypatch)
    for refused in (check(played[1]), move(played[1], tmp_path / "copy.sqlite3")):
        with pytest.raises(DatabaseTooOld):
            await refused


async def play_out(sessions: Sessions, game: str) -> None:
    """Play all seats at random, computers' too, until the game is over."""
    random = Random(game)
    session = await sessions.get(game)
    while not session.game.is_over:
        seat = random.choice(session.game.table.waiting_for)
        move = random.choice(session.game.legal_moves(seat).moves)
        person = session.record.occupants[seat].person
        if person is None:
            await sessions.move_for(game, move)
            session = await sessions.get(game)
        else:
            session, _ = await sessions.move(game, person, lambda _, move=move: move)


@pytest.mark.parametrize("driver", ["sqlite", "postgresql"])
def test_each_schema_has_one(driver: str) -> None:
    wanted = [f"{driver}-{number:04}" for number in migrations_of(f"bot.store.drivers.{driver}")]
    lacking = [stem for stem in wanted if stem not in stems(driver)]
    assert not lacking, (
        f"tests/data/databases has no {' and no '.join(lacking)}: each schema needs a database that a bot "
        f"has played. `.venv/bin/python -m tests.make_played_database {driver}` plays one with the newest "
        "schema (CONTRIBUTING.md)."
    )
