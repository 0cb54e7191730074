"""Messages in Discord: settling, drafts, and answers of other processes."""

from __future__ import annotations

import asyncio
import itertools
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn
from bot.model.posts import Place, Post, PostKind
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.store import SETTLED
from bot.sync.live_message import Shown, TokenTransport
from bot.sync.posts import Posts
from bot.sync.presses import NoToken, Posted, Presses
from tests.bot.answered import Answered
from tests.bot.stand_in import stand_in
from tests.patience import PATIENCE

PLACE = Place(PostKind.TABLE, 5, 1)


class Shelf:
    """A store of posts only."""

    def __init__(self) -> None:
        self.kept: list[Post] = []
        self.is_full = False

    async def keep_post(self, post: Post) -> None:
        if self.is_full:
            raise StoreUnavailable("the disk is full")
        self.kept.append(post)

    async def drop_post(self, game: str, kind: PostKind, deal: int, seat: int) -> None:
        key = (game, kind, deal, seat)
        self.kept = [each for each in self.kept if (each.game, each.kind, each.deal, each.seat) != key]


def showing(said: str) -> Drawing:
    return layout(text(said))


@pytest.fixture
def edit() -> AsyncMock:
    return AsyncMock(spec=discord.PartialMessage.edit)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def posts(edit: AsyncMock, shelf: Shelf) -> Posts:
    client = stand_in(discord.Client)
    channel = client.get_partial_messageable.return_value
    channel.send = AsyncMock(spec=discord.TextChannel.send, return_value=SimpleNamespace(id=7))
    channel.get_partial_message.return_value.edit = edit
    store: Any = shelf
    return Posts("g", client, store, ())


def table_of(posts: Posts) -> Post:
    found = posts.get(PostKind.TABLE, 1)
    assert found is not None
    return found


async def test_a_message_whose_drawing_was_left_to_an_answer_is_not_settled(
    posts: Posts, edit: AsyncMock
) -> None:
    await posts.draw(showing("To play."), PLACE, version=1)
    with posts.pressed(7):
        await posts.draw(showing("Over."), PLACE, version=1)  # left to the answer, which draws something else
    assert posts.is_owed(7)
    assert edit.await_count == 0

    await posts.settle(table_of(posts))
    assert table_of(posts).drawn != SETTLED

    await posts.draw(showing("Over."), PLACE, version=1)
    assert edit.await_count == 1
    await posts.settle(table_of(posts))
    assert table_of(posts).drawn == SETTLED


async def test_a_message_that_could_not_be_kept_as_settled_is_kept_when_the_store_is_back(
    posts: Posts, shelf: Shelf
) -> None:
    table = await posts.draw(showing("Over."), PLACE, version=1)
    shelf.is_full = True
    with pytest.raises(StoreUnavailable):
        await posts.settle(table)
    assert not posts.is_up_to_date
    result = Place(PostKind.RESULT, 5)
    with pytest.raises(StoreUnavailable):
        await posts.draw(showing("You win."), result, version=1)

    shelf.is_full = False
    await posts.draw(showing("You win."), result, version=1)

    assert posts.is_up_to_date
    assert SETTLED in {post.drawn for post in shelf.kept}


async def test_a_message_whose_drawing_failed_is_not_settled(posts: Posts, edit: AsyncMock) -> None:
    await posts.draw(showing("To play."), PLACE, version=1)
    edit.side_effect = OSError
    with pytest.raises(OSError):
        await posts.draw(showing("Over."), PLACE, version=1)
    await posts.settle(table_of(posts))
    assert table_of(posts).drawn != SETTLED


async def test_a_draft_is_kept_at_once_and_is_all_that_is_believed_after_an_interrupted_sync(
    edit: AsyncMock,
) -> None:
    hand, shelf = Place(PostKind.HAND, 5, 1, 0), Shelf()
    client = stand_in(discord.Client)
    channel = client.get_partial_messageable.return_value
    channel.send = AsyncMock(spec=discord.TextChannel.send, return_value=SimpleNamespace(id=7))
    channel.get_partial_message.return_value.edit = edit
    store: Any = shelf
    posts = Posts("g", client, store, ())
    await posts.draw(showing("Choose."), hand, version=1)
    interaction = stand_in(discord.Interaction)
    chosen = Shown.under(showing("Chosen."), showing("Choose."), version=1, draft=1)
    await posts.answered(7, interaction, chosen)

    posts = Posts("g", client, store, (shelf.kept[-1],), has_unacknowledged_sends=True)  # after a crash
    await posts.draw(showing("Choose."), hand, version=2, choosing=1)
    assert edit.await_count == 0, "the draft stays"
    await posts.draw(showing("Choose."), hand, version=3)
    assert edit.await_count == 1, "once it is over, what it stood on is not believed"

    table = PLACE.holding("g", 8, showing("To play.").digest)
    for is_interrupted, edits in ((False, 1), (True, 2)):
        posts = Posts("g", client, store, (table,), has_unacknowledged_sends=is_interrupted)
        await posts.draw(showing("To play."), PLACE, version=1)
        assert edit.await_count == edits


def drawn_elsewhere(
    said: str, *, message: int = 7, draft: int | None = None, is_certain: bool = True
) -> Drawn:
    return Drawn(message=message, digest=showing(said).digest, version=2, draft=draft, is_certain=is_certain)


async def test_what_another_process_has_drawn_is_what_the_message_shows(
    posts: Posts, edit: AsyncMock
) -> None:
    await posts.draw(showing("To play."), PLACE, version=1)
    posts.drawn_elsewhere([drawn_elsewhere("Played.", message=8), drawn_elsewhere("Played.")])
    assert posts.over(7) == table_of(posts).drawn == showing("Played.").digest

    await posts.draw(showing("To play."), PLACE, version=1)
    await posts.draw(showing("Played."), PLACE, version=2)
    assert edit.await_count == 0, "the one is older, and the other stands there"
    await posts.draw(showing("Over."), PLACE, version=3)
    assert edit.await_count == 1


async def test_what_another_process_may_have_drawn_is_drawn_over(posts: Posts, edit: AsyncMock) -> None:
    await posts.draw(showing("To play."), PLACE, version=1)
    posts.drawn_elsewhere([drawn_elsewhere("Played.", is_certain=False)])
    assert posts.over(7) == table_of(posts).drawn == ""

    await posts.draw(showing("Played."), PLACE, version=2)
    assert edit.await_count == 1


async def test_a_message_that_was_settled_is_not_when_another_process_has_drawn_on_it(
    posts: Posts, edit: AsyncMock
) -> None:
    """The answer to a press has crossed the end of the deal."""
    await posts.draw(showing("Over."), PLACE, version=1)
    await posts.settle(table_of(posts))
    posts.drawn_elsewhere([drawn_elsewhere("Played.")])
    assert table_of(posts).drawn != SETTLED

    await posts.draw(showing("Over."), PLACE, version=3)
    assert edit.await_count == 1


async def test_a_draft_that_another_process_has_drawn_stays(posts: Posts, edit: AsyncMock) -> None:
    await posts.draw(showing("Choose."), PLACE, version=1)
    posts.drawn_elsewhere([drawn_elsewhere("Choose.", draft=1)])
    await posts.draw(showing("Choose, Ben has."), PLACE, version=3, choosing=1)
    assert edit.await_count == 0


# Where only tokens reach the table


class Poster:
    """A press whose token posts; what is posted can be edited with it."""

    def __init__(self, first: int = 100) -> None:
        self.user, self.channel, self.pressed_at = 1, 20, 0.0
        self.is_alive = self.may_post = True
        self.interaction = Answered(message=first)
        self.put_in: list[dict[str, Any]] = []
        self._ids = itertools.count(first)

    async def put(self, new: dict[str, Any]) -> Posted:
        self.put_in.append(new)
        message = next(self._ids)
        return Posted(message, False, TokenTransport(self.interaction, message))  # type: ignore[arg-type]

    async def explain(self, posted: Posted) -> None:
        raise AssertionError("nothing was private")


class Unreachable:
    """A client of which nothing may be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked by the bot's own token")


def expire(poster: Poster) -> None:
    """Let the press's token expire, with what it has posted."""
    poster.is_alive = poster.may_post = False
    poster.interaction.errors = [refused_401() for _ in range(9)]


def refused_401() -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=401, reason="No"), {"code": 50027})  # type: ignore[arg-type]


@pytest.fixture
def presses() -> Presses:
    return Presses()


@pytest.fixture
def elsewhere(shelf: Shelf, presses: Presses) -> Posts:
    client: Any = Unreachable()
    store: Any = shelf
    return Posts("g", client, store, (), presses=presses)


async def test_a_table_is_posted_and_edited_with_the_token_of_a_press(
    elsewhere: Posts, presses: Presses
) -> None:
    presses.note(5, press := Poster())
    post = await elsewhere.draw(showing("To play."), PLACE, version=1)
    await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert (post.message, len(press.put_in)) == (100, 1)
    assert press.interaction.edits == ["Played."]
    assert "nonce" not in press.put_in[0]


async def test_a_stop_waits_until_what_is_posted_is_recorded(
    elsewhere: Posts, presses: Presses, shelf: Shelf
) -> None:
    """A token has no idempotency key: after the restart the message would be posted again."""
    press, may_arrive = Poster(), asyncio.Event()
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
    assert [each.message for each in shelf.kept] == [100]
    await posting


async def test_a_press_on_the_table_edits_it_from_then_on(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, first := Poster())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    expire(first)
    pressed: Any = Answered(user=2, message=100)
    elsewhere.hold(100, pressed)
    await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert pressed.edits == ["Played."]
    assert first.interaction.edits == []


async def test_a_table_that_no_token_reaches_is_posted_again(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, first := Poster())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    expire(first)
    presses.note(5, second := Poster(200))
    post = await elsewhere.draw(showing("Played."), PLACE, version=2)
    assert (post.message, len(second.put_in)) == (200, 1)
    assert table_of(elsewhere).message == 200
    assert elsewhere.on(100) is None


async def test_without_a_token_the_table_waits_for_the_next_press(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, press := Poster())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    expire(press)
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
    presses.note(5, press := Poster())
    old = await elsewhere.draw(showing("To play."), PLACE, version=1)

    async def farewell(_: Post) -> Drawing:
        return showing("It has moved.")

    await elsewhere.replace(showing("To play."), farewell, old, version=1, calls=(1, 2))
    assert [each.id for each in press.put_in[1]["allowed_mentions"].users] == [1, 2]
    assert press.interaction.edits == ["It has moved."]
    assert table_of(elsewhere).message == 101


async def test_after_a_restart_only_a_press_on_the_table_reaches_it(shelf: Shelf, presses: Presses) -> None:
    client: Any = Unreachable()
    store: Any = shelf
    posts = Posts("g", client, store, (PLACE.holding("g", 100, "x"),), presses=presses)
    with pytest.raises(NoToken):
        await posts.draw(showing("Played."), PLACE, version=2)
    pressed: Any = Answered(message=100)
    posts.hold(100, pressed)
    await posts.draw(showing("Played."), PLACE, version=2)
    assert pressed.edits == ["Played."]


async def test_a_message_there_is_given_up_without_a_request(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, Poster())
    await elsewhere.remove(await elsewhere.draw(showing("To play."), PLACE, version=1))
    assert elsewhere.get(PostKind.TABLE, 1) is None


async def test_the_message_of_one_deal_becomes_that_of_the_next(elsewhere: Posts, presses: Presses) -> None:
    presses.note(5, press := Poster())
    await elsewhere.draw(showing("To play."), PLACE, version=1)
    await elsewhere.become((PostKind.TABLE, 1, -1), (PostKind.TABLE, 2, -1))
    await elsewhere.draw(showing("The next deal."), Place(PostKind.TABLE, 5, 2), version=3)
    assert elsewhere.get(PostKind.TABLE, 1) is None
    assert (len(press.put_in), press.interaction.edits) == (1, ["The next deal."])
