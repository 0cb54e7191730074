"""Numbers of migrations: each kind of database has its own up to 30, and both the same after that."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from bot.store.drivers import migrations
from bot.store.drivers.migrations import migrations_of

SQLITE, POSTGRESQL = "bot.store.drivers.sqlite", "bot.store.drivers.postgresql"
LAST_OF_ITS_OWN = {SQLITE: 30, POSTGRESQL: 2}


@pytest.mark.parametrize("driver", [SQLITE, POSTGRESQL])
def test_the_old_ones_are_numbered_from_one_without_gaps(driver: str) -> None:
    own = [number for number in migrations_of(driver) if number <= 30]
    assert own == list(range(1, LAST_OF_ITS_OWN[driver] + 1))


def test_the_new_ones_are_the_same_in_both() -> None:
    new = {driver: [each for each in migrations_of(driver) if each > 30] for driver in LAST_OF_ITS_OWN}
    assert new[SQLITE] == new[POSTGRESQL] == list(range(31, 31 + len(new[SQLITE])))


def test_no_number_has_two_texts_in_one_kind_of_database() -> None:
    for driver in LAST_OF_ITS_OWN:
        there = [files(each) / "migrations" for each in (driver, "bot.store")]
        names = [each.name for folder in there if folder.is_dir() for each in folder.iterdir()]
        assert len(names) == len(migrations_of(driver))


def test_a_text_that_both_take_stands_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = {name: tmp_path / name for name in ("bot.store", "one", "other")}
    for folder in folders.values():
        (folder / "migrations").mkdir(parents=True)
    (folders["bot.store"] / "migrations/0031_both.sql").write_text("both")
    (folders["one"] / "migrations/0032_differs.sql").write_text("one's")
    (folders["other"] / "migrations/0032_differs.sql").write_text("other's")
    (folders["one"] / "migrations/0002_old.sql").write_text("old")
    monkeypatch.setattr(migrations, "files", folders.get)

    assert migrations_of("one") == {2: "old", 31: "both", 32: "one's"}
    assert list(migrations_of("one")) == [2, 31, 32]
    assert migrations_of("other") == {31: "both", 32: "other's"}
