"""Copies from one kind of database into another: everything, as it was, into an empty place alone."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.features.clubs.event import Presence
from bot.model.database_address import DatabaseAddress, PostgresAddress
from bot.model.deck import Deck
from bot.model.errors import DatabaseInUse, NotCopied
from bot.model.posts import Post, PostKind
from bot.store.copies import TABLES, digests
from bot.store.drivers.postgresql.copying import PostgresCopied, copied_from
from bot.store.drivers.postgresql.database import connected
from bot.store.drivers.sqlite import schema
from bot.store.drivers.sqlite.copying import SqliteCopied
from bot.store.moving import move
from bot.store.opening import only_bot_on
from engine import Seat
from tests.bot.decks import SECRETS
from tests.bot.features.clubs.test_store import night
from tests.bot.standings.games import ADA, BEN, CLEO, Club, fix_secret, lived
from tests.bot.store.tables import ANNA, BERT, table
from tests.postgresql import Server

ROOT = Path(__file__).parents[3]

New = Callable[[str], Awaitable[DatabaseAddress]]


@pytest.fixture
def new(tmp_path: Path, postgres_server: Server) -> New:
    """The address of an empty database of a kind, which exists or can be created."""
    made: list[DatabaseAddress] = []

    async def at(kind: str) -> DatabaseAddress:
        if kind == "sqlite":
            made.append(tmp_path / f"{len(made)}.sqlite3")
            return made[-1]
        is_first = not any(isinstance(each, PostgresAddress) for each in made)
        made.append(await postgres_server.emptied() if is_first else await postgres_server.create("other"))
        return made[-1]

    return at


async def fill(club: Club) -> None:
    """Something in every table that a bot can have in play, names with every character among it."""
    await lived(club)
    await fix_secret(club)
    await club.store.open_table(table(occupants=(ANNA, BERT), called=BEN.user), SECRETS)
    record, deck = await club.store.table("k3f9a"), await club.store.deck("k3f9a")
    assert isinstance(deck, Deck)
    terms = deck.with_word(Seat(1), "porpoise2").terms(record, None)
    await club.store.keep_word(record, Seat(1), "porpoise2", terms)
    await club.store.mark_synced(
        "g1", 3, [Post(game="g1", kind=PostKind.TABLE, deal=1, channel=20, message=8)]
    )
    await club.store.decline(ADA.user, BEN.user)
    event = await club.clubs.open(night())
    await club.clubs.enter(event.id, CLEO.user, "Cleo", Presence.HERE)
    await club.people.forget(CLEO.user)


async def everything(club: Club) -> dict[str, object]:
    """Everything to compare of a club in two databases."""
    return {
        "open": await club.store.open_tables(),
        "unsynced": await club.store.unsynced(),
        "logs": [await club.store.log(f"g{number}") for number in range(1, 7)],
        "posts": [await club.store.posts(f"g{number}") for number in range(1, 7)],
        "deck": await club.store.deck("k3f9a"),
        "ada": await club.everything_about(ADA.user),
        "board": await club.board(),
        "history": await club.queries.history(ADA.user, None, asker=ADA.user),
        "events": await club.clubs.open_events(),
        "declined": await club.store.declined(ADA.user),
        "behind": await club.projections.is_behind(),
    }


@pytest.mark.deep
@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
async def test_a_copy_is_the_same_and_goes_on(new: New, source: str, target: str) -> None:
    club = await Club.open(await new(source))
    await fill(club)
    before = await everything(club)
    await club.close()
    moved = await move(club.address, there := await new(target))
    assert moved.logs == 6
    copy = await Club.open(there)
    assert await everything(copy) == before
    copy.opened = club.opened
    await copy.forget(CLEO.user)
    await copy.won(BEN, ADA)
    await copy.projection.flush()
    assert await copy.projection.rebuild(), "its numbers go on after those that were given"
    numbers = [row["number"] for row in await copy.rows("SELECT number FROM finished ORDER BY number")]
    assert numbers == list(range(1, 8))
    assert (await copy.clubs.open(night(channel=33))).id == 2
    await copy.close()


async def test_every_table_and_column_is_the_same_in_both_kinds_of_database(postgres_server: Server) -> None:
    """So a migration of one that the other lacks is found here."""
    address = await postgres_server.emptied()
    with closing(sqlite3.connect(":memory:")) as connection:
        schema.migrate(connection)
        names = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        there = {name for (name,) in connection.execute(names)}
        assert there - {"sqlite_sequence", "traces", "identity"} == set(TABLES)
        async with copied_from(address) as other, connected(address) as looking:
            found = await looking.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            of_processes = {"members", "leases", "identify_turns", "request_slots", "open_hands", "commits"}
            assert {row["tablename"] for row in found} - {"fifteen_two", "identity"} - of_processes == set(
                TABLES
            )
            for name in TABLES:
                columns = await SqliteCopied(connection).columns(name), await other.columns(name)
                assert set(columns[0]) == set(columns[1]), name


async def test_what_differs_in_the_copy_is_found_and_nothing_is_left_behind(
    new: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = await Club.open(await new("sqlite"))
    await club.won(ADA, BEN)
    await club.close()
    there = await new("postgresql")
    write = PostgresCopied.write

    async def spoil(self, name, columns, rows) -> None:
        if name == "events":
            rows = [tuple("Resigned" if each == "GameWon" else each for each in row) for row in rows]
        await write(self, name, columns, rows)

    monkeypatch.setattr(PostgresCopied, "write", spoil)
    with pytest.raises(NotCopied, match="the log of g1 is another one in the copy"):
        await move(club.address, there)

    async def lose(self, name, columns, rows) -> None:
        await write(self, name, columns, rows[: -1 if name == "events" else None])

    monkeypatch.setattr(PostgresCopied, "write", lose)
    with pytest.raises(NotCopied, match=r"events has \d+ rows, and its copy \d+"):
        await move(club.address, there)
    monkeypatch.undo()
    assert (await move(club.address, there)).logs == 1


async def test_a_database_on_which_a_bot_runs_is_not_moved(new: New) -> None:
    for kind in ("sqlite", "postgresql"):
        club = await Club.open(await new(kind))
        await club.close()
        async with only_bot_on(club.address):
            with pytest.raises(DatabaseInUse):
                await move(club.address, await new("sqlite"), patience=0.0)


def test_a_digest_tells_a_log_by_all_that_it_says() -> None:
    log = [("g", 0, "Kind", 1, '{"a": 1, "b": 2}', 5)]
    same = [("g", 0, "Kind", 1, '{"b":2,"a":1}', 5)]
    assert digests(log) == digests(same)
    for place, value in enumerate((1, "Other", 2, '{"a": 1}', 6), 1):
        other = [tuple(value if number == place else each for number, each in enumerate(log[0]))]
        assert digests(other) != digests(log)
    assert len(hashlib.sha256().hexdigest()) == len(digests(log)["g"])
