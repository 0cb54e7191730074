"""Messages with their components, and the requests that a press sends to the server."""

from playwright.async_api import Locator, Page, expect

from tests.page.samples import (
    ADA,
    BEN,
    CRIBBAGE,
    EPHEMERAL,
    GUILD,
    PEOPLE,
    attached,
    button,
    layout,
    message,
    row,
    select,
    words,
)
from tests.page.small_discord import JSON, SmallDiscord

LAY = select("lay", "Ace", "Two", "Three", min_values=2, max_values=2, placeholder="Two cards")


def of_message(page: Page, number: int, within: str = "") -> Locator:
    """A message, or something within it."""
    return page.locator(f"article[data-message-id='{1000 + number}'] {within}".strip())


async def test_a_message_has_a_header_the_bot_s_tag_its_command_and_a_mark_if_it_calls_me(
    discord: SmallDiscord,
) -> None:
    made_by = {"id": "5", "type": 2, "user": PEOPLE[1], "name": "crib new"}
    page = await discord.shows(
        message(1, "a"),
        message(2, "b"),
        message(3, f"<@{ADA}>", author=PEOPLE[1], mentions=[PEOPLE[0]]),
        message(20, f"<@{BEN}>", author=PEOPLE[1], mentions=[PEOPLE[1]]),
        message(21, "A game", interaction_metadata=made_by),
    )
    assert await page.locator("article.first").count() == 4, "close messages of one author share a header"
    header = of_message(page, 2, ".message-header")
    await expect(header).to_have_class("message-header visually-hidden")
    await expect(page.get_by_role("article", name="Fifteen Two APP")).to_have_count(3)
    await expect(of_message(page, 3, ".app-tag")).to_have_count(0)
    marked = "all => all.map((one) => one.dataset.messageId)"
    assert await page.locator("article.mentions-me").evaluate_all(marked) == ["1003"]
    await expect(page.locator(".origin")).to_have_text("BBen used /crib new")
    await expect(page.get_by_role("log")).to_have_attribute("aria-live", "polite")


async def test_a_message_changes_in_place_and_goes(discord: SmallDiscord) -> None:
    page = await discord.shows(message(1, "before"), message(2, "", flags=128))
    await discord.tell("MESSAGE_UPDATE", message(1, "after", edited_timestamp="2026-03-01T12:05:00+00:00"))
    await expect(of_message(page, 1, ".message-content")).to_have_text("after (edited)")
    await expect(page.get_by_text("Fifteen Two is thinking…")).to_be_visible()
    await discord.tell("MESSAGE_UPDATE", message(2, "Thought."))
    await expect(page.get_by_text("Thought.")).to_be_visible()
    for number in (1, 2):
        await discord.tell("MESSAGE_DELETE", {"id": str(1000 + number), "channel_id": CRIBBAGE})
    await expect(page.get_by_role("article")).to_have_count(0)
    await discord.tell("MESSAGE_UPDATE", message(3, "your hand", flags=EPHEMERAL))
    await discord.tell("MESSAGE_CREATE", message(4, "the table"))
    await expect(page.get_by_text("the table")).to_be_visible()
    await expect(page.get_by_text("your hand")).to_have_count(0)  # an edit brings none back


async def test_an_ephemeral_message_can_be_dismissed(discord: SmallDiscord) -> None:
    page = await discord.shows(message(1, "Your hand", flags=EPHEMERAL))
    await expect(page.get_by_text("Only you can see this")).to_be_visible()
    await page.get_by_role("button", name="Dismiss message").click()
    asked = await discord.hear("dismiss")
    assert (asked["channel_id"], asked["message_id"]) == (CRIBBAGE, "1001")
    await expect(page.get_by_text("Your hand")).to_have_count(0)


async def test_components_are_drawn_with_their_roles(discord: SmallDiscord) -> None:
    board = {"url": "/cdn/board.png", "width": 900, "height": 300}
    crib = {"type": 11, "media": board, "description": "Four cards"}
    rules = {"type": 2, "style": 5, "label": "Rules", "url": "https://example.com/"}
    table = {
        "type": 17,
        "accent_color": 0x1F7A54,
        "components": [
            words("## The table"),
            {"type": 12, "items": [{"media": board, "description": "Ada has 12 holes"}]},
            {"type": 14, "divider": True, "spacing": 2},
            {"type": 9, "components": [words("Your cards")], "accessory": button("hand", "My hand", style=1)},
            {"type": 9, "components": [words("Crib")], "accessory": crib},
            row(button("go", "Go", style=3), button("gone", "Gone", disabled=True), rules),
            row(select("lay", "Ace", "Two", placeholder="Lay away")),
            {"type": 13, "file": {"url": "/cdn/game.txt"}, "name": "game.txt", "size": 2048},
        ],
    }  # fmt: skip
    page = await discord.shows(layout(1, table))
    article = of_message(page, 1)
    await expect(article.get_by_role("heading", name="The table")).to_be_visible()
    await expect(article.get_by_role("img", name="Ada has 12 holes")).to_be_visible()
    await expect(article.get_by_role("img", name="Four cards")).to_be_visible()
    await expect(article.get_by_role("separator")).to_have_count(1)
    await expect(article.get_by_role("button", name="My hand")).to_be_enabled()
    await expect(article.get_by_role("button", name="Gone")).to_be_disabled()
    await expect(article.get_by_role("link", name="Rules")).to_have_attribute("href", "https://example.com/")
    await expect(article.get_by_role("combobox", name="Lay away")).to_be_visible()
    await expect(article.get_by_role("link", name="game.txt")).to_be_visible()
    color = "box => getComputedStyle(box, '::before').backgroundColor"
    assert await article.locator(".container").evaluate(color) == "rgb(31, 122, 84)"
    shown_board = article.locator(".gallery")
    await shown_board.hover()
    await shown_board.get_by_role("button", name="Show alt text").click()
    await expect(shown_board.locator(".alt-words")).to_contain_text("Ada has 12 holes")


async def test_embeds_and_attachments_are_drawn(discord: SmallDiscord) -> None:
    embed = {
        "title": "Score",
        "description": "**29**",
        "color": 255,
        "fields": [{"name": "Crib", "value": "4", "inline": True}],
        "footer": {"text": "first to 121"},
    }
    page = await discord.shows(message(1, "x", embeds=[embed], attachments=[attached("A hand")]))
    box = page.locator(".embed")
    await expect(box.get_by_role("heading", name="Score")).to_be_visible()
    told = await box.locator("dt, dd, strong, .embed-footer").all_inner_texts()
    assert told == ["29", "Crib", "4", "first to 121"]
    await expect(page.get_by_role("img", name="A hand")).to_be_visible()


async def test_a_pressed_button_waits_for_its_answer(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(button("five", "5♥"), button("six", "6♥"))))
    five = page.locator("[data-custom-id=five]")
    await five.click()
    asked = await discord.hear("component")
    assert asked == {
        "op": "component",
        "nonce": asked["nonce"],
        "user": ADA,
        "channel_id": CRIBBAGE,
        "message_id": "1001",
        "custom_id": "five",
        "component_type": 2,
    }
    await expect(five).to_have_attribute("aria-busy", "true")
    await expect(page.get_by_role("button", name="6♥")).to_be_disabled()
    await discord.tell(
        "MESSAGE_UPDATE", layout(1, row(button("five", "5♥", disabled=True), button("six", "6♥")))
    )
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "9", "state": "done"})
    await expect(page.get_by_role("button", name="6♥")).to_be_enabled()
    await expect(five).to_be_disabled()
    await expect(five).to_have_attribute("aria-busy", "false")


async def test_a_failed_press_says_so_under_the_message_until_the_next(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(button("five", "5♥"))))
    gone = "that message is not there any more"
    answers: list[tuple[str, JSON, str]] = [
        ("INTERACTION", {"id": "9", "state": "failed"}, "This interaction failed"),
        ("REFUSED", {"message": gone}, gone),
    ]
    for name, data, line in answers:
        await page.get_by_role("button", name="5♥").click()
        await expect(page.get_by_role("alert")).to_be_empty()
        asked = await discord.hear("component")
        await discord.tell(name, data | {"nonce": asked["nonce"]})
        await expect(page.get_by_role("alert").filter(has_text=line)).to_be_visible()


async def test_focus_stays_on_a_button_whose_message_was_redrawn(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(button("go", "Go"))))
    await page.get_by_role("button", name="Go").focus()
    await discord.tell("MESSAGE_UPDATE", layout(1, words("New"), row(button("go", "Go"))))
    await expect(page.get_by_text("New", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Go")).to_be_focused()


async def test_one_choice_is_sent_at_once(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(select("cut", "Ace", "Two", "Three"))))
    box = page.get_by_role("combobox", name="Make a selection")
    await box.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        await page.keyboard.press(key)
    asked = await discord.hear("component")
    assert (asked["component_type"], asked["custom_id"], asked["values"]) == (3, "cut", ["two"])
    await expect(page.get_by_role("listbox")).to_have_count(0)
    await expect(box).to_have_text("Two")


async def test_several_choices_are_sent_when_the_list_closes(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(LAY)))
    await page.get_by_role("combobox", name="Two cards").click()
    await page.get_by_role("option", name="Ace").click()
    await page.keyboard.press("Escape")
    assert discord.unheard("component") == []
    await page.get_by_role("combobox", name="Two cards").click()
    await page.get_by_role("option", name="Three").click()
    await expect(page.get_by_role("option", name="Two")).to_have_attribute("aria-disabled", "true")
    assert discord.unheard("component") == []
    await page.get_by_role("heading", name="cribbage", exact=True).click()
    assert (await discord.hear("component"))["values"] == ["ace", "three"]


async def test_an_open_list_outlives_a_redrawn_message(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, row(LAY)))
    await page.get_by_role("combobox", name="Two cards").click()
    await page.get_by_role("option", name="Ace").click()
    await discord.tell("MESSAGE_UPDATE", layout(1, words("Ben has laid away"), row(LAY)))
    await page.get_by_text("Ben has laid away").wait_for()
    await page.get_by_role("option", name="Two").click()
    await page.keyboard.press("Escape")
    assert (await discord.hear("component"))["values"] == ["ace", "two"]


async def test_a_link_button_to_a_message_here_jumps(discord: SmallDiscord) -> None:
    url = f"https://discord.com/channels/{GUILD}/{CRIBBAGE}/1001"
    link = {"type": 2, "style": 5, "label": "The table", "url": url}
    page = await discord.shows(message(1, "the table"), layout(2, row(link)))
    await page.get_by_role("link", name="The table").click()
    await expect(of_message(page, 1)).to_be_focused()


async def test_a_hidden_container_waits_for_a_press(discord: SmallDiscord) -> None:
    page = await discord.shows(
        layout(1, {"type": 17, "spoiler": True, "components": [row(button("go", "Go"))]})
    )
    await expect(page.locator(".container > .action-row")).to_have_attribute("inert", "")
    await page.get_by_role("button", name="Spoiler: show it").click()
    await expect(page.locator(".container > .action-row")).not_to_have_attribute("inert", "")


async def test_on_a_desktop_a_container_is_as_wide_as_what_it_holds(discord: SmallDiscord) -> None:
    picture = {"media": {"url": "/cdn/board.png", "width": 1100, "height": 400}, "description": "board"}
    held = ([words("# 5♥\nshort")], [words("long " * 60)], [{"type": 12, "items": [picture]}])
    page = await discord.shows(*(layout(n, {"type": 17, "components": each}) for n, each in enumerate(held)))
    boxes = page.locator(".container")
    widths = await boxes.evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert [widths[0] < 150, *widths[1:]] == [True, 600, 600]
    sizes = "box => [box, box.querySelector('h1')].map((one) => getComputedStyle(one).fontSize)"
    assert await boxes.first.evaluate(sizes) == ["14px", "21px"]
