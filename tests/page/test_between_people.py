"""Direct messages between people on the page, and the app that each adds for themselves."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page, expect

from tests.page.conftest import PHONE
from tests.page.samples import ADA, BEN, PEOPLE, message
from tests.page.small_discord import JSON, SmallDiscord

DM: JSON = {"id": "400", "type": 1, "recipients": PEOPLE[:2]}
GROUP: JSON = {"id": "401", "type": 3, "recipients": PEOPLE[:3], "name": None, "owner_id": BEN}
HERE: JSON = {"in_server": True, "is_mine": False, "is_for_people": True}
COMMANDS: list[JSON] = [
    {"id": "1", "name": "servers", "description": "s"},
    {"id": "2", "name": "both", "description": "b", "integration_types": [0, 1], "contexts": [0, 1, 2]},
    {"id": "3", "name": "mine", "description": "m", "integration_types": [1], "contexts": [0, 2]},
]


@pytest.fixture
def between(discord: SmallDiscord) -> SmallDiscord:
    """Ada has direct messages with Ben, and with Ben and Cleo."""
    ready = discord.ready
    ready["dms"] += [DM, GROUP]
    ready["messages"] |= {"400": [message(1, "a game?", author=PEOPLE[1], channel_id="400")], "401": []}
    ready["commands"], ready["app"] = COMMANDS, HERE
    return discord


def row(page: Page, name: str) -> Locator:
    return page.locator(f".channel[data-channel-name='{name}']")


async def offers(page: Page, names: list[str]) -> None:
    """A slash brings up the commands with these `names`."""
    await page.locator(".composer-input").fill("/")
    await expect(page.locator(".suggestion-name")).to_have_text(names)
    await page.locator(".composer-input").fill("")


async def test_they_are_listed_by_who_else_is_there(between: SmallDiscord) -> None:
    page = await between.open()
    await expect(page.locator(".channel.direct .channel-name")).to_have_text(
        ["Fifteen Two", "Ben", "Ben, Cleo"]
    )
    await expect(row(page, "Ben")).to_have_attribute("data-unread", "1")
    await row(page, "Ben").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ben")
    await expect(page.locator("article")).to_contain_text("a game?")
    await expect(page.locator(".composer-input")).to_have_attribute("placeholder", "Message @Ben")
    await expect(page.locator(".members .member-name")).to_have_text(["Ada", "Ben"])
    await row(page, "Ben, Cleo").click()
    await expect(page.locator(".composer-input")).to_have_attribute("placeholder", "Message Ben, Cleo")
    await expect(page.locator(".beginning")).to_contain_text("the group with Ben, Cleo")
    await expect(page.locator(".beginning")).to_contain_text("Add Fifteen Two under Apps")
    await expect(page.locator(".members .member-name")).to_have_text(["Ada", "Ben", "Cleo"])
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ben, Cleo")


async def test_a_command_is_offered_where_it_is_installed(between: SmallDiscord) -> None:
    page = await between.open()
    for app, told in (
        (HERE, (["/both", "/servers"], ["/both", "/servers"], [])),
        (
            HERE | {"is_mine": True},
            (["/both", "/mine", "/servers"], ["/both", "/servers"], ["/both", "/mine"]),
        ),
        (
            HERE | {"in_server": False, "is_mine": True},
            (["/both", "/mine"], ["/both", "/servers"], ["/both", "/mine"]),
        ),
    ):
        await between.tell("READY", between.ready | {"app": app, "me": PEOPLE[0]}, to=ADA)
        changes = page.get_by_role(
            "button", name="Remove Fifteen Two" if app["is_mine"] else "Add Fifteen Two"
        )
        await expect(changes).to_be_visible()
        for place, names in zip(("general", "Fifteen Two", "Ben"), told, strict=True):
            await page.locator(".channel").filter(has_text=place).first.click()
            await offers(page, names)
    await page.locator(".composer-input").fill("/")
    await between.tell("READY", between.ready | {"me": PEOPLE[0]}, to=ADA)
    await expect(page.get_by_text("Add Fifteen Two under Apps to use its commands here.")).to_be_visible()


async def test_the_app_is_added_and_removed_for_oneself(between: SmallDiscord) -> None:
    page = await between.open(viewport=PHONE)
    await page.locator(".menu-button").click()
    await page.get_by_role("button", name="Add Fifteen Two").click()
    assert (await between.hear("app"))["is_mine"]
    await between.tell("READY", between.ready | {"app": HERE | {"is_mine": True}, "me": PEOPLE[0]}, to=ADA)
    remove = page.get_by_role("button", name="Remove Fifteen Two")
    await expect(remove).to_be_focused()
    await remove.click()
    assert not (await between.hear("app"))["is_mine"]
    nobody = HERE | {"is_for_people": False}
    await between.tell("READY", between.ready | {"app": nobody, "me": PEOPLE[0]}, to=ADA)
    await expect(page.locator(".app-row")).to_contain_text("For servers alone")
    await expect(page.locator("[data-app]")).to_have_count(0)


async def test_direct_messages_are_begun_with_one_or_more(discord: SmallDiscord) -> None:
    page = await discord.open()
    begin = page.get_by_role("button", name="New message")
    dialog = page.get_by_role("dialog", name="New message")
    await begin.click()
    await expect(dialog.get_by_role("button", name="Write")).to_be_disabled()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(begin).to_be_focused()
    for names, op, told in (
        (["Ben"], "open_dm", DM),
        (["Ben", "Cleo"], "open_group", GROUP),
    ):
        await begin.click()
        for name in names:
            await dialog.get_by_role("checkbox", name=name).check()
        await dialog.get_by_role("button", name="Write").click()
        asked = await discord.hear(op)
        assert asked.get("user_ids", [asked.get("user_id")]) == [
            each["id"] for each in PEOPLE[1 : len(names) + 1]
        ]
        await discord.tell("CHANNEL_CREATE", told)
        await expect(page.get_by_role("heading", level=1)).to_have_text(", ".join(names))
    await page.locator("[data-direct]").click()
    await expect(page.locator(".client")).to_have_attribute("data-channel", "dm")
    assert discord.unheard("open_dm") == []


async def test_who_is_not_there_is_not_offered_as_a_person(between: SmallDiscord) -> None:
    who = {"type": 6, "name": "who", "description": "w", "required": True}
    between.ready["commands"] = [COMMANDS[1] | {"options": [who]}]
    between.ready["app"] = HERE | {"is_mine": True}
    page = await between.open()
    for place, names in (("general", 5), ("Ben", 2)):
        await page.locator(".channel").filter(has_text=place).first.click()
        await page.locator(".composer-input").click()
        await page.keyboard.type("/both ")
        await expect(page.get_by_role("option")).to_have_count(names)
        await page.keyboard.press("Escape")
        await page.keyboard.press("Escape")
