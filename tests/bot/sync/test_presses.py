"""A table that only tokens reach: which press posts a message, and what edits it."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import discord
import pytest

from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.sync.live_message import TokenTransport
from bot.sync.posts import Posts
from bot.sync.presses import KEPT, NoToken, Posted, Presses
from tests.bot.answered import Answered
from tests.bot.seating import gather, room_of
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import refused
from tests.patience import PATIENCE

HERE, THERE = 20, 21
NEW: dict[str, Any] = {"content": "The table."}


class FakePress:
    """A press whose token posts and edits, unless Discord refuses that or makes the message private."""

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
        self.interaction: Any = Answered(user, message=user * 100)
        self.put_in: list[dict[str, Any]] = []
        self.explained: list[Posted] = []

    async def put(self, new: dict[str, Any]) -> Posted:
        message = self.user * 100 + len(self.put_in)
        self.put_in.append(new)
        if self.error is not None:
            raise self.error
        return Posted(message, self.is_private, TokenTransport(self.interaction, message))

    def expire(self) -> None:
        """Let its token expire, with what it has posted."""
        self.is_alive = self.may_post = False
        self.interaction.errors = [refused(401, 50027) for _ in range(9)]

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


# -- the messages of a table ---------------------------------------------------------------------------

PLACE = Place(PostKind.TABLE, 5, 1)


class Unreachable:
    """A client of which nothing may be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked by the bot's own token")


@pytest.fixture
def presses() -> Presses:
    return Presses()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
async def elsewhere(store: MemoryStore, presses: Presses) -> Posts:
    _, lobbies, _ = room_of(store)
    client: Any = Unreachable()
    return Posts((await gather(lobbies)).game, client, store, (), presses=presses)


def showing(said: str) -> Drawing:
    return layout(text(said))


def table_of(posts: Posts) -> Post:
    found = posts.get(PostKind.TABLE, 1)
    assert found is not None
    return found


async def test_a_table_is_posted_and_edited_with_the_token_of_a_press(
    elsewhere: Posts, presses: Presses
) -> None:
    presses.note(5, press := FakePress())
    post = await elsewhere.draw(showing("To play."), PLACE, version=1)
    await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert (post.message, len(press.put_in)) == (100, 1)
    assert press.interaction.edits == ["Played."]
    assert "nonce" not in press.put_in[0]


async def test_a_stop_waits_until_what_is_posted_is_recorded(
    elsewhere: Posts, presses: Presses, store: MemoryStore
) -> None:
    """A token has no idempotency key: after the restart the message would be posted again."""
    press, may_arrive = FakePress(), asyncio.Event()
    put = press.put

    async def late(new: dict[str, Any]) -> Posted:
        await may_arrive.wait()
        return await put(new)

    press.put = late  # type: ignore[method-assign]
    presses.note(5, press)
    posting = asyncio.create_task(elsewhere.draw(showing("To play."), PLACE, version=1))
    await asyncio.sleep(0)
    await presses.posted(within=0.0)
    assert not posting.done(), "it waits no longer than it may"
    stopping = asyncio.create_task(presses.posted(within=PATIENCE))
    await asyncio.sleep(0)
    assert not stopping.done()
    may_arrive.set()
    await stopping
    [kept] = await store.posts((await posting).game)
    assert kept.message == 100


async def test_a_press_on_the_table_edits_it_from_then_on(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, first := FakePress())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    first.expire()
    pressed: Any = Answered(user=2, message=100)
    elsewhere.hold(100, pressed)
    await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert pressed.edits == ["Played."]
    assert first.interaction.edits == []


async def test_a_table_that_no_token_reaches_is_posted_again(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, first := FakePress())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    first.expire()
    presses.note(5, second := FakePress(2))
    post = await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert (post.message, len(second.put_in)) == (200, 1)
    assert table_of(elsewhere).message == 200
    assert elsewhere.on(100) is None


async def test_without_a_token_the_table_waits_for_the_next_press(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, press := FakePress())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    press.expire()
    with pytest.raises(NoToken):
        await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert not elsewhere.is_up_to_date
    pressed: Any = Answered(user=2, message=100)
    elsewhere.hold(100, pressed)
    await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert pressed.edits == ["Played."]
    assert elsewhere.is_up_to_date


async def test_without_a_token_nothing_is_posted(elsewhere: Posts) -> None:
    with pytest.raises(NoToken):
        await elsewhere.draw(showing("To play."), PLACE, version=1)


async def test_a_table_that_comes_down_calls_its_players_and_the_old_one_says_where_it_is(
    elsewhere: Posts, presses: Presses
) -> None:
    presses.note(5, press := FakePress())
    old = await elsewhere.draw(showing("To play."), PLACE, version=1)

    async def farewell(_: Post) -> Drawing:
        return showing("It has moved.")

    await elsewhere.replace(showing("To play."), farewell, old, version=1, calls=(1, 2))
    assert [each.id for each in press.put_in[1]["allowed_mentions"].users] == [1, 2]
    assert press.interaction.edits == ["It has moved."]
    assert table_of(elsewhere).message == 101


async def test_after_a_restart_only_a_press_on_the_table_reaches_it(
    store: MemoryStore, presses: Presses
) -> None:
    client: Any = Unreachable()
    posts = Posts("g", client, store, (PLACE.holding("g", 100, "x"),), presses=presses)
    with pytest.raises(NoToken):
        await posts.draw(showing("Played."), PLACE, version=2)
    pressed: Any = Answered(message=100)
    posts.hold(100, pressed)
    await posts.draw(showing("Played."), PLACE, version=2)
    assert pressed.edits == ["Played."]


async def test_a_message_there_is_given_up_without_a_request(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, FakePress())
    await elsewhere.remove(await elsewhere.draw(showing("To play."), PLACE, version=1))
    assert elsewhere.get(PostKind.TABLE, 1) is None


async def test_the_message_of_one_deal_becomes_that_of_the_next(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, press := FakePress())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    await elsewhere.become((PostKind.TABLE, 1, -1), (PostKind.TABLE, 2, -1))
    await elsewhere.draw(showing("The next deal."), Place(PostKind.TABLE, 5, 2), version=3)
    assert elsewhere.get(PostKind.TABLE, 1) is None
    assert (len(press.put_in), press.interaction.edits) == (1, ["The next deal."])
