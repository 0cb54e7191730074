"""Games played on the page, by people who type and click."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from tests.page.conftest import PHONE
from tests.page_play.conftest import OpenPage
from tests.page_play.people import Somebody, play, sit_down

LANE = re.compile(r"^(\S+) +(?:\d+ → )?(\d+)$", re.MULTILINE)
"""A side's name and score over its lane of the board."""
SCORE = re.compile(r"(\w+) (\d+)\s+pegging ")


async def stands(article: Locator) -> bool:
    """True if the page has such a message."""
    return await article.count() > 0


async def test_a_whole_game_is_played_side_by_side(open_page: OpenPage) -> None:
    page = await open_page("as=Ada,Ben&channel=cribbage&theme=dark")
    ada, ben = Somebody(page, "Ada", in_dm=False), Somebody(page, "Ben")
    await ada.types("crib new")
    await page.keyboard.type("ru")
    await page.keyboard.press("Tab")
    await page.keyboard.type("sho")
    await expect(ada.option("Short: the same to 61")).to_be_visible()
    await page.keyboard.press("Tab")
    await ada.sends()
    await expect(ada.article("Cribbage")).to_contain_text("Short · to 61")
    await ben.presses("join", ben.article("Cribbage"))
    await expect(ada.article("Cribbage")).to_contain_text("All here")
    await ada.presses("start", ada.article("Cribbage"))
    await expect(ada.table).to_contain_text("Ada and Ben: cut for the deal")
    await ben.go_to_dm()
    result = ada.article("🏆")
    await play([ada, ben], lambda: stands(result))

    told = await result.inner_text()
    scores = {name: int(score) for name, score in SCORE.findall(told)}
    winner = max(scores, key=lambda name: scores[name])
    assert f"{winner} wins" in told
    assert set(scores) == {"Ada", "Ben"}
    assert scores[winner] == 61
    assert min(scores.values()) < 61
    on_the_board = LANE.findall(await result.locator("pre").inner_text())
    assert {name: int(score) for name, score in on_the_board} == scores
    assert ("a skunk!" in await result.inner_text()) == (min(scores.values()) < 31)
    await expect(ada.table).to_contain_text(f"{winner} won")
    by_dm = ben.article(re.compile("You (win|lost)"))
    await expect(by_dm).to_contain_text("You win by" if winner == "Ben" else f"You lost to {winner} by")

    await ada.presses("rematch", result)
    await ben.go_to_channel()
    await expect(ben.article("wants a rematch")).to_be_visible()
    await ben.presses("join", ben.article("wants a rematch"))
    await expect(ada.table).to_contain_text("Deal 1 ·")
    await expect(ada.table).to_contain_text("choose 2 cards for the crib")


async def test_a_whole_game_is_played_alone_against_the_computer(open_page: OpenPage) -> None:
    phone = await open_page("as=Ada&channel=cribbage", viewport=PHONE, has_touch=True, is_mobile=True)
    ada = Somebody(phone, "Ada", in_dm=False)
    await ada.types("crib new")
    await ada.fills_in("computer", "expert")
    await ada.fills_in("rules", "sho")
    await ada.sends()
    await expect(ada.table).to_contain_text("Who deals first?")
    await expect(ada.table).to_contain_text("Expert")
    result = ada.article("🏆")
    await play([ada], lambda: stands(result))
    await expect(result).to_contain_text("Expert")
    await ada.presses("review", result)
    review = ada.client.locator("article[data-ephemeral]").last
    await expect(review).to_contain_text(re.compile(r"Luck: "))
    assert await phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


async def test_a_deal_is_played_from_the_dm_on_a_phone(open_page: OpenPage) -> None:
    desk = await open_page("as=Ada&channel=cribbage&theme=light")
    phone = await open_page("as=Ben&channel=cribbage", viewport=PHONE, has_touch=True, is_mobile=True)
    ada, ben = Somebody(desk, "Ada"), Somebody(phone, "Ben")
    await sit_down(ada, [ben])
    await ada.go_to_dm()
    await ben.go_to_dm()
    discards = re.compile("discard 2 to", re.IGNORECASE)
    await play([ben, ada], lambda: stands(ben.article("Deal 1: you").filter(has_text=discards)))
    await expect(ben.article(discards)).to_contain_text("Deal 1: you")
    assert await phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    scroller = ben.client.locator(".scroller")
    assert await scroller.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    await ben.client.get_by_role("link", name="Table").last.tap()
    await expect(ben.client).to_have_attribute("data-channel", "cribbage")
    await expect(ben.article("Deal 1 · the show")).to_be_visible()


async def test_a_deal_is_played_by_commands_alone(open_page: OpenPage) -> None:
    page = await open_page("as=Ada,Ben&channel=cribbage&theme=dark")
    ada, ben = Somebody(page, "Ada"), Somebody(page, "Ben")
    people = {person.name: person for person in (ada, ben)}
    await ada.asks("crib new")
    await ben.asks("crib join")
    await ada.asks("crib start")
    await expect(ada.table).to_contain_text("Who deals first?")
    while await stands(ada.article("Who deals first?")):
        for person in people.values():
            await person.asks("crib cut")
    await expect(ada.table).to_contain_text("choose 2 cards for the crib")
    for person in people.values():
        await person.types("crib discard")
        await takes_first_choice(person)
        await person.sends()
        await expect(person.client.locator("article[data-ephemeral]").last).to_contain_text("You discarded")
    waits = re.compile(r"(\w+)( cuts the deck| leads|'s turn)|Deal 2")
    while not await stands(ada.article("Deal 1 · the show")):
        await expect(ada.table).to_contain_text(waits)
        before = await ada.table.inner_text()
        found = waits.search(before)
        if found is None or found[1] is None:
            continue
        person = people[found[1]]
        if found[2] == " cuts the deck":
            await person.asks("crib cut")
        else:
            await plays_by_command(person)
        await expect(ada.table).not_to_have_text(before, use_inner_text=True)
    await expect(ada.article("Deal 1 · the show")).to_contain_text(re.compile(r"'s crib \d"))


async def takes_first_choice(person: Somebody) -> None:
    """Take the first thing that the bot offers for the option."""
    await expect(person.client.locator(".suggestion").first).to_be_visible()
    await person.page.keyboard.press("Tab")
    await expect(person.client.locator(".chip.settled")).to_have_count(1)


async def plays_by_command(person: Somebody) -> None:
    """Play the first card that is offered, or say go when there is none."""
    await person.types("crib play")
    offered = person.client.locator(".suggestion")
    none = person.client.get_by_text("No options match your search.")
    await expect(offered.or_(none).first).to_be_visible()
    if await offered.count():
        await takes_first_choice(person)
        await person.sends()
        return
    await person.page.keyboard.press("Escape")
    await person.asks("crib go")


async def test_hands_are_counted_aloud_in_a_form(open_page: OpenPage) -> None:
    page = await open_page("as=Ada,Ben,Cleo,Dan&channel=cribbage&theme=dark")
    ada, ben, cleo = Somebody(page, "Ada"), Somebody(page, "Ben"), Somebody(page, "Cleo")
    ada.says, ben.says = "29", "0"
    await sit_down(ada, [ben], rules={"counting": "aloud"})
    await ada.go_to_dm()
    await ben.go_to_dm()
    show = cleo.article("Deal 1 · the show")
    await play([ada, ben], lambda: stands(cleo.article("Deal 2 ·")))
    await expect(show).to_contain_text(re.compile(r"Ada claimed 29, has \d+"))
    await expect(show).to_contain_text("Ben 0")
    board = cleo.table.locator("pre")
    assert await board.evaluate("box => box.scrollWidth - box.clientWidth") == 0


async def test_a_hand_is_scored_by_a_command_typed_in_one_go(open_page: OpenPage) -> None:
    page = await open_page("as=Ada&channel=cribbage&theme=light")
    ada = Somebody(page, "Ada")
    await ada.types("crib-coach score")
    await page.keyboard.type("5h 5c 5s jd starter:5d")
    await ada.sends()
    await expect(ada.client.locator("article[data-ephemeral]")).to_contain_text("29")
    await ada.types("crib-coach score")
    await page.keyboard.type("5h 5c 5s xx starter:5d")
    await ada.sends()
    await expect(ada.client.locator("article[data-ephemeral]").last).to_contain_text("xx")


async def test_who_says_hello_to_the_bot_on_a_phone_plays_a_deal_in_the_same_place(
    open_page: OpenPage,
) -> None:
    phone = await open_page("as=Ada&channel=dm", viewport=PHONE, has_touch=True, is_mobile=True)
    ada = Somebody(phone, "Ada")
    await ada.go_to_dm()
    await ada.client.locator(".composer-input").click()
    await phone.keyboard.type("hello")
    await phone.keyboard.press("Enter")
    greeting = ada.article("Shall we play cribbage?")
    await greeting.get_by_role("button", name="Play the computer").click()
    await expect(ada.article("Who deals first?")).to_contain_text("Who deals? Cut the deck")
    await play([ada], lambda: stands(ada.article("Deal 1")))
    await expect(ada.article("Deal 1")).to_contain_text(re.compile(r"Discard 2 to .* crib"))
    await play([ada], lambda: stands(ada.article(re.compile("Deal 2"))))
    await expect(ada.article(re.compile("Deal 1 · the show"))).to_contain_text("in the play")


async def test_two_people_play_in_their_own_direct_messages(open_page: OpenPage) -> None:
    desk = await open_page("as=Ada&channel=cribbage&theme=light")
    phone = await open_page("as=Ben&channel=cribbage", viewport=PHONE, has_touch=True, is_mobile=True)
    ada, ben = Somebody(desk, "Ada", in_dm=False), Somebody(phone, "Ben", in_dm=False)
    await desk.get_by_role("button", name="Add Fifteen Two").click()
    await expect(desk.get_by_role("button", name="Remove Fifteen Two")).to_be_visible()
    await desk.get_by_role("button", name="New message").click()
    dialog = desk.get_by_role("dialog", name="New message")
    await dialog.get_by_role("checkbox", name="Ben").check()
    await dialog.get_by_role("button", name="Write").click()
    await expect(desk.get_by_role("heading", level=1)).to_have_text("Ben")
    await ada.asks("crib new")
    lobby = ada.article("wants to play")
    await expect(lobby).to_be_visible()

    await ben.client.locator(".menu-button").click()
    await ben.client.locator('[data-channel-name="Ada"]').click()
    await ben.presses("join", ben.article("wants to play"))
    await ada.presses("start", lobby)
    await expect(ada.table).to_contain_text("Ada and Ben: cut for the deal")
    await play([ada, ben], lambda: stands(ada.article("Deal 1 ·").filter(has_text="cuts the deck")))
    tables = ada.client.locator("article[data-message-id]:not([data-ephemeral])")
    await expect(tables).to_have_count(1)
    assert await phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
