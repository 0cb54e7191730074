"""The clock follows Discord's time, also when the host's clock jumps."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from discord.utils import time_snowflake

from bot.sync.discord_time import DiscordTime

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = 86_400.0


class Host:
    """A host with a clock that can be set, and a monotonic one."""

    def __init__(self, ahead: float = 0.0) -> None:
        self.wall = NOON.timestamp() + ahead
        self.uptime = 100.0

    def passes(self, seconds: float, jump: float = 0.0) -> None:
        self.wall += seconds + jump
        self.uptime += seconds

    def time(self) -> DiscordTime:
        return DiscordTime(lambda: self.wall, lambda: self.uptime)


@pytest.mark.parametrize("ahead", [-9 * DAY, 0.0, 9 * DAY])
def test_a_host_that_is_days_off_is_believed_only_until_discord_is_heard(ahead: float) -> None:
    host = Host(ahead)
    now = host.time()
    assert now() == NOON.timestamp() + ahead
    now.observe(NOON.timestamp())
    assert now() == NOON.timestamp()
    assert now.utcnow() == NOON


@pytest.mark.parametrize("jump", [-9 * DAY, 9 * DAY])
def test_a_jump_of_the_host_s_clock_is_no_jump_of_the_time(jump: float) -> None:
    host = Host()
    now = host.time()
    now.observe(NOON.timestamp())
    host.passes(60, jump)
    assert now() == NOON.timestamp() + 60


def test_it_goes_forward_with_discord_where_the_host_has_slept_and_never_back() -> None:
    host = Host()
    now = host.time()
    now.observe(NOON.timestamp())
    now.observe(NOON.timestamp() - DAY)
    assert now() == NOON.timestamp()
    now.observe_id(time_snowflake(NOON + timedelta(hours=3)))
    assert now() == pytest.approx(NOON.timestamp() + 3 * 3_600, abs=0.01)
    host.passes(10)
    now.observe(NOON.timestamp() + 3 * 3_600 + 9)  # a header tells whole seconds, and has travelled
    assert now() == pytest.approx(NOON.timestamp() + 3 * 3_600 + 10, abs=0.01)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Sun, 22 Nov 2026 12:00:00 GMT", NOON.timestamp()),
        ("yesterday", NOON.timestamp() + DAY),
        (None, NOON.timestamp() + DAY),
    ],
)
async def test_the_date_of_an_answer_is_heard(header: str | None, seconds: float) -> None:
    now = Host(DAY).time()
    trace = now.listen(aiohttp.TraceConfig())
    answer: Any = SimpleNamespace(response=SimpleNamespace(headers={"Date": header} if header else {}))
    for heard in trace.on_request_end:
        await heard(None, None, answer)  # type: ignore[arg-type]
    assert now() == seconds


def test_nothing_that_plays_asks_the_host_s_clock() -> None:
    """Code that takes a clock may default to the host's, for programs other than the bot."""
    own_time = re.compile(r"\btime\.time\b|\butcnow\b(?!\(self)|datetime\.now\b")
    found = [
        str(path)
        for path in Path("bot").rglob("*.py")
        if path.parts[1] != "store" and path.name != "discord_time.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if own_time.search(line) and "DISCORD_TIME" not in line
    ]
    assert found == []
