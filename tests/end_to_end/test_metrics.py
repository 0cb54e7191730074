"""A game in the sandbox, seen from outside: metrics, health and readiness of a real bot process."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import aiohttp
import pytest

from bot.model.version import VERSION
from sandbox.server import Sandbox
from tests.bot.observing.reading import Scraped
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told, reply_to


@pytest.mark.deep
async def test_a_game_is_seen_in_the_metrics(
    sandbox: Sandbox, tmp_path: Path, unused_tcp_port: int, conformance: Conformance
) -> None:
    address = f"127.0.0.1:{unused_tcp_port}"
    process = BotProcess(sandbox, tmp_path / "games.sqlite3", {"METRICS": address})

    async def get(path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"http://{address}{path}") as answer:
            assert answer.content_type == "text/plain"
            return answer.status, await answer.text()

    async def scrape() -> Scraped:
        return Scraped((await get("/metrics"))[1])

    async with process:
        people = [sandbox.people["Ada"], sandbox.people["Ben"]]
        table = await Table.begin(sandbox.channels["cribbage"], people, length=61)
        assert await get("/healthz") == (200, "alive\n")
        assert await get("/readyz") == (200, f"{VERSION} is ready\n")
        page = await scrape()
        assert page.value("crib_tables", state="playing") == 1
        assert page.value("crib_sessions") == 1
        assert page.value("crib_ready") == 1

        await table.play(lambda: len(table.deals) == 3)
        await reply_to(people[0].command(table.channel, "crib resign", sure=True))
        await everything_told([table])
        await asyncio.sleep(1.1)  # the page of before is kept for a second
        page = await scrape()
        presses = page.total("crib_presses_total")
        assert presses == len(sandbox.interactions.by_id)
        assert page.total("crib_answer_seconds_count") == presses, "each was answered"
        assert page.value("crib_tables", state="playing") == 0
        assert (page.value("crib_database_seconds_count", call="append") or 0) > 20
        assert (page.value("crib_loop_delay_seconds_count") or 0) > 0
        assert page.value("crib_shards", state="connected") == 1
        assert page.total("crib_discord_rate_limited_total") == 0
        traced = [
            each for each in conformance.exchanges if each.path.startswith(("/channels", "/interactions"))
        ]
        assert page.total("crib_discord_requests_total") >= len(traced)
        assert not [label for label in page.labels() if re.search(r"\d{5}", label)], "no id is a label"
        assert not page.labels() & {*sandbox.people, table.game}

        assert await process.stop() == 0
    assert not process.troubles, "\n".join(process.troubles)
