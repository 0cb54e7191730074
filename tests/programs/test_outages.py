"""Recognition of outages, and of the presses that they excuse."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from programs.soak.outages import Absence, Outages
from sandbox.gateway.shards import Shards
from sandbox.server import Sandbox
from tests.sandbox.connection import connected


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(shards=Shards(count=4, max_concurrency=4)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("dies", [True, False])
async def test_an_outage_lasts_from_the_death_to_the_next_ready(sandbox: Sandbox, dies: bool) -> None:
    outages, ada = Outages(sandbox), sandbox.people["Ada"]
    async with connected(sandbox) as first:
        await first.identify(1)
        await ada.until(lambda: sandbox.gateway.is_live(1))
        if dies:
            outages.died()
    await ada.until(lambda: not sandbox.gateway.is_live(1))
    assert [(each.shard, each.by_death, each.until) for each in outages.all] == [(1, dies, None)]
    [outage] = outages.all
    assert outages.excuse(1, outage.since + 9, outage.since + 12) is dies

    async with connected(sandbox) as second:
        await second.identify(1)
        await ada.until(lambda: outages.all[0].until is not None)
        assert outage.until is not None
        assert outages.takeovers() == ([outage.until - outage.since] if dies else [])
        assert not outages.excuse(1, outage.until + 1, outage.until + 4)
        assert not outages.excuse(2, outage.since, outage.until)


async def test_an_absence_of_the_database_excuses_presses_on_every_shard(sandbox: Sandbox) -> None:
    outages = Outages(sandbox)
    outages.without_database.append(Absence(since=10.0))
    assert outages.excuse(3, 11.0, 14.0)
    outages.without_database[0].until = 12.0
    assert outages.excuse(0, 9.0, 10.5)
    assert not outages.excuse(0, 12.1, 15.0)
    assert not outages.excuse(0, 6.0, 9.0)
    assert not outages.takeovers()


async def test_a_shard_with_a_second_session_has_no_outage(sandbox: Sandbox) -> None:
    outages, ada = Outages(sandbox), sandbox.people["Ada"]
    async with connected(sandbox) as new:
        async with connected(sandbox) as old:
            for each in (old, new):
                await each.identify(1)
                await each.next()
            outages.died()
        await ada.until(lambda: sum(each.is_live for each in sandbox.gateway.sessions.values()) == 1)
        assert outages.all == []
