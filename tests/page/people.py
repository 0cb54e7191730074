"""Simulated players on the page, who act only by reading, typing and clicking."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from tests.end_to_end.players import IS_CHOOSING
from tests.patience import PATIENCE

MILLISECONDS = PATIENCE * 1000
"""The same patience, as the browser counts it."""
IMPATIENT = 5000
"""The default timeout of Playwright's expectations, in milliseconds."""
_GLANCE = 0.03
"""Seconds between two checks of a page on which nothing can be done yet."""
_WHILE = 3000
"""Milliseconds of waiting for a button, after which it is looked for again."""
_DEAL = re.compile(r"Deal (\d+) · |Who deals first\?")

_HAND = """(client, inDm) => {
    const articles = [...client.querySelectorAll("article[data-message-id]")];
    const hand = articles.findLast((one) =>
        one.querySelector("[data-custom-id]") && (inDm || one.hasAttribute("data-ephemeral")));
    if (!hand) return null;
    const controls = [...hand.querySelectorAll("[data-custom-id]")];
    return {
        message: hand.dataset.messageId,
        text: hand.innerText,
        looks: hand.querySelector(".message-content").innerHTML,
        waits: controls.some((one) => one.hasAttribute("data-held")),
        controls: controls.filter((one) => !one.disabled).map((one) => ({
            id: one.dataset.customId,
            shines: one.classList.contains("primary"),
        })),
    };
}"""
"""JavaScript: the newest message in a client that is its person's own hand."""

_ANSWERED = """([client, message, before]) => {
    const article = client.querySelector(`article[data-message-id="${message}"]`);
    if (!article) return true;
    if (article.querySelector("[data-held]")) return false;
    if (article.querySelector(".message-failure").textContent) return true;
    return article.querySelector(".message-content").innerHTML !== before;
}"""
"""JavaScript: whether a press was answered, and the message has changed if it looked like `before`."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button or select of a hand, by the parts of its custom_id."""

    id: str
    deal: int
    verb: str
    argument: str
    shines: bool
    """True for a blue button: a card that can be played, or is chosen for the crib."""

    @property
    def is_untapped(self) -> bool:
        """True for a card that may be chosen for the crib."""
        return self.verb == "pick" and not self.shines

    @classmethod
    def read(cls, found: dict[str, Any]) -> Control:
        """As the page gives it."""
        _, _, deal, verb, *argument = found["id"].split(":")
        return cls(found["id"], int(deal), verb, argument[0] if argument else "", found["shines"])


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as shown on the page."""

    message: str
    text: str
    looks: str
    controls: tuple[Control, ...]

    def first(self, verb: str, *, shining: bool = False) -> Control | None:
        """The first control with that verb."""
        fitting = (each for each in self.controls if each.verb == verb and (each.shines or not shining))
        return next(fitting, None)


class Somebody:
    """One person at their client on a page."""

    def __init__(self, page: Page, name: str, *, in_dm: bool = True) -> None:
        """With `in_dm` the hand is played in the DM, otherwise by *My hand* in the channel.

        There it is opened at most once in a deal, and follows the game from then on.
        """
        self.page = page
        self.name = name
        self.in_dm = in_dm
        self.client = page.locator(f'section.client[data-person="{name}"]')
        self.says = "4"
        """Text typed to count a hand aloud."""

    # Looking.

    def article(self, words: str | re.Pattern[str]) -> Locator:
        """The newest message with this text in itself, not only in the message that it replies to."""
        says = self.page.locator(".message-content").filter(has_text=words)
        return self.client.locator("article[data-message-id]").filter(has=says).last

    @property
    def table(self) -> Locator:
        """The newest table message, if the channel is on the screen; a hand opened there is none."""
        says = self.page.locator(".message-content").filter(has_text=_DEAL)
        return self.client.locator("article[data-message-id]:not([data-ephemeral])").filter(has=says).last

    def _message(self, message: str | None) -> Locator:
        return self.client.locator(f'article[data-message-id="{message}"]')

    def button(self, verb: str, article: Locator) -> Locator:
        """The message's button with that verb."""
        return article.locator(f'button.button[data-custom-id*=":{verb}"]')

    async def hand(self) -> Hand | None:
        """The person's own hand, unless it is missing or waits for a response."""
        found = await self.client.evaluate(_HAND, self.in_dm)
        if found is None or found["waits"]:
            return None
        controls = tuple(map(Control.read, found["controls"]))
        return Hand(found["message"], found["text"], found["looks"], controls)

    # Going about.

    async def go_to_channel(self, name: str = "cribbage") -> None:
        """Open a channel, on a narrow page from the drawer."""
        await self._open_from_list(f'[data-channel-name="{name}"]')
        await expect(self.client).to_have_attribute("data-channel", name)

    async def go_to_dm(self) -> None:
        """Open the direct messages with the bot."""
        await self._open_from_list("[data-direct]")
        await expect(self.client).to_have_attribute("data-channel", "dm")

    async def _open_from_list(self, row: str) -> None:
        menu = self.client.locator(".menu-button")
        if await menu.is_visible():
            await menu.click()
        await self.client.locator(row).click()

    # Typing.

    async def types(self, command: str) -> None:
        """Choose a command by typing its whole name and pressing Enter in the list of commands."""
        await self.client.locator(".composer-input").click()
        await self.page.keyboard.type(f"/{command}")
        await expect(self.option(f"/{command}")).to_be_visible()
        await self.page.keyboard.press("Enter")
        await expect(self.client.get_by_role("group", name=f"Command /{command}")).to_be_visible()

    async def fills_in(self, option: str, typed: str) -> None:
        """Add an optional option to the command, and take the choice that fits what is typed."""
        await self.client.locator(f"[data-add-option={option}]").click()
        await self.page.keyboard.type(typed)
        await self.page.keyboard.press("Tab")

    async def sends(self) -> None:
        """Send the command, and wait for its answer."""
        await self.page.keyboard.press("Enter")
        await expect(self.client.locator(".command-form")).to_have_count(0)
        await expect(self.client.locator(".pending-command")).to_have_count(0)

    async def asks(self, command: str) -> None:
        """Type and send a command without options."""
        await self.types(command)
        await self.sends()

    def option(self, name: str) -> Locator:
        """A line in the list over the composer."""
        return self.client.locator(".suggestion").filter(has=self.page.get_by_text(name, exact=True))

    # Pressing.

    async def presses(self, verb: str, article: Locator) -> None:
        """Press the message's button with that verb, and wait for the answer."""
        article = self._message(await article.get_attribute("data-message-id"))
        await self.button(verb, article).click()
        await expect(article.locator("[data-held]")).to_have_count(0)
        await expect(article.locator(".message-failure")).to_be_empty()

    async def chooses(self, verb: str, value: str) -> None:
        """Choose in the newest select with that verb, and wait for the answer."""
        await self.client.locator(f'[role=combobox][data-custom-id*=":{verb}"]').last.click()
        await self.client.locator(f'[role=option][data-value="{value}"]').click()
        await expect(self.client.locator("[data-held]")).to_have_count(0)

    async def act(self) -> bool:
        """Take one action that the person's own hand offers; returns whether there was one."""
        if not self.in_dm and await self._takes_up_the_hand():
            return True
        hand = await self.hand()
        if hand is None:
            return False
        if discard := hand.first("discard"):
            await self._uses(hand, discard)
            return True
        if IS_CHOOSING.search(hand.text):
            await self._uses(hand, next(each for each in hand.controls if each.is_untapped))
            return True
        wanted = hand.first("call") or hand.first("play", shining=True)
        for verb in ("go", "cut", "deal", "stand"):
            wanted = wanted or hand.first(verb)
        if wanted:
            await self._uses(hand, wanted)
            return True
        if count := hand.first("count"):
            await self._counts(hand, count)
            return True
        return False

    async def _takes_up_the_hand(self) -> bool:
        """Press *My hand* at a table whose hand is not on the page yet."""
        all_of = "all => all.map((one) => one.dataset.customId)"
        buttons = await self.button("hand", self.table).evaluate_all(all_of)
        if not buttons:
            return False
        deal = int(buttons[0].split(":")[2])
        hand = await self.hand()
        if hand is not None and any(each.deal >= deal for each in hand.controls):
            return False
        await self.presses("hand", self.table)
        says = f"Deal {deal}" if deal else "Who deals?"
        await expect(self.client.locator("article[data-ephemeral]").last).to_contain_text(says)
        return True

    async def _uses(self, hand: Hand, control: Control) -> None:
        if await self._clicks(hand, control):
            await self._answered(hand, before=hand.looks)

    async def _clicks(self, hand: Hand, control: Control) -> bool:
        """True if the button could be clicked: a newer message may push a hand at the table down."""
        button = self._message(hand.message).locator(f'[data-custom-id="{control.id}"]')
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        while True:
            try:
                await button.click(timeout=_WHILE)
            except PlaywrightTimeoutError:
                if not await button.count():
                    return False
                if loop.time() > deadline:
                    raise
            else:
                return True

    async def _answered(self, hand: Hand, *, before: str) -> None:
        client = await self.client.element_handle()
        await self.page.wait_for_function(_ANSWERED, arg=[client, hand.message, before], timeout=MILLISECONDS)
        failures = await self._message(hand.message).locator(".message-failure").all_inner_texts()
        assert not any(failures), failures

    async def _counts(self, hand: Hand, button: Control) -> None:
        """Enter in the modal what the hand is worth."""
        if not await self._clicks(hand, button):
            return
        form = self.client.get_by_role("dialog")
        await expect(form).to_be_visible(timeout=MILLISECONDS)
        await self.page.keyboard.type(self.says)
        await form.get_by_role("button", name="Submit").click()
        await expect(form).to_have_count(0)
        await self._answered(hand, before=hand.looks)


async def opened(page: Page, url: str) -> Page:
    """The page with its clients ready; everything on it may take as long as a busy machine needs."""
    page.set_default_timeout(MILLISECONDS)
    await page.goto(url)
    await page.wait_for_function(
        "document.querySelector('.client') && !document.querySelector('.client[data-ready=false]')"
    )
    return page


async def play(people: Sequence[Somebody], until: Callable[[], Awaitable[object]]) -> None:
    """Let everybody play until the condition holds; fails when nobody can act for too long."""
    loop = asyncio.get_running_loop()
    idle_since = loop.time()
    while not await until():
        for person in people:
            while not await until() and await person.act():
                idle_since = loop.time()
        if loop.time() - idle_since > PATIENCE:
            screens = [await person.client.inner_text() for person in people]
            raise TimeoutError("the table stands still:\n" + "\n\n".join(screens))
        await asyncio.sleep(_GLANCE)


async def sit_down(
    host: Somebody,
    others: Sequence[Somebody],
    *,
    rules: Mapping[str, str] | None = None,
    **options: str,
) -> None:
    """The host opens a table with these options, all in the channel; the others join, and it begins.

    `rules` are set in *Rules*: by the setting, its value, as custom_ids have them.
    """
    await host.types("crib new")
    for option, typed in options.items():
        await host.fills_in(option, typed)
    await host.sends()
    if rules:
        await host.presses("rules", host.article("wants to play"))
        await host.presses("selects", host.article("This table:"))
    for setting, value in (rules or {}).items():
        await host.chooses("setting", setting)
        await host.chooses(f"set:{setting}", value)
    for other in others:
        await other.presses("join", other.article("wants to play"))
    await host.presses("start", host.article("wants to play"))
