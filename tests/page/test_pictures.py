"""Pictures on the page: galleries, thumbnails, alt text, and the larger view."""

from typing import Any

import pytest
from playwright.async_api import expect

from bot.render.text.calls import count_line
from bot.render.text.faces import Faces
from bot.render.text.voice import Voice
from engine import card
from tests.page.conftest import PHONE
from tests.page.samples import V2, attached, button, layout, message, row, words
from tests.page.small_discord import JSON, SmallDiscord

PLACES = """gallery => [...gallery.children].map((one) => {
    const [at, all] = [one.getBoundingClientRect(), gallery.getBoundingClientRect()];
    const part = (length) => Math.round((length / all.width) * 12);
    return [part(at.left - all.left), Math.round(at.top - all.top), part(at.width)];
})"""
"""JavaScript: for each picture of a gallery its left edge, top and width, in twelfths but for the top."""


def gallery(count: int) -> JSON:
    media = {"url": "/cdn/board.png", "width": 800, "height": 300}
    return {"type": 12, "items": [{"media": media, "description": f"Picture {n}"} for n in range(count)]}


MOSAICS = {
    1: [[12]],
    2: [[6, 6]],
    3: [[8, 4], [4]],
    4: [[6, 6], [6, 6]],
    5: [[6, 6], [4, 4, 4]],
    7: [[12], [4, 4, 4], [4, 4, 4]],
    8: [[6, 6], [4, 4, 4], [4, 4, 4]],
    10: [[12], [4, 4, 4], [4, 4, 4], [4, 4, 4]],
}
"""By number of pictures: the width of each, by row."""


@pytest.mark.parametrize("settings", [{}, {"viewport": PHONE}])
async def test_a_gallery_is_a_mosaic_of_rows(discord: SmallDiscord, settings: dict[str, Any]) -> None:
    page = await discord.shows(*(layout(count, gallery(count)) for count in MOSAICS), **settings)
    drawn: list[list[list[int]]] = await page.locator(".gallery").evaluate_all(f"all => all.map({PLACES})")

    def in_rows(places: list[list[int]]) -> list[list[int]]:
        tops = sorted({top for _, top, _ in places})
        return [[width for _, at, width in places if at == top] for top in tops]

    assert {len(places): in_rows(places) for places in drawn} == MOSAICS


async def test_a_picture_opens_large_and_says_its_alt_text(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, gallery(2)))
    await page.get_by_role("button", name="Open picture: Picture 1").click()
    large = page.get_by_role("dialog", name="Picture 1")
    await expect(large.get_by_role("img", name="Picture 1")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(large).to_have_count(0)
    await expect(page.get_by_role("button", name="Open picture: Picture 1")).to_be_focused()


async def test_nothing_covers_a_picture_until_a_pointer_comes(discord: SmallDiscord) -> None:
    page = await discord.shows(layout(1, gallery(1)))
    badge = page.get_by_role("button", name="Show alt text")
    await expect(badge).to_have_css("opacity", "0")
    await page.locator(".gallery .picture").hover()
    await expect(badge).to_have_css("opacity", "1")
    await badge.click()
    await expect(page.locator(".alt-words")).to_contain_text("Picture 0")


async def test_a_thumbnail_opens_large_too(discord: SmallDiscord) -> None:
    thumbnail = {"type": 11, "media": {"url": "/cdn/hand.png"}, "description": "Five hearts"}
    section = {"type": 9, "components": [words("Best hand")], "accessory": thumbnail}
    page = await discord.shows(layout(1, section))
    await page.get_by_role("button", name="Open picture: Five hearts").click()
    await expect(page.get_by_role("dialog", name="Five hearts")).to_be_visible()


async def test_a_file_that_no_component_names_shows_only_outside_of_components(
    discord: SmallDiscord,
) -> None:
    page = await discord.shows(
        message(1, attachments=[attached("A")]), message(2, flags=V2, attachments=[attached("B")])
    )
    await expect(page.get_by_role("img", name="A", exact=True)).to_have_count(1)
    await expect(page.get_by_role("img", name="B", exact=True)).to_have_count(0)


FIVE = "<:five_of_hearts:12>"

MEASURE_COUNTS = """all => all.map((one) => {
  const emoji = [...one.querySelectorAll("img")].map((each) => each.getBoundingClientRect());
  const node = [...one.childNodes].findLast((each) => each.nodeType === Node.TEXT_NODE);
  const top = (from) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, from + 1);
    return Math.round(range.getBoundingClientRect().top);
  };
  return {
    heights: emoji.map((each) => Math.round(each.height)),
    overflows: one.scrollWidth > one.clientWidth,
    lone: top(node.data.indexOf("·")) !== top(node.length - 1),
    lines: new Set(emoji.map((each) => Math.round(each.top))).size,
  };
})"""
"""Of each count: heights of its cards, and true if it is too wide, or its total stands without its dot."""


async def test_emoji_are_large_in_headings_and_alone(discord: SmallDiscord) -> None:
    page = await discord.shows(
        layout(1, words(f"# {FIVE} 5♥\n## {FIVE}\n{FIVE} in a line\n-# {FIVE} small")),
        message(2, f"{FIVE} ♥"),
    )
    heights = "all => all.map((one) => Math.round(one.getBoundingClientRect().height))"
    drawn = page.locator("article .text-display img.custom-emoji")
    assert await drawn.evaluate_all(heights) == [33, 28, 22, 18]
    assert await page.locator(".jumbo img.custom-emoji").evaluate_all(heights) == [48]


@pytest.mark.parametrize(("answer", "height"), [("large", 33), ("plain", 22)])
async def test_a_count_of_any_length_is_read_on_a_phone_however_large_emoji_are_in_headings(
    discord: SmallDiscord, answer: str, height: int
) -> None:
    """The bot puts the cards of a count into headings to make them large; nothing breaks if they are not."""
    deck = ["AS", "AH", "AD", "AC", "2S", "2H", "2D", "2C", "3S", "3H", "3D", "3C"]
    voice = Voice(faces=Faces({each: f"<:card_{each}:{12 + n}>" for n, each in enumerate(deck)}))
    counts = [count_line([card(each) for each in deck[:length]], voice) for length in range(1, 13)]
    discord.ready["emoji_in_headings"] = answer
    page = await discord.shows(*(layout(n, words(line)) for n, line in enumerate(counts, 1)), viewport=PHONE)

    seen = await page.locator("article h1").evaluate_all(MEASURE_COUNTS)
    assert [each["heights"] for each in seen] == [[height] * length for length in range(1, 13)]
    assert [each["overflows"] for each in seen] == [False] * 12
    assert [each["lone"] for each in seen] == [False] * 12
    assert max(each["lines"] for each in seen) <= 2


async def test_emoji_stand_on_buttons_and_in_options(discord: SmallDiscord) -> None:
    own = {"id": "12", "name": "five_of_hearts"}
    options = [
        {"label": "Five", "value": "5", "emoji": own},
        {"label": "Six", "value": "6", "emoji": {"name": "♠"}},
    ]
    page = await discord.shows(
        layout(
            1,
            row(button("five", "5", emoji=own), button("go", "Go", emoji={"name": "👍"})),
            row({"type": 3, "custom_id": "lay", "options": options, "placeholder": "Lay away"}),
        )
    )
    await expect(page.locator("[data-custom-id=five] img")).to_have_attribute("src", "/cdn/emojis/12.png")
    await expect(page.locator("[data-custom-id=go] .emoji")).to_have_text("👍")
    await page.get_by_role("combobox", name="Lay away").click()
    await expect(page.get_by_role("option", name="Five").locator("img")).to_be_visible()
    await expect(page.get_by_role("option", name="Six").locator(".emoji")).to_have_text("♠")


@pytest.mark.parametrize(("settings", "lines"), [({}, 1), ({"viewport": PHONE}, 2)])
async def test_five_buttons_stand_in_a_row_and_wrap_on_a_phone(
    discord: SmallDiscord, settings: dict[str, Any], lines: int
) -> None:
    cards = [
        button(f"c{card}", card, emoji={"id": "12", "name": "five"}) for card in ("A", "5", "10", "J", "Q")
    ]
    page = await discord.shows(layout(1, {"type": 17, "components": [row(*cards)]}), **settings)
    boxes = [await each.bounding_box() for each in await page.locator(".action-row button").all()]

    assert len({round(box["y"]) for box in boxes if box}) == lines
    right = await page.locator(".container").evaluate("box => box.getBoundingClientRect().right")
    assert all(box and box["x"] + box["width"] <= right for box in boxes)
