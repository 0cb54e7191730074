"""Choice of the press that posts a message where only tokens reach a table; others are passed over."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.sync.presses import KEPT, NoToken, Posted, Presses

HERE, THERE = 20, 21
NEW: dict[str, Any] = {"content": "The table."}


def refused(status: int, code: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason="No"), {"code": code})  # type: ignore[arg-type]


class FakePress:
    """A press whose post Discord refuses, or makes private."""

    def __init__(
        self,
        user: int = 1,
        at: float = 0.0,
        *,
        is_alive: bool = True,
        may_post: bool = True,
        error: Exception | None = None,
        is_private: bool = False,
    ) -> None:
        self.user, self.channel, self.pressed_at = user, HERE, at
        self.is_alive, self.may_post = is_alive, may_post
        self.error, self.is_private = error, is_private
        self.put_in: list[dict[str, Any]] = []
        self.explained: list[Posted] = []

    async def put(self, new: dict[str, Any]) -> Posted:
        self.put_in.append(new)
        if self.error is not None:
            raise self.error
        token: Any = SimpleNamespace()
        return Posted(self.user * 100, self.is_private, token)

    async def explain(self, posted: Posted) -> None:
        self.explained.append(posted)


def noted(*presses: FakePress, channel: int = HERE) -> Presses:
    book = Presses()
    for press in presses:
        book.note(channel, press)
    return book


async def test_the_newest_press_posts() -> None:
    first, second, again = FakePress(1), FakePress(2), FakePress(1)
    posted = await noted(first, second, again).post(HERE, NEW)
    assert posted.message == 100
    assert (first.put_in, second.put_in, again.put_in) == ([], [], [NEW])


async def test_a_press_posts_in_its_own_channel_only() -> None:
    book = noted(FakePress(1))
    book.note(THERE, FakePress(2))
    assert (await book.post(HERE, NEW)).message == 100
    assert (await book.post(THERE, NEW)).message == 200
    assert not book.can_post(22)
    with pytest.raises(NoToken):
        await book.post(22, NEW)


@pytest.mark.parametrize(
    "error",
    [refused(401, 50027), refused(404, 10015), refused(404, 10062), refused(400, 40094)],
    ids=["expired", "unknown webhook", "unknown interaction", "spent"],
)
async def test_a_press_whose_token_is_refused_is_passed_over_for_good(error: Exception) -> None:
    older, newer = FakePress(1), FakePress(2, error=error)
    book = noted(older, newer)
    assert (await book.post(HERE, NEW)).message == 100
    assert not newer.may_post
    await book.post(HERE, NEW)
    assert (len(older.put_in), len(newer.put_in)) == (2, 1)
    assert newer.explained == []


async def test_another_refusal_is_for_the_message_and_the_press_may_post_again() -> None:
    older, newer = FakePress(1), FakePress(2, error=refused(400, 50035))
    with pytest.raises(discord.HTTPException):
        await noted(older, newer).post(HERE, NEW)
    assert (newer.may_post, older.put_in) == (True, [])


async def test_a_message_that_comes_back_private_says_so_and_the_next_press_posts() -> None:
    older, newer = FakePress(1), FakePress(2, is_private=True)
    assert (await noted(older, newer).post(HERE, NEW)).message == 100
    assert [each.message for each in newer.explained] == [200]
    assert not newer.may_post


async def test_where_no_press_may_post_the_table_waits() -> None:
    presses = [FakePress(1, is_private=True), FakePress(2, may_post=False)]
    book = noted(*presses)
    assert book.can_post(HERE)
    with pytest.raises(NoToken):
        await book.post(HERE, NEW)
    assert not book.can_post(HERE)
    assert presses[1].put_in == []


def test_channels_are_forgotten_whose_newest_press_is_out_of_date() -> None:
    book = noted(FakePress(1, at=0.0))
    book.note(THERE, FakePress(2, at=10.0))
    book.note(22, FakePress(3, at=KEPT))
    assert [book.can_post(channel) for channel in (HERE, THERE, 22)] == [False, True, True]
    book.note(THERE, FakePress(1, at=KEPT + 1))
    book.note(23, FakePress(3, at=2 * KEPT))
    assert [book.can_post(channel) for channel in (THERE, 22, 23)] == [True, False, True]


def test_when_the_last_who_sees_nothing_has_pressed() -> None:
    book = noted(FakePress(1, 10.0, is_alive=False), FakePress(2, 20.0, is_alive=False), FakePress(3, 30.0))
    assert book.seen(HERE, [1, 2, 3]) == 20.0
    assert book.seen(HERE, [1, 3]) == 10.0
    assert book.seen(HERE, [3]) == -math.inf
    assert book.seen(HERE, [1, 4]) is None
    assert book.seen(THERE, [1]) is None
    book.note(HERE, FakePress(1, 40.0, is_alive=False))
    assert book.seen(HERE, [1, 2, 3]) == 40.0
