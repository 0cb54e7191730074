"""People on the page: the menu on a name with the commands of apps, and the language of a client."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.page.conftest import OpenPage
from tests.page.samples import ADA, BEN, BOT_ID, COMMAND_ID, COMMANDS, CRIBBAGE, PEOPLE, message
from tests.page.small_discord import JSON, SmallDiscord

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="session")]

CHALLENGE: JSON = {
    "id": "302",
    "type": 2,
    "name": "Challenge to cribbage",
    "name_localizations": {"fr": "Défier au cribbage"},
}
CRIB: JSON = {
    "id": COMMAND_ID,
    "type": 1,
    "name": "crib",
    "description": "Cribbage",
    "options": [
        {
            "type": 1,
            "name": "new",
            "description": "Start a game",
            "name_localizations": {"fr": "nouvelle"},
            "description_localizations": {"fr": "Commencer une partie"},
            "options": [
                {
                    "type": 3,
                    "name": "rules",
                    "description": "Which rules",
                    "name_localizations": {"fr": "règles"},
                    "choices": [{"name": "Short", "value": "short", "name_localizations": {"fr": "Courtes"}}],
                }
            ],
        }
    ],
}


def written_by_ben(discord: SmallDiscord) -> None:
    discord.ready["commands"] = [*COMMANDS, CHALLENGE]
    discord.ready["messages"][CRIBBAGE] = [message(1, f"hello <@{BEN}>", author=PEOPLE[1])]


def author(page: Page) -> Locator:
    return page.locator("article").get_by_role("button", name="Ben", exact=True)


async def test_a_command_is_used_on_a_name(discord: SmallDiscord, open_page: OpenPage) -> None:
    written_by_ben(discord)
    page = await open_page()
    await author(page).click()
    command = page.get_by_role("menu", name="Ben").get_by_role("menuitem", name="Challenge to cribbage")
    await expect(command).to_be_focused()
    await page.keyboard.press("Enter")
    asked = await discord.hear("user_command")
    assert (asked["command_id"], asked["user_id"], asked["channel_id"]) == ("302", BEN, CRIBBAGE)
    await expect(page.locator(".pending-command")).to_contain_text("Ada used Challenge to cribbage")
    made = {"id": "77", "type": 2, "command_type": 2, "user": PEOPLE[0], "name": "Challenge to cribbage"}
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "77", "state": "sent"})
    await discord.tell("MESSAGE_CREATE", message(5, "Ben?", interaction_metadata=made))
    await expect(page.locator(".pending-command")).to_have_count(0)
    await expect(page.locator("article[data-message-id='1005'] .origin")).to_have_text(
        "AAda used Challenge to cribbage"
    )


async def test_names_in_texts_and_in_the_member_list_have_the_menu_too(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    written_by_ben(discord)
    page = await open_page()
    menu = page.get_by_role("menu")
    for name, opener in (
        ("Ben", page.locator("article .mention")),
        ("Cleo", page.locator(".members").get_by_role("button", name="Cleo")),
        ("Fifteen Two", page.locator(f".members [data-user-id='{BOT_ID}']")),
    ):
        await opener.click()
        await expect(menu).to_have_accessible_name(name)
        await page.keyboard.press("Escape")
        await expect(menu).to_have_count(0)
        await expect(opener).to_be_focused()
    await author(page).click()
    await page.get_by_role("heading", name="cribbage", exact=True).click()
    await expect(menu).to_have_count(0)
    assert discord.unheard("user_command") == []


async def chosen_french(discord: SmallDiscord, page: Page) -> None:
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("combobox", name="Language").select_option("fr")
    assert (await discord.hear("language"))["locale"] == "fr"
    ada: dict[str, Any] = PEOPLE[0] | {"locale": "fr"}
    await discord.tell("READY", discord.ready | {"me": ada}, to=ADA)


async def test_commands_are_listed_in_the_chosen_language_and_sent_by_default_names(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    written_by_ben(discord)
    discord.ready["commands"] = [CRIB, CHALLENGE]
    page = await open_page()
    await chosen_french(discord, page)
    await page.get_by_role("combobox", name="Message #cribbage").click()
    await page.keyboard.type("/nou")
    await expect(page.locator(".suggestion")).to_have_text(["/crib nouvelleCommencer une partie"])
    await page.keyboard.press("Enter")
    await page.keyboard.type("règles:")
    await expect(page.locator(".suggestion")).to_have_text(["Courtes"])
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    asked = await discord.hear("command")
    rules = {"name": "rules", "type": 3, "value": "short"}
    assert asked["options"] == [{"name": "new", "type": 1, "options": [rules]}]
    await author(page).click()
    await expect(page.get_by_role("menuitem")).to_contain_text("Défier au cribbage")


async def test_a_mention_of_a_command_opens_it_in_every_language(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    discord.ready["commands"] = [CRIB]
    discord.ready["messages"][CRIBBAGE] = [
        message(1, f"Try </crib new:{COMMAND_ID}> before <t:1000:D>", author=PEOPLE[1])
    ]
    page = await open_page()
    await expect(page.locator("time.stamp")).to_have_text("1 January 1970")
    await chosen_french(discord, page)
    await expect(page.locator("time.stamp")).to_have_text("1 janvier 1970")
    await page.get_by_role("button", name="/crib new").click()
    await expect(page.get_by_role("group", name="Command /crib nouvelle")).to_be_visible()


async def test_an_edit_does_not_bring_a_private_message_back(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    page = await open_page()
    await discord.tell("MESSAGE_UPDATE", message(3, "your hand", flags=64))
    await discord.tell("MESSAGE_CREATE", message(4, "the table"))
    await expect(page.get_by_text("the table")).to_be_visible()
    await expect(page.get_by_text("your hand")).to_have_count(0)
