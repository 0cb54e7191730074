"""The real client and its real emojis over a small Discord that keeps an application's emojis."""

import asyncio
import base64
import logging
import re
from collections import Counter
from functools import partial
from io import BytesIO
from itertools import count
from typing import Any

import aiohttp
import discord
import pytest
from discord.http import Route
from PIL import Image

from bot.render.pictures.cards import EDITION, draw_back, draw_card
from bot.sync.card_emojis import PICTURES, card_emojis, emoji_name
from engine import PACK, card
from tests.bot.leaping_loop import leaping

APPLICATION = 77
KEYS = [*map(str, PACK), "back"]
QUICK = {key: partial(bytes.__add__, b"\x89PNG\r\n\x1a\n", key.encode()) for key in KEYS}
"""In place of the pictures: what begins as one, and names its card."""
NAMES = [emoji_name(key) for key in KEYS]
LATER = [emoji_name(key, EDITION + 1) for key in KEYS]
FIRST = [f"card_{key}_1" for key in KEYS]


class _Answer:
    """The part of an HTTP response that discord.py's errors read."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.reason = "as the test wishes"


REFUSALS = {
    "forbidden": discord.Forbidden(_Answer(403), "no"),
    "too many": discord.HTTPException(_Answer(429), "slowly"),
    "too many, by discord.py": discord.RateLimited(3600.0),
    "Discord is ill": discord.DiscordServerError(_Answer(503), "later"),
    "no connection": ConnectionResetError("gone"),
    "no answer": TimeoutError(),
    "hung up": aiohttp.ServerDisconnectedError(),
}


class _Discord:
    """The three routes of an application's emojis, with Discord's rules about names and sizes."""

    def __init__(self) -> None:
        self.emojis: dict[int, str] = {}
        self.images: dict[str, bytes] = {}
        self.requests: Counter[str] = Counter()
        self.asked_at: list[float] = []
        """The times (s) of all requests."""
        self.numbers = count(1000)
        self.busy = 0
        self.refuse: dict[str, tuple[int, BaseException]] = {}
        """By method: number of requests that succeed, and the error after them."""

    def has(self, *names: str) -> None:
        for name in names:
            self.emojis[next(self.numbers)] = name

    async def request(self, route: Route, **options: Any) -> Any:
        assert self.busy == 0, "emojis are asked for one after another"
        self.busy += 1
        await asyncio.sleep(0)
        self.busy -= 1
        granted, refusal = self.refuse.get(route.method, (999, None))
        if refusal is not None and self.requests[route.method] >= granted:
            raise refusal
        self.requests[route.method] += 1
        self.asked_at.append(asyncio.get_running_loop().time())
        home = f"{Route.BASE}/applications/{APPLICATION}/emojis"
        match route.method:
            case "GET" if route.url == home:
                return {"items": [self._shown(number) for number in self.emojis]}
            case "POST" if route.url == home:
                return self._created(**options["json"])
            case "DELETE":
                del self.emojis[int(route.url.removeprefix(f"{home}/"))]
                return None
        raise AssertionError(f"{route.method} {route.url} is not needed here")

    def _created(self, name: str, image: str) -> dict[str, Any]:
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", name)
        assert name not in self.emojis.values(), "Discord refuses a name that is taken"
        kind, _, data = image.partition(";base64,")
        assert kind == "data:image/png"
        self.images[name] = base64.b64decode(data)
        assert len(self.images[name]) <= 256 * 1024
        number = next(self.numbers)
        self.emojis[number] = name
        return self._shown(number)

    def _shown(self, number: int) -> dict[str, Any]:
        return {"id": str(number), "name": self.emojis[number], "animated": False, "available": True}


@pytest.fixture
def there() -> _Discord:
    return _Discord()


@pytest.fixture(autouse=True)
def _quickly_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes no time, unless a test is about the pictures themselves."""
    if not request.node.get_closest_marker("deep"):
        monkeypatch.setattr("bot.sync.card_emojis.PICTURES", QUICK)


async def _start(there: _Discord, *, pause: float = 0) -> dict[str, str]:
    """The emojis of a bot that starts now."""
    client = discord.Client(intents=discord.Intents(guilds=True), application_id=APPLICATION)
    client.http.request = there.request  # type: ignore[method-assign, assignment]
    there.requests.clear()
    return await card_emojis(client, pause=pause)


async def test_the_first_start_uploads_the_whole_pack(there: _Discord) -> None:
    emojis = await _start(there)

    assert list(there.emojis.values()) == NAMES
    assert there.requests == {"GET": 1, "POST": 53}
    numbers = {name: number for number, name in there.emojis.items()}
    assert emojis == {key: f"<:{name}:{numbers[name]}>" for key, name in zip(KEYS, NAMES, strict=True)}


def _names(emojis: dict[str, str]) -> list[str]:
    return [text.removeprefix("<:").partition(":")[0] for text in emojis.values()]


def test_names_are_words_that_discord_takes() -> None:
    assert emoji_name("5H") == "five_of_hearts"
    assert emoji_name("back") == "face_down"
    assert len(set(NAMES + LATER + FIRST)) == 3 * 53
    for key in KEYS:
        assert re.fullmatch(r"[a-z_]{2,32}", emoji_name(key, EDITION + 12))


async def test_the_first_edition_is_taken_away_when_the_words_are_whole(there: _Discord) -> None:
    there.has(*FIRST)
    there.refuse["POST"] = (30, REFUSALS["too many"])
    assert _names(await _start(there)) == FIRST, "it serves until then"
    assert there.requests["DELETE"] == 0

    there.refuse.clear()
    assert _names(await _start(there)) == NAMES
    assert list(there.emojis.values()) == NAMES


async def test_each_card_is_uploaded_under_its_own_name(there: _Discord) -> None:
    await _start(there)

    assert there.images == {name: QUICK[key]() for key, name in zip(KEYS, NAMES, strict=True)}
    assert PICTURES["5H"]() == draw_card(card("5H"))
    assert PICTURES["back"]() == draw_back()


@pytest.mark.deep
async def test_the_pictures_of_all_cards_differ(there: _Discord) -> None:
    await _start(there)

    assert len(set(there.images.values())) == 53
    for picture in there.images.values():
        with Image.open(BytesIO(picture)) as opened:
            opened.verify()


async def test_the_second_start_uploads_nothing(there: _Discord) -> None:
    first = await _start(there)
    second = await _start(there)

    assert second == first
    assert there.requests == {"GET": 1}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
async def test_an_upload_cut_short_leaves_cards_as_text_until_the_next_start(
    there: _Discord, refusal: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    there.refuse["POST"] = (20, refusal)
    assert await _start(there) == {}
    assert there.requests["POST"] == 20, "nothing is asked after a refusal"
    warnings = [
        each
        for each in caplog.records
        if each.name == "bot.sync.card_emojis" and each.levelno >= logging.WARNING
    ]
    assert [each.getMessage() for each in warnings] == [
        f"Only 20 of 53 cards have their picture until the next start ({refusal!r})"
    ]
    assert warnings[0].exc_info is None, "one line, no traceback"

    there.refuse.clear()
    assert set(await _start(there)) == set(KEYS)
    assert there.requests["POST"] == 33
    assert sorted(there.emojis.values()) == sorted(NAMES)


async def test_without_a_list_nothing_is_uploaded(there: _Discord, caplog: pytest.LogCaptureFixture) -> None:
    for name, refusal in REFUSALS.items():
        caplog.clear()
        there.refuse["GET"] = (0, refusal)
        assert await _start(there) == {}, name
        assert there.requests.total() == 0, name
        assert "could not be listed" in caplog.text, name


async def test_before_login_cards_are_text() -> None:
    assert await card_emojis(discord.Client(intents=discord.Intents(guilds=True)), pause=0) == {}


async def test_another_edition_gives_way_to_the_present_one(there: _Discord) -> None:
    there.has(*LATER)

    emojis = await _start(there)

    assert list(there.emojis.values()) == NAMES
    assert emojis.keys() == set(KEYS)
    assert _names(emojis) == NAMES


async def test_while_the_present_edition_is_unfinished_another_whole_one_serves_unmixed(
    there: _Discord,
) -> None:
    there.has(*LATER)
    there.refuse["POST"] = (52, REFUSALS["too many"])

    emojis = await _start(there)

    assert emojis.keys() == set(KEYS)
    assert _names(emojis) == LATER
    assert there.requests["DELETE"] == 0, "the other pack is in use"


async def test_of_two_other_whole_editions_the_later_serves(there: _Discord) -> None:
    for edition in (EDITION + 9, EDITION + 10):
        there.has(*(emoji_name(key, edition) for key in KEYS))
    there.refuse["POST"] = (0, REFUSALS["forbidden"])

    assert _names(await _start(there)) == [emoji_name(key, EDITION + 10) for key in KEYS]


async def test_two_unfinished_editions_do_not_make_a_pack(there: _Discord) -> None:
    there.has(*LATER[:30])
    there.has(*NAMES[30:])
    there.refuse["POST"] = (0, REFUSALS["Discord is ill"])

    assert await _start(there) == {}
    assert len(there.emojis) == 53, "nothing is taken away before the present edition is whole"


async def test_old_emojis_that_cannot_be_deleted_go_at_the_next_start(
    there: _Discord, caplog: pytest.LogCaptureFixture
) -> None:
    there.has(*LATER)
    there.refuse["DELETE"] = (5, REFUSALS["Discord is ill"])
    emojis = await _start(there)
    assert _names(emojis) == NAMES, "the new pack is shown all the same"
    assert len(there.emojis) == 53 + 48
    assert "Old pictures of cards are left" in caplog.text

    there.refuse.clear()
    assert await _start(there) == emojis
    assert sorted(there.emojis.values()) == sorted(NAMES)


async def test_emojis_of_other_names_are_left_alone(there: _Discord) -> None:
    others = [
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
    there.has(*others)

    await _start(there)

    assert set(others) <= set(there.emojis.values())
    assert len(there.emojis) == len(others) + 53


async def test_stopping_the_bot_stops_the_upload(there: _Discord) -> None:
    there.refuse["POST"] = (3, asyncio.CancelledError())

    with pytest.raises(asyncio.CancelledError):
        await _start(there)


@leaping
async def test_uploads_are_spaced_by_the_pause(there: _Discord) -> None:
    there.has(*NAMES[:50], LATER[4])
    await _start(there, pause=2.5)

    assert there.asked_at == [0, 0, 2.5, 5, 7.5], "the list, three uploads and one deletion"
    assert asyncio.get_running_loop().time() == 10
