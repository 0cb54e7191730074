"""A browser for all tests of the page, and for each test a small Discord with people's pages open on it."""

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

    Each browser takes 300 MB, and each page a second of it: all are deep but one that plays, the sample.
    """
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.page)
        item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
        if not item.get_closest_marker("sample"):
            item.add_marker(pytest.mark.deep)


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a window, for all tests of the page; as large as a worker, it ends with them."""
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


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def _server() -> AsyncIterator[SmallDiscord]:
    small = SmallDiscord()
    async with small.running():
        yield small


class Pages:
    """Browser profiles that are used again: a process and an empty cache for each test take twice as long."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    async def take(self, **settings: Any) -> Page:
        """A page that shows nothing, in a profile in which nothing is stored and that nobody else uses."""
        free = self._free.setdefault(repr(settings), [])
        if free:
            return free.pop()
        context = await self._browser.new_context(reduced_motion="reduce", **settings)
        page = await context.new_page()
        page.set_default_timeout(5000)
        return page

    async def give_back(self, page: Page, **settings: Any) -> None:
        """Leave the page and forget what it has stored."""
        await page.evaluate("localStorage.clear()")
        await page.goto("about:blank")
        await page.mouse.move(0, 0)
        self._free[repr(settings)].append(page)


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def _pages(browser: Browser) -> Pages:
    return Pages(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def discord(_server: SmallDiscord, _pages: Pages) -> AsyncIterator[SmallDiscord]:
    """A small Discord; a test sets its state before it opens a page, and sends events afterwards.

    A page is opened in a profile of its own; an error on it fails the test.
    """
    await _server.begin_again(ready())
    complaints: list[str] = []
    opened: list[tuple[Page, dict[str, Any]]] = []

    def complain(error: Exception) -> None:
        complaints.append(str(error))

    async def open_one(
        query: str = "as=Ada&theme=dark", *, viewport: ViewportSize = DESKTOP, **settings: Any
    ) -> Page:
        settings["viewport"] = viewport
        page = await _pages.take(**settings)
        opened.append((page, settings))
        page.on("pageerror", complain)
        await page.goto(f"{_server.url}/?{query}")
        await page.wait_for_function(
            "document.querySelector('.client') && !document.querySelector('.client[data-ready=false]')"
        )
        return page

    _server.open = open_one
    yield _server
    for page, settings in opened:
        page.remove_listener("pageerror", complain)
        await _pages.give_back(page, **settings)
    assert complaints == []
