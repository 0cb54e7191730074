"""Modals on the page."""

from collections.abc import Sequence
from typing import Any

from playwright.async_api import FilePayload, Page, expect

from tests.page.samples import button, layout, row, select, words
from tests.page.small_discord import JSON, SmallDiscord


def labelled(number: int, label: str, component: JSON, **more: Any) -> JSON:
    """A field under its label; `number` is the label's id, and the field's is the next."""
    return {"type": 18, "id": number, "label": label, "component": component | {"id": number + 1}} | more


def ticked(label: str, value: str) -> JSON:
    return {"label": label, "value": value, "default": True}


NAME = {"type": 4, "custom_id": "name", "style": 1, "min_length": 3, "placeholder": "Tuesday"}
NOTES = {"type": 4, "custom_id": "notes", "style": 2, "required": False, "value": "as ever"}
FIELDS = [
    words("Agree on the **rules**."),
    labelled(2, "Name", NAME, description="Of the game"),
    labelled(4, "Notes", NOTES),
    labelled(6, "Length", select("length", "Short", "Long")),
]

DEALERS = [ticked("Lowest cut", "cut"), {"label": "At random", "value": "random", "description": "No cut"}]
PLAYS = [ticked("Pairs", "pairs"), ticked("Runs", "runs"), {"label": "All cards", "value": "all"}]
PLAY = {"type": 22, "custom_id": "play", "required": False}
GROUPS = [
    labelled(2, "First dealer", {"type": 21, "custom_id": "dealer", "required": False, "options": DEALERS}),
    labelled(4, "In the play", PLAY | {"options": PLAYS}),
    labelled(6, "Hints", {"type": 23, "custom_id": "hints"}),
]


async def opened(discord: SmallDiscord, fields: Sequence[JSON] = FIELDS) -> Page:
    """A page on which a press of *Rules* was just answered with a modal."""
    page = await discord.shows(layout(1, row(button("rules", "Rules"))))
    await page.get_by_role("button", name="Rules").click()
    asked = await discord.hear("component")
    form = {
        "nonce": asked["nonce"],
        "id": "55",
        "custom_id": "house",
        "title": "House rules",
        "components": list(fields),
    }
    await discord.tell("MODAL", form)
    await page.get_by_role("dialog", name="House rules").wait_for()
    return page


async def test_a_form_is_filled_in_and_submitted(discord: SmallDiscord) -> None:
    page = await opened(discord)
    name = page.get_by_role("textbox", name="Name")
    await expect(name).to_be_focused()
    await expect(name).to_have_attribute("placeholder", "Tuesday")
    await name.fill("Friday")
    await page.get_by_role("combobox", name="Length").click()
    await page.get_by_role("option", name="Long").click()
    await page.get_by_role("button", name="Submit").click()
    asked = await discord.hear("modal")
    assert (asked["id"], asked["custom_id"]) == ("55", "house")
    assert [each.get("component", {}) for each in asked["components"]] == [
        {},
        {"type": 4, "id": 3, "custom_id": "name", "value": "Friday"},
        {"type": 4, "id": 5, "custom_id": "notes", "value": "as ever"},
        {"type": 3, "id": 7, "custom_id": "length", "values": ["long"]},
    ]
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "56", "state": "done"})
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("button", name="Rules")).to_be_focused()


async def test_groups_open_as_they_are_and_send_what_is_ticked(discord: SmallDiscord) -> None:
    page = await opened(discord, GROUPS)
    dealer = page.get_by_role("radiogroup", name="First dealer")
    await expect(dealer.get_by_label("Lowest cut")).to_be_checked()
    await dealer.get_by_label("At random").check()
    await expect(dealer.get_by_label("Lowest cut")).not_to_be_checked()
    play = page.get_by_role("group", name="In the play")
    await expect(play.get_by_label("All cards")).not_to_be_checked()
    await play.get_by_label("Runs").uncheck()
    await play.get_by_label("All cards").check()
    await page.get_by_role("checkbox", name="Hints").check()
    await page.get_by_role("button", name="Submit").click()
    asked = await discord.hear("modal")
    assert [each["component"] for each in asked["components"]] == [
        {"type": 21, "id": 3, "custom_id": "dealer", "value": "random"},
        {"type": 22, "id": 5, "custom_id": "play", "values": ["pairs", "all"]},
        {"type": 23, "id": 7, "custom_id": "hints", "value": True},
    ]


async def test_a_group_without_a_tick_is_sent_empty(discord: SmallDiscord) -> None:
    page = await opened(discord, [labelled(4, "In the play", PLAY | {"options": PLAYS[:1]})])
    await page.get_by_role("group", name="In the play").get_by_label("Pairs").uncheck()
    await page.get_by_role("button", name="Submit").click()
    asked = await discord.hear("modal")
    assert [each["component"]["values"] for each in asked["components"]] == [[]]


async def test_files_are_chosen_and_sent(discord: SmallDiscord) -> None:
    upload = {"type": 19, "custom_id": "shots", "max_values": 2, "file_types": [".txt"]}
    page = await opened(discord, [labelled(2, "Screenshots", upload)])
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_role("dialog").get_by_text("Choose a file")).to_be_visible()
    files: list[FilePayload] = [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": b"5H"} for name in "ab"
    ]
    await page.get_by_label("Screenshots").set_input_files(files)
    await page.get_by_role("button", name="Submit").click()
    [asked] = (await discord.hear("modal"))["components"]
    sent = [{"name": f"{name}.txt", "content": "NUg="} for name in "ab"]
    assert asked["component"] == {"type": 19, "id": 3, "custom_id": "shots", "files": sent}


async def test_what_is_wrong_stands_at_its_field(discord: SmallDiscord) -> None:
    page = await opened(discord)
    await page.keyboard.type("ab")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_role("dialog").get_by_text("Must be at least 3 characters")).to_be_visible()
    await expect(page.get_by_role("dialog").get_by_text("Make a choice")).to_be_visible()
    assert discord.unheard("modal") == []


async def test_a_failure_keeps_what_was_written(discord: SmallDiscord) -> None:
    page = await opened(discord)
    await page.keyboard.type("Friday")
    await page.get_by_role("combobox", name="Length").click()
    await page.get_by_role("option", name="Long").click()
    await page.get_by_role("button", name="Submit").click()
    asked = await discord.hear("modal")
    await expect(page.get_by_role("button", name="Submit")).to_be_disabled()
    await discord.tell("INTERACTION", {"nonce": asked["nonce"], "id": "56", "state": "failed"})
    await expect(page.get_by_text("Something went wrong. Try again.")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Name")).to_have_value("Friday")
    await expect(page.get_by_role("button", name="Submit")).to_be_enabled()


async def test_focus_stays_in_the_form_until_escape(discord: SmallDiscord) -> None:
    page = await opened(discord)
    for _ in range(9):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert discord.unheard("modal") == []
