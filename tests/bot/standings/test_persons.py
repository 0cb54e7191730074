"""Data about a person: all of it in the export, and none of it after forgetting."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bot.model.errors import StoreUnavailable
from bot.model.votes import Question, Vote
from bot.standings import forgetting
from bot.standings.forgetting import forget_to_the_end
from bot.store import exports as exports_module
from engine import Seat
from tests.bot.standings.games import (
    ADA,
    BEN,
    CLEO,
    DM,
    SHORT,
    Club,
    lived,
    played,
    resigned,
)


def traces(path: Path, *texts: str) -> set[str]:
    """The texts, and numbers as SQLite stores them, that occur anywhere in the database's files."""
    found = set()
    for file in path.parent.glob(path.name + "*"):
        body = file.read_bytes()
        for each in texts:
            forms = [each.encode()]
            if each.isdigit():
                forms.append(int(each).to_bytes(8, "big"))
            found |= {each for form in forms if form in body}
    return found


async def test_nothing_of_the_forgotten_is_left_in_the_files(club: Club) -> None:
    await lived(club)
    # Text that has been overwritten or moved lies about in unused parts of pages.
    lobby = await club.seated((BEN, ADA), SHORT)
    await club.store.seat(lobby.game, (BEN,), BEN.user)
    known = (str(ADA.user), ADA.name, str(DM), str(DM + 1))
    assert traces(club.path, *known) == set(known)
    await club.forget(ADA.user)
    assert traces(club.path, *known), "the write-ahead log or the free pages still have it"
    await club.people.scrub()
    assert traces(club.path, *known) == set()
    assert traces(club.path, str(BEN.user), BEN.name) == {str(BEN.user), BEN.name}
    with closing(sqlite3.connect(club.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_every_column_that_knows_people_is_one_that_is_emptied(club: Club) -> None:
    """Fails when a migration adds a place where a person is kept, until forgetting knows of it."""
    await lived(club)
    with closing(sqlite3.connect(club.path)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        columns = {
            (table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")
        }
    people = {each for each in columns if each[1] in {"user", "host", "name", "person", "player", "by"}}
    assert people == {
        ("seats", "user"), ("seats", "name"), ("games", "host"), ("people", "user"),
        ("result_seats", "user"), ("ratings", "user"), ("hidden", "user"), ("sqlite_sequence", "name"),
        ("careers", "user"), ("computer_records", "user"), ("tallies", "user"), ("tallies", "name"),
        ("leaving", "user"), ("declined", "user"), ("words", "user"), ("daily_answers", "user"),
        ("daily_here", "user"), ("daily_here", "name"), ("drills", "user"), ("squares", "user"),
        ("reminders", "user"), ("squares_shared", "user"),
        ("club_entrants", "user"), ("club_entrants", "name"), ("clubs", "name"),
    }, "delete a new one in bot/store/people.py, export it there, and name it here"  # fmt: skip


async def test_scrubbing_is_due_until_it_was_done(club: Club) -> None:
    due = "SELECT count(*) FROM scrubbing"

    async def is_due() -> bool:
        return await club.database.read(lambda connection: connection.fetchval(due)) == 1

    assert await is_due(), "an older bot may have left something"
    await club.people.scrub()
    assert not await is_due()
    await club.won(ADA, BEN)
    await club.forget(ADA.user)
    with closing(sqlite3.connect(club.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await club.people.scrub()
        other.execute("ROLLBACK")
    assert await is_due()
    await club.people.scrub()
    assert not await is_due()
    assert traces(club.path, ADA.name) == set()


@pytest.mark.parametrize("is_through", [True, False], ids=["forgotten", "being forgotten"])
async def test_who_goes_while_the_file_is_searched_for_another_is_searched_for_afterwards(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, is_through: bool
) -> None:
    await lived(club)
    await club.forget(ADA.user)
    sought: list[set[bytes]] = []

    async def wipe(traces: list[bytes]) -> None:
        sought.append(set(traces))
        if len(sought) == 1:
            await (club.forget if is_through else club.people.forget)(BEN.user)

    monkeypatch.setattr(club.database, "wipe", wipe)
    await club.people.scrub()
    while await club.people.forget_more() is not None:
        pass
    await club.people.scrub()
    assert [BEN.name.encode() in each for each in sought] == [False, True]

    await club.people.scrub()
    assert len(sought) == 2, "nothing is due any more"


async def test_who_is_not_through_when_the_file_is_searched_is_searched_for_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(club)
    await club.people.forget(BEN.user)
    wipe = AsyncMock()
    monkeypatch.setattr(club.database, "wipe", wipe)
    await club.people.scrub()
    while await club.people.forget_more() is not None:
        pass
    await club.people.scrub()
    assert wipe.await_count == 2


async def busy(club: Club, until: asyncio.Task[None]) -> None:
    """Write without pause, so that something is always next in the connection's thread."""
    while not until.done():
        await club.store.prefer(BEN.user, dms_closed=True)


async def test_play_goes_on_while_the_file_is_written_anew(club: Club) -> None:
    await lived(club)
    await club.forget(ADA.user)
    scrubbing = asyncio.create_task(club.people.scrub())
    others = [asyncio.create_task(busy(club, scrubbing)) for _ in range(3)]
    await asyncio.gather(scrubbing, *others)
    await club.won(BEN, CLEO)
    await club.projection.flush()
    assert traces(club.path, ADA.name) == set()


async def test_the_export_has_the_votes_in_a_game_that_is_played(club: Club) -> None:
    playing = await club.seated((ADA, BEN), SHORT)
    await club.store.begin(playing.game, resigned(Seat(0))[:3])
    for seat in (0, 1):
        await club.store.keep_vote(Vote(game=playing.game, deal=1, about=Question.END, seat=Seat(seat)))
    (game,) = (await club.everything_about(ADA.user))["games"]
    assert game["your_votes"] == [{"about": "end", "deal": 1, "computer": None}]


async def test_the_kept_channel_of_their_direct_messages_is_looked_for_in_the_files_too(club: Club) -> None:
    await club.store.prefer(ADA.user, dm_channel=DM)
    await club.people.forget(ADA.user)
    looked_for = await club.database.read(lambda each: each.fetch("SELECT trace FROM traces"))
    assert DM.to_bytes(8, "big") in {trace for (trace,) in looked_for}


async def test_forgetting_goes_on_after_a_crash(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    assert ADA.user not in await club.board()
    again = await Club.open(club.path)  # the first process has ended after its first step
    dropped: list[str] = []
    await forget_to_the_end(again.people, dropped.append)
    await again.close()
    assert {"g1", "g5"} <= set(dropped)
    assert traces(club.path, str(ADA.user), ADA.name, str(DM)) == set()


async def test_somebody_who_comes_back_while_they_are_being_forgotten_keeps_the_new_game(club: Club) -> None:
    await lived(club)
    await club.people.forget(ADA.user)
    new = await club.won(ADA, BEN)
    await forget_to_the_end(club.people, lambda _: None)
    await club.projection.flush()
    assert [each["game"] for each in (await club.everything_about(ADA.user))["games"]] == [new]
    assert (await club.queries.career(ADA.user, None)).games == 1
    assert await club.projection.rebuild()


async def test_files_are_scrubbed_as_soon_as_nobody_reads_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived(club)
    monkeypatch.setattr(forgetting, "_PAUSE", 0.05)
    with closing(sqlite3.connect(club.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM seats").fetchone()
        await club.people.forget(ADA.user)
        task = asyncio.create_task(forget_to_the_end(club.people, lambda _: None))
        await asyncio.sleep(0.3)
        assert not task.done()
        other.execute("COMMIT")
        await task
    assert traces(club.path, str(ADA.user), ADA.name) == set()


async def test_an_export_is_split_where_a_file_is_full(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(12):
        await club.finished((ADA, BEN), played(seed, SHORT), SHORT)
    await club.projection.flush()
    whole = await club.everything_about(ADA.user)
    monkeypatch.setattr(exports_module, "LARGEST_FILE", 9_000)
    monkeypatch.setattr(exports_module, "_LEFT_OVER", 4_000)
    with tempfile.TemporaryDirectory() as directory:
        files = await club.people.export(ADA.user or 0, Path(directory))
        assert len(files) > 1
        assert all(each.stat().st_size <= 9_000 for each in files)
        assert sorted(os.listdir(directory)) == sorted(each.name for each in files)
    parts = await club.everything_about(ADA.user)
    assert parts.pop("part") == len(files)
    assert parts == whole
