"""The daily hand and the squares: each in one private message, shared without its cards."""

from __future__ import annotations

import re

from engine import CELLS
from tests.end_to_end.players import buttons, tap
from tests.end_to_end.tables import post_of, public, reply_to
from tests.end_to_end.watching import PrivateWatch
from tests.room.room import Room


async def test_a_daily_hand_is_played_by_two_and_shared(room: Room) -> None:
    ada, ben = room.people("Ada", "Ben")
    channel, watch = room.channel(), PrivateWatch(room.sandbox, room.archive, ada.id, ben.id)
    room.sandbox.observers.append(watch)
    hers = await reply_to(ada.command(channel, "crib-daily play"))
    assert hers.is_ephemeral
    dealt = buttons(hers, "daily:")
    await tap(ada, hers, buttons(hers, "daily:pick:")[0])
    await tap(ada, hers, buttons(hers, "daily:pick:")[1])
    await tap(ada, hers, buttons(hers, "daily:discard:")[0])
    assert "In this server: nobody else so far" in hers.text.replace("**", "")

    his = await reply_to(ben.command(channel, "crib-daily play"))
    assert buttons(his, "daily:") == dealt, "the same six cards"
    again = await reply_to(ada.command(channel, "crib-daily play"))
    assert "Streak" in again.text, "it counts once"
    shared = await post_of(ada.command(channel, "crib-daily share"))
    assert "Ada" in shared.text

    room.sandbox.observers.remove(watch)
    assert {said.reader for said in watch.said if said.cards} == {ada.id, ben.id}
    assert watch.leaks(()) == []


async def test_squares_are_played_in_one_message_and_shared(room: Room) -> None:
    [ada], channel = room.people("Ada"), room.channel()
    square = await reply_to(ada.command(channel, "crib-daily squares"))
    assert square.is_ephemeral
    for _ in range(CELLS):
        await tap(ada, square, buttons(square, "squares:put:")[-1])
    assert re.search(r"\d+ points", square.text)
    assert "My search" in square.text or "that my search found" in square.text
    await ada.press(square, buttons(square)[0])
    [post] = await ada.until(lambda: public(channel))
    assert re.search(r"[🟦🟩🟨🟧⬜]{4}", post.text)
    assert not re.search(r"[♣♦♥♠]", post.text)
