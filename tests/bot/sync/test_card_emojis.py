"""The pack as an application's emojis: what is there after a start, and what cards are shown by."""

from __future__ import annotations

import asyncio
import logging
import re
from functools import partial
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import aiohttp
import discord
import pytest
from PIL import Image

from bot.render.pictures.cards import EDITION, draw_back, draw_card
from bot.sync.card_emojis import PICTURES, card_emojis, emoji_name
from engine import PACK, card
from tests.bot.leaping_loop import leaping
from tests.bot.sync.places import refused

KEYS = [*map(str, PACK), "back"]
QUICK = {key: partial(bytes.__add__, b"\x89PNG\r\n\x1a\n", key.encode()) for key in KEYS}
"""In place of the pictures: what begins as one, and names its card."""
NAMES, LATER, LATEST = ([emoji_name(key, EDITION + each) for key in KEYS] for each in (0, 1, 2))
FIRST = [f"card_{key}_1" for key in KEYS]
OTHERS = [
    "peg",
    "card_5H",
    "card_5H_0",
    "card_1H_1",
    "card_back_1_new",
    "my_card_5H_1",
    "Card_5H_1",
    "_five_of_hearts",
    "Five_of_hearts",
    "one_of_hearts",
    "five_of_hearts_2",
    "face_down_new",
]
"""Names of other emojis."""

TROUBLE = {
    "forbidden": refused(403),
    "too many": refused(429),
    "too many, by discord.py": discord.RateLimited(3600.0),
    "Discord is ill": refused(503),
    "no connection": ConnectionResetError("gone"),
    "no answer": TimeoutError(),
    "hung up": aiohttp.ServerDisconnectedError(),
}
ILL = TROUBLE["Discord is ill"]


def application(*names: str, after: dict[str, int] | None = None, error: BaseException = ILL) -> Any:
    """An application with emojis of these names; of `after`, more requests of a kind raise the error."""
    made = SimpleNamespace(names=list(names), images={}, asked=[], after=after or {})

    def ask(kind: str) -> None:
        if made.asked.count(kind) >= made.after.get(kind, 999):
            raise error
        made.asked.append(kind)

    def emoji(name: str) -> Any:
        async def delete() -> None:
            ask("delete")
            made.names.remove(name)

        shown = Mock(delete=delete, __str__=lambda _: f"<:{name}:7>")
        shown.name = name
        return shown

    async def listed() -> list[Any]:
        ask("list")
        return [emoji(name) for name in made.names]

    async def create(*, name: str, image: bytes) -> Any:
        ask("create")
        assert name not in made.names, "Discord refuses a name that is taken"
        made.names.append(name)
        made.images[name] = image
        return emoji(name)

    made.client = Mock(fetch_application_emojis=listed, create_application_emoji=create)
    return made


async def start(there: Any, *, pause: float = 0) -> list[str]:
    """Start the bot; the names of the emojis by which it shows the pack."""
    there.asked.clear()
    emojis = await card_emojis(there.client, pause=pause)
    assert list(emojis) in ([], KEYS), "a pack is whole"
    return [text.removeprefix("<:").removesuffix(":7>") for text in emojis.values()]


@pytest.fixture(autouse=True)
def _quickly_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes no time, unless a test is about the pictures themselves."""
    if not request.node.get_closest_marker("deep"):
        monkeypatch.setattr("bot.sync.card_emojis.PICTURES", QUICK)


@pytest.mark.parametrize(
    ("before", "after", "shown", "stand"),
    [
        ([], {}, NAMES, NAMES),
        (NAMES, {"create": 0}, NAMES, NAMES),
        (LATER, {}, NAMES, NAMES),
        ([*FIRST, *OTHERS], {}, NAMES, [*OTHERS, *NAMES]),
        (FIRST, {"create": 30}, FIRST, [*FIRST, *NAMES[:30]]),
        (LATER, {"create": 52}, LATER, [*LATER, *NAMES[:52]]),
        ([*LATER, *LATEST], {"create": 0}, LATEST, [*LATER, *LATEST]),
        ([*LATER[:30], *NAMES[30:]], {"create": 0}, [], [*LATER[:30], *NAMES[30:]]),
        (LATER, {"delete": 5}, NAMES, [*LATER[5:], *NAMES]),
        (NAMES, {"list": 0}, [], NAMES),
    ],
    ids=[
        "the first start",
        "the second start",
        "another edition gives way",
        "the first edition gives way, and other emojis stay",
        "the first edition serves until the words are whole",
        "another whole edition serves, unmixed",
        "of two whole editions the later serves",
        "two parts are no pack",
        "old emojis that cannot be deleted",
        "without a list nothing is uploaded",
    ],
)
async def test_what_stands_and_what_is_shown_after_a_start_and_the_next_start_completes_it(
    before: list[str], after: dict[str, int], shown: list[str], stand: list[str]
) -> None:
    there = application(*before, after=after)
    assert await start(there) == shown
    assert there.names == stand

    there.after.clear()
    assert await start(there) == NAMES
    assert sorted(there.names) == sorted(NAMES + [each for each in stand if each in OTHERS])


@pytest.mark.parametrize("kind", ["list", "create", "delete"])
@pytest.mark.parametrize("error", TROUBLE.values(), ids=TROUBLE)
async def test_nothing_is_asked_after_a_refusal_of_which_one_line_tells(
    kind: str, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    there = application(*LATER[:30], after={kind: 0}, error=error)
    await start(there)
    assert there.asked == {"list": [], "create": ["list"], "delete": ["list", *["create"] * 53]}[kind]
    [warning] = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert (
        warning.getMessage()
        == {
            "list": f"Cards are text until the next start: their emojis could not be listed ({error!r})",
            "create": f"Only 0 of 53 cards have their picture until the next start ({error!r})",
            "delete": f"Old pictures of cards are left until the next start ({error!r})",
        }[kind]
    )
    assert warning.exc_info is None, "no traceback"


async def test_stopping_the_bot_stops_the_upload() -> None:
    with pytest.raises(asyncio.CancelledError):
        await start(application(after={"create": 3}, error=asyncio.CancelledError()))


@leaping
async def test_uploads_and_deletions_are_spaced_by_the_pause() -> None:
    await start(application(*NAMES[:50], LATER[4]), pause=2.5)
    assert asyncio.get_running_loop().time() == 10, "three uploads and one deletion"


async def test_before_login_cards_are_text() -> None:
    assert await card_emojis(discord.Client(intents=discord.Intents(guilds=True)), pause=0) == {}


def test_names_are_words_that_discord_takes() -> None:
    assert emoji_name("5H") == "five_of_hearts"
    assert emoji_name("back") == "face_down"
    assert len({*NAMES, *LATER, *FIRST}) == 3 * 53
    for key in KEYS:
        assert re.fullmatch(r"[a-z_]{2,32}", emoji_name(key, EDITION + 12))


async def test_each_card_is_uploaded_under_its_own_name() -> None:
    there = application()
    await start(there)
    assert there.images == {name: QUICK[key]() for key, name in zip(KEYS, NAMES, strict=True)}
    assert PICTURES["5H"]() == draw_card(card("5H"))
    assert PICTURES["back"]() == draw_back()


@pytest.mark.deep
async def test_the_pictures_of_all_cards_differ() -> None:
    there = application()
    await start(there)
    assert len(set(there.images.values())) == 53
    for picture in there.images.values():
        with Image.open(BytesIO(picture)) as opened:
            opened.verify()
