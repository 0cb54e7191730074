"""Length and height of the messages on a phone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from playwright.async_api import Page

from sandbox.model.channels import Message
from tests.end_to_end.players import controls
from tests.end_to_end.tables import DEAL, SHOW, is_lobby

_NEWEST = """(client, newest) => {
    const articles = [...client.querySelectorAll("article[data-message-id]")];
    return articles.slice(-newest).map((one) => ({
    id: one.dataset.messageId,
    height: Math.round(one.getBoundingClientRect().height),
    text: [...one.querySelectorAll(".text-display")].map((part) => part.innerText).join("\\n"),
    buttons: one.querySelectorAll("button.button").length,
}));}"""
"""JavaScript: the newest messages in a client, as they are drawn."""

_VISIBLE = "page => page.querySelector('.scroller').clientHeight"
"""JavaScript: the pixels of a screen in which messages can be seen."""

_A_FEW = 4
"""Newest messages that are looked at each time."""
_WORD = re.compile(r"\S*\w\S*")
_OF_A_HAND = frozenset({"pick", "discard", "play", "call", "more", "go", "cut"})


class MessageKind(Enum):
    """A kind of message; its value is how the table of figures calls it."""

    TABLE = "table"
    SHOW = "show"
    LOBBY = "lobby"
    RESULT = "result"
    HAND = "hand"
    HELP = "help"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Size:
    """One message at one time."""

    words: int
    """Those of its texts; not those on its buttons, and no cards that are pictures."""
    height: int
    """Pixels, with its buttons."""
    buttons: int


@dataclass(slots=True)
class Sizes:
    """All that was seen, by kind."""

    seen: defaultdict[MessageKind, set[Size]] = field(default_factory=lambda: defaultdict(set))
    visible: int = 0
    """Pixels of a phone's screen in which messages are shown."""

    async def look(self, page: Page, messages: Mapping[str, Message]) -> list[tuple[MessageKind, Message]]:
        """Measure the newest messages on a page, of which these are known; what they are."""
        self.visible = self.visible or int(await page.locator(".client").first.evaluate(_VISIBLE))
        found = []
        for drawn in await page.locator(".client").first.evaluate(_NEWEST, _A_FEW):
            message = messages.get(drawn["id"])
            kind = kind_of(message) if message is not None else None
            if message is not None and kind is not None:
                self.add(kind, drawn)
                found.append((kind, message))
        return found

    async def add_newest(self, page: Page, kind: MessageKind) -> None:
        """Measure the newest message on a page, which is of that kind."""
        [drawn] = await page.locator(".client").first.evaluate(_NEWEST, 1)
        self.add(kind, drawn)

    def add(self, kind: MessageKind, drawn: Mapping[str, str | int]) -> None:
        """One message of that kind, as the page gives it."""
        words = words_in(str(drawn["text"]))
        self.seen[kind].add(Size(words, int(drawn["height"]), int(drawn["buttons"])))

    def words(self, kind: MessageKind) -> list[int]:
        """The words of each message of that kind, whenever it had changed."""
        return [size.words for size in self.seen[kind]]

    def heights(self, kind: MessageKind) -> tuple[int, int] | None:
        """The pixels of the lowest and of the highest."""
        heights = [size.height for size in self.seen[kind]]
        return (min(heights), max(heights)) if heights else None

    def most_buttons(self, kind: MessageKind) -> int | None:
        """The buttons of the one with most."""
        return max((size.buttons for size in self.seen[kind]), default=None)


def words_in(text: str) -> int:
    """Number of words in a text: parts between spaces with a letter or a figure."""
    return len(_WORD.findall(text))


def kind_of(message: Message) -> MessageKind | None:
    """Kind of the message, if it is a table, a show, a lobby, a result or a hand."""
    text = message.text
    verbs = {address["verb"] for address, _ in controls(message)}
    # A finished hand at the table has a rematch, too.
    if "🏆" in text or ("rematch" in verbs and not message.is_ephemeral):
        return MessageKind.RESULT
    if is_lobby(message):
        return MessageKind.LOBBY
    if SHOW.search(text):
        return MessageKind.SHOW
    is_private = message.is_ephemeral or message.channel.is_dm
    if is_private and verbs & _OF_A_HAND:
        return MessageKind.HAND
    if DEAL.search(text) and not is_private:
        return MessageKind.TABLE
    return None
