"""The stage for a look: a sandbox, the bot with its pictures, and Chromium with people's pages."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, ViewportSize, async_playwright, expect

from sandbox.model.channels import Message
from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.page.conftest import CALM, PHONE
from tests.page.people import MILLISECONDS, Somebody, opened
from tests.patience import PATIENCE

DESKTOP = ViewportSize(width=1440, height=900)

_SHARPNESS = 2
"""Pixels of a picture for each of the page's, as screens have them today."""
_CARDS = 53
"""Pictures in the pack, its back among them."""
_PACE = "0.1"
"""Seconds in which the computer plays a card."""
_PAUSE = "600"
"""Seconds for which a show stands: so long that somebody presses *Deal*."""

_LOADED = "one => Promise.all([...one.querySelectorAll('img')].map((image) => image.decode()))"
"""JavaScript: when all pictures in an element can be seen."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One sandbox with the bot, and a browser to look at it."""

    sandbox: Sandbox
    bot: BotProcess
    browser: Browser

    @property
    def archive(self) -> Archive:
        """The bot's database."""
        return Archive(self.bot.database)

    @property
    def messages(self) -> dict[str, Message]:
        """Every message that stands somewhere, by id."""
        world = self.sandbox.world
        direct = (*world.dms.values(), *world.between_people.values())
        channels = (*world.guild.channels.values(), *direct)
        return {key: message for channel in channels for key, message in channel.messages.items()}

    async def page(
        self,
        *names: str,
        channel: str = "cribbage",
        theme: str = "dark",
        viewport: ViewportSize = PHONE,
    ) -> Page:
        """The page with these people's clients, on a phone unless another `viewport` is given."""
        page = await self.browser.new_page(
            viewport=viewport, device_scale_factor=_SHARPNESS, reduced_motion="reduce"
        )
        url = f"{self.sandbox.url}/?as={','.join(names)}&channel={channel}&theme={theme}"
        return await opened(page, url)

    async def somebody(self, name: str, *, in_dm: bool) -> Somebody:
        """A person with a phone."""
        return Somebody(await self.page(name), name, in_dm=in_dm)


@asynccontextmanager
async def stage(browser: Browser, **settings: str) -> AsyncIterator[Stage]:
    """A new sandbox and a new bot, whose log must be clean at the end."""
    patient = Deadlines(first_answer=PATIENCE)
    with tempfile.TemporaryDirectory() as directory:
        async with Sandbox(rate_limits=RateLimits.relaxed(), deadlines=patient) as sandbox:
            variables = {"PICTURES": "true", "COMPUTER_PACE": _PACE, "DEAL_PAUSE": _PAUSE, **settings}
            database = Path(directory) / "games.sqlite3"
            async with BotProcess(sandbox, database, variables, has_pictures=False) as bot:
                ada = sandbox.people["Ada"]
                await ada.until(lambda: len(sandbox.world.emojis) >= _CARDS, timeout=PATIENCE)
                yield Stage(sandbox, bot, browser)
            if bot.troubles:
                raise RuntimeError("\n".join(bot.troubles))


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Chromium without a window. Raises `SystemExit` where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        raise SystemExit("There is no Chromium on PATH.")
    expect.set_options(timeout=MILLISECONDS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=CALM)
        yield browser
        await browser.close()


async def screenshot(of: Page | Locator, path: Path) -> bytes:
    """A picture of a page or of a part of it, with all its images loaded; written to `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    page, element = (of, of.locator("body")) if isinstance(of, Page) else (of.page, of)
    await page.mouse.move(0, 0)
    await page.wait_for_load_state("networkidle")
    await element.evaluate(_LOADED)
    return await of.screenshot(path=path)
