"""Squares as people press them: each card is final, nothing tells a card to come, and a share names none."""

from __future__ import annotations

import json
import re

from bot.features.squares.store import SquaresStore
from engine import CELLS
from sandbox.client.people import Person
from sandbox.model.channels import Message
from sandbox.model.permissions import Overwrite, Permission
from tests.end_to_end.players import buttons
from tests.end_to_end.tables import post_of, public, reply_to
from tests.end_to_end.watching import cards_in
from tests.room.room import BEST_SQUARES, Room
from tests.room.steps import DAY, leap, noon, tap, today


async def opened(person: Person, channel: object = "cribbage") -> Message:
    return await reply_to(person.command(channel, "crib-daily squares"))  # type: ignore[arg-type]


def cells(screen: Message) -> list[str]:
    """The custom_ids of the free cells."""
    return buttons(screen, "squares:put:")


async def fill(person: Person, screen: Message) -> str:
    """Put each card into the last free cell; the result."""
    while cells(screen):
        await tap(person, screen, cells(screen)[-1])
    return screen.text


def known(screen: Message) -> object:
    return cards_in(json.dumps(screen.components, ensure_ascii=False))


async def test_only_cards_that_have_come_are_told_and_the_last_shows_points_and_best(room: Room) -> None:
    [ada] = room.people("Ada")
    deck = await SquaresStore(room.database).deck(today(room))
    screen = await opened(ada)
    assert screen.is_ephemeral
    assert known(screen) == {deck.dealt[0]}
    for number in range(CELLS - 1):
        assert len(cells(screen)) == CELLS - number
        await tap(ada, screen, cells(screen)[0])
        assert known(screen) == {*deck.dealt[: number + 2]}
    said = await fill(ada, screen)
    assert re.search(r"\d+ points", said)
    assert f"The best that my search found: {BEST_SQUARES}" in said
    assert re.search(r"Won:\W+[01] of 1", said)
    assert (await opened(ada)).text == said
    room.database.raw.execute("DELETE FROM squares_best")
    assert "look again in a minute" in (await opened(ada)).text, "nobody waits for the search"


async def test_a_card_is_final_also_after_a_restart(room: Room) -> None:
    [ada] = room.people("Ada")
    first, second = await opened(ada), await opened(ada)
    said = await tap(ada, first, cells(first)[5])
    await room.restart()
    assert await tap(ada, second, cells(second)[6]) == said
    assert cells(second) == cells(first)


async def test_squares_of_yesterday_can_be_finished_and_not_begun(room: Room) -> None:
    ada, ben, cleo = room.people("Ada", "Ben", "Cleo")
    screen, untouched, late = [await opened(each) for each in (ada, ben, cleo)]
    for person, message in ((ada, screen), (cleo, late)):
        await tap(person, message, cells(message)[0])
    await noon(room)
    refused = await reply_to(ben.press(untouched, cells(untouched)[0]))
    assert refused.text.startswith("The day of these squares is over.")
    said = await fill(ada, screen)
    assert "Next squares" not in said
    assert "squares:open" in buttons(screen)
    await noon(room)
    refused = await reply_to(cleo.press(late, cells(late)[0]))
    assert refused.text.startswith("The day of these squares is over.")
    share, _ = buttons(screen)
    leap(7 * DAY)
    refused = await reply_to(ada.press(screen, share))
    assert refused.text.startswith("The day of these squares is over.")


async def test_a_share_is_squares_without_cards_once_in_each_server(room: Room) -> None:
    [ada] = room.people("Ada")
    owner, channel, shut = room.sandbox.people["Ada"], room.channel(), room.channel()
    screen = await opened(ada, channel)
    assert "Next squares at" in await fill(ada, screen)
    [share] = buttons(screen)
    post = await post_of(ada.press(screen, share))
    assert re.search(r"\*\*Ada\*\* · .*\n↔️ [🟦🟩🟨🟧⬜]{4}\n↕️ [🟦🟩🟨🟧⬜]{4}\n\d+ points", post.text)
    assert known(post) == set()
    assert not re.search(r"[♣♦♥♠]", post.text)
    assert buttons(post) == ["squares:open"]
    again = await reply_to(ada.press(screen, share))
    assert again.text == "You've shared these squares in this server already."
    assert len(public(channel)) == 1

    [ben] = room.people("Ben")
    screen = await opened(ben, shut)
    await fill(ben, screen)
    owner.set_overwrite(shut, Overwrite(ben.id, is_member=True, deny=Permission.SEND_MESSAGES))
    refused = await reply_to(ben.press(screen, "Show everybody"))
    assert refused.text.startswith("You can't write here")
    assert public(shut) == []


async def test_in_a_direct_message_the_share_is_text_to_copy(room: Room) -> None:
    [ada] = room.people("Ada")
    screen = await opened(ada, ada.open_dm())
    await fill(ada, screen)
    said = await reply_to(ada.press(screen, buttons(screen)[0]))
    assert said.text.startswith("Copy it")
    assert cards_in(said.text) == set()
