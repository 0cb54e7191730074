"""Copies of a live database, and the games that continue on them."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.maintenance import back_up
from bot.model.errors import NotCopied
from bot.tables.lobbies import Lobbies
from bot.tables.sessions import Sessions
from engine import Chance, Discard, Seat
from tests.bot.seating import ADA, BEN, cut_for_deal, gather
from tests.bot.store.opened import open_store


async def test_a_live_database_is_copied_whole_and_its_games_go_on_from_the_copy(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "live.sqlite3")
    sessions = Sessions(store, Chance(Random(1)))
    lobbies = Lobbies(store, sessions, now=time.time)
    record = await gather(lobbies)
    await lobbies.start(record.game, ADA.user)
    session = await sessions.get(record.game)
    await cut_for_deal(sessions, session)
    gift = session.game.view(Seat(0)).hand[:2]

    said = await asyncio.to_thread(back_up, tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3")
    await sessions.move(record.game, ADA.user, lambda seat: Discard(seat, gift))
    await store.close()

    restored = await open_store(tmp_path / "copy.sqlite3")
    again = Sessions(restored, Chance(Random(1)))
    copy = await again.get(record.game)
    assert "copy.sqlite3" in said
    assert copy.game.log == session.game.log[:-1]
    other = copy.game.view(Seat(1)).hand[:2]
    moved, _ = await again.move(record.game, BEN.user, lambda seat: Discard(seat, other))
    assert moved.game.table.has_discarded == (False, True)
    await restored.close()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("no database", "file is not a database"),
        ("no such file", "unable to open database file"),
        ("no such folder", "unable to open database file"),
        ("taken", "there is a file already, and a backup replaces none"),
    ],
)
def test_what_cannot_be_copied_leaves_nothing_behind(tmp_path: Path, fault: str, reason: str) -> None:
    database, target = tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3"
    if fault == "no database":
        database.write_text("not a database, however long one looks at it" * 40)
    elif fault != "no such file":
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("CREATE TABLE games (number)")
    if fault == "no such folder":
        target = tmp_path / "nowhere" / "copy.sqlite3"
    if fault == "taken":
        target.write_text("precious")
    before = sorted(tmp_path.iterdir())

    with pytest.raises(NotCopied) as refusal:
        back_up(database, target)

    assert str(refusal.value) == f"The database {database} was not copied to {target}: {reason}."

    assert sorted(tmp_path.iterdir()) == before
