"""Push notifications on the page, as small cards over the client of who got them."""

import pytest
from playwright.async_api import expect

from tests.page.conftest import PHONE, OpenPage
from tests.page.samples import ADA, BOT, CRIBBAGE, DIRECT, PEOPLE, message
from tests.page.small_discord import JSON, SmallDiscord

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="session")]


def told(number: int, text: str, *, channel: str = DIRECT) -> JSON:
    title = "Fifteen Two" if channel == DIRECT else "Fifteen Two (#cribbage, The Crib Room)"
    return {
        "message_id": str(1000 + number),
        "channel_id": channel,
        "title": title,
        "text": text,
        "author": BOT,
    }


async def test_a_notification_shows_its_words_and_leads_to_its_message(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    page = await open_page("as=Ada,Ben")
    await discord.tell("MESSAGE_CREATE", message(3, "It is **your** turn", channel=DIRECT), to=ADA)
    await discord.tell("NOTIFICATION", told(3, "It is **your** turn"), to=ADA)
    toast = page.locator(".toast")
    await expect(toast).to_have_count(1)
    await expect(page.locator("[data-person=Ada] .toast-words")).to_have_text(
        "Fifteen TwoIt is **your** turn"
    )
    await toast.locator(".toast-open").click()
    await expect(toast).to_have_count(0)
    await expect(page.locator("article[data-message-id='1003']")).to_be_focused()


async def test_a_message_of_components_notifies_without_a_word(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    page = await open_page()
    await discord.tell("NOTIFICATION", told(3, ""))
    await expect(page.locator(".toast")).to_contain_text("no words")
    await page.get_by_role("button", name="Close notification").click()
    await expect(page.locator(".toast")).to_have_count(0)


async def test_who_looks_at_the_channel_is_not_notified(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await discord.tell("NOTIFICATION", told(3, "here", channel=CRIBBAGE))
    await discord.tell("NOTIFICATION", told(4, "there"))
    await expect(page.locator(".toast-words")).to_have_text(["Fifteen Twothere"])


async def test_a_phone_shows_one_at_a_time(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page(viewport=PHONE)
    for number in (3, 4):
        await discord.tell("NOTIFICATION", told(number, f"number {number}"))
    await expect(page.locator(".toast").last).to_contain_text("number 4")
    await expect(page.locator(".toast").first).to_be_hidden()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


async def test_a_silent_message_is_marked(discord: SmallDiscord, open_page: OpenPage) -> None:
    discord.ready["messages"][CRIBBAGE] = [message(1, "one"), message(2, "two", flags=4096, author=PEOPLE[1])]
    page = await open_page()
    await expect(page.get_by_role("img", name="Sent silently")).to_have_count(1)
    await expect(page.locator("article[data-message-id='1002'] .silent")).to_be_visible()
