"""Games played on the page, by people who type and click: a sandbox, and the bot as its own process."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from sandbox.model.interactions import Deadlines
from sandbox.rate_limits import RateLimits
from sandbox.server import Sandbox
from tests.conformance import Conformance
from tests.end_to_end.bot_process import BotProcess
from tests.page.conftest import PHONE
from tests.page.people import IMPATIENT, MILLISECONDS, Somebody, opened, play, sit_down
from tests.patience import PATIENCE

pytestmark = pytest.mark.sockets

SIDE_BY_SIDE = ViewportSize(width=1440, height=900)
ON_A_PHONE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
CALM_HEART = 600.0
"""Seconds between two heartbeats, longer than any test: on one machine the answer overtakes discord.py's own
note of when it asked, and it warns that it cannot keep up."""
LANE = re.compile(r"^(\S+) +(?:\d+ → )?(\d+)$", re.MULTILINE)
"""A side's name and score over its lane of the board."""
SCORE = re.compile(r"(\w+) (\d+)\s+pegging ")

OpenPage = Callable[..., Awaitable[Page]]


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


async def stands(article: Locator) -> bool:
    """True if the page has such a message."""
    return await article.count() > 0


async def fits(phone: Page) -> bool:
    """True if nothing is wider than the phone."""
    width: int = await phone.evaluate("document.documentElement.scrollWidth")
    return width == PHONE["width"]


@pytest.mark.sample
async def test_who_says_hello_to_the_bot_on_a_phone_plays_a_deal_in_the_same_place(
    open_page: OpenPage,
) -> None:
    phone = await open_page("as=Ada&channel=dm", **ON_A_PHONE)
    ada = Somebody(phone, "Ada")
    await ada.go_to_dm()
    await ada.client.locator(".composer-input").click()
    await phone.keyboard.type("hello")
    await phone.keyboard.press("Enter")
    greeting = ada.article("Shall we play cribbage?")
    await greeting.get_by_role("button", name="Play the computer").click()
    await expect(ada.article("Who deals first?")).to_contain_text("Who deals? Cut the deck")
    await play([ada], lambda: stands(ada.article("Deal 1")))
    await expect(ada.article("Deal 1")).to_contain_text(re.compile(r"Discard 2 to .* crib"))
    await play([ada], lambda: stands(ada.article(re.compile("Deal 2"))))
    await expect(ada.article(re.compile("Deal 1 · the show"))).to_contain_text("in the play")
    assert await fits(phone)
    scroller = ada.client.locator(".scroller")
    assert await scroller.evaluate("box => box.scrollWidth - box.clientWidth") == 0

    await ada.go_to_channel()
    for cards, told in (("5h 5c 5s jd", "29"), ("5h 5c 5s xx", "xx")):
        await ada.types("crib-coach score")
        await phone.keyboard.type(f"{cards} starter:5d")
        await ada.sends()
        await expect(ada.client.locator("article[data-ephemeral]").last).to_contain_text(told)


async def test_a_whole_game_is_begun_by_commands_and_played_side_by_side(open_page: OpenPage) -> None:
    page = await open_page("as=Ada,Ben&channel=cribbage&theme=dark")
    ada, ben = Somebody(page, "Ada", in_dm=False), Somebody(page, "Ben")
    await ada.types("crib new")
    await page.keyboard.type("ru")
    await page.keyboard.press("Tab")
    await page.keyboard.type("sho")
    await expect(ada.option("Short: the same to 61")).to_be_visible()
    await page.keyboard.press("Tab")
    await ada.sends()
    await expect(ada.article("Cribbage")).to_contain_text("Short · to 61")
    await ben.presses("join", ben.article("Cribbage"))
    await expect(ada.article("Cribbage")).to_contain_text("All here")
    await ada.asks("crib start")
    await expect(ada.table).to_contain_text("Ada and Ben: cut for the deal")
    await ben.go_to_dm()
    await play([ada, ben], lambda: stands(ada.article("choose 2 cards for the crib")))
    await ada.types("crib discard")
    await expect(ada.client.locator(".suggestion").first).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(ada.client.locator(".chip.settled")).to_have_count(1)
    await ada.sends()
    await expect(ada.client.locator("article[data-ephemeral]").last).to_contain_text("You discarded")
    result = ada.article("🏆")
    await play([ada, ben], lambda: stands(result))

    told = await result.inner_text()
    scores = {name: int(score) for name, score in SCORE.findall(told)}
    winner = max(scores, key=lambda name: scores[name])
    assert f"{winner} wins" in told
    assert set(scores) == {"Ada", "Ben"}
    assert scores[winner] == 61
    assert min(scores.values()) < 61
    on_the_board = LANE.findall(await result.locator("pre").inner_text())
    assert {name: int(score) for name, score in on_the_board} == scores
    assert ("a skunk!" in told) == (min(scores.values()) < 31)
    await expect(ada.table).to_contain_text(f"{winner} won")
    by_dm = ben.article(re.compile("You (win|lost)"))
    await expect(by_dm).to_contain_text("You win by" if winner == "Ben" else f"You lost to {winner} by")
    await ada.presses("review", result)
    await expect(ada.client.locator("article[data-ephemeral]").last).to_contain_text("Luck: ")

    await ada.presses("rematch", result)
    await ben.go_to_channel()
    await ben.presses("join", ben.article("wants a rematch"))
    await expect(ada.table).to_contain_text("Deal 1 ·")
    await expect(ada.table).to_contain_text("choose 2 cards for the crib")


async def test_hands_are_counted_aloud_in_a_form_and_the_table_is_a_link_away(open_page: OpenPage) -> None:
    desk = await open_page("as=Ada,Cleo&channel=cribbage&theme=light")
    phone = await open_page("as=Ben&channel=cribbage", **ON_A_PHONE)
    ada, ben, cleo = Somebody(desk, "Ada"), Somebody(phone, "Ben"), Somebody(desk, "Cleo")
    ada.says, ben.says = "29", "0"
    await sit_down(ada, [ben], rules={"counting": "aloud"})
    await ada.go_to_dm()
    await ben.go_to_dm()
    show = cleo.article("Deal 1 · the show")
    await play([ada, ben], lambda: stands(cleo.article("Deal 2 ·")))
    await expect(show).to_contain_text(re.compile(r"Ada claimed 29, has \d+"))
    await expect(show).to_contain_text("Ben 0")
    board = cleo.table.locator("pre")
    assert await board.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert await fits(phone)
    await ben.client.get_by_role("link", name="Table").last.tap()
    await expect(ben.client).to_have_attribute("data-channel", "cribbage")
    await expect(ben.article("Deal 1 · the show")).to_be_visible()


async def test_two_people_play_in_their_own_direct_messages(open_page: OpenPage) -> None:
    desk = await open_page("as=Ada&channel=cribbage&theme=light")
    phone = await open_page("as=Ben&channel=cribbage", **ON_A_PHONE)
    ada, ben = Somebody(desk, "Ada", in_dm=False), Somebody(phone, "Ben", in_dm=False)
    await desk.get_by_role("button", name="Add Fifteen Two").click()
    await expect(desk.get_by_role("button", name="Remove Fifteen Two")).to_be_visible()
    await desk.get_by_role("button", name="New message").click()
    dialog = desk.get_by_role("dialog", name="New message")
    await dialog.get_by_role("checkbox", name="Ben").check()
    await dialog.get_by_role("button", name="Write").click()
    await expect(desk.get_by_role("heading", level=1)).to_have_text("Ben")
    await ada.asks("crib new")
    lobby = ada.article("wants to play")
    await expect(lobby).to_be_visible()

    await ben.client.locator(".menu-button").click()
    await ben.client.locator('[data-channel-name="Ada"]').click()
    await ben.presses("join", ben.article("wants to play"))
    await ada.presses("start", lobby)
    await expect(ada.table).to_contain_text("Ada and Ben: cut for the deal")
    await play([ada, ben], lambda: stands(ada.article("Deal 1 ·").filter(has_text="cuts the deck")))
    tables = ada.client.locator("article[data-message-id]:not([data-ephemeral])")
    await expect(tables).to_have_count(1)
    assert await fits(phone)
