"""Threads on the page: under their message, entered, and archived."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.page.conftest import OpenPage
from tests.page.samples import BOT_ID, CRIBBAGE, PEOPLE, button, layout, message, row
from tests.page.small_discord import JSON, SmallDiscord

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="session")]

THREAD = "1001"


def thread(**metadata: Any) -> JSON:
    state = {"archived": False, "auto_archive_duration": 60} | metadata
    return {
        "id": THREAD,
        "type": 11,
        "name": "Ada and Ben",
        "parent_id": CRIBBAGE,
        "owner_id": BOT_ID,
        "thread_metadata": state,
    }


async def test_a_thread_hangs_under_its_message_and_is_entered(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    discord.ready["messages"][CRIBBAGE] = [message(1, "The table"), message(2, "later")]
    page = await open_page()
    card = page.locator("article[data-message-id='1001'] .thread-card")
    await expect(card).to_have_count(0)
    await discord.tell("CHANNEL_CREATE", thread())
    await expect(card).to_contain_text("There are no messages in this thread yet.")
    await discord.tell("MESSAGE_CREATE", message(5, "**Deal 1**", channel=THREAD))
    await expect(card).to_contain_text("1 message")
    await discord.tell("MESSAGE_CREATE", message(6, "good luck", channel=THREAD, author=PEOPLE[1]))
    await expect(card).to_contain_text("2 messages")
    await expect(card).to_contain_text("good luck")

    await card.click()
    await expect(page.get_by_role("log").get_by_text("Deal 1")).to_be_visible()
    await expect(page.get_by_role("log").get_by_text("Started by Fifteen Two from The table")).to_be_visible()
    await page.get_by_role("button", name="The table").click()
    await expect(page.locator(".client")).to_have_attribute("data-channel", "cribbage")
    await expect(page.locator("article[data-message-id='1001']")).to_be_focused()


async def test_buttons_of_an_archived_thread_fail_and_a_message_opens_it(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    discord.ready["channels"].append(thread(archived=True))
    discord.ready["messages"] |= {
        CRIBBAGE: [message(1, "The table")],
        THREAD: [layout(5, row(button("go", "Go")), channel=THREAD)],
    }
    page = await open_page()
    await expect(page.locator(".threads")).to_have_count(0)
    card = page.locator(".thread-card")
    await expect(card).to_contain_text("Archived")
    await card.click()
    notice = page.get_by_text("This thread is archived.")
    await expect(notice).to_be_visible()
    await page.get_by_role("button", name="Go", exact=True).click()
    asked = await discord.hear("component")
    await discord.tell("REFUSED", {"nonce": asked["nonce"], "message": "An error occurred"})
    await expect(page.get_by_role("alert").filter(has_text="An error occurred")).to_be_visible()

    await page.get_by_role("combobox", name="Message Ada and Ben").fill("again")
    await page.keyboard.press("Enter")
    assert (await discord.hear("send"))["channel_id"] == THREAD
    discord.ready["channels"][-1] = thread()
    me = {"me": discord.ready["people"][0]}
    await discord.tell("READY", discord.ready | me)
    await expect(notice).to_be_hidden()
    await expect(page.locator(".threads")).to_have_count(1)


async def test_each_kind_of_channel_has_its_icon(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    for kind, icon in {0: "hash", 2: "speaker", 5: "megaphone", 13: "stage", 15: "forum"}.items():
        channel = {"id": f"20{kind:02}", "type": kind, "name": f"a {icon}", "position": kind}
        await discord.tell("CHANNEL_CREATE", channel)
        row = page.locator(f".channel[data-channel-name='a {icon}']")
        await expect(row.locator(f"svg.icon-{icon}")).to_have_count(1)
        await row.click()
        head = page.locator(f".channel-head svg.icon-{icon}, header svg.icon-{icon}")
        await expect(head.first).to_be_visible()
