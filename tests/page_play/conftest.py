"""A sandbox, the bot as its own process, and pages on which people play against each other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize, expect

from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.page.conftest import browser
from tests.page_play.people import MILLISECONDS, opened
from tests.patience import PATIENCE

__all__ = ["browser"]

SIDE_BY_SIDE = ViewportSize(width=1440, height=900)

CALM_HEART = 600.0
"""Seconds between two heartbeats, longer than any test: on one machine the answer overtakes discord.py's own
note of when it asked, and it warns that it cannot keep up."""

IMPATIENT = 5000
"""The default timeout of Playwright's expectations, in milliseconds."""

OpenPage = Callable[..., Awaitable[Page]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is played on the page, over real sockets, in the loop that the browser runs in."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.page)
            item.add_marker(pytest.mark.sockets)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Expectations wait as long as a busy machine needs, here and nowhere else."""
    expect.set_options(timeout=MILLISECONDS)
    yield
    expect.set_options(timeout=IMPATIENT)


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(conformance: Conformance) -> AsyncIterator[Sandbox]:
    """A sandbox with relaxed rate limits, and deadlines long enough for a busy machine."""
    patient = Deadlines(first_answer=PATIENCE)
    async with Sandbox(
        rate_limits=RateLimits.relaxed(), deadlines=patient, heartbeat_interval=CALM_HEART
    ) as sandbox:
        sandbox.observers.append(conformance)
        yield sandbox
    conformance.check()


@pytest_asyncio.fixture(loop_scope="session")
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The bot, running; a warning in its log fails the test, and so does an end with another status.

    A show stands until somebody presses *Deal*: a button that goes by itself cannot be pressed in time.
    """
    process = BotProcess(sandbox, tmp_path / "games.sqlite3", {"COMPUTER_PACE": "0", "DEAL_PAUSE": "600"})
    async with process:
        yield process
        assert await process.stop() == 0
    assert not process.troubles, "\n".join(process.troubles)


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, sandbox: Sandbox, bot: BotProcess) -> AsyncIterator[OpenPage]:
    """Opens the page in a fresh profile; a warning or error in its console fails the test."""
    complaints: list[str] = []
    contexts = []

    async def open_one(query: str, *, viewport: ViewportSize = SIDE_BY_SIDE, **settings: Any) -> Page:
        context = await browser.new_context(viewport=viewport, reduced_motion="reduce", **settings)
        contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        return await opened(page, f"{sandbox.url}/?{query}")

    yield open_one
    for context in contexts:
        await context.close()
    assert complaints == []
