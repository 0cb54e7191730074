"""The HTTP paths: metrics, liveness and readiness."""

from __future__ import annotations

import asyncio
import platform
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.gateway.sharded_client import Listener
from bot.model.errors import SettingsError
from bot.model.table_record import Status
from bot.model.version import VERSION
from bot.observing.observer import Observer
from bot.observing.readings import Readings
from bot.store.opening import Opened, standings_in
from bot.sync.queue import Backlog
from tests.bot.clock import Clock
from tests.bot.observing.reading import Scraped
from tests.bot.store.memory import MemoryStore
from tests.bot.store.tables import table
from tests.patience import PATIENCE


class Client:
    """A client that connects on a test's command."""

    def __init__(self) -> None:
        self.shards: Listener
        self.hear: Callable[[Mapping[str, Any]], None]

    def add_shard_listener(self, listener: Listener) -> None:
        self.shards = listener

    def add_interaction_listener(self, hear: Callable[[Mapping[str, Any]], None]) -> None:
        self.hear = hear

    def readings(self) -> Readings:
        return Readings(sessions=5, behind=Backlog(syncing=3, retried=2, deferred=1), leases=4)


class Slow(MemoryStore):
    """A store that can delay its answers."""

    takes = 0.0

    async def count_open_tables(self) -> dict[Status, int]:
        await asyncio.sleep(self.takes)
        return await super().count_open_tables()


class Bench:
    """An observed bot, and its address."""

    def __init__(self, url: str, client: Client, store: Slow, observer: Observer, clock: Clock) -> None:
        self.url, self.client, self.store, self.observer = url, client, store, observer
        self.clock = clock

    async def get(self, path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}{path}") as answer:
            return answer.status, await answer.text()

    async def scrape(self) -> Scraped:
        self.clock.now += 1.0  # a page of before is kept for a second
        status, page = await self.get("/metrics")
        assert status == 200
        return Scraped(page)


def opened(store: MemoryStore) -> Opened:
    return Opened(
        store=store,
        database=store.database,
        standings=standings_in(store.database),
        when_unusable=lambda _: None,
        refuse_if_unusable=lambda: None,
    )


@asynccontextmanager
async def observed(port: int, *, patience: float = PATIENCE) -> AsyncIterator[Bench]:
    """With that `patience` (s) for the database, which is never taken for a slow one by default."""
    store, client, clock = Slow(), Client(), Clock()
    observer = Observer(opened(store), clock, patience=patience)
    observer.watch(client, client.readings)
    async with observer.serving("127.0.0.1", port):
        yield Bench(f"http://127.0.0.1:{port}", client, store, observer, clock)


async def test_a_bot_lives_from_its_start_and_is_ready_when_all_shards_are_connected(
    unused_tcp_port: int,
) -> None:
    async with observed(unused_tcp_port) as bench:
        shards = bench.client.shards
        assert await bench.get("/healthz") == (200, "alive\n")
        assert await bench.get("/readyz") == (503, f"{VERSION} is not ready: 0 of its shards are connected\n")
        shards.expect(3)
        shards.listed(0, [1, 2])
        shards.listed(2, [])
        assert await bench.get("/readyz") == (503, f"{VERSION} is not ready: 2 of 3 shards are connected\n")
        shards.listed(1, [3])
        assert await bench.get("/readyz") == (200, f"{VERSION} is ready\n")
        shards.lost(2)
        assert (await bench.get("/readyz"))[0] == 503
        assert (await bench.scrape()).value("crib_ready") == 0
        shards.resumed(2)
        assert (await bench.get("/readyz"))[0] == 200
        page = await bench.scrape()
        assert page.value("crib_ready") == 1
        assert page.value("crib_build_info", version=VERSION, python=platform.python_version()) == 1
        assert page.value("crib_shards", state="expected") == 3
        assert page.value("crib_shards", state="connected") == 3


async def test_a_bot_whose_database_does_not_answer_lives_and_is_not_ready(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port) as bench:
        bench.client.shards.expect(1)
        bench.client.shards.listed(0, [])
        assert (await bench.scrape()).value("crib_tables", state="playing") == 0
        bench.store.broken = True
        assert await bench.get("/readyz") == (503, f"{VERSION} is not ready: the database does not answer\n")
        assert (await bench.get("/healthz"))[0] == 200
        page = await bench.scrape()
        assert page.value("crib_ready") == 0
        assert page.value("crib_database_unavailable_total") == 2
        assert page.value("crib_tables", state="playing") is None, "nobody knows how many there are"
        assert page.value("crib_sessions") == 5


async def test_a_health_check_does_not_wait_for_the_database_to_answer(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port, patience=0.1) as bench:
        bench.client.shards.expect(1)
        bench.client.shards.listed(0, [])
        bench.store.takes = 3_600.0
        assert await bench.get("/readyz") == (503, f"{VERSION} is not ready: the database does not answer\n")


async def test_the_page_has_what_the_bot_and_the_database_say(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port) as bench:
        store = bench.observer.database.store
        for channel in (1, 2):
            await store.open_table(table(f"table{channel}", channel=channel))
        bench.client.hear({"id": "1", "type": 2})
        page = await bench.scrape()
        assert page.value("crib_tables", state="gathering") == 2
        assert page.value("crib_tables", state="playing") == 0
        assert page.value("crib_tables_behind", state="telling") == 3
        assert page.value("crib_tables_behind", state="retried") == 2
        assert page.value("crib_tables_behind", state="put_off") == 1
        assert page.value("crib_sessions") == 5
        assert page.value("crib_presses_total", kind="command") == 1
        assert page.value("crib_leases") == 4
        assert page.value("crib_database_seconds_count", call="open_table") == 2
        assert page.value("crib_database_seconds_count", call="count_open_tables") == 1
        assert page.total("process_resident_memory_bytes") > 0


async def test_a_page_is_rendered_once_a_second_for_all_readers(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with observed(unused_tcp_port) as bench:
        rendered: list[bytes] = []
        page = bench.observer.metrics.page

        def counted() -> bytes:
            rendered.append(page())
            return rendered[-1]

        monkeypatch.setattr(bench.observer.metrics, "page", counted)
        bench.store.takes = 0.05
        read = await asyncio.gather(*(bench.get("/metrics") for _ in range(40)))
        assert len(rendered) == 1
        assert set(read) == {(200, rendered[0].decode())}
        bench.clock.now += 0.9
        await bench.get("/metrics")
        assert len(rendered) == 1
        bench.clock.now += 0.1
        await bench.get("/metrics")
        assert len(rendered) == 2


async def test_what_blocks_the_event_loop_is_seen(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port) as bench:
        await asyncio.sleep(0.15)
        time.sleep(0.3)  # noqa: ASYNC251 -- this is what is to be seen
        await asyncio.sleep(0.05)
        page = await bench.scrape()
        count, prompt = (
            page.value(f"crib_loop_delay_seconds_{each}", **labels) or 0
            for each, labels in (("count", {}), ("bucket", {"le": "0.1"}))
        )
        assert count > prompt


async def test_an_address_that_is_taken_is_said_in_a_sentence(unused_tcp_port: int) -> None:
    with socket.create_server(("127.0.0.1", unused_tcp_port)), pytest.raises(SettingsError) as refusal:
        async with observed(unused_tcp_port):
            pass
    assert str(refusal.value).startswith("METRICS names an address at which the bot cannot listen: ")


async def test_a_name_that_nobody_knows_is_said_in_a_sentence() -> None:
    observer = Observer(opened(MemoryStore()))
    with pytest.raises(SettingsError, match="METRICS names an address at which the bot cannot listen"):
        async with observer.serving("nowhere.invalid", 9152):
            pass


@pytest.mark.deep
def test_the_metrics_library_is_loaded_only_where_metrics_are_asked_for() -> None:
    says = "import sys, bot.__main__; print([each for each in sys.modules if each.startswith('prometheus')])"
    here = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", says], cwd=here, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
