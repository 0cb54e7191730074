"""The soak of several processes, as cheap as it can be: one process, or its database, is killed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from programs.soak.processes import UNANSWERED, Plan, figures, run, slice_of
from sandbox.rate_limits import RateLimits
from tests import postgresql
from tests.postgresql import Server


def test_the_slices_have_every_shard_once() -> None:
    assert [slice_of(number, 4, 16) for number in range(4)] == ["0-3/16", "4-7/16", "8-11/16", "12-15/16"]
    assert [slice_of(number, 2, 3) for number in range(2)] == ["0-0/3", "1-2/3"]
    assert slice_of(0, 1, 1) == "0-0/1"


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that a test may kill, and that keeps what it has on the disk."""
    postgresql.require()
    server = Server.make(is_safe=True)
    yield server
    server.remove()


@pytest.mark.sockets
@pytest.mark.parametrize("kills_database", [False, True])
async def test_games_go_on_though_the_process_or_its_database_is_killed(
    own_server: Server, tmp_path: Path, kills_database: bool
) -> None:
    plan = Plan(
        games=2,
        processes=1,
        shards=1,
        guilds=3,
        side_by_side=2,
        kill_every=2.0,
        most_kills=1,
        kill_database=int(kills_database),
        back_after=0.3,
        pause=0.0,
        patience=60.0,
        identify_period=0.0,
        limits=RateLimits.relaxed(),
        allowed=100_000,
        settings={"REQUESTS_A_SECOND": "10000", "MERGE_EDITS": "0", "WRITE_BEHIND": "0.5", "DEAL_PAUSE": "0"},
    )
    said: list[str] = []

    report = await run(plan, tmp_path, own_server, said.append)

    # How soon it answers again, once the server is back, depends on the machine.
    found = [each for each in report.found if not (kills_database and each.startswith(UNANSWERED))]
    assert not found, "\n".join([*figures(report, plan.allowed), *found])
    assert report.outcome.games == plan.games
    assert report.kills == len(report.takeovers) == (not kills_database)
    assert report.database_kills == kills_database
    assert report.most_requests > 1
