"""The measuring proxy behaves like the store."""

from __future__ import annotations

import inspect
from datetime import date
from pathlib import Path

import pytest

from bot.features.clubs.store import ClubStore
from bot.features.daily.store import DailyStore
from bot.model.errors import NoSuchGame, StoreUnavailable
from bot.observing.metrics import Metrics
from bot.observing.timed import timed_database
from bot.store import Store
from bot.store.opening import open_database
from tests.bot.observing.reading import Scraped
from tests.bot.store.tables import table


async def test_calls_are_measured_and_give_what_they_give(tmp_path: Path) -> None:
    ticks = iter(range(100))
    metrics = Metrics()
    database = timed_database(
        await open_database(tmp_path / "games.sqlite3"), metrics, lambda: float(next(ticks))
    )
    record = await database.store.open_table(table())
    assert await database.store.table(record.game) == record
    assert await database.store.unsynced() == (record,)
    with pytest.raises(NoSuchGame):
        await database.store.table("none")
    assert await database.part(ClubStore, "clubs").open_events() == ()
    assert await database.part(DailyStore, "daily").due(date(2026, 8, 1), 12) == ()
    await database.store.close()
    with pytest.raises(StoreUnavailable):
        await database.store.table(record.game)

    page = Scraped(metrics.page().decode())
    assert page.value("crib_database_seconds_count", call="open_table") == 1
    assert page.value("crib_database_seconds_sum", call="open_table") == 1
    assert page.value("crib_database_seconds_count", call="table") == 3
    assert page.value("crib_database_seconds_count", call="clubs") == 1
    assert page.value("crib_database_seconds_count", call="daily") == 1
    assert page.value("crib_database_unavailable_total") == 1
    assert page.value("crib_database_seconds_count", call="append") is None, "nobody has called it"


async def test_renamed_methods_keep_the_labels_that_dashboards_query(tmp_path: Path) -> None:
    metrics = Metrics()
    store = timed_database(await open_database(tmp_path / "games.sqlite3"), metrics, lambda: 0.0).store
    for call in (store.cancel_damaged, store.mark_synced, store.set_substitute, store.unsynced):
        with pytest.raises(TypeError):
            await call(unknown=True)  # type: ignore[call-arg]
    await store.close()
    page = Scraped(metrics.page().decode())
    for label in ("put_away", "told", "hand_over", "untold"):
        assert page.value("crib_database_seconds_count", call=label) == 1, label


async def test_it_has_everything_that_a_store_has(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "games.sqlite3")
    timed = timed_database(database, Metrics(), lambda: 0.0)
    promised = {name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")}
    assert [name for name in sorted(promised) if not callable(getattr(timed.store, name))] == []
    assert inspect.iscoroutinefunction(timed.store.append)
    assert timed.store.quarantine == database.store.quarantine, "what is no coroutine is left as it is"
    await timed.store.close()
