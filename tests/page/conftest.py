"""A browser for the session, and for each test a small Discord with people's pages open on it."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
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

OpenPage = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a window, one for all tests of the page."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        if os.environ.get("REQUIRE_CHROMIUM") == "1":
            pytest.fail("REQUIRE_CHROMIUM=1, but there is no Chromium on PATH")
        pytest.skip("no Chromium on PATH: tried " + ", ".join(names))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=CALM)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def discord() -> AsyncIterator[SmallDiscord]:
    """A small Discord; a test sets its state before it opens a page, and sends events afterwards."""
    small = SmallDiscord()
    small.ready = ready()
    async with small.running():
        yield small


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, discord: SmallDiscord) -> AsyncIterator[OpenPage]:
    """Opens the page in a fresh profile and waits for its clients; an error on it fails the test."""
    complaints: list[str] = []
    contexts = []

    async def opened(
        query: str = "as=Ada&theme=dark", *, viewport: ViewportSize = DESKTOP, **settings: Any
    ) -> Page:
        context = await browser.new_context(viewport=viewport, reduced_motion="reduce", **settings)
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(f"{discord.url}/?{query}")
        await page.wait_for_function(
            "document.querySelector('.client') && !document.querySelector('.client[data-ready=false]')"
        )
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert complaints == []
