"""Slash commands in the composer, by keyboard and by whole lines."""

import pytest
from playwright.async_api import Page, expect

from tests.page.conftest import OpenPage
from tests.page.samples import ADA, BEN, COMMAND_ID, CRIBBAGE, PEOPLE, message
from tests.page.small_discord import JSON, SmallDiscord

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="session")]


async def typed(page: Page, text: str) -> None:
    await page.get_by_role("combobox", name="Message #cribbage").click()
    await page.keyboard.type(text)


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


def leaves(asked: JSON) -> dict[str, object]:
    (inner,) = asked["options"]
    return {option["name"]: option["value"] for option in inner["options"]}


async def test_an_ordinary_message_is_sent(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "good luck")
    await press(page, "Shift+Enter")
    await page.keyboard.type("all")
    await press(page, "Enter")
    asked = await discord.hear("send")
    assert (asked["channel_id"], asked["content"]) == (CRIBBAGE, "good luck\nall")
    await expect(page.get_by_role("combobox", name="Message #cribbage")).to_have_value("")


async def test_a_slash_lists_the_commands(open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/")
    assert await page.get_by_role("option").all_inner_texts() == [
        "/crib new\nStart a game",
        "/crib play\ncard\nPlay a card",
        "/crib table\nShow the table again",
    ]
    await page.keyboard.type("crib t")
    assert await page.get_by_role("option").all_inner_texts() == ["/crib table\nShow the table again"]
    await press(page, "Escape")
    await expect(page.get_by_role("option")).to_have_count(0)


async def test_a_command_is_chosen_and_sent_by_keyboard(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib")
    await press(page, "ArrowDown", "ArrowDown", "Tab")
    await expect(page.get_by_role("group", name="Command /crib table")).to_be_visible()
    await press(page, "Enter")
    asked = await discord.hear("command")
    assert (asked["channel_id"], asked["command_id"], asked["options"]) == (
        CRIBBAGE,
        COMMAND_ID,
        [{"name": "table", "type": 1, "options": []}],
    )
    await expect(page.get_by_text("Sending command…")).to_be_visible()
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "77", "state": "thinking"})
    await expect(page.get_by_text("Fifteen Two is thinking…")).to_be_visible()
    await discord.tell(
        "MESSAGE_CREATE",
        message(
            5,
            "The table",
            interaction_metadata={"id": "77", "type": 2, "user": PEOPLE[0], "name": "crib table"},
        ),
    )
    await expect(page.locator(".pending-command")).to_have_count(0)


async def test_options_are_filled_in_by_keyboard(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib new")
    await press(page, "Enter")
    await expect(page.get_by_role("combobox", name="Another option")).to_have_attribute(
        "placeholder", "+4 optional"
    )
    await page.keyboard.type("pl")
    await press(page, "Tab")
    await page.keyboard.type("3")
    await press(page, "Tab")
    await page.keyboard.type("rules:")
    await expect(page.get_by_role("option", name="Five card")).to_be_visible()
    await press(page, "ArrowDown", "Enter")
    await page.keyboard.type("muggins:")
    await page.keyboard.type("t")
    await press(page, "Enter")
    await page.get_by_role("button", name="+ partner").click()
    await page.keyboard.type("be")
    await press(page, "Tab", "Enter")
    assert leaves(await discord.hear("command")) == {
        "players": 3,
        "rules": "five",
        "muggins": True,
        "partner": BEN,
    }


async def test_a_missing_or_wrong_option_is_marked_and_not_sent(
    discord: SmallDiscord, open_page: OpenPage
) -> None:
    page = await open_page()
    await typed(page, "/crib new players:9")
    await press(page, "Enter")
    await expect(page.get_by_role("alert").filter(has_text="less than or equal to 4")).to_be_visible()
    await expect(page.get_by_role("combobox", name="players")).to_have_attribute("aria-invalid", "true")
    await press(page, "Escape")
    await page.keyboard.type("/crib play ")
    await press(page, "Enter")
    await expect(page.get_by_role("alert").filter(has_text="This option is required")).to_be_visible()
    assert discord.unheard("command") == []


async def test_choices_come_from_the_bot_while_typing(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib play")
    await press(page, "Enter")
    first = await discord.hear("autocomplete")
    assert first["options"] == [
        {"name": "play", "type": 1, "options": [{"name": "card", "type": 3, "value": "", "focused": True}]}
    ]
    await page.keyboard.type("five")
    second = await discord.hear("autocomplete")
    assert second["options"][0]["options"][0]["value"] == "five"
    assert discord.unheard("autocomplete") == []
    await discord.tell(
        "CHOICES", {"nonce": first["nonce"], "choices": [{"name": "too late", "value": "late"}]}
    )
    await discord.tell(
        "CHOICES", {"nonce": second["nonce"], "choices": [{"name": "five of hearts", "value": "5H"}]}
    )
    await page.get_by_role("option", name="five of hearts").click()
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == {"card": "5H"}


async def test_backspace_leaves_an_empty_option_and_then_the_command(open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib new")
    await press(page, "Enter", "Tab")
    await expect(page.get_by_role("combobox", name="players")).to_be_focused()
    await press(page, "Backspace")
    await expect(page.get_by_role("combobox", name="Another option")).to_be_focused()
    await press(page, "Backspace")
    await expect(page.get_by_role("combobox", name="Message #cribbage")).to_have_value("/crib new")


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("/crib play card:5H", {"card": "5H"}),
        ("/crib new players:2 rules:standard", {"players": 2, "rules": "standard"}),
        (
            "/crib new rules:Five card partner:@Ben muggins:false",
            {"rules": "five", "partner": BEN, "muggins": False},
        ),
        ("/crib table ", {}),
    ],
)
async def test_a_whole_line_is_taken_as_it_stands(
    discord: SmallDiscord, open_page: OpenPage, line: str, options: JSON
) -> None:
    page = await open_page()
    await typed(page, line)
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == options


async def test_a_pasted_line_is_taken_too(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await page.get_by_role("combobox", name="Message #cribbage").fill("/crib new players:2 rules:five")
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == {"players": 2, "rules": "five"}


async def test_a_name_with_an_at_sign_becomes_a_mention(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "well played, @ben! and @nobody")
    await press(page, "Enter")
    assert (await discord.hear("send"))["content"] == f"well played, <@{BEN}>! and @nobody"


async def test_typing_without_a_field_goes_to_the_composer(open_page: OpenPage) -> None:
    page = await open_page()
    await page.get_by_role("heading", name="cribbage", exact=True).click()
    await page.keyboard.type("hello")
    await expect(page.get_by_role("combobox", name="Message #cribbage")).to_have_value("hello")


async def test_old_choices_do_not_answer_newer_text(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib play")
    await press(page, "Enter")
    asked = await discord.hear("autocomplete")
    ace = {"name": "ace of clubs", "value": "AC"}
    await discord.tell("CHOICES", {"nonce": asked["nonce"], "choices": [ace]})
    await page.get_by_role("option", name="ace of clubs").wait_for()
    await page.keyboard.type("5H")
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == {"card": "5H"}


async def test_a_command_that_fails_says_so(discord: SmallDiscord, open_page: OpenPage) -> None:
    page = await open_page()
    await typed(page, "/crib table ")
    await press(page, "Enter")
    asked = await discord.hear("command")
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "9", "state": "failed"})
    await expect(page.get_by_text("The application did not respond")).to_be_visible()
    await page.get_by_role("button", name="Dismiss message").click()
    await expect(page.get_by_text("The application did not respond")).to_have_count(0)


async def test_a_command_in_a_message_starts_it(discord: SmallDiscord, open_page: OpenPage) -> None:
    discord.ready["messages"][CRIBBAGE][0]["content"] = f"Type </crib new:{COMMAND_ID}>, <@{ADA}>"
    page = await open_page()
    await page.get_by_role("button", name="/crib new").click()
    await expect(page.get_by_role("group", name="Command /crib new")).to_be_visible()


async def test_before_the_bot_is_there_the_list_says_so(discord: SmallDiscord, open_page: OpenPage) -> None:
    discord.ready |= {"commands": [], "bot_online": False}
    page = await open_page()
    await typed(page, "/")
    await expect(page.get_by_text("No commands yet: Fifteen Two is starting…")).to_be_visible()
    await discord.tell("COMMANDS", [{"id": "5", "type": 1, "name": "late", "description": "At last"}])
    await expect(page.get_by_role("option", name="/late")).to_be_visible()
