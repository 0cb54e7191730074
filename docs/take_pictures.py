# ruff: noqa: INP001 -- a script, and no package
"""Take the pictures of the README again: `.venv/bin/python docs/take_pictures.py`, from the repository.

Two people play on the sandbox's page with the real bot until there is a good moment for a picture; the cards
are random, so no two runs give the same one. The table and a show are taken from Ada's channel, the hand from
Ben's direct messages. It needs Chromium on PATH, what `make test` installs, and a few minutes.
"""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, Page, async_playwright, expect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.end_to_end.bot_process import PATIENCE, BotProcess
from tests.page.conftest import CALM
from tests.page_play.people import MILLISECONDS, Somebody, opened, play, sit_down

HERE = Path(__file__).resolve().parent
MOST_BYTES = 200_000
CARDS = 53
"""Pictures in the pack, its back among them."""
TALL, PHONE = {"width": 780, "height": 1600}, {"width": 430, "height": 1400}
"""Window sizes that show a whole message; the width is the picture's."""

SCORED = re.compile(r"fifteen for two|a run of")
MIDDLE = range(25, 110)
"""Scores at which both sides are well along the board."""


async def take() -> None:
    """Start everything, play, and write the three pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("There is no Chromium on PATH.")
    expect.set_options(timeout=MILLISECONDS)
    with tempfile.TemporaryDirectory() as directory:
        async with (
            Sandbox(rate_limits=RateLimits.relaxed()) as sandbox,
            BotProcess(sandbox, Path(directory) / "games.sqlite3", {"PICTURES": "true"}),
            async_playwright() as playwright,
        ):
            await sandbox.people["Ada"].until(lambda: len(sandbox.world.emojis) >= CARDS, timeout=PATIENCE)
            browser = await playwright.chromium.launch(executable_path=chromium, args=CALM)
            sharp = {"device_scale_factor": 2, "reduced_motion": "reduce"}
            channel = await browser.new_page(viewport=TALL, **sharp)
            dm = await browser.new_page(viewport=PHONE, **sharp)
            await opened(channel, f"{sandbox.url}/?as=Ada&channel=cribbage&theme=dark")
            await opened(dm, f"{sandbox.url}/?as=Ben&channel=cribbage&theme=dark")
            await _play(channel, dm)
            await browser.close()


async def _play(channel: Page, dm: Page) -> None:
    """Play until both pictures are taken, with another game if need be."""
    ada, ben = Somebody(channel, "Ada", in_dm=False), Somebody(dm, "Ben")
    missing = {"table", "hand", "show"}

    async def done() -> bool:
        if "table" in missing and await _is_worth_it(ada.table):
            await _picture(ada.table, HERE / "table.png")
            missing.discard("table")
        show = ada.article("· the show")
        if "show" in missing and await show.count() and await show.locator("img[alt^='Starter']").count():
            await _picture(show, HERE / "show.png")
            missing.discard("show")
        hand = ben.article(re.compile("Your turn"))
        if "hand" in missing and await hand.count() and await _shows_a_choice(hand):
            await _picture(hand, HERE / "hand.png")
            missing.discard("hand")
        return not missing

    async def over() -> bool:
        return await done() or " won" in await ada.table.inner_text()

    while missing:
        await sit_down(ada, [ben])
        await expect(ada.table).to_contain_text("for the crib")
        await ben.go_to_dm()
        await play([ada, ben], over)
        await ben.go_to_channel()


async def _is_worth_it(table: Locator) -> bool:
    """Whether both sides are well along the board, and this count has had a fifteen or a run."""
    board = table.locator("img[alt^='Cribbage board']")
    if await board.count() == 0 or await table.locator("h1 img").count() < 3:
        return False
    said = await board.first.get_attribute("alt") or ""
    scores = [int(score) for score in re.findall(r": (\d+), back peg", said)]
    has_scored = SCORED.search(await table.inner_text()) is not None
    return has_scored and all(score in MIDDLE for score in scores)


async def _shows_a_choice(hand: Locator) -> bool:
    """Whether three cards are left, most of them to be played now, and others lie on the table."""
    blue = await hand.locator("button.primary").count()
    left = await hand.locator('button[data-custom-id*=":play:"]').count()
    return blue >= 2 and left == 3


async def _picture(message: Locator, path: Path) -> None:
    """Take the message, with every card's picture loaded, in as few colours as it needs."""
    await message.page.mouse.move(0, 0)
    await message.evaluate(
        "one => Promise.all([...one.querySelectorAll('img')].map((image) => image.decode()))"
    )
    _save(await message.locator(".container").screenshot(), path)


def _save(taken: bytes, path: Path) -> None:
    image = Image.open(io.BytesIO(taken)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path.name} has become too large for a page that many people load.")


if __name__ == "__main__":
    asyncio.run(take())
