"""A browser for the session, and for each test a small Discord with people's pages open on it."""

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from tests.page.samples import ready
from tests.page.small_discord import SmallDiscord

DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
CALM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is here: it is about the page, and runs in the loop that the browser runs in.

    Each page costs Chromium a second: all are deep but the first test of each file, which sees gross faults.
    """
    begun: set[Path] = set()
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.page)
        item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
        if item.path in begun:
            item.add_marker(pytest.mark.deep)
        begun.add(item.path)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a window, one for all tests of the page."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        if os.environ.get("REQUIRE_CHROMIUM") == "1":
            pytest.fail("REQUIRE_CHROMIUM=1, but there is no Chromium on PATH")
        pytest.skip(f"no Chromium on PATH (Debian's package chromium): tried {', '.join(names)}")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=CALM)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _server() -> AsyncIterator[SmallDiscord]:
    small = SmallDiscord()
    async with small.running():
        yield small


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _free_pages() -> dict[str, list[Page]]:
    """By settings: browser profiles that are used again. One of its own for each test takes twice as long."""
    return {}


@pytest_asyncio.fixture(loop_scope="session")
async def discord(
    _server: SmallDiscord, browser: Browser, _free_pages: dict[str, list[Page]]
) -> AsyncIterator[SmallDiscord]:
    """A small Discord; a test sets its state before it opens a page, and sends events afterwards.

    A page is opened in a profile of its own; an error on it fails the test.
    """
    await _server.begin_again(ready())
    complaints: list[str] = []
    opened: list[tuple[Page, list[Page]]] = []

    def complain(error: Exception) -> None:
        complaints.append(str(error))

    async def open_one(
        query: str = "as=Ada&theme=dark", *, viewport: ViewportSize = DESKTOP, **settings: Any
    ) -> Page:
        settings["viewport"] = viewport
        free = _free_pages.setdefault(repr(settings), [])
        if not free:
            context = await browser.new_context(reduced_motion="reduce", **settings)
            free.append(await context.new_page())
            free[0].set_default_timeout(5000)
        page = free.pop()
        opened.append((page, free))
        page.on("pageerror", complain)
        await page.goto(f"{_server.url}/?{query}")
        await page.wait_for_function(
            "document.querySelector('.client') && !document.querySelector('.client[data-ready=false]')"
        )
        return page

    _server.open = open_one
    yield _server
    for page, free in opened:
        page.remove_listener("pageerror", complain)
        await page.evaluate("localStorage.clear()")
        await page.goto("about:blank")
        await page.mouse.move(0, 0)
        free.append(page)
    assert complaints == []
