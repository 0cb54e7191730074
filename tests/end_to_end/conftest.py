"""A sandbox with one bot process in it, for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.mention_watch import mention_watch
from tests.patience import PATIENCE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here speaks over real sockets."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.sockets)


@pytest.fixture
def sandbox_options() -> dict[str, Any]:
    """Further options of `sandbox`, for a module to override."""
    return {}


@pytest.fixture
async def sandbox(conformance: Conformance, sandbox_options: dict[str, Any]) -> AsyncIterator[Sandbox]:
    """A sandbox with relaxed rate limits, and deadlines long enough for a busy machine."""
    patient, wrong = Deadlines(first_answer=PATIENCE), list[str]()
    async with Sandbox(rate_limits=RateLimits.relaxed(), deadlines=patient, **sandbox_options) as sandbox:
        sandbox.observers += [conformance, mention_watch(wrong)]
        yield sandbox
    conformance.check()
    assert not wrong, "\n".join(dict.fromkeys(wrong))


@pytest.fixture
def bot_settings() -> dict[str, str]:
    """Further environment variables of `bot`, for a module to override."""
    return {}


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path, bot_settings: dict[str, str]) -> AsyncIterator[BotProcess]:
    """The bot, running; a warning in its log fails the test, and so does an end with another status."""
    async with BotProcess(sandbox, tmp_path / "games.sqlite3", bot_settings) as process:
        yield process
        assert await process.stop() == 0
    assert not process.troubles, "\n".join(process.troubles)
