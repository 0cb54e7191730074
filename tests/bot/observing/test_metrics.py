"""What the metrics say of interactions, answers, requests and the database, and the paths that serve them."""

from __future__ import annotations

import asyncio
import inspect
import platform
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import aiohttp
import pytest
import yarl
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.features.clubs.store import ClubStore
from bot.features.daily.store import DailyStore
from bot.model.errors import NoSuchGame, SettingsError, StoreUnavailable
from bot.model.version import VERSION
from bot.observing.metrics import Metrics
from bot.observing.observer import Observer, Watched
from bot.observing.readings import Readings
from bot.observing.timed import timed_database
from bot.observing.traffic import Traffic
from bot.store import Store
from bot.store.opening import Opened, open_database, standings_in
from bot.sync.queue import Backlog
from bot.sync.rate_limit import RateLimiter
from tests.bot.clock import Clock
from tests.bot.leaping_loop import leaping
from tests.bot.observing.reading import Scraped
from tests.bot.store.memory import MemoryStore
from tests.bot.store.tables import table
from tests.patience import PATIENCE


def interaction(number: int, kind: int = 2, **data: Any) -> dict[str, Any]:
    return {"id": str(number), "type": kind, "data": data}


def scraped(metrics: Metrics) -> Scraped:
    return Scraped(metrics.page().decode())


@asynccontextmanager
async def discord_with(
    traffic: Traffic, clock: Clock, *, takes: float = 0.0, **answer: Any
) -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
    """A traced session, and a server that answers every request alike after a delay."""

    async def anything(_: web.Request) -> web.Response:
        clock.now += takes
        return web.Response(**answer)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", anything)
    trace = traffic.listen(RateLimiter(10_000).trace())
    async with TestServer(app) as server, aiohttp.ClientSession(trace_configs=[trace]) as session:
        yield session, str(server.make_url("/api/v10"))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (interaction(1, 2, name="crib"), "command"),
        (interaction(1, 3, component_type=2), "button"),
        (interaction(1, 3, component_type=3), "select"),
        (interaction(1, 3, component_type=5), "select"),
        (interaction(1, 4), "autocomplete"),
        (interaction(1, 5), "modal"),
        (interaction(1, 99), "other"),
        ({"id": "1"}, "other"),
    ],
)
def test_presses_are_counted_by_kind(given: dict[str, Any], kind: str) -> None:
    metrics = Metrics()
    Traffic(metrics, Clock()).received(given)
    assert scraped(metrics).value("crib_presses_total", kind=kind) == 1
    assert scraped(metrics).total("crib_presses_total") == 1


async def test_an_answer_takes_from_the_press_until_discord_has_taken_the_response() -> None:
    metrics, clock = Metrics(), Clock()
    traffic = Traffic(metrics, clock)
    traffic.received(interaction(7, 3, component_type=2))
    clock.now += 0.125
    async with discord_with(traffic, clock, takes=0.5, status=204) as (session, url):
        for _ in range(2):  # the second is no answer to anything that was pressed
            await session.post(f"{url}/interactions/7/a-token/callback")
        await session.patch(f"{url}/webhooks/1/a-token/messages/@original")
    page = scraped(metrics)
    assert page.value("crib_answer_seconds_count", kind="button") == 1
    assert page.value("crib_answer_seconds_sum", kind="button") == pytest.approx(0.625)
    assert page.value("crib_answer_seconds_bucket", kind="button", le="0.5") == 0
    assert page.value("crib_answer_seconds_bucket", kind="button", le="0.75") == 1
    assert page.value("crib_discord_requests_total", status="2xx", counted="no") == 3
    assert page.value("crib_discord_request_seconds_sum") == pytest.approx(1.5)
    assert page.value("crib_discord_waiting_seconds_count") == 0


async def test_a_response_that_discord_refuses_is_no_answer() -> None:
    metrics, clock = Metrics(), Clock()
    traffic = Traffic(metrics, clock)
    traffic.received(interaction(7))
    async with discord_with(traffic, clock, status=404) as (session, url):
        await session.post(f"{url}/interactions/7/a-token/callback")
    assert scraped(metrics).total("crib_answer_seconds_count") == 0
    assert scraped(metrics).value("crib_discord_requests_total", status="4xx", counted="no") == 1


async def test_presses_that_nobody_answers_are_forgotten() -> None:
    metrics, clock = Metrics(), Clock()
    traffic = Traffic(metrics, clock)
    traffic.received(interaction(7))
    clock.now += 16
    async with discord_with(traffic, clock) as (session, url):
        await session.post(f"{url}/interactions/7/a-token/callback")
    assert scraped(metrics).total("crib_answer_seconds_count") == 0


@pytest.mark.parametrize(
    ("headers", "scope"),
    [
        ({"X-RateLimit-Scope": "shared"}, "shared"),
        ({"X-RateLimit-Scope": "global"}, "global"),
        ({"X-RateLimit-Scope": "user"}, "user"),
        ({"X-RateLimit-Scope": "1234567"}, "unknown"),
        ({}, "unknown"),
    ],
)
async def test_what_discord_refuses_as_too_many_is_counted_by_its_limit(
    headers: dict[str, str], scope: str
) -> None:
    metrics, clock = Metrics(), Clock()
    async with discord_with(Traffic(metrics, clock), clock, status=429, headers=headers) as (session, url):
        await session.patch(f"{url}/channels/123456789012345678/messages/123456789012345679")
    page = scraped(metrics)
    assert page.value("crib_discord_rate_limited_total", scope=scope) == 1
    assert page.value("crib_discord_requests_total", status="429", counted="yes") == 1
    assert not [label for label in page.labels() if label.isdecimal() and label != "429"], "no id is a label"


async def test_a_request_that_gets_no_answer_is_counted(unused_tcp_port: int) -> None:
    metrics = Metrics()
    trace = Traffic(metrics, Clock()).listen(RateLimiter(10_000).trace())
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        with pytest.raises(aiohttp.ClientConnectionError):
            await session.get(f"http://127.0.0.1:{unused_tcp_port}/api/v10/gateway/bot")
    assert scraped(metrics).value("crib_discord_requests_total", status="none", counted="yes") == 1


async def test_a_connection_to_the_gateway_is_no_request() -> None:
    metrics = Metrics()

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/gateway", gateway)
    trace = Traffic(metrics, Clock()).listen(RateLimiter(10_000).trace())
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(trace_configs=[trace]) as session,
        session.ws_connect(server.make_url("/gateway")) as socket,
    ):
        await socket.receive()
    assert scraped(metrics).total("crib_discord_requests_total") == 0
    assert scraped(metrics).value("crib_discord_request_seconds_count") == 0


@leaping
async def test_a_request_that_waits_for_its_turn_is_seen_to_wait() -> None:
    metrics = Metrics()
    trace = Traffic(metrics, asyncio.get_running_loop().time).listen(RateLimiter(10).trace())
    trace.freeze()
    session: Any = None
    response: Any = SimpleNamespace(status=200, headers={})
    at = yarl.URL("https://discord.com/api/v10/channels/1")
    for _ in range(2):
        context: Any = trace.trace_config_ctx()
        begun = aiohttp.TraceRequestStartParams("GET", at, headers=None)  # type: ignore[arg-type]
        await trace.on_request_start.send(session, context, begun)
        ended = aiohttp.TraceRequestEndParams("GET", at, None, response)  # type: ignore[arg-type]
        await trace.on_request_end.send(session, context, ended)
    page = scraped(metrics)
    assert page.value("crib_discord_waiting_seconds_count") == 2
    assert page.value("crib_discord_waiting_seconds_bucket", le="0.01") == 1
    assert page.value("crib_discord_waiting_seconds_sum") == pytest.approx(0.1)
    assert page.value("crib_discord_request_seconds_sum") == 0, "waiting is no part of it"


# -- the database ----------------------------------------------------------------------------------------


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


# -- what is served --------------------------------------------------------------------------------------


def opened(store: MemoryStore) -> Opened:
    return Opened(
        store=store,
        database=store.database,
        standings=standings_in(store.database),
        when_unusable=lambda _: None,
        refuse_if_unusable=lambda: None,
    )


@asynccontextmanager
async def observed(
    port: int, store: MemoryStore | None = None, *, patience: float = PATIENCE
) -> AsyncIterator[Any]:
    """An observed bot: its `clock` and `observer`, and its `shards` and `hear` for what Discord sends.

    It has that `patience` (s) with the database, which is never taken for a slow one by default.
    """
    store, clock, client = store or MemoryStore(), Clock(), Mock(spec=Watched)
    observer = Observer(opened(store), clock, patience=patience)
    behind = Backlog(syncing=3, retried=2, deferred=1)
    state = SimpleNamespace(is_quarantined=False)
    observer.watch(
        client,
        lambda: Readings(sessions=5, behind=behind, is_quarantined=state.is_quarantined, leases=4, dropped=6),
    )
    [shards], [hear] = (
        client.add_shard_listener.call_args.args,
        client.add_interaction_listener.call_args.args,
    )
    async with observer.serving("127.0.0.1", port):
        url = f"http://127.0.0.1:{port}"
        yield SimpleNamespace(url=url, clock=clock, observer=observer, shards=shards, hear=hear, state=state)


async def get(bot: Any, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"{bot.url}{path}") as answer:
        return answer.status, await answer.text()


async def scrape(bot: Any) -> Scraped:
    bot.clock.now += 1.0  # a page of before is kept for a second
    status, page = await get(bot, "/metrics")
    assert status == 200
    return Scraped(page)


def slow(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, seconds: float) -> MemoryStore:
    """The store, which counts the tables that slowly."""
    count = store.count_open_tables

    async def counted() -> Any:
        await asyncio.sleep(seconds)
        return await count()

    monkeypatch.setattr(store, "count_open_tables", counted)
    return store


async def test_a_bot_lives_from_its_start_and_is_ready_when_all_shards_are_connected(
    unused_tcp_port: int,
) -> None:
    async with observed(unused_tcp_port) as bot:
        shards = bot.shards
        assert await get(bot, "/healthz") == (200, "alive\n")
        assert await get(bot, "/readyz") == (503, f"{VERSION} is not ready: 0 of its shards are connected\n")
        shards.expect(3)
        shards.listed(0, [1, 2])
        shards.listed(2, [])
        assert await get(bot, "/readyz") == (503, f"{VERSION} is not ready: 2 of 3 shards are connected\n")
        shards.listed(1, [3])
        assert await get(bot, "/readyz") == (200, f"{VERSION} is ready\n")
        shards.lost(2)
        assert (await get(bot, "/readyz"))[0] == 503
        assert (await scrape(bot)).value("crib_ready") == 0
        shards.resumed(2)
        assert (await get(bot, "/readyz"))[0] == 200
        page = await scrape(bot)
        assert page.value("crib_ready") == 1
        assert page.value("crib_build_info", version=VERSION, python=platform.python_version()) == 1
        assert page.value("crib_shards", state="expected") == 3
        assert page.value("crib_shards", state="connected") == 3
        assert page.value("crib_quarantined") == 0
        bot.state.is_quarantined = True
        said = f"{VERSION} is ready, but quarantined: Discord refuses its direct messages to strangers\n"
        assert await get(bot, "/readyz") == (200, said)
        assert (await scrape(bot)).value("crib_quarantined") == 1


async def test_a_bot_whose_database_does_not_answer_lives_and_is_not_ready(unused_tcp_port: int) -> None:
    store = MemoryStore()
    async with observed(unused_tcp_port, store) as bot:
        bot.shards.expect(1)
        bot.shards.listed(0, [])
        assert (await scrape(bot)).value("crib_tables", state="playing") == 0
        store.broken = True
        assert await get(bot, "/readyz") == (503, f"{VERSION} is not ready: the database does not answer\n")
        assert (await get(bot, "/healthz"))[0] == 200
        page = await scrape(bot)
        assert page.value("crib_ready") == 0
        assert page.value("crib_database_unavailable_total") == 2
        assert page.value("crib_tables", state="playing") is None, "nobody knows how many there are"
        assert page.value("crib_sessions") == 5


async def test_a_health_check_does_not_wait_for_the_database_to_answer(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = slow(MemoryStore(), monkeypatch, 3_600.0)
    async with observed(unused_tcp_port, store, patience=0.1) as bot:
        bot.shards.expect(1)
        bot.shards.listed(0, [])
        assert await get(bot, "/readyz") == (503, f"{VERSION} is not ready: the database does not answer\n")


async def test_the_page_has_what_the_bot_and_the_database_say(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port) as bot:
        for channel in (1, 2):
            await bot.observer.database.store.open_table(table(f"table{channel}", channel=channel))
        bot.hear({"id": "1", "type": 2})
        page = await scrape(bot)
        assert page.value("crib_tables", state="gathering") == 2
        assert page.value("crib_tables", state="playing") == 0
        assert page.value("crib_tables_behind", state="telling") == 3
        assert page.value("crib_tables_behind", state="retried") == 2
        assert page.value("crib_tables_behind", state="put_off") == 1
        assert page.value("crib_sessions") == 5
        assert page.value("crib_presses_total", kind="command") == 1
        assert page.value("crib_leases") == 4
        assert page.value("crib_presses_dropped_total") == 6
        assert page.value("crib_database_seconds_count", call="open_table") == 2
        assert page.value("crib_database_seconds_count", call="count_open_tables") == 1
        assert page.total("process_resident_memory_bytes") > 0


async def test_a_page_is_rendered_once_a_second_for_all_readers(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with observed(unused_tcp_port, slow(MemoryStore(), monkeypatch, 0.05)) as bot:
        rendered = Mock(side_effect=bot.observer.metrics.page)
        monkeypatch.setattr(bot.observer.metrics, "page", rendered)
        read = await asyncio.gather(*(get(bot, "/metrics") for _ in range(40)))
        assert len(set(read)) == rendered.call_count == 1
        bot.clock.now += 0.9
        await get(bot, "/metrics")
        assert rendered.call_count == 1
        bot.clock.now += 0.1
        await get(bot, "/metrics")
        assert rendered.call_count == 2


async def test_what_blocks_the_event_loop_is_seen(unused_tcp_port: int) -> None:
    async with observed(unused_tcp_port) as bot:
        await asyncio.sleep(0.15)
        time.sleep(0.3)  # noqa: ASYNC251 -- this is what is to be seen
        await asyncio.sleep(0.05)
        page = await scrape(bot)
        count, prompt = (
            page.value(f"crib_loop_delay_seconds_{each}", **labels) or 0
            for each, labels in (("count", {}), ("bucket", {"le": "0.1"}))
        )
        assert count > prompt


async def test_an_address_that_cannot_be_bound_is_said_in_a_sentence(unused_tcp_port: int) -> None:
    observer = Observer(opened(MemoryStore()))
    with socket.create_server(("127.0.0.1", unused_tcp_port)):
        for address in (("127.0.0.1", unused_tcp_port), ("nowhere.invalid", 9152)):
            with pytest.raises(SettingsError) as refusal:
                async with observer.serving(*address):
                    pass
            said = "METRICS names an address at which the bot cannot listen: "
            assert str(refusal.value).startswith(said)


@pytest.mark.deep
def test_the_metrics_library_is_loaded_only_where_metrics_are_asked_for() -> None:
    says = "import sys, bot.__main__; print([each for each in sys.modules if each.startswith('prometheus')])"
    here = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", says], cwd=here, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
