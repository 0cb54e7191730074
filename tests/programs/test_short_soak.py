"""The short soak of every test run: a few whole games with faults injected from a seed.

The long one is `make soak`.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from programs.soak.soaking import Plan, bathe
from sandbox.faults import MIXED

_SEED, _GAMES = 11, 4


@pytest.mark.sockets
async def test_games_end_told_once_and_secret_whatever_goes_wrong(tmp_path: Path) -> None:
    both = (signal.SIGKILL, signal.SIGTERM)
    plan = Plan(
        seed=_SEED,
        games=_GAMES,
        seats=(2,),
        options=(
            {"length": 61},
            {"length": 61, "computer": "steady"},
            {"length": 61, "thread": True},
            {"length": 61, "dm": True},
        ),
        rates=MIXED,
        restarts=both,
        every=1.5,
        patience=40.0,
    )

    bath = await bathe(plan, tmp_path)

    assert not bath.found, "\n".join(bath.found)
    assert bath.games == _GAMES
    assert bath.faults["SIGKILL"] == bath.faults["SIGTERM"] == 1
    assert sum(bath.faults.values()) > 20
