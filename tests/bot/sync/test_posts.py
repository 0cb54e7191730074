"""Messages in Discord: settling, drafts, answers of other processes, and posts with the tokens of presses."""

from __future__ import annotations

import asyncio
import math
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.model.errors import StoreUnavailable
from bot.model.hints import Drawn
from bot.model.posts import SETTLED, Post, PostKind, Slot
from bot.render.drawing import Drawing
from bot.render.layouts import layout, text
from bot.sync import live_message
from bot.sync.discord_errors import REFUSALS, Request
from bot.sync.live_message import Shown, TokenTransport
from bot.sync.posts import Posts
from bot.sync.presses import KEPT, CameBackPrivate, NoToken, Posted, Presses
from tests.bot.answered import Answered
from tests.bot.seating import gather, room_of
from tests.bot.store.memory import MemoryStore
from tests.bot.sync.places import Wall, refused
from tests.patience import PATIENCE

CHANNEL = 5
TABLE = Slot(PostKind.TABLE, 1)
HAND = Slot(PostKind.HAND, 1, 0)


class Messages:
    """A lobby's messages in a channel, and what the store has of them."""

    def __init__(self, store: MemoryStore, game: str) -> None:
        self.store, self.game, self.wall = store, game, Wall()
        self.posts = self.read()

    def read(self, *standing: Post, is_interrupted: bool = False) -> Posts:
        """The messages as a new process reads them."""
        client = self.wall.client()
        self.posts = Posts(self.game, client, self.store, standing, has_unacknowledged_sends=is_interrupted)
        return self.posts

    async def draw(self, said: str, version: int, slot: Slot = TABLE, choosing: int | None = None) -> int:
        """Draw the message, and return its id."""
        post = await self.posts.draw(showing(said), slot, CHANNEL, version=version, choosing=choosing)
        return post.message

    async def settle(self) -> None:
        await self.posts.settle(self.table)

    @property
    def table(self) -> Post:
        found = self.posts.get(PostKind.TABLE, 1)
        assert found is not None
        return found

    @property
    def edits(self) -> int:
        """The number of edits so far."""
        return len(self.wall.edits)


def showing(said: str) -> Drawing:
    return layout(text(said))


@pytest.fixture
async def messages() -> Messages:
    store = MemoryStore()
    _, lobbies, _ = room_of(store)
    return Messages(store, (await gather(lobbies)).game)


async def test_a_message_whose_drawing_was_left_to_an_answer_is_not_settled(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    with messages.posts.pressed(message):
        await messages.draw("Over.", 1)  # left to the answer, which draws something else
    assert messages.posts.is_owed(message)
    assert messages.edits == 0

    await messages.settle()
    assert messages.table.drawn != SETTLED

    await messages.draw("Over.", 1)
    assert messages.edits == 1
    await messages.settle()
    assert messages.table.drawn == SETTLED


async def test_a_message_whose_deletion_is_refused_is_let_go(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    messages.wall.undeletable.add(message)
    await messages.posts.remove(messages.table)
    assert await messages.store.posts(messages.game) == ()
    assert messages.wall.deleted == []


async def test_a_message_that_could_not_be_kept_as_settled_is_kept_when_the_store_is_back(
    messages: Messages,
) -> None:
    await messages.draw("Over.", 1)
    messages.store.broken = True
    with pytest.raises(StoreUnavailable):
        await messages.settle()
    assert not messages.posts.is_up_to_date
    result = Slot(PostKind.RESULT)
    with pytest.raises(StoreUnavailable):
        await messages.draw("You win.", 1, result)

    messages.store.broken = False
    await messages.draw("You win.", 1, result)

    assert messages.posts.is_up_to_date
    assert SETTLED in {post.drawn for post in await messages.store.posts(messages.game)}


async def test_a_message_that_could_not_be_kept_is_kept_with_its_next_drawing_and_posted_once(
    messages: Messages,
) -> None:
    messages.store.broken = True
    with pytest.raises(StoreUnavailable):
        await messages.draw("To play.", 1)
    assert not messages.posts.is_up_to_date

    messages.store.broken = False
    message = await messages.draw("To play.", 1)
    assert messages.posts.is_up_to_date
    assert messages.wall.posted == [(CHANNEL, message)]
    assert [post.message for post in await messages.store.posts(messages.game)] == [message]


async def test_an_edit_by_an_answer_whose_outcome_stays_unknown_is_given_up(
    messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_message, "TOKEN_TIMEOUT", 0.01)
    message, answer = await messages.draw("Your lead.", 1, HAND), Answered()
    answer.is_open.clear()
    await messages.posts.answered(message, answer, Shown(digest="before", version=1))  # type: ignore[arg-type]
    with pytest.raises(TimeoutError):
        await messages.draw("Over.", 2, HAND)
    assert not messages.posts.is_up_to_date
    assert answer.edits == ["Over."]

    # The next is no answer's: discord.py may not have let go of that token.
    await messages.draw("Over.", 2, HAND)
    assert messages.edits == 1
    assert messages.posts.is_up_to_date


async def test_a_draft_is_kept_at_once_and_is_all_that_is_believed_after_an_interrupted_sync(
    messages: Messages,
) -> None:
    message, answer = await messages.draw("Choose.", 1, HAND), Answered()
    chosen = Shown.under(showing("Chosen."), showing("Choose."), version=1, draft=1)
    await messages.posts.answered(message, answer, chosen)  # type: ignore[arg-type]

    messages.read(*await messages.store.posts(messages.game), is_interrupted=True)  # after a crash
    await messages.draw("Choose.", 2, HAND, choosing=1)
    assert messages.edits == 0, "the draft stays"
    await messages.draw("Choose.", 3, HAND)
    assert messages.edits == 1, "once it is over, what it stood on is not believed"


@pytest.mark.parametrize(("is_interrupted", "edits"), [(False, 0), (True, 1)])
async def test_what_is_known_of_a_message_is_believed_unless_a_sync_was_interrupted(
    messages: Messages, *, is_interrupted: bool, edits: int
) -> None:
    await messages.draw("To play.", 1)
    messages.read(*await messages.store.posts(messages.game), is_interrupted=is_interrupted)
    await messages.draw("To play.", 1)
    assert messages.edits == edits


def drawn_elsewhere(
    said: str, message: int, *, draft: int | None = None, is_certain: bool = True
) -> list[Drawn]:
    digest = showing(said).digest
    return [Drawn(message=message, digest=digest, version=2, draft=draft, is_certain=is_certain)]


async def test_what_another_process_has_drawn_is_what_the_message_shows(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", 8) + drawn_elsewhere("Played.", message))
    assert messages.posts.over(message) == messages.table.drawn == showing("Played.").digest

    await messages.draw("To play.", 1)
    await messages.draw("Played.", 2)
    assert messages.edits == 0, "the one is older, and the other stands there"
    await messages.draw("Over.", 3)
    assert messages.edits == 1


async def test_what_another_process_may_have_drawn_is_drawn_over(messages: Messages) -> None:
    message = await messages.draw("To play.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", message, is_certain=False))
    assert messages.posts.over(message) == messages.table.drawn == ""

    await messages.draw("Played.", 2)
    assert messages.edits == 1


async def test_a_message_that_was_settled_is_not_when_another_process_has_drawn_on_it(
    messages: Messages,
) -> None:
    """The answer to a press has crossed the end of the deal."""
    message = await messages.draw("Over.", 1)
    await messages.settle()
    messages.posts.drawn_elsewhere(drawn_elsewhere("Played.", message))
    assert messages.table.drawn != SETTLED

    await messages.draw("Over.", 3)
    assert messages.edits == 1


async def test_a_draft_that_another_process_has_drawn_stays(messages: Messages) -> None:
    message = await messages.draw("Choose.", 1)
    messages.posts.drawn_elsewhere(drawn_elsewhere("Choose.", message, draft=1))
    await messages.draw("Choose, Ben has.", 3, choosing=1)
    assert messages.edits == 0


# -- posts with the tokens of presses, where nothing else reaches the table -------------------------------

HERE, THERE, NOWHERE = 20, 21, 22
NEW: dict[str, Any] = {"content": "The table."}


def press(user: int = 1, at: float = 0.0, *, is_alive: bool = True, is_private: bool = False) -> Any:
    """A press whose token posts a message, which Discord may make private."""
    message = 100 * user
    posted = Posted(message, is_private, TokenTransport(Answered(user), message))  # type: ignore[arg-type]
    return SimpleNamespace(
        user=user,
        pressed_at=at,
        is_alive=is_alive,
        may_post=is_alive,
        may_have_posted=False,
        put=AsyncMock(return_value=posted),
        explain=AsyncMock(),
    )


def noted(*presses: Any) -> Presses:
    book = Presses()
    for each in presses:
        book.note(HERE, each)
    return book


async def test_the_newest_press_posts_in_its_own_channel_only() -> None:
    first, second, again, elsewhere = press(1), press(2), press(1), press(3)
    book = noted(first, second, again)
    book.note(THERE, elsewhere)
    assert (await book.post(HERE, NEW)).message == 100
    assert [each.put.await_count for each in (first, second, again)] == [0, 0, 1]
    assert (await book.post(THERE, NEW)).message == 300
    assert not book.can_post(NOWHERE)
    with pytest.raises(NoToken):
        await book.post(NOWHERE, NEW)


@pytest.mark.parametrize(
    ("error", "is_for_the_token"),
    [
        (refused(401), True),
        *((refused(404, code), True) for code in REFUSALS[Request.FOLLOW_UP]),
        (refused(400, 50035), False),
    ],
    ids=["expired", *map(str, REFUSALS[Request.FOLLOW_UP]), "another refusal"],
)
async def test_a_press_whose_token_is_refused_is_passed_over_for_good(
    error: Exception, is_for_the_token: bool
) -> None:
    older, newer = press(1), press(2)
    newer.put.side_effect = error
    book = noted(older, newer)
    for _ in range(2):
        if is_for_the_token:
            assert (await book.post(HERE, NEW)).message == 100
        else:
            with pytest.raises(discord.HTTPException):
                await book.post(HERE, NEW)
    assert newer.put.await_count == (1 if is_for_the_token else 2)
    assert newer.may_post is not is_for_the_token


async def test_after_a_post_with_an_unknown_outcome_no_press_posts_before_the_next() -> None:
    older, newer, later = press(1), press(2), press(3)
    newer.put.side_effect, newer.may_have_posted = refused(500, 0), True
    book = noted(older, newer)
    for _ in range(2):
        with pytest.raises(NoToken):
            await book.post(HERE, NEW)
    assert (older.put.await_count, newer.put.await_count) == (0, 1)
    book.note(HERE, later)
    assert (await book.post(HERE, NEW)).message == 300


async def test_a_message_that_comes_back_private_says_so_and_the_next_press_posts_if_there_is_one() -> None:
    oldest, private = press(1), press(2, is_private=True)
    book = noted(oldest, private)
    assert (await book.post(HERE, NEW)).message == 100
    [explained] = private.explain.await_args.args
    assert explained.message == 200

    book = noted(press(1, is_alive=False), press(2, is_private=True))
    assert book.can_post(HERE)
    with pytest.raises(CameBackPrivate):
        await book.post(HERE, NEW)
    assert not book.can_post(HERE)


def test_channels_are_forgotten_whose_newest_press_is_out_of_date() -> None:
    book = noted(press(1, at=0.0))
    book.note(THERE, press(2, at=10.0))
    book.note(NOWHERE, press(3, at=KEPT))
    assert [book.can_post(channel) for channel in (HERE, THERE, NOWHERE)] == [False, True, True]
    book.note(THERE, press(1, at=KEPT + 1))
    book.note(23, press(3, at=2 * KEPT))
    assert [book.can_post(channel) for channel in (THERE, NOWHERE, 23)] == [True, False, True]


def test_when_the_last_who_sees_nothing_has_pressed() -> None:
    book = noted(press(1, 10.0, is_alive=False), press(2, 20.0, is_alive=False), press(3, 30.0))
    assert book.seen(HERE, [1, 2, 3]) == 20.0
    assert book.seen(HERE, [1, 3]) == 10.0
    assert book.seen(HERE, [3]) == -math.inf
    assert book.seen(HERE, [1, 4]) is None
    assert book.seen(THERE, [1]) is None
    book.note(HERE, press(1, 40.0, is_alive=False))
    assert book.seen(HERE, [1, 2, 3]) == 40.0


async def test_a_stop_waits_until_what_is_posted_is_recorded(messages: Messages) -> None:
    """A token has no idempotency key: after the restart the message would be posted again."""
    posting_with, may_arrive = press(), asyncio.Event()
    posted = posting_with.put.return_value

    async def late(_: object) -> Posted:
        await may_arrive.wait()
        return posted  # type: ignore[no-any-return]

    posting_with.put.side_effect = late
    presses = Presses()
    presses.note(CHANNEL, posting_with)
    unreachable = Mock(spec=[])
    posts = Posts(messages.game, unreachable, messages.store, (), presses=presses)
    posting = asyncio.create_task(posts.draw(showing("To play."), TABLE, CHANNEL, version=1))
    await asyncio.sleep(0)
    await presses.posted(within=0.0)
    assert not posting.done(), "it waits no longer than it may"
    stopping = asyncio.create_task(presses.posted(within=PATIENCE))
    await asyncio.sleep(0)
    assert not stopping.done()
    may_arrive.set()
    await stopping
    [kept] = await messages.store.posts(messages.game)
    assert kept.message == (await posting).message == 100
