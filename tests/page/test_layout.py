"""The page as a whole: people, channels, unread marks, themes, phones, lost connections."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, expect

from tests.page.conftest import PHONE
from tests.page.samples import (
    ADA,
    BEN,
    BOT,
    BOT_ID,
    CRIBBAGE,
    DIRECT,
    GENERAL,
    PEOPLE,
    button,
    layout,
    message,
    row,
    select,
    words,
)
from tests.page.small_discord import JSON, SmallDiscord

PEOPLE_ON_SCREEN = "all => all.filter((one) => !one.hidden).map((one) => one.dataset.person)"


async def on_screen(page: Page) -> list[str]:
    return await page.locator(".client").evaluate_all(PEOPLE_ON_SCREEN)


async def test_the_page_begins_in_cribbage_with_the_welcome_or_as_its_address_says(
    discord: SmallDiscord,
) -> None:
    page = await discord.open("")
    assert await on_screen(page) == ["Ada"]
    await expect(page.get_by_role("button", name="cribbage")).to_have_attribute("aria-current", "page")
    await expect(page.get_by_text("Welcome to the room.")).to_be_visible()

    page = await discord.open("as=Ben,Cleo&channel=general&theme=light")
    assert await on_screen(page) == ["Ben", "Cleo"]
    channels = "all => all.map((one) => one.dataset.channel)"
    assert await page.locator(".client").evaluate_all(channels) == ["general", "general"]
    assert await page.evaluate("document.documentElement.dataset.theme") == "light"
    ben = page.get_by_role("region", name="Ben's Discord")
    await ben.get_by_role("combobox", name="Message #general").fill("hello")
    await page.keyboard.press("Enter")
    assert (await discord.hear("send"))["user"] == BEN


async def test_an_empty_channel_says_how_to_begin(discord: SmallDiscord) -> None:
    discord.ready["messages"] = {CRIBBAGE: [], DIRECT: []}
    page = await discord.open("")
    said = page.locator(".beginning .quiet")
    await expect(said).to_contain_text("or say hello to it under Direct messages.")
    await page.locator("[data-direct]").click()
    await expect(said).to_contain_text("or say hello to it here.")


async def test_another_seat_is_one_press_away(discord: SmallDiscord) -> None:
    page = await discord.open()
    await page.locator("[data-seat=Cleo]").click()
    assert await on_screen(page) == ["Cleo"]
    assert "as=Cleo" in page.url
    await page.get_by_role("button", name="Side by side").click()
    assert await on_screen(page) == ["Cleo", "Dan"]
    await page.locator("[data-seat=Ada]").click()
    assert await on_screen(page) == ["Ada", "Cleo", "Dan"]
    await page.locator("[data-seat=Dan]").click()
    assert await on_screen(page) == ["Ada", "Cleo"]


async def test_unread_messages_leave_marks_until_they_are_seen(discord: SmallDiscord) -> None:
    page = await discord.open()
    general = page.locator("[data-channel-name=general]")
    direct = page.locator("[data-direct]")
    await discord.tell("MESSAGE_CREATE", message(1, "talk", channel=GENERAL, author=PEOPLE[1]))
    await discord.tell("MESSAGE_CREATE", message(2, "your hand", channel=DIRECT))
    await expect(general).to_have_attribute("data-unread", "1")
    await expect(general.locator(".badge")).to_have_count(0)
    await expect(direct.locator(".badge")).to_have_text("1")
    await expect(page).to_have_title("(1) Fifteen Two")
    await direct.click()
    await expect(page.get_by_text("your hand")).to_be_visible()
    await expect(direct).to_have_attribute("data-unread", "0")
    await expect(page).to_have_title("Fifteen Two")


async def test_a_direct_message_is_opened_on_request_and_can_be_refused(discord: SmallDiscord) -> None:
    discord.ready["dms"] = []
    page = await discord.open()
    await page.locator("[data-direct]").click()
    assert (await discord.hear("open_dm"))["user_id"] == BOT["id"]
    await discord.tell("CHANNEL_CREATE", {"id": DIRECT, "type": 1, "recipients": [BOT]})
    await expect(page.locator(".client")).to_have_attribute("data-channel", "dm")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("switch", name="Allow direct messages").click()
    assert (await discord.hear("dms"))["open"] is False


async def test_a_lost_connection_comes_back_with_all_news(discord: SmallDiscord) -> None:
    page = await discord.open()
    discord.away = True
    await discord.drop()
    await expect(page.get_by_text("Reconnecting…")).to_be_visible()
    discord.ready["messages"][CRIBBAGE].append(message(9, "while you were away"))
    discord.away = False
    await discord.hear("sync")
    await expect(page.get_by_text("while you were away")).to_be_visible()
    await expect(page.get_by_text("Reconnecting…")).to_have_count(0)


async def test_a_sandbox_started_anew_is_opened_anew(discord: SmallDiscord) -> None:
    page = await discord.open("as=Ben")
    discord.ready["people"] = [person | {"id": f"9{person['id']}"} for person in PEOPLE]
    await discord.drop()
    await expect(page.locator(".client[data-ready=true]")).to_have_attribute("data-user-id", f"9{BEN}")
    await expect(page.get_by_text("Reconnecting…")).to_have_count(0)


async def test_an_absent_bot_is_said_to_be_starting(discord: SmallDiscord) -> None:
    discord.ready["bot_online"] = False
    page = await discord.open()
    await expect(page.get_by_role("status").filter(has_text="Fifteen Two is starting…")).to_be_visible()
    await discord.tell("PRESENCE", {"bot_online": True})
    await expect(page.get_by_text("Fifteen Two is starting…")).to_have_count(0)


async def test_the_theme_follows_the_system_until_it_is_chosen(discord: SmallDiscord) -> None:
    for theme, other in (("light", "dark"), ("dark", "light")):
        page = await discord.open("as=Ada", color_scheme=theme)
        assert await page.evaluate("document.documentElement.dataset.theme") == theme
        await page.get_by_role("button", name=f"{other.title()} theme").click()
        await page.reload()
        assert await page.evaluate("document.documentElement.dataset.theme") == other


async def test_text_stands_out_in_both_themes(discord: SmallDiscord) -> None:
    presses = row(*(button(f"b{style}", "Press", style=style) for style in (1, 2, 3, 4)))
    text = "text **strong** https://example.com `code` <@101>\n-# small"
    said = (
        message(1, text, mentions=[PEOPLE[0]]),
        message(2, "hand", flags=64),
        layout(3, {"type": 17, "components": [words("in a box\n-# small"), presses]}),
    )
    for theme in ("dark", "light"):
        page = await discord.shows(*said, query=f"as=Ada&theme={theme}")
        assert await page.evaluate(CONTRAST) == []


async def test_on_a_phone_the_channels_are_a_drawer(discord: SmallDiscord) -> None:
    page = await discord.open(viewport=PHONE)
    general = page.get_by_role("button", name="general")
    await expect(general).to_have_count(0)
    menu = page.get_by_role("button", name="Channels", exact=True)
    await menu.click()
    await general.click()
    await expect(general).to_have_count(0)
    await expect(page.get_by_role("heading", name="general", exact=True)).to_be_visible()
    await menu.click()
    await page.keyboard.press("Escape")
    await expect(menu).to_be_focused()


async def test_on_a_phone_everything_fits_and_can_be_touched(discord: SmallDiscord) -> None:
    hand = [button(f"c{card}", card) for card in ("5♥", "6♥", "J♠", "Q♦", "Go")]
    lay = select("lay", "Ace", "Two", min_values=2, max_values=2)
    page = await discord.shows(
        message(1, "W" * 300, flags=64),
        layout(2, {"type": 17, "components": [row(*hand), row(lay)]}),
        query="as=Ada,Ben",
        viewport=PHONE,
    )
    small = await page.evaluate(
        """() => [...document.querySelectorAll('.client:not([hidden]) button:not(.author), .bar button')]
            .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 44 || box.width < 44))
            .map(([name]) => name)"""
    )
    assert small == []
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    scroller = page.locator(".client:not([hidden]) .scroller")
    assert await scroller.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert await on_screen(page) == ["Ada"]
    await page.locator("[data-seat=Ben]").click()
    assert await on_screen(page) == ["Ben"]
    await expect(page.locator(".client")).to_have_count(2)


async def test_the_name_of_a_channel_stays_beside_its_icon(discord: SmallDiscord) -> None:
    lengths = range(8, 40)
    linked = [message(number, f"{'n' * number} <#{CRIBBAGE}>") for number in lengths]
    page = await discord.shows(*linked, viewport=PHONE)
    lines = "all => all.map((one) => Math.round(one.getBoundingClientRect().height / 22))"
    assert await page.locator("article .mention").evaluate_all(lines) == [1] * len(lengths)


CONTRAST = """() => {
    const parse = (color) => {
        const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
        return [r, g, b, a];
    };
    const over = (top, under) => top.slice(0, 3).map((part, at) => part * top[3] + under[at] * (1 - top[3]));
    const ground = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement)
            layers.push(parse(getComputedStyle(at).backgroundColor));
        return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
    };
    const light = (color) => color.map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const hidden = element.closest('[aria-hidden=true]') || !element.checkVisibility();
        if (hidden || !walker.currentNode.textContent.trim()) continue;
        const back = ground(element);
        const ink = over(parse(getComputedStyle(element).color), back);
        const [more, less] = [light(ink), light(back)].sort((a, b) => b - a);
        const ratio = (more + 0.05) / (less + 0.05);
        if (ratio < 4.5) faint.push([walker.currentNode.textContent.trim(), Math.round(ratio * 100) / 100]);
    }
    return faint;
}"""
"""Every piece of visible text whose contrast to what lies behind it is less than WCAG AA asks."""


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


async def test_a_thread_hangs_under_its_message_and_is_entered(discord: SmallDiscord) -> None:
    page = await discord.shows(message(1, "The table"), message(2, "later"))
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

    await page.locator(".threads").get_by_role("button", name="Ada and Ben").click()
    await expect(page.get_by_role("heading", name="Ada and Ben", exact=True, level=1)).to_be_visible()
    await discord.tell("CHANNEL_DELETE", {"id": THREAD, "type": 11})
    await expect(page.locator(".client")).to_have_attribute("data-channel", "cribbage")


async def test_buttons_of_an_archived_thread_fail_and_a_message_opens_it(discord: SmallDiscord) -> None:
    discord.ready["channels"].append(thread(archived=True))
    discord.ready["messages"] |= {
        CRIBBAGE: [message(1, "The table")],
        THREAD: [layout(5, row(button("go", "Go")), channel=THREAD)],
    }
    page = await discord.open()
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


async def test_each_kind_of_channel_has_its_icon(discord: SmallDiscord) -> None:
    page = await discord.open()
    for kind, icon in {0: "hash", 2: "speaker", 5: "megaphone", 13: "stage", 15: "forum"}.items():
        channel = {"id": f"20{kind:02}", "type": kind, "name": f"a {icon}", "position": kind}
        await discord.tell("CHANNEL_CREATE", channel)
        row = page.locator(f".channel[data-channel-name='a {icon}']")
        await expect(row.locator(f"svg.icon-{icon}")).to_have_count(1)
        await row.click()
        head = page.locator(f".channel-head svg.icon-{icon}, header svg.icon-{icon}")
        await expect(head.first).to_be_visible()


def told(number: int, text: str, *, channel: str = DIRECT) -> JSON:
    title = "Fifteen Two" if channel == DIRECT else "Fifteen Two (#cribbage, The Crib Room)"
    return {
        "message_id": str(1000 + number),
        "channel_id": channel,
        "title": title,
        "text": text,
        "author": BOT,
    }


async def test_a_notification_shows_its_words_and_leads_to_its_message(discord: SmallDiscord) -> None:
    page = await discord.open("as=Ada,Ben")
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


async def test_a_message_of_components_notifies_without_a_word(discord: SmallDiscord) -> None:
    page = await discord.open()
    await discord.tell("NOTIFICATION", told(3, ""))
    await expect(page.locator(".toast")).to_contain_text("no words")
    await page.get_by_role("button", name="Close notification").click()
    await expect(page.locator(".toast")).to_have_count(0)


async def test_who_looks_at_the_channel_is_not_notified(discord: SmallDiscord) -> None:
    page = await discord.open()
    await discord.tell("NOTIFICATION", told(3, "here", channel=CRIBBAGE))
    await discord.tell("NOTIFICATION", told(4, "there"))
    await expect(page.locator(".toast-words")).to_have_text(["Fifteen Twothere"])


async def test_a_phone_shows_one_at_a_time(discord: SmallDiscord) -> None:
    page = await discord.open(viewport=PHONE)
    for number in (3, 4):
        await discord.tell("NOTIFICATION", told(number, f"number {number}"))
    await expect(page.locator(".toast").last).to_contain_text("number 4")
    await expect(page.locator(".toast").first).to_be_hidden()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


async def test_a_silent_message_is_marked(discord: SmallDiscord) -> None:
    page = await discord.shows(message(1, "one"), message(2, "two", flags=4096, author=PEOPLE[1]))
    await expect(page.get_by_role("img", name="Sent silently")).to_have_count(1)
    await expect(page.locator("article[data-message-id='1002'] .silent")).to_be_visible()
