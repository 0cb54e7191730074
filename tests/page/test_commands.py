"""Slash commands in the composer, by keyboard and by whole lines."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.page.samples import ADA, BEN, BOT_ID, COMMAND_ID, COMMANDS, CRIBBAGE, PEOPLE, message, option
from tests.page.small_discord import JSON, SmallDiscord


async def typed(page: Page, text: str) -> None:
    await page.get_by_role("combobox", name="Message #cribbage").click()
    await page.keyboard.type(text)


async def typing(discord: SmallDiscord, text: str) -> Page:
    """A page on which that was typed in #cribbage."""
    page = await discord.open()
    await typed(page, text)
    return page


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


def leaves(asked: JSON) -> dict[str, object]:
    (inner,) = asked["options"]
    return {option["name"]: option["value"] for option in inner["options"]}


async def test_an_ordinary_message_is_sent(discord: SmallDiscord) -> None:
    page = await typing(discord, "good luck")
    await press(page, "Shift+Enter")
    await page.keyboard.type("all")
    await press(page, "Enter")
    asked = await discord.hear("send")
    assert (asked["channel_id"], asked["content"]) == (CRIBBAGE, "good luck\nall")
    composer = page.get_by_role("combobox", name="Message #cribbage")
    await expect(composer).to_have_value("")

    await page.get_by_role("heading", name="cribbage", exact=True).click()
    await page.keyboard.type("well played, @ben! and @nobody")  # without a field it goes to the composer
    await expect(composer).to_have_value("well played, @ben! and @nobody")
    await press(page, "Enter")
    assert (await discord.hear("send"))["content"] == f"well played, <@{BEN}>! and @nobody"


async def test_a_slash_lists_the_commands_and_sub_commands_as_they_were_registered(
    discord: SmallDiscord,
) -> None:
    page = await typing(discord, "/")
    assert await page.get_by_role("option").all_inner_texts() == [
        "/crib new\nStart a game",
        "/crib table\nShow the table again",
        "/crib play\ncard\nPlay a card",
    ]
    await page.keyboard.type("crib t")
    assert await page.get_by_role("option").all_inner_texts() == ["/crib table\nShow the table again"]
    await press(page, "Escape")
    await expect(page.get_by_role("option")).to_have_count(0)


async def test_a_command_is_chosen_and_sent_by_keyboard(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib")
    await press(page, "ArrowDown", "Tab")
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


async def test_options_are_filled_in_by_keyboard(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib new")
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


async def test_a_missing_or_wrong_option_is_marked_and_not_sent(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib new players:9")
    await press(page, "Enter")
    await expect(page.get_by_role("alert").filter(has_text="less than or equal to 4")).to_be_visible()
    await expect(page.get_by_role("combobox", name="players")).to_have_attribute("aria-invalid", "true")
    await press(page, "Escape")
    await page.keyboard.type("/crib play ")
    await press(page, "Enter")
    await expect(page.get_by_role("alert").filter(has_text="This option is required")).to_be_visible()
    assert discord.unheard("command") == []


async def test_choices_come_from_the_bot_while_typing(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib play")
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

    await typed(page, "/crib play")
    await press(page, "Enter")
    third = await discord.hear("autocomplete")
    ace = {"name": "ace of clubs", "value": "AC"}
    await discord.tell("CHOICES", {"nonce": third["nonce"], "choices": [ace]})
    await page.get_by_role("option", name="ace of clubs").wait_for()
    await page.keyboard.type("6H")
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == {"card": "6H"}, "old choices answer no newer text"


async def test_backspace_leaves_an_empty_option_and_then_the_command(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib new")
    await press(page, "Enter", "Tab")
    await expect(page.get_by_role("combobox", name="players")).to_be_focused()
    await press(page, "Backspace")
    await expect(page.get_by_role("combobox", name="Another option")).to_be_focused()
    await press(page, "Backspace")
    await expect(page.get_by_role("combobox", name="Message #cribbage")).to_have_value("/crib new")


async def test_a_whole_line_is_taken_as_it_stands_typed_or_pasted(discord: SmallDiscord) -> None:
    page = await discord.open()
    for line, options in (
        ("/crib play card:5H", {"card": "5H"}),
        ("/crib new players:2 rules:standard", {"players": 2, "rules": "standard"}),
        (
            "/crib new rules:Five card partner:@Ben muggins:false",
            {"rules": "five", "partner": BEN, "muggins": False},
        ),
        ("/crib table ", {}),
    ):
        await typed(page, line)
        await press(page, "Enter")
        assert leaves(await discord.hear("command")) == options
    await page.get_by_role("combobox", name="Message #cribbage").fill("/crib new players:2 rules:five")
    await press(page, "Enter")
    assert leaves(await discord.hear("command")) == {"players": 2, "rules": "five"}


async def test_a_command_that_fails_says_so(discord: SmallDiscord) -> None:
    page = await typing(discord, "/crib table ")
    await press(page, "Enter")
    asked = await discord.hear("command")
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "9", "state": "failed"})
    await expect(page.get_by_text("The application did not respond")).to_be_visible()
    await page.get_by_role("button", name="Dismiss message").click()
    await expect(page.get_by_text("The application did not respond")).to_have_count(0)


async def test_before_the_bot_is_there_the_list_says_so(discord: SmallDiscord) -> None:
    discord.ready |= {"commands": [], "bot_online": False}
    page = await typing(discord, "/")
    await expect(page.get_by_text("No commands yet: Fifteen Two is starting…")).to_be_visible()
    await discord.tell("COMMANDS", [{"id": "5", "type": 1, "name": "late", "description": "At last"}])
    await expect(page.get_by_role("option", name="/late")).to_be_visible()


CHALLENGE: JSON = {"id": "302", "type": 2, "name": "Challenge to cribbage"}
CHALLENGE["name_localizations"] = {"fr": "Défier au cribbage"}
SHORT = {"name": "Short", "value": "short", "name_localizations": {"fr": "Courtes"}}
RULES = option(3, "rules", "Which rules", choices=[SHORT], name_localizations={"fr": "règles"})
CRIB: JSON = option(1, "crib", "Cribbage", id=COMMAND_ID) | {
    "options": [
        option(
            1,
            "new",
            "Start a game",
            name_localizations={"fr": "nouvelle"},
            description_localizations={"fr": "Commencer une partie"},
            options=[RULES],
        )
    ]
}


def written_by_ben(discord: SmallDiscord) -> None:
    discord.ready["commands"] = [*COMMANDS, CHALLENGE]
    discord.ready["messages"][CRIBBAGE] = [message(1, f"hello <@{BEN}>", author=PEOPLE[1])]


def author(page: Page) -> Locator:
    return page.locator("article").get_by_role("button", name="Ben", exact=True)


async def test_a_command_is_used_on_a_name(discord: SmallDiscord) -> None:
    written_by_ben(discord)
    page = await discord.open()
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


async def test_names_in_texts_and_in_the_member_list_have_the_menu_too(discord: SmallDiscord) -> None:
    written_by_ben(discord)
    page = await discord.open()
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
    discord: SmallDiscord,
) -> None:
    written_by_ben(discord)
    discord.ready["commands"] = [CRIB, CHALLENGE]
    page = await discord.open()
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


async def test_a_mention_of_a_command_opens_it_in_every_language(discord: SmallDiscord) -> None:
    discord.ready["commands"] = [CRIB]
    page = await discord.shows(
        message(1, f"Try </crib new:{COMMAND_ID}> before <t:1000:D>", author=PEOPLE[1])
    )
    await expect(page.locator("time.stamp")).to_have_text("1 January 1970")
    await chosen_french(discord, page)
    await expect(page.locator("time.stamp")).to_have_text("1 janvier 1970")
    await page.get_by_role("button", name="/crib new").click()
    await expect(page.get_by_role("group", name="Command /crib nouvelle")).to_be_visible()
